import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { breathe } from '../kernel/breathe.ts';
import { minId } from '../kernel/ids.ts';
import { runTransaction } from '../storage/run.ts';
import { cancelSome } from './cancel.ts';
import { appQueue } from './queue.ts';

const day = 24 * 60 * 60 * 1000;

/** Lifetime of events and deliveries in milliseconds; older ones cannot be read or replayed. */
export const keptFor = 30 * day;

const batch = 200;

/**
 * Deletes events and deliveries older than `keptFor`, 200 in each transaction, so other writers do not wait long. Also cancels deliveries
 * to deleted subscriptions, which arise if one is deleted while an event for it is written.
 */
export async function forgetOldDeliveries(engine: Engine): Promise<void> {
  const { storage, clock } = engine;
  const horizon = minId(clock.now() - keptFor);
  const stores = await storage.reads.selectFrom('stores').select('id').execute();
  for (const { id } of stores) {
    await breathe();
    await inBatches(engine, 'deliveries', id, horizon);
    await inBatches(engine, 'events', id, horizon);
    await cancelOrphans(engine, id);
  }
}

async function inBatches(
  { storage }: Engine,
  table: 'deliveries' | 'events',
  storeId: string,
  horizon: string,
): Promise<void> {
  for (let full = true; full; ) {
    // Found outside the transaction, to keep it short.
    const old = await storage.reads
      .selectFrom(table)
      .select('id')
      .where('store_id', '=', storeId)
      .where('id', '<', horizon)
      .orderBy('id')
      .limit(batch)
      .execute();
    if (old.length === 0) return;
    const ids = old.map(({ id }) => id);
    await runTransaction(storage, (db) =>
      db.deleteFrom(table).where('store_id', '=', storeId).where('id', 'in', ids).execute(),
    );
    full = old.length === batch;
    await breathe();
  }
}

async function cancelOrphans({ storage }: Engine, storeId: string): Promise<void> {
  // One lookup for each subscription with waiting deliveries, however many there are.
  for (let last = ''; ; ) {
    const next = await storage.reads
      .selectFrom('deliveries')
      .select((eb) => eb.fn.min<string | null>('subscriber_id').as('subscriberId'))
      .where('store_id', '=', storeId)
      .where('status', '=', sql.lit('pending'))
      .where('subscriber_id', '>', last)
      .executeTakeFirstOrThrow();
    const { subscriberId } = next;
    if (subscriberId === null) return;
    last = subscriberId;
    if (subscriberId.startsWith(appQueue)) continue;
    const known = await storage.reads
      .selectFrom('webhooks')
      .select('id')
      .where('store_id', '=', storeId)
      .where('id', '=', subscriberId)
      .executeTakeFirst();
    if (known) continue;
    while (await runTransaction(storage, (db) => cancelSome(db, storeId, subscriberId))) await breathe();
  }
}
