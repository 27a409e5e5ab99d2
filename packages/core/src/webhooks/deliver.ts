import { sql } from 'kysely';
import { toTimestamp } from '../clock.ts';
import type { Engine } from '../context.ts';
import { callOutbound } from '../outbound.ts';
import { lockFreeRows } from '../storage/locks.ts';
import { prepared, preparedChange } from '../storage/prepared.ts';
import { runTransaction } from '../transaction.ts';
import { type StoredEvent, webhookBody, webhookHeaders } from './signature.ts';

/** Waits before each attempt, in milliseconds, counted from the failure of the one before. */
export const attemptDelays = [0, 5_000, 25_000, 120_000, 600_000] as const;

const attemptTimeout = 10_000;
// Longer than an attempt can take: a claim runs out only when its process died or stood still.
const lease = 20_000;
const maxAnswer = 64 * 1024;
const keptAnswer = 1024;

/** One attempt as the delivery's log keeps it. */
export interface DeliveryAttempt {
  at: string;
  responseCode: number | null;
  latencyMs: number;
  error: string | null;
  /** The first 1 KiB of the answer. */
  responseBody: string | null;
}

/** A delivery that this process has for itself until `lockedUntil`, with what it takes to send it. */
interface Claim {
  storeId: string;
  id: string;
  webhookId: string;
  attempts: number;
  lockedUntil: number;
  log: DeliveryAttempt[];
  event: StoredEvent;
  /** Null when the subscription is gone or switched off. */
  subscriber: { url: string; secret: string } | null;
}

const dueByStore = prepared<object, { id: string; due_at: number | null }>((db) =>
  db.selectFrom('stores').select((eb) => [
    'stores.id',
    eb
      .selectFrom('deliveries')
      .select((inner) => inner.fn.min('due_at').as('due_at'))
      .whereRef('deliveries.store_id', '=', 'stores.id')
      .where('deliveries.status', '=', sql.lit('pending'))
      .as('due_at'),
  ]),
);

/** Each store that has deliveries waiting, with when its next one is due. Costs one index look-up per store. */
export async function nextDue(engine: Engine): Promise<{ storeId: string; dueAt: number }[]> {
  const rows = await dueByStore(engine.storage.db, {});
  return rows.flatMap((row) => (row.due_at === null ? [] : [{ storeId: row.id, dueAt: row.due_at }]));
}

/** Takes up to `limit` due deliveries of a store, so that no other process sends them while the lease lasts. */
export async function claimDeliveries(engine: Engine, storeId: string, limit: number): Promise<Claim[]> {
  const { storage, clock } = engine;
  return runTransaction(storage, async (db) => {
    const now = clock.now();
    const lockedUntil = now + lease;
    const due = await lockFreeRows(
      db,
      db
        .selectFrom('deliveries')
        .select('id')
        .where('store_id', '=', storeId)
        .where('status', '=', sql.lit('pending'))
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit),
    ).execute();
    if (due.length === 0) return [];
    const ids = due.map((row) => row.id);
    // Not one statement: PostgreSQL may run a locking subquery once per row, and then the limit does not hold.
    await db
      .updateTable('deliveries')
      .set({ due_at: lockedUntil, locked_until: lockedUntil })
      .where('store_id', '=', storeId)
      .where('id', 'in', ids)
      .execute();
    const rows = await db
      .selectFrom('deliveries')
      .innerJoin('events', (join) =>
        join.onRef('events.store_id', '=', 'deliveries.store_id').onRef('events.id', '=', 'deliveries.event_id'),
      )
      .leftJoin('webhooks', (join) =>
        join
          .onRef('webhooks.store_id', '=', 'deliveries.store_id')
          .onRef('webhooks.id', '=', 'deliveries.webhook_id')
          .on('webhooks.is_active', '=', 1),
      )
      .select([
        'deliveries.id',
        'deliveries.webhook_id',
        'deliveries.attempts',
        'deliveries.log',
        'deliveries.event_id',
        'events.type',
        'events.created_at',
        'events.data',
        'webhooks.url',
        'webhooks.secret',
      ])
      .where('deliveries.store_id', '=', storeId)
      .where('deliveries.id', 'in', ids)
      .orderBy('deliveries.created_at')
      .orderBy('deliveries.id')
      .execute();
    return rows.map((row) => ({
      storeId,
      id: row.id,
      webhookId: row.webhook_id,
      attempts: row.attempts,
      lockedUntil,
      log: JSON.parse(row.log),
      event: { id: row.event_id, type: row.type, storeId, createdAt: row.created_at, data: row.data },
      subscriber: row.url !== null && row.secret !== null ? { url: row.url, secret: row.secret } : null,
    }));
  });
}

