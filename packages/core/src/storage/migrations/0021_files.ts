import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Products say how their description is written; those that there are have texts. */
export const files: Migration = {
  name: '0021_files',
  // It only adds to what is stored.
  rewritesRows: false,
  // Older servers print products without the field.
  letsOlderServersRun: false,
  async up(db) {
    await db
      .updateTable('products')
      .set({ json: sql`substr(json, 1, length(json) - 1) || ${sql.lit(',"descriptionFormat":"text"}')}` })
      .execute();
  },
};
