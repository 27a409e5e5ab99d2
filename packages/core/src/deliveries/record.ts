import { sql, type UpdateResult } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { preparedChange, preparedPerLength } from '../storage/prepared.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { Claim } from './claims.ts';
import type { DeliveryAttempt } from './subscriber.ts';

/** State of a delivery after an attempt. */
export interface DeliveryState {
  status: string;
  dueAt: number | null;
  attempts: number;
  log: DeliveryAttempt[];
}

/** A finished attempt, with the promise of the caller that waits for it to be written. */
interface FinishedAttempt extends DeliveryState {
  claim: Claim;
  resolve(): void;
  reject(error: unknown): void;
}

/** Attempts written in one transaction. */
const batch = 64;

/** Unwritten attempts by store; a store has an entry while its attempts are being written. */
const unwritten = perEngine(() => new Map<string, FinishedAttempt[]>());

/**
 * Writes the outcome of an attempt, unless its claim expired. Attempts of a store that end while others are being written are then written
 * together. A transaction for each would cost more than the rest of a delivery.
 */
export function record(engine: Engine, claim: Claim, state: DeliveryState): Promise<void> {
  return new Promise((resolve, reject) => {
    const stores = unwritten(engine);
    const waiting = stores.get(claim.storeId) ?? [];
    waiting.push({ ...state, claim, resolve, reject });
    if (stores.has(claim.storeId)) return;
    stores.set(claim.storeId, waiting);
    void writeAll(engine, claim.storeId, stores, waiting);
  });
}

async function writeAll(
  engine: Engine,
  storeId: string,
  stores: Map<string, FinishedAttempt[]>,
  waiting: FinishedAttempt[],
): Promise<void> {
  while (waiting.length > 0) {
    const some = waiting.splice(0, batch);
    try {
      await write(engine, storeId, some);
      for (const { resolve } of some) resolve();
    } catch {
      // Written one by one, so an attempt that cannot be written does not stop the others.
      for (const one of some) await write(engine, storeId, [one]).then(one.resolve, one.reject);
    }
  }
  stores.delete(storeId);
}

const recordSuccesses = preparedPerLength<{ storeId: string; claimedUntil: number }, UpdateResult>((db, p, items) => {
  const ids = items.slice(0, items.length / 2);
  const logs = items.slice(items.length / 2);
  // Not `case id when …`, which Citus changes when it passes it on.
  const whens = ids.map((id, i) => sql`when id = ${id} then ${logs[i]}`);
  return db
    .updateTable('deliveries')
    .set({
      status: sql.lit('succeeded'),
      due_at: null,
      attempts: sql<number>`attempts + 1`,
      log: sql<string>`case ${sql.join(whens, sql` `)} end`,
      locked_until: null,
    })
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where('status', '=', sql.lit('pending'))
    .where('locked_until', '=', p('claimedUntil'));
});

const recordOther = preparedChange<{
  storeId: string;
  id: string;
  claimedUntil: number;
  status: string;
  dueAt: number | null;
  attempts: number;
  log: string;
}>((db, p) =>
  db
    .updateTable('deliveries')
    .set({ status: p('status'), due_at: p('dueAt'), attempts: p('attempts'), log: p('log'), locked_until: null })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where('status', '=', 'pending')
    // An expired claim might belong to another process now.
    .where('locked_until', '=', p('claimedUntil')),
);

const recordReached = preparedChange<{ storeId: string; id: string; at: number; before: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ last_triggered_at: p('at'), failing_since: null })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where((eb) =>
      eb.or([
        eb('last_triggered_at', 'is', null),
        eb('last_triggered_at', '<', p('before')),
        eb('failing_since', 'is not', null),
      ]),
    ),
);

const recordUnreached = preparedChange<{ storeId: string; id: string; at: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ failing_since: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where('failing_since', 'is', null),
);

function write(engine: Engine, storeId: string, ended: readonly FinishedAttempt[]): Promise<void> {
  return runTransaction(engine.storage, async (db) => {
    // Subscriptions before their deliveries: the same lock order as for switching a subscription off.
    await recordReachability(db, storeId, ended, engine.clock.now());
    const successes = new Map<number, FinishedAttempt[]>();
    for (const one of ended) {
      const { claim, status, dueAt, attempts, log } = one;
      if (status === 'succeeded') {
        successes.set(claim.lockedUntil, [...(successes.get(claim.lockedUntil) ?? []), one]);
        continue;
      }
      const { id, lockedUntil: claimedUntil } = claim;
      await recordOther(db, { storeId, id, claimedUntil, status, dueAt, attempts, log: JSON.stringify(log) });
    }
    for (const [claimedUntil, some] of successes) {
      const logs = some.map(({ log }) => JSON.stringify(log));
      await recordSuccesses(db, { storeId, claimedUntil }, [...some.map(({ claim }) => claim.id), ...logs]);
    }
  });
}

/** Records for each subscription the last success, or the start of its current run of failures. */
async function recordReachability(
  db: Db,
  storeId: string,
  ended: readonly FinishedAttempt[],
  at: number,
): Promise<void> {
  const reached = new Map<string, boolean>();
  for (const { claim, status, attempts } of ended) {
    const { subscriber, subscriberId } = claim;
    if (subscriber?.kind !== 'webhook' || attempts === claim.attempts) continue;
    if (status === 'succeeded') reached.set(subscriberId, true);
    else if (subscriber.failingSince === null && !reached.has(subscriberId)) reached.set(subscriberId, false);
  }
  for (const [id, isReached] of [...reached].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // No more than once a second, so parallel deliveries do not queue for one row.
    if (isReached) await recordReached(db, { storeId, id, at, before: at - 1000 });
    else await recordUnreached(db, { storeId, id, at });
  }
}
