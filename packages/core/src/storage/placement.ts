import { collectionTables, perTable } from '../kernel/nouns.ts';
import type { Schema } from './schema.ts';
import type { SearchTable } from './storage.ts';

/**
 * Placement of a table's rows in a database distributed over several servers. `store`: by store, with all of a store in one place.
 * `everywhere`: a copy on every server, for small, seldom written tables that are not looked up by store. `coordinator`: on the server that
 * is connected to, for tables that only a migration or a copy reads.
 */
export type Placement = 'store' | 'everywhere' | 'coordinator';

/** Tables of a migrated PostgreSQL, and the extra one of an unfinished copy. */
export type PlacedTable = Exclude<keyof Schema, 'list_totals'> | SearchTable | 'list_count_changes' | 'copy_state';

/** Column by which tables of the placement `store` are distributed; each of their unique rules includes it. */
export const placedBy = 'store_id';

/** The table that is distributed first; the others are placed with it. */
export const firstPlaced = 'products' satisfies PlacedTable;

/** Every table with its placement: a new table gets its line here, and the migrator distributes it. */
export const placements: Readonly<Record<PlacedTable, Placement>> = {
  stores: 'everywhere',
  // Found by a hash, which does not identify the store.
  api_keys: 'everywhere',
  // A person can belong to several stores, and a session is found by a hash.
  people: 'everywhere',
  users: 'everywhere',
  passkeys: 'everywhere',
  sessions: 'everywhere',
  sign_in_failures: 'everywhere',
  passkey_challenges: 'everywhere',
  // Of the application, not of a store.
  app_subscribers: 'everywhere',
  ...perTable(collectionTables, () => 'store' as const),
  product_facets: 'store',
  labels: 'store',
  product_search: 'store',
  category_removals: 'store',
  media: 'store',
  media_uses: 'store',
  orders: 'store',
  order_search: 'store',
  discounts: 'store',
  reservations: 'store',
  best_sellers: 'store',
  checkouts: 'store',
  payment_providers: 'store',
  payment_notifications: 'store',
  payments: 'store',
  payment_refs: 'store',
  payment_refunds: 'store',
  events: 'store',
  webhooks: 'store',
  webhook_events: 'store',
  deliveries: 'store',
  mails: 'store',
  mail_templates: 'store',
  withdrawals: 'store',
  invoices: 'store',
  audit_logs: 'store',
  imports: 'store',
  import_images: 'store',
  sequences: 'store',
  list_counts: 'store',
  list_count_changes: 'store',
  rate_limits: 'store',
  idempotent_requests: 'store',
  sign_in_codes: 'store',
  schema_migrations: 'coordinator',
  copy_state: 'coordinator',
};
