import type { Migration } from './index.ts';

/** Totals of lists as a view, so that an engine may keep changes apart from the counts until they are folded into them. */
export const listTotals: Migration = {
  name: '0012_list_totals',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db, storage) {
    await storage.counts.create(db);
  },
};
