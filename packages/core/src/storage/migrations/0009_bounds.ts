import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Indexes that keep look-ups, lists and clean-ups proportional to their result, whatever the size of a store. */
export const bounds: Migration = {
  name: '0009_bounds',
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db) {
    const { schema } = db;
    for (const column of ['resource_type', 'action', 'actor_id']) {
      await schema.createIndex(`audit_logs_${column}`).on('audit_logs').columns(['store_id', column, 'id']).execute();
    }

    // Finds expired rows of all stores in one look-up.
    await schema.dropIndex('idempotent_requests_expiry').execute();
    await schema
      .createIndex('idempotent_requests_expires_at')
      .on('idempotent_requests')
      .columns(['expires_at', 'store_id'])
      .execute();

    // Deleted categories that products still name.
    await schema
      .createTable('category_removals')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('category_id', 'text', (c) => c.notNull())
      .addColumn('deleted_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('category_removals_pkey', ['store_id', 'category_id'])
      .execute();

    await sql`delete from list_counts where list = 'products.facets' and n = 0`.execute(db);
  },
};
