import { sql } from 'kysely';
import { preparedPerLength } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';

const publishedIds = preparedPerLength<{ storeId: string }, { id: string }>((db, p, ids) =>
  db
    .selectFrom('categories')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where('status', '=', sql.lit('published')),
);

/** Ids per statement. */
const maxIds = 500;

/** The ids of published categories among the given ids. */
export async function publishedCategories(db: Db, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  const published = new Set<string>();
  for (let i = 0; i < ids.length; i += maxIds) {
    for (const { id } of await publishedIds(db, { storeId }, ids.slice(i, i + maxIds))) published.add(id);
  }
  return published;
}
