import type { Migration } from './index.ts';

/** Imports with how far each has come, and the images that were fetched for them. */
export const imports: Migration = {
  name: '0013_imports',
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('imports')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('resource', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('file', 'text')
      .addColumn('owner', 'text')
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('done', 'bigint', (c) => c.notNull())
      .addColumn('last_line', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('imports_pkey', ['store_id', 'id'])
      .execute();
    await schema.createIndex('imports_fingerprint').on('imports').columns(['store_id', 'fingerprint']).execute();
    await schema.createIndex('imports_status').on('imports').columns(['status', 'store_id']).execute();

    // An address may be longer than an index takes: its digest stands for it.
    await schema
      .createTable('import_images')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('media_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('import_images_pkey', ['store_id', 'address'])
      .execute();
  },
};
