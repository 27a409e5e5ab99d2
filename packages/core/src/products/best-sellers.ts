import { prepared } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';

const idsOf = prepared<{ storeId: string }, { ids: string }>((db, p) =>
  db.selectFrom('best_sellers').select('ids').where('store_id', '=', p('storeId')),
);

/**
 * The ids of the products of a store with the most pieces sold in the last 90 days, best first, at most 1,000. They were reckoned within
 * about the last hour (`statistics/reckon.ts`), so that one of them might have been deleted since.
 */
export async function bestSellers(db: Db, storeId: string): Promise<readonly string[]> {
  const [row] = await idsOf(db, { storeId });
  return row ? JSON.parse(row.ids) : [];
}
