import { sql } from 'kysely';
import type { TxContext } from '../context.ts';
import { preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import type { DeliveryTable } from './table.ts';

const insertDeliveries = preparedInsert<DeliveryTable>('deliveries');

/** What stands in a delivery in place of a webhook's id where a subscriber of the application itself gets it. */
export const appQueue = 'app:';

const subscriptionsTo = preparedPerLength<{ storeId: string }, { event: string; webhook_id: string }>((db, p, types) =>
  db
    .selectFrom('webhook_events')
    .innerJoin('webhooks', (join) =>
      join
        .onRef('webhooks.store_id', '=', 'webhook_events.store_id')
        .onRef('webhooks.id', '=', 'webhook_events.webhook_id'),
    )
    .select(['webhook_events.event', 'webhook_events.webhook_id'])
    .where('webhook_events.store_id', '=', p('storeId'))
    .where('webhook_events.event', 'in', types)
    .where('webhooks.is_active', '=', 1)
    .unionAll(
      db
        .selectFrom('app_subscribers')
        .select(['event', sql<string>`${sql.lit(appQueue)} || name`.as('webhook_id')])
        .where('event', 'in', types),
    ),
);

/** Writes one waiting delivery for each event and each active subscription that wants it, and notes whose queues grew. */
export async function queueDeliveries(tx: TxContext, events: readonly { id: string; type: string }[]): Promise<void> {
  const types = [...new Set(events.map((event) => event.type))];
  const wanted = await subscriptionsTo(tx.db, { storeId: tx.store.id }, types);
  if (wanted.length === 0) return;
  const deliveries = events.flatMap((event) =>
    wanted
      .filter((subscription) => subscription.event === event.type)
      .map((subscription) => newDelivery(tx, subscription.webhook_id, event)),
  );
  await insertDeliveries(tx.db, deliveries);
  for (const { webhook_id } of wanted) tx.pending.queues.add(webhook_id);
}

/** Writes one waiting delivery of an event that is stored already. */
export async function queueAgain(
  tx: TxContext,
  webhookId: string,
  events: readonly { id: string; type: string }[],
): Promise<DeliveryTable[]> {
  const deliveries = events.map((event) => newDelivery(tx, webhookId, event));
  await insertDeliveries(tx.db, deliveries);
  tx.pending.queues.add(webhookId);
  return deliveries;
}

function newDelivery(tx: TxContext, webhookId: string, event: { id: string; type: string }): DeliveryTable {
  return {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    webhook_id: webhookId,
    event_id: event.id,
    event: event.type,
    status: 'pending',
    attempts: 0,
    due_at: tx.now,
    locked_until: null,
    log: '[]',
    created_at: tx.now,
  };
}

/** Ends what is waiting for a subscription that was switched off or deleted. */
export async function cancelDeliveries(tx: TxContext, webhookId: string): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'cancelled', due_at: null, locked_until: null })
    .where('store_id', '=', tx.store.id)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', sql.lit('pending'))
    .execute();
}
