import type { TxContext } from '../context.ts';
import { preparedInsert } from '../storage/prepared.ts';
import { queueDeliveries } from '../webhooks/queue.ts';
import type { EventTable } from './table.ts';

const insertEvents = preparedInsert<EventTable>('events');

/** Writes the transaction's events and a delivery for each subscription that wants one; returns the number of deliveries. */
export async function writeEvents(tx: TxContext): Promise<number> {
  const { events } = tx.pending;
  if (events.size === 0) return 0;
  const rows = [...events.values()].map((event) => ({
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    type: event.type,
    resource_id: event.resourceId,
    created_at: tx.now,
    data: event.json,
  }));
  await insertEvents(tx.db, rows);
  return queueDeliveries(tx, rows);
}
