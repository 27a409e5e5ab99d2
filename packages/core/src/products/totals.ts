import { sql } from 'kysely';
import type { Context, TxContext } from '../context.ts';
import { pendingCounts } from '../resources/counts.ts';
import { type Counted, rememberedTotal } from '../resources/remembered-totals.ts';
import type { Db } from '../storage/storage.ts';

// The total of a list of products comes from one of three places:
// - of all products, or those of one status: `products.status` in the counts, which every change keeps (`totalOfStatuses`);
// - of one attribute or one category: `products.facets` in the counts (`readFaceted`);
// - of anything else: counted, once for each version of the store's lists, and remembered by this process (`totalOf`).

/** Total of the products that have one of the statuses, as part of a statement. */
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
 * Invalidates the totals counted so far, in every process and when the transaction commits. For any change that can bring a product
 * into a filtered list or take it out; one of its price or stock cannot.
 */
export function invalidateTotals(tx: TxContext): void {
  pendingCounts(tx).add('products.version', '', 1);
}

/**
 * Total of a filtered list of products; undefined where it would have to be counted and that may not be done here. Counting takes a
 * tenth of a second where there are a million.
 * @param filters name what is counted
 * @param count left out where it would take too long
 */
export function totalOf(
  ctx: Context,
  db: Db,
  filters: readonly unknown[],
  count: (() => Promise<number>) | undefined,
): Promise<Counted | undefined> {
  return rememberedTotal(ctx, db, 'products.version', filters, count);
}
