import type { Migration } from './index.ts';

/** The key that created a key, and the key that created or last changed a subscription. */
export const keyOrigins: Migration = {
  name: '0008_key_origins',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db) {
    const { schema } = db;
    await schema.alterTable('api_keys').addColumn('created_by', 'text').execute();
    await schema.alterTable('webhooks').addColumn('key_id', 'text').execute();
    await schema.createIndex('api_keys_created_by').on('api_keys').columns(['store_id', 'created_by']).execute();
  },
};
