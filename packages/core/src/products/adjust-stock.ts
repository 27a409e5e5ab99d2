import type * as z from 'zod';
import { audit } from '../audit/entry.ts';
import type { Context } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { noted } from '../fields/notes.ts';
import { CommerceError } from '../kernel/errors.ts';
import { fields, integer, parse, ruled, text } from '../kernel/parse.ts';
import { maxStock, type Product } from './fields.ts';
import { products } from './products.ts';
import { moveStock } from './stock.ts';

export const StockAdjustmentFields = noted(
  fields({
    /** Pieces added, or removed with a minus sign; not 0. */
    adjustment: integer(-maxStock, maxStock)
      .refine((difference) => difference !== 0, ruled('must not be 0', 'REQUIRED'))
      .meta({ description: 'Pieces added, or removed with a minus sign; not 0.', examples: [12] }),
    /** For the audit log. */
    reason: text(1000).nullable().optional().describe('For the audit log.'),
  }),
  {
    description: 'A change of stock.',
    example: { adjustment: 12, reason: 'Delivery of Monday' },
  },
);
export type StockAdjustment = z.input<typeof StockAdjustmentFields>;

/**
 * Adds a difference to a product's stock, such as after a delivery or a count. Safe while orders change the stock. Emits `product.updated`.
 * @throws CommerceError `validation`; `notFound`; `conflict` when the new stock would be below zero or above the maximum.
 */
export async function adjustStock(ctx: Context, id: string, input: StockAdjustment): Promise<Product> {
  const { adjustment, reason } = parse(StockAdjustmentFields, input);
  return transact(ctx, async (tx) => {
    const { item: before, isMoved } = await products.lockRow(tx, id);
    const stock = before.stock + adjustment;
    // Back-orders can make a stock negative; an adjustment can then raise it to a value still below zero.
    if ((adjustment < 0 && stock < 0) || stock > maxStock) {
      const why = `the stock is ${before.stock} and would become ${stock}, which is ${stock < 0 ? 'below 0' : `above ${maxStock}`}`;
      throw new CommerceError('conflict', `adjustment: ${why}`, {
        details: [
          {
            field: 'adjustment',
            reason: why,
            code: stock < 0 ? 'TOO_SMALL' : 'TOO_LARGE',
            limits: { min: -Math.max(0, before.stock), max: maxStock - before.stock },
          },
        ],
        reason: 'stockOutOfRange',
      });
    }
    const product = await moveStock(tx, before, adjustment, isMoved ? 1 : 0);
    const changes = { stock: { from: before.stock, to: stock }, adjustment, reason: reason ?? null };
    audit(tx, { action: 'product.stock_adjusted', resourceType: 'product', resourceId: id, changes });
    return product;
  });
}
