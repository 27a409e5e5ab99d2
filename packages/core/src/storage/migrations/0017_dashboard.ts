import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Settings that the dashboard shows a store by, and codes that sign in to it. */
export const dashboard: Migration = {
  name: '0017_dashboard',
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db, storage) {
    const { schema } = db;
    await schema
      .alterTable('stores')
      .addColumn('time_zone', 'text', (c) => c.notNull().defaultTo('UTC'))
      .execute();
    await schema
      .createTable('sign_in_codes')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sign_in_codes_pkey', ['store_id', 'hash'])
      .modifyEnd(storage.inKeyOrder)
      .execute();
    // Deliveries of all subscriptions that need somebody's attention; most succeed and are in neither.
    for (const status of ['failed', 'pending']) {
      await schema
        .createIndex(`deliveries_${status}`)
        .on('deliveries')
        .columns(['store_id', 'id'])
        .where(sql<boolean>`status = ${sql.lit(status)}`)
        .execute();
    }
  },
};
