import type { Migration } from './index.ts';

/** Drops the runs of products that led to pages far down: writing them was a fifth of the cost of a new product. */
export const noBlocks: Migration = {
  name: '0011_no_blocks',
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db) {
    await db.schema.dropTable('product_blocks').execute();
  },
};
