import { sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import type { DeliveryTable } from '../storage/tables/deliveries.ts';
import { grownQueues } from './wake.ts';

const insertDeliveries = preparedInsert<DeliveryTable>('deliveries');

/** Deliveries held in memory before they are written. */
const maxHeld = 1000;

/** Prefix of `subscriber_id` for subscribers of the application itself, followed by their name. */
export const appQueue = 'app:';

const subscriptionsTo = preparedPerLength<{ storeId: string }, { event: string; subscriber_id: string }>(
  (db, p, types) =>
    db
      .selectFrom('webhook_events')
      .select(['event', 'webhook_id as subscriber_id'])
      .where('store_id', '=', p('storeId'))
      .where('event', 'in', types)
      // Not a join: SQLite plans a join of these anew each time it runs, which costs ten times as much as running it.
      .where(
        (eb) =>
          eb
            .selectFrom('webhooks')
            .select('is_active')
            .where('webhooks.store_id', '=', p('storeId'))
            .whereRef('webhooks.id', '=', 'webhook_events.webhook_id'),
        '=',
        1,
      )
      .unionAll(
        db
          .selectFrom('app_subscribers')
          .select(['event', sql<string>`${sql.lit(appQueue)} || name`.as('subscriber_id')])
          .where('event', 'in', types),
      ),
);

/** Writes one waiting delivery for each event and each active subscription to it, and marks their queues as grown. */
export async function queueDeliveries(tx: TxContext, events: readonly { id: string; type: string }[]): Promise<void> {
  const types = [...new Set(events.map((event) => event.type))];
  const wanted = await subscriptionsTo(tx.db, { storeId: tx.store.id }, types);
  if (wanted.length === 0) return;
  const subscribers = new Map(types.map((type) => [type, [] as string[]]));
  for (const { event, subscriber_id } of wanted) {
    subscribers.get(event)?.push(subscriber_id);
    grownQueues(tx).add(subscriber_id);
  }
  // Written in parts: an order of 500 lines has as many events, and each can have a hundred subscriptions.
  let deliveries: DeliveryTable[] = [];
  for (const event of events) {
    for (const subscriberId of subscribers.get(event.type) ?? []) deliveries.push(newDelivery(tx, subscriberId, event));
    if (deliveries.length < maxHeld) continue;
    await insertDeliveries(tx.db, deliveries);
    deliveries = [];
  }
  await insertDeliveries(tx.db, deliveries);
}

/** Writes one waiting delivery for each of these stored events. */
export async function queueAgain(
  tx: TxContext,
  subscriberId: string,
  events: readonly { id: string; type: string }[],
): Promise<DeliveryTable[]> {
  const deliveries = events.map((event) => newDelivery(tx, subscriberId, event));
  await insertDeliveries(tx.db, deliveries);
  grownQueues(tx).add(subscriberId);
  return deliveries;
}

function newDelivery(tx: TxContext, subscriberId: string, event: { id: string; type: string }): DeliveryTable {
  return {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    subscriber_id: subscriberId,
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
