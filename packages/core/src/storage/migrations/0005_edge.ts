import type { Migration } from './index.ts';

/** State of the HTTP edge: plans and their limits, and the first answers to repeatable requests. */
export const edge: Migration = {
  name: '0005_edge',
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db) {
    const { schema } = db;
    await schema
      .alterTable('stores')
      .addColumn('plan', 'text', (c) => c.notNull().defaultTo('enterprise'))
      .execute();
    // Null for unlimited.
    await schema.alterTable('stores').addColumn('requests_per_minute', 'integer').execute();
    await schema.alterTable('stores').addColumn('burst', 'integer').execute();

    await schema
      .createTable('rate_limits')
      .addColumn('store_id', 'text', (c) => c.primaryKey())
      .addColumn('level', 'bigint', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();

    await schema
      .createTable('idempotent_requests')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('api_key_id', 'text', (c) => c.notNull())
      .addColumn('route', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('body', 'text')
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('idempotent_requests_pkey', ['store_id', 'api_key_id', 'route', 'key'])
      .execute();
    await schema
      .createIndex('idempotent_requests_expiry')
      .on('idempotent_requests')
      .columns(['store_id', 'expires_at'])
      .execute();
  },
};
