import { collectionTables, perTable } from '../kernel/nouns.ts';
import type { Schema } from '../storage/schema.ts';

/** Tables with the data of stores. */
export type CopiedTable = Exclude<keyof Schema, 'list_totals' | 'schema_migrations'>;

/**
 * Every copied table with the columns of its primary key, in the order in which they are copied. An engine's own search index and unfolded
 * counts are rebuilt from them.
 */
export const copiedTables: Readonly<Record<CopiedTable, readonly string[]>> = {
  stores: ['id'],
  ...perTable(collectionTables, () => ['store_id', 'id']),
  api_keys: ['store_id', 'id'],
  people: ['id'],
  users: ['store_id', 'id'],
  passkeys: ['id'],
  sessions: ['store_id', 'id'],
  sign_in_failures: ['name'],
  passkey_challenges: ['hash'],
  sequences: ['store_id', 'name'],
  category_removals: ['store_id', 'category_id'],
  media: ['store_id', 'id'],
  media_uses: ['store_id', 'media_id', 'used_by'],
  product_facets: ['store_id', 'facet', 'value', 'created_at', 'product_id'],
  labels: ['store_id', 'resource', 'label', 'value', 'made_at', 'item_id'],
  orders: ['store_id', 'id'],
  discounts: ['store_id', 'id'],
  reservations: ['store_id', 'order_id', 'product_id'],
  // Could be reckoned again, but a copy would sort by it an hour late.
  best_sellers: ['store_id'],
  checkouts: ['store_id', 'id'],
  payment_providers: ['store_id', 'provider'],
  payment_notifications: ['store_id', 'id'],
  payments: ['store_id', 'id'],
  payment_refs: ['store_id', 'provider', 'ref'],
  payment_refunds: ['store_id', 'payment_id', 'position'],
  webhooks: ['store_id', 'id'],
  webhook_events: ['store_id', 'event', 'webhook_id'],
  app_subscribers: ['event', 'name'],
  events: ['store_id', 'id'],
  deliveries: ['store_id', 'id'],
  mails: ['store_id', 'id'],
  mail_templates: ['store_id', 'kind', 'locale'],
  withdrawals: ['store_id', 'id'],
  invoices: ['store_id', 'id'],
  idempotent_requests: ['store_id', 'api_key_id', 'route', 'key'],
  audit_logs: ['store_id', 'id'],
  rate_limits: ['store_id'],
  sign_in_codes: ['store_id', 'hash'],
  imports: ['store_id', 'id'],
  import_images: ['store_id', 'address'],
  list_counts: ['store_id', 'list', 'value'],
};

/** The table or view from which the rows of a copied table are read: counts are exact only in their view. */
export function readFrom(table: CopiedTable): keyof Schema {
  return table === 'list_counts' ? 'list_totals' : table;
}
