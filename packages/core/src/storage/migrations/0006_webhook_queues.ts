import { sql } from 'kysely';
import type { Migration } from './index.ts';

/** A queue for each subscription, options of subscriptions, and subscribers of the application itself. */
export const webhookQueues: Migration = {
  name: '0006_webhook_queues',
  rewritesRows: false,
  letsOlderServersRun: false,
  async up(db) {
    const { schema } = db;
    const add = (column: string, type: 'text' | 'bigint') =>
      schema.alterTable('webhooks').addColumn(column, type).execute();
    await add('previous_secret', 'text');
    await add('previous_until', 'bigint');
    await add('disabled_reason', 'text');
    await add('failing_since', 'bigint');
    await schema
      .alterTable('webhooks')
      .addColumn('signature_format', 'text', (c) => c.notNull().defaultTo('sha256'))
      .execute();
    await schema
      .alterTable('webhooks')
      .addColumn('retries', 'integer', (c) => c.notNull().defaultTo(4))
      .execute();

    await schema
      .createTable('app_subscribers')
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_subscribers_pkey', ['event', 'name'])
      .execute();

    await schema.dropIndex('deliveries_due').execute();
    await schema
      .createIndex('deliveries_queue')
      .on('deliveries')
      .columns(['store_id', 'webhook_id', 'due_at', 'id'])
      .where(sql<boolean>`status = 'pending'`)
      .execute();
    // Finds the deliveries of an event, for sending it again.
    await schema
      .createIndex('deliveries_event')
      .on('deliveries')
      .columns(['store_id', 'event_id', 'webhook_id'])
      .execute();
  },
};
