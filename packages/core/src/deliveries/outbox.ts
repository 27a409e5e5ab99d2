import type { EndWriter, TxContext } from '../context.ts';
import { pendingEvents } from '../events/emit.ts';
import type { EventTable } from '../events/table.ts';
import { minId } from '../ids.ts';
import { preparedInsert } from '../storage/prepared.ts';
import { cancelEnded, cancelRest } from './cancel.ts';
import { queueDeliveries } from './queue.ts';
import { wakeDeliverers } from './wake.ts';

const insertEvents = preparedInsert<EventTable>('events');

/**
 * Writes a transaction's events with a delivery for each subscription that wants one, and cancels what waits for subscriptions that it
 * has ended. After the commit it wakes the deliverers, and cancels the rest of queues that are long.
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
  const named = [...events.values()].map((event) => ({ ...event, id: tx.engine.ids.next(tx.now) }));
  events.clear();
  await storeEvents(tx, named);
  await queueDeliveries(tx, named);
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

/** Clocks of several servers may differ by less than this. */
const clockSkew = 3_600_000;

/**
 * Replaces what the outbox keeps about resources, also in deliveries that still wait.
 * @param data the new text by resource id
 * @param since a time before the first event of any of them, so that older events need not be read
 */
export async function rewriteEvents(tx: TxContext, data: ReadonlyMap<string, string>, since: string): Promise<void> {
  if (data.size === 0) return;
  const rows = await tx.db
    .selectFrom('events')
    .select(['id', 'resource_id'])
    .where('store_id', '=', tx.store.id)
    .where('id', '>=', minId(Date.parse(since) - clockSkew))
    .where('resource_id', 'in', [...data.keys()])
    .execute();
  for (const { id, resource_id } of rows) {
    await tx.db
      .updateTable('events')
      .set({ data: data.get(resource_id) ?? '{}' })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', id)
      .execute();
  }
}
