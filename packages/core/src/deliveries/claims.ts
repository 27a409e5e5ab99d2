import { type Selectable, sql, type UpdateResult } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { StoredEvent } from '../events/events.ts';
import { lockFreeRows } from '../storage/locks.ts';
import { placementReport } from '../storage/placing.ts';
import { prepared, preparedPerLength } from '../storage/prepared.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { DeliveryTable } from '../storage/tables/deliveries.ts';
import type { WebhookTable } from '../storage/tables/webhooks.ts';
import { openedSecrets } from '../webhooks/sealed-secrets.ts';
import { appSubscribers } from './app-subscribers.ts';
import { appQueue } from './queue.ts';
import type { DeliveryAttempt, Subscriber } from './subscriber.ts';
import type { Queue } from './wake.ts';

/** A delivery claimed by this process until `lockedUntil`, with its event and subscriber. */
export interface Claim extends Queue {
  id: string;
  attempts: number;
  lockedUntil: number;
  log: DeliveryAttempt[];
  /** Null if the event was deleted after its retention. */
  event: StoredEvent | null;
  /** Null if the subscription was deleted or switched off. */
  subscriber: Subscriber | null;
}

/** Milliseconds of a claim, longer than any attempt: a claim expires only if its process died or was suspended. */
const lease = 20_000;

/** The same for an application's handler, which can take longer; see `handlerTimeout`. */
const appLease = 90_000;

interface DueWebhook {
  storeId: string;
  subscriberId: string;
  failing_since: number | null;
  due_at: number | null;
}

const dueOfWebhooks = prepared<object, DueWebhook>((db) =>
  db.selectFrom('webhooks').select((eb) => [
    'webhooks.store_id as storeId',
    'webhooks.id as subscriberId',
    'webhooks.failing_since',
    eb
      .selectFrom('deliveries')
      .select((inner) => inner.fn.min('due_at').as('due_at'))
      .whereRef('deliveries.store_id', '=', 'webhooks.store_id')
      .whereRef('deliveries.subscriber_id', '=', 'webhooks.id')
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
      .where('deliveries.subscriber_id', '=', p('queue'))
      .where('deliveries.status', '=', sql.lit('pending'))
      .as('due_at'),
  ]),
);

/**
 * Like `dueOfApp`, from the index of all waiting deliveries: Citus allows no subquery from a table that is on every server into a
 * distributed one.
 */
const dueOfAppByShard = prepared<{ queue: string }, { storeId: string; due_at: number | null }>((db, p) =>
  db
    .selectFrom('deliveries')
    .select((eb) => ['store_id as storeId', eb.fn.min<number | null>('due_at').as('due_at')])
    .where('subscriber_id', '=', p('queue'))
    .where('status', '=', sql.lit('pending'))
    .groupBy('store_id'),
);

/** Whether the database's tables are distributed by store; asked once. */
const distributed = perEngine(({ storage }) => ({ is: undefined as Promise<boolean> | undefined, storage }));

function isDistributed(engine: Engine): Promise<boolean> {
  const state = distributed(engine);
  state.is ??= placementReport(state.storage).then(
    (report) => report.isDistributed,
    (error) => {
      state.is = undefined;
      throw error;
    },
  );
  return state.is;
}

/** A queue with waiting deliveries. */
export interface DueQueue extends Queue {
  /** Time at which its next delivery is due. */
  dueAt: number;
  /** True if the last recorded attempt to its subscriber failed. */
  isFailing: boolean;
}

/**
 * Every queue with waiting deliveries. Costs one index lookup per subscription, however long the queues are.
 * @param names the application's subscribers that this process can serve
 */
export async function nextDue(engine: Engine, names: readonly string[]): Promise<DueQueue[]> {
  const { reads } = engine.storage;
  const rows: DueWebhook[] = await dueOfWebhooks(reads, {});
  const dueOf = names.length > 0 && (await isDistributed(engine)) ? dueOfAppByShard : dueOfApp;
  for (const name of names) {
    const subscriberId = appQueue + name;
    for (const row of await dueOf(reads, { queue: subscriberId }))
      rows.push({ ...row, subscriberId, failing_since: null });
  }
  return rows.flatMap(({ due_at, failing_since, storeId, subscriberId }) =>
    due_at === null ? [] : [{ storeId, subscriberId, dueAt: due_at, isFailing: failing_since !== null }],
  );
}

const dueIn = prepared<{ storeId: string; subscriberId: string; now: number; limit: number }, { id: string }>((db, p) =>
  lockFreeRows(
    db,
    db
      .selectFrom('deliveries')
      .select('id')
      .where('store_id', '=', p('storeId'))
      .where('subscriber_id', '=', p('subscriberId'))
      .where('status', '=', sql.lit('pending'))
      .where('due_at', '<=', p('now'))
      .orderBy('due_at')
      .orderBy('id')
      .limit(p('limit')),
  ),
);

const markClaimed = preparedPerLength<{ storeId: string; until: number }, UpdateResult>((db, p, ids) =>
  db
    .updateTable('deliveries')
    .set({ due_at: p('until'), locked_until: p('until') })
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids),
);

const readClaimed = preparedPerLength<
  { storeId: string },
  Pick<DeliveryTable, 'id' | 'subscriber_id' | 'event_id' | 'attempts' | 'log'> & {
    type: string | null;
    created_at: number | null;
    data: string | null;
  }
