import { type SearchTable, searchColumns } from './storage.ts';

/** Definition of an index: `unique` if it is a rule, its table, its columns, and the condition of its rows. */
type Definition = string;

/**
 * Every index that the migrations create, except on primary keys, in the syntax of both engines. A missing one can then be detected and
 * recreated. A test compares this list with the migrations.
 */
const ofBoth: Readonly<Record<string, Definition>> = {
  api_keys__hash: 'unique api_keys (hash)',
  api_keys_created_by: 'api_keys (store_id, created_by)',
  audit_logs_action: 'audit_logs (store_id, action, id)',
  audit_logs_actor_id: 'audit_logs (store_id, actor_id, id)',
  audit_logs_resource: 'audit_logs (store_id, resource_id, id)',
  audit_logs_resource_type: 'audit_logs (store_id, resource_type, id)',
  categories__slug: "unique categories (store_id, slug) where status <> 'deleted'",
  categories_newest: "categories (store_id, created_at desc, id desc) where status <> 'deleted'",
  categories_parent_newest: "categories (store_id, parent_id, created_at desc, id desc) where status <> 'deleted'",
  checkouts_address:
    "checkouts (store_id, address_hash) where state in ('opening', 'open') and address_hash is not null",
  checkouts_closed_address:
    "checkouts (store_id, address_hash, created_at) where state = 'closed' and address_hash is not null",
  checkouts_due: "checkouts (expires_at, store_id) where state in ('opening', 'open')",
  checkouts_due_of_store: "checkouts (store_id, expires_at) where state in ('opening', 'open')",
  checkouts_fingerprint: "checkouts (store_id, fingerprint) where state in ('opening', 'open')",
  customers__email: 'unique customers (store_id, email)',
  customers_name: 'customers (store_id, name_key, id)',
  customers_newest: 'customers (store_id, created_at desc, id desc)',
  customers_orders: 'customers (store_id, order_count, id)',
  customers_spent: 'customers (store_id, total_spent, id)',
  deliveries_event: 'deliveries (store_id, event_id, subscriber_id)',
  deliveries_failed: "deliveries (store_id, id, subscriber_id) where status = 'failed'",
  deliveries_pending: "deliveries (store_id, id) where status = 'pending'",
  deliveries_queue: "deliveries (store_id, subscriber_id, due_at, id) where status = 'pending'",
  deliveries_webhook: 'deliveries (store_id, subscriber_id, id)',
  discounts_created: 'discounts (store_id, created_at, id)',
  idempotent_requests_expires_at: 'idempotent_requests (expires_at, store_id)',
  imports_fingerprint: 'imports (store_id, fingerprint)',
  imports_status: 'imports (status, store_id)',
  invoices__n: 'unique invoices (store_id, series, n)',
  invoices__number: 'unique invoices (store_id, number)',
  invoices_kind_newest: 'invoices (store_id, kind, created_at desc, id desc)',
  invoices_newest: 'invoices (store_id, created_at desc, id desc)',
  invoices_order: 'invoices (store_id, order_id, id)',
  mails_due: "mails (due_at, store_id) where status = 'pending'",
  mails_due_of_store: "mails (store_id, due_at, id) where status = 'pending'",
  mails_kind: 'mails (store_id, kind, id)',
  mails_order: 'mails (store_id, order_id, id) where order_id is not null',
  mails_recipient: 'mails (store_id, kind, recipient, started_at) where started_at is not null',
  mails_started: 'mails (store_id, kind, started_at) where started_at is not null',
  mails_status: 'mails (store_id, status, id)',
  mails_with_text: "mails (store_id, id) where has_text = 1 and kind <> 'withdrawal.received'",
  mails_withdrawal: 'mails (store_id, withdrawal_id) where withdrawal_id is not null',
  media_newest: 'media (store_id, created_at desc, id desc)',
  orders__number: 'unique orders (store_id, number)',
  orders_customer_newest: 'orders (store_id, customer_id, created_at desc, id desc)',
  orders_newest: 'orders (store_id, created_at desc, id desc)',
  orders_payment_status_newest: 'orders (store_id, payment_status, created_at desc, id desc)',
  orders_placed: 'orders (store_id, placed_at) where placed_at is not null',
  orders_reserved: 'orders (reserved_until, store_id) where reserved_until is not null',
  orders_status_newest: 'orders (store_id, status, created_at desc, id desc)',
  orders_to_refund: 'orders (store_id, id) where to_refund = 1',
  orders_total: 'orders (store_id, total, id)',
  orders_unpaid_offline: 'orders (store_id, customer_id) where unpaid_offline > 0',
  pages__slug: "unique pages (store_id, slug) where status <> 'deleted'",
  pages_newest: "pages (store_id, created_at desc, id desc) where status <> 'deleted'",
  passkeys__credential_id: 'unique passkeys (credential_id)',
  passkeys_of_person: 'passkeys (person_id)',
  payment_notifications__event_id: 'unique payment_notifications (store_id, provider, event_id)',
  payment_notifications_order: 'payment_notifications (store_id, order_id) where order_id is not null',
  payment_notifications_payment: 'payment_notifications (store_id, payment_id) where payment_id is not null',
  payment_refunds__refund_id: "unique payment_refunds (store_id, refund_id) where origin = 'executed'",
  payment_refunds_due: 'payment_refunds (ask_at, store_id) where ask_at is not null',
  payment_refunds_due_of_store: 'payment_refunds (store_id, ask_at) where ask_at is not null',
  payment_refunds_request: 'payment_refunds (store_id, request_name) where request_name is not null',
  payments_matched: "payments (store_id, matched, id) where matched is not null and matched <> 'paid'",
  payments_order: 'payments (store_id, order_id) where order_id is not null',
  payments_disputed: `payments (store_id, dispute_status, id) where dispute_status = 'open'`,
  payments_provider: 'payments (store_id, provider, id)',
  payments_provider_order:
    'payments (store_id, provider, provider_order) where provider_order is not null and order_id is null',
  payments_status: "payments (store_id, status, id) where status <> 'succeeded'",
  products__number: 'unique products (store_id, number)',
  products__sku: "unique products (store_id, sku) where status <> 'deleted' and sku is not null",
  products__slug: "unique products (store_id, slug) where status <> 'deleted'",
  products_manufacturer:
    "products (store_id, manufacturer_id) where status <> 'deleted' and manufacturer_id is not null",
  products_responsible:
    "products (store_id, responsible_person_id) where status <> 'deleted' and responsible_person_id is not null",
  products_barcode: "products (store_id, barcode) where status <> 'deleted' and barcode is not null",
  products_can_buy_newest: 'products (store_id, created_at desc, id desc) where can_buy = 1',
  products_group: 'products (store_id, status, variant_group_id)',
  products_low_newest: 'products (store_id, created_at desc, id desc) where low_stock = 1',
  products_newest: "products (store_id, created_at desc, id desc) where status <> 'deleted'",
  products_on_sale_newest: 'products (store_id, created_at desc, id desc) where on_sale = 1',
  products_price: 'products (store_id, status, price, id desc)',
  products_price_down: 'products (store_id, status, price desc, id desc)',
  products_status_newest: 'products (store_id, status, created_at desc, id desc)',
  products_title: 'products (store_id, status, title_key, id desc)',
  products_title_down: 'products (store_id, status, title_key desc, id desc)',
  products_variants_newest:
    "products (store_id, variant_group_id, created_at desc, id desc) where status <> 'deleted' and variant_group_id is not null",
  reservations_product: 'reservations (store_id, product_id, expires_at, quantity)',
  sessions__hash: 'unique sessions (hash)',
  sessions_of_user: 'sessions (store_id, user_id)',
  stores__number: 'unique stores (number)',
  stores__ucp_host: 'unique stores (ucp_host)',
  users__email_key: 'unique users (store_id, email_key)',
  users_of_email: 'users (email_key, store_id)',
  users_of_person: 'users (person_id, store_id)',
  webhooks__url: 'unique webhooks (store_id, url)',
  withdrawals_address: 'withdrawals (store_id, address_hash, created_at) where address_hash is not null',
  withdrawals_email: 'withdrawals (store_id, email_key)',
  withdrawals_newest: 'withdrawals (store_id, created_at desc, id desc)',
  withdrawals_order: 'withdrawals (store_id, order_id, id) where order_id is not null',
  withdrawals_status_newest: 'withdrawals (store_id, status, created_at desc, id desc)',
  withdrawals_untried: 'withdrawals (store_id, created_at) where tried_at is null',
};

/** Further indexes of PostgreSQL: unique rules that SQLite keeps within the table, so that they cannot be dropped there. */
const ofPostgres: Readonly<Record<string, Definition>> = {
  ...ofBoth,
  checkouts__order_id: 'unique checkouts (store_id, order_id)',
  discounts__code_key: 'unique discounts (store_id, code_key)',
  list_count_changes_value: 'list_count_changes (store_id, list, value)',
  order_search__text: trigrams('order_search'),
  product_search__text: trigrams('product_search'),
};

function trigrams(table: SearchTable): Definition {
  return `${table} using gin (${searchColumns[table].map((column) => `${column} gin_trgm_ops`).join(', ')})`;
}

export const indexesOf = { sqlite: ofBoth, postgres: ofPostgres } as const;
