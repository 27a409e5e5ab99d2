import { sql } from 'kysely';
import type { Migration } from './index.ts';

/**
 * Every key leads with the store, so that no store reads another's row by accident and a distributed PostgreSQL can
 * spread the stores without a rewrite.
 */
export const initial: Migration = {
  name: '0001_initial',
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db, storage) {
    const { schema } = db;

    await schema
      .createTable('stores')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('stores__number').on('stores').column('number').unique().execute();

    await schema
      .createTable('api_keys')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('api_keys_pkey', ['store_id', 'id'])
      .execute();
    await schema.createIndex('api_keys__hash').on('api_keys').column('hash').unique().execute();

    await schema
      .createTable('products')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('sku', 'text')
      .addColumn('variant_group_id', 'text')
      .addColumn('track_stock', 'integer', (c) => c.notNull())
      .addColumn('stock', 'bigint', (c) => c.notNull())
      .addColumn('allow_backorder', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('products_pkey', ['store_id', 'id'])
      .execute();
    // Deleted products leave their slug and SKU free, and no list shows them. A literal, not a parameter, lets both
    // engines see that a query fits a partial index.
    const living = sql<boolean>`status <> 'deleted'`;
    await schema
      .createIndex('products__slug')
      .on('products')
      .columns(['store_id', 'slug'])
      .unique()
      .where(living)
      .execute();
    await schema
      .createIndex('products__sku')
      .on('products')
      .columns(['store_id', 'sku'])
      .unique()
      .where(sql<boolean>`status <> 'deleted' and sku is not null`)
      .execute();
    await schema.createIndex('products__number').on('products').columns(['store_id', 'number']).unique().execute();
    await schema
      .createIndex('products_newest')
      .on('products')
      .columns(['store_id', 'created_at desc', 'id desc'])
      .where(living)
      .execute();
    await schema
      .createIndex('products_status_newest')
      .on('products')
      .columns(['store_id', 'status', 'created_at desc', 'id desc'])
      .execute();
    await schema
      .createIndex('products_variants_newest')
      .on('products')
      .columns(['store_id', 'variant_group_id', 'created_at desc', 'id desc'])
      .where(sql<boolean>`status <> 'deleted' and variant_group_id is not null`)
      .execute();
    await storage.search.create(db);

    await schema
      .createTable('categories')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('categories_pkey', ['store_id', 'id'])
      .execute();

    await schema
      .createTable('media')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('mime_type', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('media_pkey', ['store_id', 'id'])
      .execute();

    await schema
      .createTable('customers')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('customers_pkey', ['store_id', 'id'])
      .execute();
    await schema.createIndex('customers__email').on('customers').columns(['store_id', 'email']).unique().execute();

    await schema
      .createTable('orders')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('customer_id', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('payment_status', 'text', (c) => c.notNull())
      .addColumn('payment_provider', 'text')
      .addColumn('payment_id', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('orders_pkey', ['store_id', 'id'])
      .execute();
    await schema.createIndex('orders__number').on('orders').columns(['store_id', 'number']).unique().execute();
    const orderLists = { newest: [], status_newest: ['status'], payment_status_newest: ['payment_status'] } as const;
    for (const [name, columns] of Object.entries(orderLists)) {
      await schema
        .createIndex(`orders_${name}`)
        .on('orders')
        .columns(['store_id', ...columns, 'created_at desc', 'id desc'])
        .execute();
    }
    await schema
      .createIndex('orders_customer_newest')
      .on('orders')
      .columns(['store_id', 'customer_id', 'created_at desc', 'id desc'])
      .execute();
    await schema
      .createIndex('orders_payment')
      .on('orders')
      .columns(['store_id', 'payment_provider', 'payment_id'])
      .where(sql<boolean>`payment_id is not null`)
      .execute();

    await schema
      .createTable('payment_providers')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('payment_providers_pkey', ['store_id', 'provider'])
      .execute();

    await schema
      .createTable('payment_notifications')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('event_type', 'text', (c) => c.notNull())
      .addColumn('order_id', 'text')
      .addColumn('payment_id', 'text')
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('warning', 'text')
      .addColumn('notice', 'text')
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('payment_notifications_pkey', ['store_id', 'id'])
      .execute();
    await schema
      .createIndex('payment_notifications__event_id')
      .on('payment_notifications')
      .columns(['store_id', 'provider', 'event_id'])
      .unique()
      .execute();
    await schema
      .createIndex('payment_notifications_order')
      .on('payment_notifications')
      .columns(['store_id', 'order_id'])
      .where(sql<boolean>`order_id is not null`)
      .execute();

    await schema
      .createTable('events')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('resource_id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('events_pkey', ['store_id', 'id'])
      .execute();

    await schema
      .createTable('webhooks')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('is_active', 'integer', (c) => c.notNull())
      .addColumn('last_triggered_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('webhooks_pkey', ['store_id', 'id'])
      .execute();
    await schema.createIndex('webhooks__url').on('webhooks').columns(['store_id', 'url']).unique().execute();
    await schema
      .createTable('webhook_events')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('webhook_events_pkey', ['store_id', 'event', 'webhook_id'])
      .execute();

    await schema
      .createTable('deliveries')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('locked_until', 'bigint')
      .addColumn('log', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('deliveries_pkey', ['store_id', 'id'])
      .execute();
    await schema
      .createIndex('deliveries_due')
      .on('deliveries')
      .columns(['store_id', 'due_at', 'id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    await schema.createIndex('deliveries_webhook').on('deliveries').columns(['store_id', 'webhook_id', 'id']).execute();

    await schema
      .createTable('audit_logs')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('actor_type', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('resource_type', 'text', (c) => c.notNull())
      .addColumn('resource_id', 'text', (c) => c.notNull())
      .addColumn('changes', 'text', (c) => c.notNull())
      .addColumn('request_id', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('audit_logs_pkey', ['store_id', 'id'])
      .execute();

    await schema
      .createTable('sequences')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('last', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sequences_pkey', ['store_id', 'name'])
      .execute();
    await schema
      .createTable('list_counts')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('list', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('n', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('list_counts_pkey', ['store_id', 'list', 'value'])
      .execute();
  },
};
