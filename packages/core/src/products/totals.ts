import { sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { pendingCounts } from '../resources/counts.ts';
import type { Db } from '../storage/storage.ts';

// The total of a list of products comes from one of three places:
// - of all products, or those of one status: `products.status` in the counts, which every change keeps (`totalOfStatuses`);
// - of one attribute or one category: `products.facets` in the counts;
// - of anything else: counted, once for each version of the store's lists, and remembered by this process; see `list/find.ts`.

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
 * of a list, or to another place in it. A change of the stock does so only when it changes what can be bought, or what runs low.
 */
export function invalidateTotals(tx: TxContext): void {
  pendingCounts(tx).add('products.version', '', 1);
}
