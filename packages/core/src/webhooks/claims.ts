import { sql } from 'kysely';
import type { Engine } from '../context.ts';
import { lockFreeRows } from '../storage/locks.ts';
import { prepared } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import { runTransaction } from '../transaction.ts';
import { appQueue } from './queue.ts';
import { openedSecrets } from './sealed-secrets.ts';
import type { DeliveryAttempt, StoredEvent, Subscriber } from './subscriber.ts';

/** What waits for one subscriber, in the order in which it is due. */
export interface Queue {
  storeId: string;
  /** The webhook's id, or `app:` and the name of a subscriber of the application. */
  webhookId: string;
}

/** A delivery that this process has for itself until `lockedUntil`, with what it takes to send it. */
export interface Claim extends Queue {
  id: string;
  attempts: number;
  lockedUntil: number;
  log: DeliveryAttempt[];
  /** Null when it is no longer kept. */
  event: StoredEvent | null;
  /** Null when the subscription is gone or switched off. */
  subscriber: Subscriber | null;
}

/** Longer than an attempt can take: a claim runs out only when its process died or stood still. */
const lease = 20_000;

/** The handler of an application may take its time; see `handlerTimeout`. */
const appLease = 90_000;

const dueOfWebhooks = prepared<object, { storeId: string; webhookId: string; due_at: number | null }>((db) =>
  db.selectFrom('webhooks').select((eb) => [
    'webhooks.store_id as storeId',
    'webhooks.id as webhookId',
    eb
      .selectFrom('deliveries')
      .select((inner) => inner.fn.min('due_at').as('due_at'))
      .whereRef('deliveries.store_id', '=', 'webhooks.store_id')
      .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
      .where('deliveries.status', '=', sql.lit('pending'))
      .as('due_at'),
  ]),
);

const dueOfApp = prepared<{ queue: string }, { storeId: string; due_at: number | null }>((db, p) =>
  db.selectFrom('stores').select((eb) => [
    'stores.id as storeId',
    eb
      .selectFrom('deliveries')
      .select((inner) => inner.fn.min('due_at').as('due_at'))
      .whereRef('deliveries.store_id', '=', 'stores.id')
      .where('deliveries.webhook_id', '=', p('queue'))
      .where('deliveries.status', '=', sql.lit('pending'))
      .as('due_at'),
  ]),
);

/**
 * Each queue in which something waits, with when its next delivery is due. Costs one index look-up per subscription, however
 * much waits.
 * @param names the application's subscribers that this process can serve
 */
export async function nextDue(engine: Engine, names: readonly string[]): Promise<(Queue & { dueAt: number })[]> {
  const { db } = engine.storage;
  const found = [...(await dueOfWebhooks(db, {}))];
  for (const name of names) {
    const webhookId = appQueue + name;
    for (const row of await dueOfApp(db, { queue: webhookId })) found.push({ ...row, webhookId });
  }
  return found.flatMap(({ due_at, ...queue }) => (due_at === null ? [] : [{ ...queue, dueAt: due_at }]));
}

/**
 * Takes due deliveries of a store, up to a number for each queue, so that no other process sends them while the lease lasts.
 */
export async function claimDeliveries(
  engine: Engine,
  storeId: string,
  wanted: readonly { webhookId: string; limit: number }[],
): Promise<Claim[]> {
  const { storage, clock } = engine;
  return runTransaction(storage, async (db) => {
    const now = clock.now();
    const claims: Claim[] = [];
    for (const { webhookId, limit } of wanted) {
      const due = await lockFreeRows(
        db,
        db
          .selectFrom('deliveries')
          .select('id')
          .where('store_id', '=', storeId)
          .where('webhook_id', '=', webhookId)
          .where('status', '=', sql.lit('pending'))
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .orderBy('id')
          .limit(limit),
      ).execute();
      if (due.length === 0) continue;
      const ids = due.map((row) => row.id);
      const lockedUntil = now + (webhookId.startsWith(appQueue) ? appLease : lease);
      // Not one statement: PostgreSQL may run a locking subquery once per row, and then the limit does not hold.
      await db
        .updateTable('deliveries')
        .set({ due_at: lockedUntil, locked_until: lockedUntil })
        .where('store_id', '=', storeId)
        .where('id', 'in', ids)
        .execute();
      const subscriber = await readSubscriber(engine, db, { storeId, webhookId });
      const rows = await db
        .selectFrom('deliveries')
        .leftJoin('events', (join) =>
          join.onRef('events.store_id', '=', 'deliveries.store_id').onRef('events.id', '=', 'deliveries.event_id'),
        )
        .select([
          'deliveries.id',
          'deliveries.attempts',
          'deliveries.log',
          'deliveries.event_id',
          'events.type',
          'events.created_at',
          'events.data',
        ])
        .where('deliveries.store_id', '=', storeId)
        .where('deliveries.id', 'in', ids)
        .orderBy('deliveries.created_at')
        .orderBy('deliveries.id')
        .execute();
      for (const { id, attempts, log, event_id, type, created_at, data } of rows) {
        const isKept = type !== null && created_at !== null && data !== null;
        const event = isKept ? { id: event_id, type, storeId, createdAt: created_at, data } : null;
        claims.push({ storeId, webhookId, id, attempts, lockedUntil, log: JSON.parse(log), event, subscriber });
      }
    }
    return claims;
  });
}

async function readSubscriber(engine: Engine, db: Db, { storeId, webhookId }: Queue): Promise<Subscriber | null> {
  if (webhookId.startsWith(appQueue)) {
    const name = webhookId.slice(appQueue.length);
    const handler = engine.appSubscribers.handlerOf(name);
    return handler ? { kind: 'app', name, handler } : null;
  }
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', webhookId)
    .where('is_active', '=', 1)
    .executeTakeFirst();
  if (!row) return null;
  return {
    kind: 'webhook',
    url: row.url,
    secrets: openedSecrets(engine, row, engine.clock.now()),
    signatureFormat: row.signature_format,
    retries: row.retries,
    failingSince: row.failing_since,
  };
}
