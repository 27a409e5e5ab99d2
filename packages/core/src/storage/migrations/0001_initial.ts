import { type RawBuilder, sql } from 'kysely';
import type { Storage } from '../storage.ts';
import type { Migration } from './migration.ts';

/**
 * Every key begins with the store. So no store reads another's row by accident, and a distributed PostgreSQL can spread the stores without
 * a rewrite.
 *
 * Until 0.1.0 is tagged, this migration is changed in place. Each change of its tables increases the number at the end of its name.
 * Databases that were created before are then refused with instructions, instead of failing at some query.
 */
export const initial: Migration = {
  name: '0001_initial_11',
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db, storage) {
    for (const statement of statements(storage)) await statement.execute(db);
    await storage.counts.create(db);
    await storage.search.create(db);
    await storage.orderSearch.create(db);
  },
};

function statements({ inKeyOrder, byBytes }: Storage): RawBuilder<unknown>[] {
  return [
    sql`create table stores (
      id text primary key, number integer not null, name text not null, currency text not null,
      created_at bigint not null, updated_at bigint not null, strict_category_depth integer not null default 0,
      plan text not null default 'enterprise', requests_per_minute integer, burst integer,
      manual_payments integer not null default 0, settings text not null, smtp_password text, link_secret text not null,
      feed_token text, ucp_host text)`,
    sql`create unique index stores__number on stores (number)`,
    sql`create unique index stores__ucp_host on stores (ucp_host)`,
    sql`create table rate_limits (
      store_id text primary key, level bigint not null, at bigint not null)`,
    sql`create table api_keys (
      store_id text not null, id text not null, name text not null, prefix text not null, hash text not null,
      scopes text not null, last_used_at bigint, expires_at bigint, created_at bigint not null, created_by text,
      kind text not null default 'secret',
      constraint api_keys_pkey primary key (store_id, id))`,
    sql`create unique index api_keys__hash on api_keys (hash)`,
    sql`create index api_keys_created_by on api_keys (store_id, created_by)`,
    sql`create table sign_in_codes (
      store_id text not null, hash text not null, expires_at bigint not null, user_id text,
      constraint sign_in_codes_pkey primary key (store_id, hash)) ${inKeyOrder}`,
    sql`create table people (
      id text not null, password text, created_at bigint not null, constraint people_pkey primary key (id))`,
    sql`create table users (
      store_id text not null, id text not null, email text not null, email_key text not null, name text not null,
      role text not null, status text not null, person_id text, last_sign_in_at bigint, created_at bigint not null,
      updated_at bigint not null, constraint users_pkey primary key (store_id, id))`,
    sql`create unique index users__email_key on users (store_id, email_key)`,
    sql`create index users_of_email on users (email_key, store_id)`,
    sql`create index users_of_person on users (person_id, store_id)`,
    sql`create table passkeys (
      id text not null, person_id text not null, credential_id text not null, public_key text not null,
      counter bigint not null, transports text not null, name text not null, created_at bigint not null,
      last_used_at bigint, constraint passkeys_pkey primary key (id))`,
    sql`create unique index passkeys__credential_id on passkeys (credential_id)`,
    sql`create index passkeys_of_person on passkeys (person_id)`,
    sql`create table sessions (
      store_id text not null, id text not null, hash text not null, user_id text, is_kept integer not null,
      agent text not null, address text, last_used_at bigint not null, expires_at bigint not null,
      created_at bigint not null, constraint sessions_pkey primary key (store_id, id))`,
    sql`create unique index sessions__hash on sessions (hash)`,
    sql`create index sessions_of_user on sessions (store_id, user_id)`,
    sql`create table sign_in_failures (
      name text not null, count integer not null, ends_at bigint not null,
      constraint sign_in_failures_pkey primary key (name))`,
    sql`create table passkey_challenges (
      hash text not null, expires_at bigint not null, constraint passkey_challenges_pkey primary key (hash))`,
    sql`create table idempotent_requests (
      store_id text not null, api_key_id text not null, route text not null, key text not null,
      fingerprint text not null, status integer not null, body text, expires_at bigint not null,
      constraint idempotent_requests_pkey primary key (store_id, api_key_id, route, key))`,
    // Finds the expired rows of all stores with one query.
    sql`create index idempotent_requests_expires_at on idempotent_requests (expires_at, store_id)`,
    sql`create table products (
      store_id text not null, id text not null, number bigint not null, status text not null, slug text not null,
      sku text, variant_group_id text, track_stock integer not null, stock bigint not null,
      allow_backorder integer not null, created_at bigint not null, json text not null, shape bigint not null default 0,
      stock_moved integer not null default 0, low_stock integer not null default 0,
      barcode text, price bigint not null default 0, on_sale integer not null default 0,
      can_buy integer not null default 0, title_key text ${byBytes} not null default '',
      sku_key text, barcode_key text, prices text not null default '',
      manufacturer_id text, responsible_person_id text,
      constraint products_pkey primary key (store_id, id))`,
    // Deleted products leave their slug and SKU free, and lists do not show them. Both engines use a partial index only if the query
    // repeats its condition as a literal, not as a parameter. Which rule an error names depends on the order of the indexes.
    sql`create unique index products__slug on products (store_id, slug) where status <> 'deleted'`,
    sql`create unique index products__sku on products (store_id, sku) where status <> 'deleted' and sku is not null`,
    sql`create unique index products__number on products (store_id, number)`,
    sql`create index products_newest on products (store_id, created_at desc, id desc) where status <> 'deleted'`,
    sql`create index products_status_newest on products (store_id, status, created_at desc, id desc)`,
    sql`create index products_variants_newest on products (store_id, variant_group_id, created_at desc, id desc)
      where status <> 'deleted' and variant_group_id is not null`,
    sql`create index products_low_newest on products (store_id, created_at desc, id desc) where low_stock = 1`,
    sql`create index products_on_sale_newest on products (store_id, created_at desc, id desc) where on_sale = 1`,
    sql`create index products_can_buy_newest on products (store_id, created_at desc, id desc) where can_buy = 1`,
    sql`create index products_manufacturer on products (store_id, manufacturer_id)
      where status <> 'deleted' and manufacturer_id is not null`,
    sql`create index products_responsible on products (store_id, responsible_person_id)
      where status <> 'deleted' and responsible_person_id is not null`,
    sql`create index products_barcode on products (store_id, barcode)
      where status <> 'deleted' and barcode is not null`,
    // Products of one price are listed newest first in both directions, so each direction has its own index.
    sql`create index products_price on products (store_id, status, price, id desc)`,
    sql`create index products_price_down on products (store_id, status, price desc, id desc)`,
    sql`create index products_group on products (store_id, status, variant_group_id)`,
    sql`create index products_title on products (store_id, status, title_key, id desc)`,
    sql`create index products_title_down on products (store_id, status, title_key desc, id desc)`,
    // A product has one row for each of its attributes and categories. Within a value, the rows are in the order of the lists.
    sql`create table product_facets (
      store_id text not null, facet text not null, value text not null, created_at bigint not null,
      product_id text not null,
      constraint product_facets_pkey primary key (store_id, facet, value, created_at, product_id)) ${inKeyOrder}`,
    // One row for each key of metadata and each tag of an item. Within a value, the rows are in the order of the lists.
    sql`create table labels (
      store_id text not null, resource text not null, label text not null, value text not null,
      made_at bigint not null, item_id text not null,
      constraint labels_pkey primary key (store_id, resource, label, value, made_at, item_id)) ${inKeyOrder}`,
    sql`create table categories (
      store_id text not null, id text not null, status text not null, slug text not null, parent_id text,
      search text not null, created_at bigint not null, json text not null, shape bigint not null default 0,
      constraint categories_pkey primary key (store_id, id))`,
    sql`create index categories_parent_newest on categories (store_id, parent_id, created_at desc, id desc)
      where status <> 'deleted'`,
    sql`create unique index categories__slug on categories (store_id, slug) where status <> 'deleted'`,
    sql`create index categories_newest on categories (store_id, created_at desc, id desc) where status <> 'deleted'`,
    // Deleted categories that products still name.
    sql`create table category_removals (
      store_id text not null, category_id text not null, deleted_at bigint not null,
      constraint category_removals_pkey primary key (store_id, category_id))`,
    sql`create table pages (
      store_id text not null, id text not null, status text not null, slug text not null, search text not null,
      created_at bigint not null, json text not null, shape bigint not null default 0,
      constraint pages_pkey primary key (store_id, id))`,
    sql`create unique index pages__slug on pages (store_id, slug) where status <> 'deleted'`,
    sql`create index pages_newest on pages (store_id, created_at desc, id desc) where status <> 'deleted'`,
    sql`create table media (
      store_id text not null, id text not null, mime_type text not null, created_at bigint not null,
      json text not null, shape bigint not null default 0,
      constraint media_pkey primary key (store_id, id))`,
    sql`create index media_newest on media (store_id, created_at desc, id desc)`,
    sql`create table media_uses (
      store_id text not null, media_id text not null, used_by text not null,
      constraint media_uses_pkey primary key (store_id, media_id, used_by)) ${inKeyOrder}`,
    sql`create table customers (
      store_id text not null, id text not null, email text not null, created_at bigint not null,
      json text not null, shape bigint not null default 0, search text not null default '',
      name_key text ${byBytes} not null default '', order_count bigint not null default 0, total_spent bigint not null default 0,
      constraint customers_pkey primary key (store_id, id))`,
    sql`create unique index customers__email on customers (store_id, email)`,
    sql`create index customers_newest on customers (store_id, created_at desc, id desc)`,
    sql`create index customers_name on customers (store_id, name_key, id)`,
    sql`create index customers_orders on customers (store_id, order_count, id)`,
    sql`create index customers_spent on customers (store_id, total_spent, id)`,
    sql`create table orders (
      store_id text not null, id text not null, number bigint not null, customer_id text, status text not null,
      payment_status text not null, payment_provider text, payment_id text, created_at bigint not null,
      json text not null, stock_taken text, stock_returned text, reserved_until bigint, discount_id text,
      search text not null default '', shape bigint not null default 0, total bigint not null default 0, placed_at bigint,
      to_refund integer not null default 0, unpaid_offline integer not null default 0, email text,
      no_shipping integer not null default 0,
      constraint orders_pkey primary key (store_id, id))`,
    sql`create unique index orders__number on orders (store_id, number)`,
    sql`create index orders_newest on orders (store_id, created_at desc, id desc)`,
    sql`create index orders_status_newest on orders (store_id, status, created_at desc, id desc)`,
    sql`create index orders_payment_status_newest on orders (store_id, payment_status, created_at desc, id desc)`,
    sql`create index orders_customer_newest on orders (store_id, customer_id, created_at desc, id desc)`,
    sql`create index orders_placed on orders (store_id, placed_at) where placed_at is not null`,
    sql`create index orders_to_refund on orders (store_id, id) where to_refund = 1`,
    sql`create index orders_unpaid_offline on orders (store_id, customer_id) where unpaid_offline > 0`,
    sql`create index orders_total on orders (store_id, total, id)`,
    sql`create index orders_reserved on orders (reserved_until, store_id) where reserved_until is not null`,
    sql`create table discounts (
      store_id text not null, id text not null, code_key text not null, created_at bigint not null,
      json text not null, shape bigint not null default 0,
      constraint discounts_pkey primary key (store_id, id),
      constraint discounts__code_key unique (store_id, code_key))`,
    sql`create index discounts_created on discounts (store_id, created_at, id)`,
    sql`create table reservations (
      store_id text not null, order_id text not null, product_id text not null, quantity bigint not null,
      expires_at bigint not null,
      constraint reservations_pkey primary key (store_id, order_id, product_id)) ${inKeyOrder}`,
    // The reserved pieces of a product are summed from this index, without reading the table.
    sql`create index reservations_product on reservations (store_id, product_id, expires_at, quantity)`,
    sql`create table best_sellers (
      store_id text primary key, ids text not null, reckoned_at bigint not null)`,
    sql`create table checkouts (
      store_id text not null, id text not null, order_id text not null, state text not null, provider text,
      page_id text, provider_order text, url text, fingerprint text not null, secret_hash text not null,
      by_storefront integer not null default 0, address_hash text, success_url text not null, cancel_url text not null, expires_at bigint not null, captures integer not null,
      capturing_until bigint not null, created_at bigint not null, updated_at bigint not null,
      constraint checkouts_pkey primary key (store_id, id),
      constraint checkouts__order_id unique (store_id, order_id))`,
    sql`create index checkouts_fingerprint on checkouts (store_id, fingerprint) where state in ('opening', 'open')`,
    sql`create index checkouts_address on checkouts (store_id, address_hash)
      where state in ('opening', 'open') and address_hash is not null`,
    sql`create index checkouts_closed_address on checkouts (store_id, address_hash, created_at)
      where state = 'closed' and address_hash is not null`,
    sql`create index checkouts_due on checkouts (expires_at, store_id) where state in ('opening', 'open')`,
    sql`create index checkouts_due_of_store on checkouts (store_id, expires_at) where state in ('opening', 'open')`,
    sql`create table payment_providers (
      store_id text not null, provider text not null, settings text not null, updated_at bigint not null,
      previous text not null default '[]', make_orders integer not null default 0,
      constraint payment_providers_pkey primary key (store_id, provider))`,
    sql`create table payment_notifications (
      store_id text not null, id text not null, provider text not null, event_id text not null,
      event_type text not null, order_id text, payment_id text, outcome text not null, warning text, notice text,
      payload text not null, received_at bigint not null, updated_at bigint not null,
      constraint payment_notifications_pkey primary key (store_id, id))`,
    sql`create unique index payment_notifications__event_id on payment_notifications (store_id, provider, event_id)`,
    sql`create index payment_notifications_order on payment_notifications (store_id, order_id)
      where order_id is not null`,
    sql`create index payment_notifications_payment on payment_notifications (store_id, payment_id)
      where payment_id is not null`,
    sql`create table payments (
      store_id text not null, id text not null, provider text not null, provider_payment_id text not null,
      provider_order text, order_id text, status text not null, version bigint, amount bigint, currency text,
      captured bigint not null, refunded bigint not null, matched text, wrong_payee integer not null,
      reference text, method text, details text, related_ids text not null, disputes text not null,
      dispute_status text, dispute_due_at bigint, status_since bigint not null,
      dismissed_at bigint, paid_at bigint, created_at bigint not null, updated_at bigint not null,
      constraint payments_pkey primary key (store_id, id))`,
    sql`create index payments_order on payments (store_id, order_id) where order_id is not null`,
    // Payments that wait for a link from the provider's own order to an order of the store.
    sql`create index payments_provider_order on payments (store_id, provider, provider_order)
      where provider_order is not null and order_id is null`,
    sql`create index payments_matched on payments (store_id, matched, id)
      where matched is not null and matched <> 'paid'`,
    sql`create index payments_status on payments (store_id, status, id) where status <> 'succeeded'`,
    sql`create index payments_disputed on payments (store_id, dispute_status, id)
      where dispute_status = 'open'`,
    sql`create index payments_provider on payments (store_id, provider, id)`,
    sql`create table payment_refs (
      store_id text not null, provider text not null, ref text not null, payment_id text, order_id text,
      constraint payment_refs_pkey primary key (store_id, provider, ref)) ${inKeyOrder}`,
    sql`create table payment_refunds (
      store_id text not null, payment_id text not null, position integer not null, refund_id text not null,
      origin text not null, named integer not null, amount bigint not null, status text not null, told_at bigint,
      recorded_at bigint not null, status_since bigint not null, provider_refund_id text,
      error text, reason text, lines text, shipping integer not null, restocked integer not null, ask_at bigint,
      request_name text, request_print text,
      constraint payment_refunds_pkey primary key (store_id, payment_id, position)) ${inKeyOrder}`,
    // The id is the provider's idempotency key.
    sql`create unique index payment_refunds__refund_id on payment_refunds (store_id, refund_id)
      where origin = 'executed'`,
    sql`create index payment_refunds_request on payment_refunds (store_id, request_name)
      where request_name is not null`,
    sql`create index payment_refunds_due on payment_refunds (ask_at, store_id) where ask_at is not null`,
    sql`create index payment_refunds_due_of_store on payment_refunds (store_id, ask_at) where ask_at is not null`,
    sql`create table events (
      store_id text not null, id text not null, type text not null, resource_id text not null,
      created_at bigint not null, data text not null,
      constraint events_pkey primary key (store_id, id))`,
    sql`create table webhooks (
      store_id text not null, id text not null, url text not null, secret text not null,
      is_active integer not null, last_triggered_at bigint, created_at bigint not null,
      updated_at bigint not null, previous_secret text, previous_until bigint, disabled_reason text,
      failing_since bigint, signature_format text not null default 'sha256', retries integer not null default 4,
      key_id text,
      constraint webhooks_pkey primary key (store_id, id))`,
    sql`create unique index webhooks__url on webhooks (store_id, url)`,
    sql`create table webhook_events (
      store_id text not null, event text not null, webhook_id text not null,
      constraint webhook_events_pkey primary key (store_id, event, webhook_id))`,
    sql`create table app_subscribers (
      event text not null, name text not null,
      constraint app_subscribers_pkey primary key (event, name))`,
    sql`create table deliveries (
      store_id text not null, id text not null, subscriber_id text not null, event_id text not null,
      event text not null, status text not null, attempts integer not null, due_at bigint, locked_until bigint,
      log text not null, created_at bigint not null,
      constraint deliveries_pkey primary key (store_id, id))`,
    sql`create index deliveries_webhook on deliveries (store_id, subscriber_id, id)`,
    sql`create index deliveries_queue on deliveries (store_id, subscriber_id, due_at, id) where status = 'pending'`,
    // Finds the deliveries of an event, to send it again.
    sql`create index deliveries_event on deliveries (store_id, event_id, subscriber_id)`,
    // Deliveries of all subscriptions that need attention; most deliveries succeed and are in neither index.
    sql`create index deliveries_failed on deliveries (store_id, id, subscriber_id) where status = 'failed'`,
    sql`create index deliveries_pending on deliveries (store_id, id) where status = 'pending'`,
    sql`create table mails (
      store_id text not null, id text not null, kind text not null, status text not null, recipient text not null,
      locale text not null, order_id text, withdrawal_id text, subject text, data text not null, content text,
      attempts integer not null, due_at bigint, locked_until bigint, started_at bigint, sent_at bigint,
      log text not null, resent_of text, has_text integer not null, created_at bigint not null,
      constraint mails_pkey primary key (store_id, id))`,
    sql`create index mails_kind on mails (store_id, kind, id)`,
    sql`create index mails_status on mails (store_id, status, id)`,
    sql`create index mails_order on mails (store_id, order_id, id) where order_id is not null`,
    sql`create index mails_due on mails (due_at, store_id) where status = 'pending'`,
    sql`create index mails_due_of_store on mails (store_id, due_at, id) where status = 'pending'`,
    // Acknowledgements are counted by address, so nobody can have them sent without end.
    sql`create index mails_recipient on mails (store_id, kind, recipient, started_at) where started_at is not null`,
    sql`create index mails_started on mails (store_id, kind, started_at) where started_at is not null`,
    sql`create index mails_with_text on mails (store_id, id)
      where has_text = 1 and kind <> 'withdrawal.received'`,
    sql`create table mail_templates (
      store_id text not null, kind text not null, locale text not null, subject text not null, text text not null,
      updated_at bigint not null, constraint mail_templates_pkey primary key (store_id, kind, locale))`,
    sql`create table withdrawals (
      store_id text not null, id text not null, status text not null, order_id text, email_key text not null,
      address_hash text, tried_at bigint, created_at bigint not null, json text not null,
      shape bigint not null default 0, constraint withdrawals_pkey primary key (store_id, id))`,
    sql`create index withdrawals_newest on withdrawals (store_id, created_at desc, id desc)`,
    sql`create index withdrawals_status_newest on withdrawals (store_id, status, created_at desc, id desc)`,
    sql`create index withdrawals_order on withdrawals (store_id, order_id, id) where order_id is not null`,
    sql`create index withdrawals_email on withdrawals (store_id, email_key)`,
    sql`create index withdrawals_address on withdrawals (store_id, address_hash, created_at)
      where address_hash is not null`,
    sql`create index withdrawals_untried on withdrawals (store_id, created_at) where tried_at is null`,
    sql`create table invoices (
      store_id text not null, id text not null, kind text not null, number text not null, series text not null,
      n bigint not null, order_id text not null, total bigint not null, created_at bigint not null,
      json text not null, shape bigint not null default 0, constraint invoices_pkey primary key (store_id, id))`,
    sql`create unique index invoices__n on invoices (store_id, series, n)`,
    sql`create unique index invoices__number on invoices (store_id, number)`,
    sql`create index invoices_newest on invoices (store_id, created_at desc, id desc)`,
    sql`create index invoices_kind_newest on invoices (store_id, kind, created_at desc, id desc)`,
    sql`create index invoices_order on invoices (store_id, order_id, id)`,
    // A mail waits for the order of its withdrawal.
    sql`create index mails_withdrawal on mails (store_id, withdrawal_id) where withdrawal_id is not null`,
    sql`create table audit_logs (
      store_id text not null, id text not null, actor_type text not null, actor_id text, action text not null,
      resource_type text not null, resource_id text not null, changes text not null, request_id text,
      created_at bigint not null,
      constraint audit_logs_pkey primary key (store_id, id))`,
    sql`create index audit_logs_resource on audit_logs (store_id, resource_id, id)`,
    sql`create index audit_logs_resource_type on audit_logs (store_id, resource_type, id)`,
    sql`create index audit_logs_action on audit_logs (store_id, action, id)`,
    sql`create index audit_logs_actor_id on audit_logs (store_id, actor_id, id)`,
    sql`create table imports (
      store_id text not null, id text not null, resource text not null, status text not null,
      fingerprint text not null, file text, owner text, actor text not null, options text not null,
      done bigint not null, last_line bigint not null, created_at bigint not null, updated_at bigint not null,
      json text not null,
      constraint imports_pkey primary key (store_id, id))`,
    sql`create index imports_fingerprint on imports (store_id, fingerprint)`,
    sql`create index imports_status on imports (status, store_id)`,
    // An address can be longer than an index allows, so this column holds its digest.
    sql`create table import_images (
      store_id text not null, address text not null, media_id text not null,
      constraint import_images_pkey primary key (store_id, address))`,
    sql`create table sequences (
      store_id text not null, name text not null, last bigint not null,
      constraint sequences_pkey primary key (store_id, name))`,
  ];
}
