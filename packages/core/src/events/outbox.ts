import type { TxContext } from '../context.ts';
import { leastId } from '../ids.ts';
import { preparedInsert } from '../storage/prepared.ts';
import { queueDeliveries } from '../webhooks/queue.ts';
import type { EventTable } from './table.ts';

const insertEvents = preparedInsert<EventTable>('events');

/** Writes the transaction's events and a delivery for each subscription that wants one. */
export async function writeEvents(tx: TxContext): Promise<void> {
  const { events } = tx.pending;
  if (events.size === 0) return;
  const named = [...events.values()].map((event) => ({ ...event, id: tx.engine.ids.next(tx.now) }));
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
    .where('id', '>=', leastId(Date.parse(since) - clockSkew))
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
