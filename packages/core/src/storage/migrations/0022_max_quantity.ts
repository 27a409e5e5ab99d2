import type { Migration } from './index.ts';

/** Stores say how many pieces of a product a storefront key may order at once. */
export const maxQuantity: Migration = {
  name: '0022_max_quantity',
  rewritesRows: false,
  // They name the columns that they write, and have no bound.
  letsOlderServersRun: true,
  async up(db) {
    await db.schema
      .alterTable('stores')
      .addColumn('max_quantity', 'integer', (c) => c.notNull().defaultTo(100))
      .execute();
  },
};