>((db, p, ids) =>
  db
    .selectFrom('deliveries')
    .leftJoin('events', (join) =>
      join.onRef('events.store_id', '=', 'deliveries.store_id').onRef('events.id', '=', 'deliveries.event_id'),
    )
    .select([
      'deliveries.id',
      'deliveries.subscriber_id',
      'deliveries.event_id',
      'deliveries.attempts',
      'deliveries.log',
      'events.type',
      'events.created_at',
      'events.data',
    ])
    .where('deliveries.store_id', '=', p('storeId'))
    .where('deliveries.id', 'in', ids)
    .orderBy('deliveries.created_at')
    .orderBy('deliveries.id'),
);

const activeWebhooks = preparedPerLength<{ storeId: string }, Selectable<WebhookTable>>((db, p, ids) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where('is_active', '=', 1),
);

/**
 * Claims due deliveries of a store, up to a limit for each queue, so no other process sends them while the lease lasts. Costs one statement
 * for each queue and a few for all of them together.
 * @param onBlocked called for a queue whose subscriber cannot be read, for example because its secret cannot be decrypted; its deliveries
 * keep waiting. Throws the error by default.
 */
export async function claimDeliveries(
  engine: Engine,
  storeId: string,
  wanted: readonly { subscriberId: string; limit: number }[],
  onBlocked: (subscriberId: string, error: unknown) => void = (_, error) => {
    throw error;
  },
): Promise<Claim[]> {
  const { storage, clock } = engine;
  const handlers = handlersOf(engine, wanted);
  // Events of a handler that only other processes have stay theirs.
  const served = wanted.filter(({ subscriberId: id }) => kindOf(id) === 'webhook' || handlers.has(id));
  if (served.length === 0) return [];
  return runTransaction(storage, async (db) => {
    const now = clock.now();
    const lockedUntil = { webhook: now + lease, app: now + appLease };
    const queues = new Map<string, string[]>();
    // Selected separately from the update: PostgreSQL can run a locking subquery once per row, which would break the limit.
    for (const { subscriberId, limit } of served) {
      const due = await dueIn(db, { storeId, subscriberId, now, limit });
      if (due.length > 0)
        queues.set(
          subscriberId,
          due.map(({ id }) => id),
        );
    }
    const webhookIds = [...queues.keys()].filter((id) => kindOf(id) === 'webhook');
    const webhooks = await readWebhooks(engine, db, storeId, webhookIds, (subscriberId, error) => {
      queues.delete(subscriberId);
      onBlocked(subscriberId, error);
    });
    const ids = { webhook: [] as string[], app: [] as string[] };
    for (const [subscriberId, due] of queues) ids[kindOf(subscriberId)].push(...due);
    for (const kind of ['webhook', 'app'] as const) {
      if (ids[kind].length > 0) await markClaimed(db, { storeId, until: lockedUntil[kind] }, ids[kind]);
    }
    const all = [...ids.webhook, ...ids.app];
    if (all.length === 0) return [];
    const rows = await readClaimed(db, { storeId }, all);
    return rows.map(({ id, subscriber_id: subscriberId, event_id, attempts, log, type, created_at, data }): Claim => {
      const isKept = type !== null && created_at !== null && data !== null;
      return {
        storeId,
        subscriberId,
        id,
        attempts,
        lockedUntil: lockedUntil[kindOf(subscriberId)],
        log: JSON.parse(log),
        event: isKept ? { id: event_id, type, storeId, createdAt: created_at, data } : null,
        subscriber: handlers.get(subscriberId) ?? webhooks.get(subscriberId) ?? null,
      };
    });
  });
}

function kindOf(subscriberId: string): Subscriber['kind'] {
  return subscriberId.startsWith(appQueue) ? 'app' : 'webhook';
}

/** The handlers that this process has for queues of the application, by queue. */
function handlersOf(engine: Engine, wanted: readonly { subscriberId: string }[]): Map<string, Subscriber> {
  const handlers = new Map<string, Subscriber>();
  for (const { subscriberId } of wanted) {
    if (kindOf(subscriberId) !== 'app') continue;
    const name = subscriberId.slice(appQueue.length);
    const handler = appSubscribers(engine).handlerOf(name);
    if (handler) handlers.set(subscriberId, { kind: 'app', name, handler });
  }
  return handlers;
}

/** The subscriptions by id, without deleted and switched-off ones. */
async function readWebhooks(
  engine: Engine,
  db: Db,
  storeId: string,
  ids: readonly string[],
  onBlocked: (subscriberId: string, error: unknown) => void,
): Promise<Map<string, Subscriber>> {
  const subscribers = new Map<string, Subscriber>();
  const rows = ids.length > 0 ? await activeWebhooks(db, { storeId }, ids) : [];
  for (const row of rows) {
    try {
      subscribers.set(row.id, {
        kind: 'webhook',
        url: row.url,
        secrets: openedSecrets(engine, row, engine.clock.now()),
        signatureFormat: row.signature_format,
        retries: row.retries,
        failingSince: row.failing_since,
      });
    } catch (error) {
      onBlocked(row.id, error);
    }
  }
  return subscribers;
}
