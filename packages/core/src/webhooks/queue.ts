import { sql } from 'kysely';
import type { TxContext } from '../context.ts';
import { preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { DeliveryTable } from './table.ts';

const insertDeliveries = preparedInsert<DeliveryTable>('deliveries');

/** Deliveries that are held before they are written. */
const maxHeld = 1000;

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
  const subscribers = new Map(types.map((type) => [type, [] as string[]]));
  for (const { event, webhook_id } of wanted) {
    subscribers.get(event)?.push(webhook_id);
    tx.pending.queues.add(webhook_id);
  }
  // An order of 500 lines has as many events, and each may have a hundred subscriptions: they are never held all at once.
  let deliveries: DeliveryTable[] = [];
  for (const event of events) {
    for (const webhookId of subscribers.get(event.type) ?? []) deliveries.push(newDelivery(tx, webhookId, event));
    if (deliveries.length < maxHeld) continue;
    await insertDeliveries(tx.db, deliveries);
    deliveries = [];
  }
  await insertDeliveries(tx.db, deliveries);
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

/** Deliveries that are cancelled in one transaction: a subscription that failed for days may have very many. */
const maxCancelled = 500;

/**
 * Ends some of what is waiting for a subscription that was switched off or deleted.
 * @returns whether there may be more
 */
export async function cancelSome(db: Db, storeId: string, webhookId: string): Promise<boolean> {
  const waiting = db
    .selectFrom('deliveries')
    .select('id')
    .where('store_id', '=', storeId)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', sql.lit('pending'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(maxCancelled);
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ status: 'cancelled', due_at: null, locked_until: null })
    .where('store_id', '=', storeId)
    .where('id', 'in', waiting)
    .where('status', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === maxCancelled;
}
