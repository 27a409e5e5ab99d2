import type { EndWriter, TxContext } from '../engine/context.ts';
import { pendingEvents } from '../events/emit.ts';
import { breathe } from '../kernel/breathe.ts';
import { minId } from '../kernel/ids.ts';
import { preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { EventTable } from '../storage/tables/deliveries.ts';
import { cancelEnded, cancelRest } from './cancel.ts';
import { queueDeliveries } from './queue.ts';
import { wakeDeliverers } from './wake.ts';

const insertEvents = preparedInsert<EventTable>('events');

/**
 * Writes a transaction's events, with a delivery for each subscription to them, and cancels the waiting deliveries of
 * subscriptions that the transaction ended. After the commit, wakes the deliverers and cancels the rest of long queues.
 */
export const outbox: EndWriter = {
  write: writePending,
  locksNothing: true,
  committed(tx) {
    wakeDeliverers(tx);
    return cancelRest(tx);
  },
};

async function writePending(tx: TxContext): Promise<void> {
  await cancelEnded(tx);
  const events = pendingEvents(tx);
  if (events.size === 0) return;
  const withIds = [...events.values()].map((event) => ({ ...event, id: tx.engine.ids.next(tx.now) }));
  events.clear();
  await storeEvents(tx, withIds);
  await queueDeliveries(tx, withIds);
}

/** Writes events without a delivery. */
export async function storeEvents(
  tx: TxContext,
  events: readonly { id: string; type: string; resourceId: string; json: string }[],
): Promise<void> {
  await insertEvents(
    tx.db,
    events.map(({ id, type, resourceId, json }) => ({
      store_id: tx.store.id,
      id,
      type,
      resource_id: resourceId,
      created_at: tx.now,
      data: json,
    })),
  );
}

/** Largest assumed difference between the clocks of several servers, in milliseconds. */
const clockSkew = 3_600_000;

/**
 * Replaces the data of stored events about resources, also of undelivered ones.
 * @param data the new JSON text by resource id
 * @param since a time before the first of these events, so that older events need not be read
 */
export async function rewriteEvents(tx: TxContext, data: ReadonlyMap<string, string>, since: string): Promise<void> {
  if (data.size === 0) return;
  const ofStore = tx.db.selectFrom('events').where('store_id', '=', tx.store.id);
  // No index leads from a resource to its events, so all of them are read in batches.
  for (let after = minId(Date.parse(since) - clockSkew); ; await breathe()) {
    const some = ofStore.select('id').where('id', '>', after).orderBy('id').limit(eventsAtOnce);
    const { last } = await tx.db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.max<string | null>('id').as('last'))
      .executeTakeFirstOrThrow();
    if (last === null) return;
    const rows = await ofStore
      .select(['id', 'resource_id'])
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('resource_id', 'in', [...data.keys()])
      .execute();
    for (const { id, resource_id } of rows) {
      await rewriteEvent(tx.db, { storeId: tx.store.id, id, data: data.get(resource_id) ?? '{}' });
    }
    after = last;
  }
}

/** Events that are read at once. */
const eventsAtOnce = 1000;

const rewriteEvent = preparedChange<{ storeId: string; id: string; data: string }>((db, p) =>
  db
    .updateTable('events')
    .set({ data: p('data') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);
