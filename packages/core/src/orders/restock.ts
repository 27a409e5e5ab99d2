import type { TxContext } from '../engine/context.ts';
import { CommerceError, type ErrorDetail, invalid, quote } from '../kernel/errors.ts';
import { type Quantity, returnStock } from '../products/stock.ts';
import type { Order } from './fields.ts';
import { readStockTaken, writeStockReturned } from './orders.ts';

/** Quantities that a locked order took from the stock and has not returned. */
async function leftOf(tx: TxContext, order: Order): Promise<{ left: Map<string, number>; returned: Quantity[] }> {
  const { taken, returned } = await readStockTaken(tx, order);
  const left = new Map<string, number>();
  for (const { productId, quantity } of taken) left.set(productId, (left.get(productId) ?? 0) + quantity);
  for (const { productId, quantity } of returned) left.set(productId, (left.get(productId) ?? 0) - quantity);
  return { left, returned };
}

/** Returns everything that a locked order still holds to the stock. Emits `product.updated` for changed stock. */
export async function restockAll(tx: TxContext, order: Order): Promise<void> {
  const { left, returned } = await leftOf(tx, order);
  const back = [...left]
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId, quantity }));
  await giveBack(tx, order, returned, back);
}

/**
 * Returns the given quantities of a locked order to the stock. Emits `product.updated` for changed stock.
 * @throws CommerceError `validation` for a product that the order did not take, and for more than it still holds
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
          ? `must be a product that order ${order.orderNumber} took from the stock and has not returned, not ${quote(productId)}`
          : `must be at most ${rest}, the quantity that order ${order.orderNumber} took and has not returned, not ${quantity}`;
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

/**
 * Returns pieces of lines of a locked order to the stock, as far as it took them and has not returned them. Emits `product.updated` for
 * changed stock.
 */
export async function restockLines(
  tx: TxContext,
  order: Order,
  lines: readonly { itemId: string; quantity: number }[],
): Promise<void> {
  const { left, returned } = await leftOf(tx, order);
  const back: Quantity[] = [];
  for (const { itemId, quantity } of lines) {
    const productId = order.items.find(({ id }) => id === itemId)?.productId;
    if (productId === undefined) continue;
    const rest = left.get(productId) ?? 0;
    const some = Math.min(rest, quantity);
    if (some > 0) back.push({ productId, quantity: some });
    left.set(productId, rest - some);
  }
  await giveBack(tx, order, returned, back);
}

/**
 * @param refunded the amount after the refund, with pending ones
 * @throws CommerceError `validation` for `restock: true` with a refund that does not complete the total
 */
export function checkRestockAll({ total }: Pick<Order, 'total'>, refunded: string): void {
  if (refunded === total) return;
  throw invalid(
    'restock',
    `must be a list of {productId, quantity}: true requires lines, or that the whole total is refunded, and after this refund ${refunded} of ${total} are`,
    { code: 'CONFLICTING' },
  );
}
