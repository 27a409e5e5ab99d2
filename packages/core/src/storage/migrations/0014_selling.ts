import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Settings of stores, kinds of API keys, discounts, reservations of stock, and checkouts. */
export const selling: Migration = {
  name: '0014_selling',
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db, storage) {
    const { schema } = db;
    await schema
      .alterTable('stores')
      .addColumn('tax_rate', 'text', (c) => c.notNull().defaultTo('0'))
      .execute();
    await schema
      .alterTable('stores')
      .addColumn('tax_included', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .alterTable('stores')
      .addColumn('shipping_methods', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await schema
      .alterTable('stores')
      .addColumn('reservation_minutes', 'integer', (c) => c.notNull().defaultTo(31))
      .execute();
    await schema
      .alterTable('stores')
      .addColumn('return_urls', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await schema
      .alterTable('api_keys')
      .addColumn('kind', 'text', (c) => c.notNull().defaultTo('secret'))
      .execute();

    await schema
      .createTable('discounts')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('code_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('discounts_pkey', ['store_id', 'id'])
      .addUniqueConstraint('discounts__code_key', ['store_id', 'code_key'])
      .execute();
    await schema.createIndex('discounts_created').on('discounts').columns(['store_id', 'created_at', 'id']).execute();

    await schema
      .createTable('reservations')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('order_id', 'text', (c) => c.notNull())
      .addColumn('product_id', 'text', (c) => c.notNull())
      .addColumn('quantity', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('reservations_pkey', ['store_id', 'order_id', 'product_id'])
      .modifyEnd(storage.inKeyOrder)
      .execute();
    // Holds of a product are summed from this index alone.
    await schema
      .createIndex('reservations_product')
      .on('reservations')
      .columns(['store_id', 'product_id', 'expires_at', 'quantity'])
      .execute();

    await schema
      .createTable('checkouts')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('order_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('provider', 'text')
      .addColumn('page_id', 'text')
      .addColumn('provider_order', 'text')
      .addColumn('url', 'text')
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('secret_hash', 'text', (c) => c.notNull())
      .addColumn('success_url', 'text', (c) => c.notNull())
      .addColumn('cancel_url', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('captures', 'integer', (c) => c.notNull())
      .addColumn('capturing_until', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('checkouts_pkey', ['store_id', 'id'])
      .addUniqueConstraint('checkouts__order_id', ['store_id', 'order_id'])
      .execute();
    await schema
      .createIndex('checkouts_fingerprint')
      .on('checkouts')
      .columns(['store_id', 'fingerprint'])
      .where(sql<boolean>`state in ('opening', 'open')`)
      .execute();
    await schema
      .createIndex('checkouts_due')
      .on('checkouts')
      .columns(['expires_at', 'store_id'])
      .where(sql<boolean>`state in ('opening', 'open')`)
      .execute();

    await schema.alterTable('orders').addColumn('reserved_until', 'bigint').execute();
    await schema.alterTable('orders').addColumn('discount_id', 'text').execute();
    await schema
      .createIndex('orders_reserved')
      .on('orders')
      .columns(['reserved_until', 'store_id'])
      .where(sql<boolean>`reserved_until is not null`)
      .execute();
    const added = ',"taxIncluded":false,"shippingMethod":null,"reservedUntil":null,"tracking":null}';
    await db
      .updateTable('orders')
      .set({ json: sql`substr(json, 1, length(json) - 1) || ${sql.lit(added)}` })
      .execute();
  },
};
