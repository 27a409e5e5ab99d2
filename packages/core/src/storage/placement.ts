import type { Schema } from './schema.ts';
import type { SearchTable } from './storage.ts';

/**
 * Where the rows of a table lie once a database is distributed over several servers: by their store (`store`), so that all of a store is
 * in one place; the same on every server (`everywhere`), for what is small, seldom written and asked for by something other than a
 * store; or on the server that is connected to (`coordinator`), for what only a migration or a copy reads.
 */
export type Placement = 'store' | 'everywhere' | 'coordinator';

/** Tables of a migrated PostgreSQL, and the one that an unfinished copy has besides. */
export type PlacedTable = Exclude<keyof Schema, 'list_totals'> | SearchTable | 'list_count_changes' | 'copy_state';

/** Column by which tables of the placement `store` are distributed; it is in each of their unique rules. */
export const placedBy = 'store_id';

/** The table that is distributed first; the others lie beside it. */
export const firstPlaced = 'products' satisfies PlacedTable;

/** Every table with its placement: a new table gets its line here, and the migrator distributes it. */
export const placements: Readonly<Record<PlacedTable, Placement>> = {
  stores: 'everywhere',
  // Found by a hash that says nothing of its store.
  api_keys: 'everywhere',
  // Of the application, not of a store.
  app_subscribers: 'everywhere',
  products: 'store',
  product_facets: 'store',
  product_search: 'store',
  categories: 'store',
  category_removals: 'store',
  pages: 'store',
  media: 'store',
  media_uses: 'store',
  customers: 'store',
  orders: 'store',
  order_search: 'store',
  discounts: 'store',
  reservations: 'store',
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
