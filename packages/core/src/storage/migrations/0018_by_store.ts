import { sql } from 'kysely';
import type { Migration } from './index.ts';

/**
 * Names the rows of the search indexes by their store's id, so that they lie where the other rows of the store do. Pages that are due are
 * found store by store.
 */
export const byStore: Migration = {
  name: '0018_by_store',
  // The search indexes are derived from the rows.
  rewritesRows: false,
  // Older servers write search rows of PostgreSQL by the store's number.
  letsOlderServersRun: false,
  async up(db, storage) {
    await storage.search.keyByStore?.(db);
    await storage.orderSearch.keyByStore?.(db);
    await db.schema
      .createIndex('checkouts_due_of_store')
      .on('checkouts')
      .columns(['store_id', 'expires_at'])
      .where(sql<boolean>`state in ('opening', 'open')`)
      .execute();
  },
};
