import { z } from 'zod';
import type { TxContext } from '../context.ts';
import { CommerceError, type ErrorDetail, invalid, quote } from '../errors.ts';
import { fields, integer, text } from '../parse.ts';
import { type Quantity, returnStock } from '../products/stock.ts';
import type { Order } from './fields.ts';
import { readStockTaken, writeStockReturned } from './orders.ts';

/** What goes back to the stock with a refund: all that is left, or so many of these products. */
export const Restock = z.union(
  [
    z.boolean(),
    z
      .array(fields({ productId: text(64, 1), quantity: integer(1, 1_000_000) }))
      .max(500, 'must have at most 500 entries'),
  ],
  'must be true, or a list of {productId, quantity}',
);
export type RestockInput = z.input<typeof Restock>;

/** What a locked order took off the stock and has not given back yet. */
async function leftOf(tx: TxContext, order: Order): Promise<{ left: Map<string, number>; returned: Quantity[] }> {
  const { taken, returned } = await readStockTaken(tx, order);
  const left = new Map<string, number>();
  for (const { productId, quantity } of taken) left.set(productId, (left.get(productId) ?? 0) + quantity);
  for (const { productId, quantity } of returned) left.set(productId, (left.get(productId) ?? 0) - quantity);
  return { left, returned };
}

/** Puts back all that a locked order took off the stock and has not given back yet. Emits `product.updated` where stock changes. */
export async function restockAll(tx: TxContext, order: Order): Promise<void> {
  const { left, returned } = await leftOf(tx, order);
  const back = [...left]
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId, quantity }));
  await giveBack(tx, order, returned, back);
}

/**
 * Puts back some of what a locked order took off the stock. Emits `product.updated` where stock changes.
 * @throws CommerceError `validation` for a product that it did not take, and for more than is left
 */
export async function restockSome(tx: TxContext, order: Order, wanted: readonly Quantity[]): Promise<void> {
  const { left, returned } = await leftOf(tx, order);
  const details: ErrorDetail[] = [];
  wanted.forEach(({ productId, quantity }, i) => {
    const rest = left.get(productId) ?? 0;
    if (quantity > rest) {
      const field = rest === 0 ? `restock.${i}.productId` : `restock.${i}.quantity`;
      const reason =
        rest === 0
          ? `must be a product of which order ${order.orderNumber} has taken some that is not back yet, not ${quote(productId)}`
          : `must be at most ${rest}, which is what order ${order.orderNumber} took and has not given back, not ${quantity}`;
      details.push({ field, reason });
    }
    left.set(productId, rest - quantity);
  });
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
  await giveBack(tx, order, returned, wanted);
}

async function giveBack(
  tx: TxContext,
  order: Order,
  returned: readonly Quantity[],
  back: readonly Quantity[],
): Promise<void> {
  if (back.length === 0) return;
  await returnStock(tx, back);
  await writeStockReturned(tx, order.id, [
    ...returned,
    ...back.map(({ productId, quantity }) => ({ productId, quantity })),
  ]);
}

/** @throws CommerceError `validation` when all is to be put back by a refund that leaves something of the total */
export function checkRestockAll(order: Order): void {
  if (order.paymentStatus === 'refunded') return;
  throw invalid(
    'restock',
    `must be a list of {productId, quantity}: true puts everything back, and this refund leaves ${order.refundedAmount} of ${order.total} refunded`,
  );
}
