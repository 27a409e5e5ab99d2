import { sql } from 'kysely';
import type { Context, TxContext } from '../engine/context.ts';
import { pendingCounts } from '../resources/counts.ts';
import { type Counted, rememberedTotal } from '../resources/remembered-totals.ts';
import type { Db } from '../storage/storage.ts';

// The total of a list of products comes from one of three places:
// - of all products, or those of one status: `products.status` in the counts, which every change keeps (`totalOfStatuses`);
// - of one attribute or one category: `products.facets` in the counts (`readFaceted`);
// - of anything else: counted, once for each version of the store's lists, and remembered by this process (`totalOf`).

/** The total of the products with one of the statuses, as part of a statement. */
export function totalOfStatuses(db: Db, storeId: string, statuses: readonly string[]) {
  const counted = db
    .selectFrom('list_totals')
    .select((eb) => sql<string>`coalesce(${eb.fn.sum('n')}, 0)`.as('total'))
    .where('store_id', '=', storeId)
    .where('list', '=', sql.lit('products.status'))
    .where('value', 'in', statuses);
  return sql<string>`${counted}`;
}

/**
 * Invalidates the counted totals in every process when the transaction commits. Call it for any change that can move a product into or out
 * of a filtered list; a change of only price or stock cannot.
 */
export function invalidateTotals(tx: TxContext): void {
  pendingCounts(tx).add('products.version', '', 1);
}

/**
 * The total of a filtered list of products. Undefined if it would have to be counted and counting is not allowed here. Counting a million
 * products takes a tenth of a second.
 * @param filters names of the counted filters
 * @param count left out if counting would take too long
 */
export function totalOf(
  ctx: Context,
  db: Db,
  filters: readonly unknown[],
  count: (() => Promise<number>) | undefined,
): Promise<Counted | undefined> {
  return rememberedTotal(ctx, db, 'products.version', filters, count);
}