/**
 * Makes one attempt and records it with what follows: success, the next attempt's time, or the end after the last one.
 * Given up from outside, it is released uncounted. Only a 2xx answer is a success.
 */
export async function attemptDelivery(engine: Engine, claim: Claim, signal?: AbortSignal): Promise<void> {
  if (!claim.subscriber)
    return finish(engine, claim, { status: 'cancelled', dueAt: null, attempts: claim.attempts, log: claim.log });
  const startedAt = engine.clock.now();
  const started = performance.now();
  const outcome = {
    responseCode: null as number | null,
    error: null as string | null,
    responseBody: null as string | null,
  };
  try {
    const body = webhookBody(claim.event);
    const answer = await callOutbound({
      method: 'POST',
      url: claim.subscriber.url,
      headers: webhookHeaders(claim.event, body, claim.subscriber.secret, startedAt),
      body,
      timeout: attemptTimeout,
      maxAnswer,
      guard: engine.webhookGuard,
      ...(signal ? { signal } : {}),
    });
    outcome.responseCode = answer.status;
    outcome.responseBody = answer.body.subarray(0, keptAnswer).toString('utf8').replaceAll('\0', '\ufffd');
    if (!isSuccess(answer.status)) outcome.error = `answered ${answer.status}`;
  } catch (error) {
    if (signal?.aborted) {
      return finish(engine, claim, { status: 'pending', dueAt: startedAt, attempts: claim.attempts, log: claim.log });
    }
    outcome.error = (error as Error).message.replaceAll('\0', '\ufffd');
  }
  const attempt = { at: toTimestamp(startedAt), latencyMs: Math.round(performance.now() - started), ...outcome };
  const attempts = claim.attempts + 1;
  const delay = attemptDelays[attempts];
  const next =
    outcome.error === null
      ? { status: 'succeeded', dueAt: null }
      : delay === undefined
        ? { status: 'failed', dueAt: null }
        : { status: 'pending', dueAt: engine.clock.now() + delay };
  await finish(engine, claim, { ...next, attempts, log: [...claim.log, attempt] });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

interface Finished {
  status: string;
  dueAt: number | null;
  attempts: number;
  log: DeliveryAttempt[];
}

const recordAttempt = preparedChange<{
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
    // A claim that ran out belongs to whoever took it next.
    .where('locked_until', '=', p('claimedUntil')),
);

const noteSuccess = preparedChange<{ storeId: string; id: string; at: number; before: number }>((db, p) =>
  db
    .updateTable('webhooks')
    .set({ last_triggered_at: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where((eb) => eb.or([eb('last_triggered_at', 'is', null), eb('last_triggered_at', '<', p('before'))])),
);

async function finish(engine: Engine, claim: Claim, { status, dueAt, attempts, log }: Finished): Promise<void> {
  const { storeId, id } = claim;
  await runTransaction(engine.storage, async (db) => {
    const written = await recordAttempt(db, {
      storeId,
      id,
      claimedUntil: claim.lockedUntil,
      status,
      dueAt,
      attempts,
      log: JSON.stringify(log),
    });
    if (written === 0 || status !== 'succeeded') return;
    // To the second is exact enough, and keeps parallel deliveries from queueing for one row.
    const at = engine.clock.now();
    await noteSuccess(db, { storeId, id: claim.webhookId, at, before: at - 1000 });
  });
}
