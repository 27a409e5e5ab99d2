import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** Refunds, the stock taken by orders, and secrets that are being replaced. */
export const refunds: Migration = {
  name: '0004_refunds',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('order_refunds')
      .addColumn('store_id', 'text', (c) => c.notNull())
      .addColumn('order_id', 'text', (c) => c.notNull())
      .addColumn('refund_id', 'text', (c) => c.notNull())
      .addColumn('origin', 'text', (c) => c.notNull())
      .addColumn('named', 'integer', (c) => c.notNull())
      .addColumn('amount', 'bigint', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('recorded_at', 'bigint', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('order_refunds_pkey', ['store_id', 'order_id', 'refund_id'])
      .execute();

    // Null for an order written before this column, which took the quantities of its lines.
    await schema.alterTable('orders').addColumn('stock_taken', 'text').execute();
    await schema.alterTable('orders').addColumn('attempts', 'text').execute();

    await schema
      .alterTable('payment_providers')
      .addColumn('previous', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();

    await schema
      .createIndex('payment_notifications_payment')
      .on('payment_notifications')
      .columns(['store_id', 'payment_id'])
      .where(sql<boolean>`payment_id is not null`)
      .execute();
  },
};
