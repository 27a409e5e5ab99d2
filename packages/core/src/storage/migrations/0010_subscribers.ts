import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Names the column of a delivery by what it holds: a subscription's id, or `app:` and the name of a subscriber of the application. */
export const subscribers: Migration = {
  name: '0010_subscribers',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db) {
    await sql`alter table deliveries rename column webhook_id to subscriber_id`.execute(db);
  },
};
