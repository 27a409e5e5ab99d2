import type { TxContext } from '../context.ts';
import { preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import type { DeliveryTable } from './table.ts';

const insertDeliveries = preparedInsert<DeliveryTable>('deliveries');

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
    .where('webhooks.is_active', '=', 1),
);

/** Writes one waiting delivery for each event and each active subscription that wants it; returns how many. */
export async function queueDeliveries(tx: TxContext, events: readonly { id: string; type: string }[]): Promise<number> {
  const types = [...new Set(events.map((event) => event.type))];
  const wanted = await subscriptionsTo(tx.db, { storeId: tx.store.id }, types);
  const deliveries = events.flatMap((event) =>
    wanted
      .filter((subscription) => subscription.event === event.type)
      .map((subscription) => ({
        store_id: tx.store.id,
        id: tx.engine.ids.next(tx.now),
        webhook_id: subscription.webhook_id,
        event_id: event.id,
        event: event.type,
        status: 'pending',
        attempts: 0,
        due_at: tx.now,
        locked_until: null,
        log: '[]',
        created_at: tx.now,
      })),
  );
  await insertDeliveries(tx.db, deliveries);
  return deliveries.length;
}

/** Ends what is waiting for a subscription that was switched off or deleted. */
export async function cancelDeliveries(tx: TxContext, webhookId: string): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ status: 'cancelled', due_at: null, locked_until: null })
    .where('store_id', '=', tx.store.id)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute();
}
