import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAddressGuard } from './address-guard.ts';
import { type IdentityCache, identities } from './api-keys/identities.ts';
import { auditWriter } from './audit/audit.ts';
import { finishRemovals } from './categories/removals.ts';
import { closeDuePages } from './checkouts/expire.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Actor, Context, Engine } from './context.ts';
import { appSubscribers } from './deliveries/app-subscribers.ts';
import { type BlockedQueue, blockedQueues } from './deliveries/blocked.ts';
import type { DelivererOptions } from './deliveries/deliverer.ts';
import { Deliverer, deliverDue } from './deliveries/deliverer.ts';
import { outbox } from './deliveries/outbox.ts';
import { forgetOldDeliveries } from './deliveries/retention.ts';
import type { EventHandler, EventPattern, EventsOf } from './deliveries/subscriber.ts';
import { deliverers, wakeForAll } from './deliveries/wake.ts';
import { CommerceError, quote } from './errors.ts';
import { forgetAnswers } from './idempotency/once.ts';
import { type IdSource, uuidV7Source } from './ids.ts';
import type { MediaFiles, MediaPlace } from './media/files.ts';
import { type Observer, observers } from './observers.ts';
import { expirePendingOrders } from './orders/expire.ts';
import { endReservations } from './orders/reservations.ts';
import type { IncomingNotification, ReceiveOptions, ReceiverAnswer } from './payments/receive.ts';
import { receiveNotification } from './payments/receive.ts';
import { forgetPayloadsWhenDue } from './payments/retention.ts';
import { countWriter } from './resources/counts.ts';
import { openSecretBox } from './secrets.ts';
import { type UnreadableSecret, unreadableSecrets } from './secrets-rotation.ts';
import {
  type MigrateOptions,
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireMigrated,
} from './storage/migrations/index.ts';
import { openingError, storageError } from './storage/run.ts';
import type { Storage } from './storage/storage.ts';
import { type RateLimits, rateLimits } from './stores/rate-limits.ts';
import type { Store } from './stores/scope.ts';
import { createStore, findStore, publicStore, type StoreInput } from './stores/stores.ts';
import { withoutTrailing } from './trailing.ts';
import { continueImports } from './transfer/background.ts';
import { importsIdle, stopImports } from './transfer/under-way.ts';
import type { TransactionOptions } from './unit.ts';
import { transaction } from './unit.ts';
import { forgetReplacedSecrets } from './webhooks/sealed-secrets.ts';

export interface CommerceOptions {
  /** Where the data is: `openSqlite({ file })` or `openPostgres({ url })`. Closed with the instance. */
  storage: Storage;
  clock?: Clock;
  ids?: IdSource;
  /** Brings the tables up to date, which is the default. With false, a database that lacks some is refused, and nothing is written. */
  migrate?: boolean;
  /** Called before the tables of a database that has stores are changed, for a copy of it; what it throws leaves it as it is. */
  beforeMigrating?: MigrateOptions['beforeMigrating'];
  /** Migrates also where servers of an older version use the database that could not go on after it. */
  ignoreOlderServers?: boolean | undefined;
  /** Encrypts the secrets of payment providers and subscriptions in the database; at least 16 characters, the same in every process. */
  secretKey?: string | undefined;
  /** The key that `secretKey` replaces: what was encrypted with it can be read until `rotateSecrets` has done its work. */
  previousSecretKey?: string | undefined;
  /** Allows webhook subscribers on plain HTTP and at any address, for development. */
  allowInsecureWebhooks?: boolean;
  /** Ranges such as `10.1.0.0/16` in which webhook subscribers may be although they are not on the public internet. */
  webhookAllow?: readonly string[];
  /**
   * Milliseconds of nothing but failures after which a subscription is switched off; null never does. 5 days by default.
   */
  disableWebhooksAfter?: number | null;
  /** Spreads what is tried again, from 0 to less than 1; `Math.random` by default. */
  random?: () => number;
  /** Public address of the HTTP interface, to which buyers come back from a wallet; a function where it is known only later. */
  publicUrl?: string | (() => string);
  /** Where the files of media are; without it images cannot be uploaded. */
  media?: MediaOptions;
  /**
   * False leaves what has to be tidied up in the database to another process that has it open; this one writes when its keys were
   * last used, and nothing else of its own accord. True by default.
   */
  upkeep?: boolean;
  /** Where files that are sent to be imported wait for it. */
  imports?: ImportFileOptions;
}

export interface ImportFileOptions {
  /** A folder of this machine that outlives the process; one for this user in the system's temporary directory by default. */
  directory?: string | undefined;
  /** Bytes of a file at most; 1 GiB by default. */
  maxBytes?: number | undefined;
}

export interface MediaOptions {
  /** `openMediaFolder({ directory })` or `openMediaBucket({ endpoint, bucket, … })`. */
  files: MediaFiles;
  /**
   * What the addresses of files begin with, without a slash at the end: that of a CDN, or where `/media` of this service is
   * reached. A function where it is known only later, such as the port of a server.
   */
  url: string | (() => string);
}

/** An open database of stores. */
export interface Commerce {
  readonly engine: Engine;
  /** Stores and scopes that API keys grant. */
  readonly identities: IdentityCache;
  /** Rate limits that the stores have used in this process. */
  readonly rateLimits: RateLimits;
  /**
   * The store's context, the first argument of every operation. Who acts is named in the audit log; `embedder` unless said
   * otherwise.
   * @throws CommerceError `notFound`
   */
  store(storeId: string, actor?: Actor): Promise<Context>;
  createStore(input: StoreInput, actor?: Actor): Promise<Store>;
  /**
   * Runs several operations on a store as one transaction: all of them, or nothing. Others see it, its events and its audit entries
   * once `work` has returned; where it throws, nothing of it is left. An operation that fails inside leaves nothing of itself, so its
   * error may be caught and the rest kept. Of several events of one type about one resource, the last is sent.
   *
   * Inside, operations take the context that `work` is given; operations with a context from outside, and those that ask a payment
   * provider, touch files or import, are refused as `conflict`. Reads by id and lists see what the transaction has done; `total` and
   * `search` of lists may leave it out. `work` is run again when the database gives the transaction up (a deadlock), so it changes
   * nothing but the store.
   * @param options.timeout milliseconds, up to 5,000, which is the default; then it is undone with `unavailable`
   * @param options.maxOperations changing operations, up to 1,000; 100 by default
   * @returns what `work` returns
   * @throws CommerceError `conflict`, `unavailable`, `validation` on the options; and all that `work` throws
   */
  transaction<T>(context: Context, work: (context: Context) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Has a function of this application called for events of all stores, out of the same outbox and by the same schedule as
   * webhooks: at least once, and again 5 s, 25 s, 2 min and 10 min after it threw or took more than a minute. It is called by
   * whichever process delivers (`startDelivery`) and has a handler of that name; from its first use on, the name has its
   * events kept also while no process runs.
   * @param events names such as `order.paid`, or `<resource>.*`
   * @param options.name what the subscription is called in the database; made of the events when left out
   * @returns what ends it in this process; `forgetSubscriber` ends it for good
   * @throws CommerceError `validation`; `conflict` when this process has a handler of that name
   */
  on<const Pattern extends EventPattern>(
    events: Pattern | readonly Pattern[],
    handler: EventHandler<EventsOf<Pattern>>,
    options?: { name?: string },
  ): Promise<() => void>;
  /** Ends a subscription of the application for good, and drops what waits for it. */
  forgetSubscriber(name: string): Promise<void>;
  /**
   * Delivers events to subscribers, and ends reservations that are over, until the returned function is called or the instance is
   * closed.
   */
  startDelivery(options?: DelivererOptions): () => Promise<void>;
  /**
   * Cancels orders that have waited for their payment for longer than `pendingFor` milliseconds, at once and then every
   * minute, until the returned function is called or the instance is closed.
   */
  startExpiry(options: { pendingFor: number; onError?: (error: unknown) => void }): () => Promise<void>;
  /** Goes on with imports that another process has left, at once and every ten seconds, until the instance is closed. */
  startImports(options?: { onError?: (error: unknown) => void }): void;
  /** Waits until no import of this process is under way in the background. */
  importsIdle(): Promise<void>;
  /** Makes one attempt of each delivery that is due and waits for them; returns how many were made. */
  deliverDue(): Promise<number>;
  /** The subscriptions to which this process cannot send at present, for a reason that is not theirs. */
  blockedQueues(): BlockedQueue[];
  /** The secrets that this process cannot read, because they were encrypted with a key that it does not have. */
  unreadableSecrets(): Promise<UnreadableSecret[]>;
  /** Tells of deliveries and notifications of this process until the returned function is called. */
  watch(observer: Observer): () => void;
  /**
   * Whether the database answers and is up to date.
   * @throws CommerceError `unavailable` when it does not answer, or is no longer where it was opened
   */
  migrationStatus(): Promise<MigrationStatus>;
  /**
   * Works on a notification of a payment provider; see `receiveNotification`.
   * @throws CommerceError as that does
   */
  receiveNotification(
    provider: string,
    notification: IncomingNotification,
    options?: ReceiveOptions,
  ): Promise<ReceiverAnswer>;
  /** Stops delivering and closes the storage; waits for what is under way. */
  close(): Promise<void>;
}

/** Name of a subscription of the application that was given events alone. */
function nameOf(events: readonly string[]): string {
  return [...events].sort().join('-').replaceAll('*', 'all').slice(0, 100);
}

const fiveDays = 5 * 24 * 60 * 60 * 1000;
const embedder: Actor = { type: 'embedder', id: null };
const upkeepInterval = 60_000;
const roundsPerRetention = 60;
const expiryInterval = 60_000;
const reservationInterval = 5000;
const importInterval = 10_000;

/**
 * Opens the stores of a database and brings its tables up to date.
 * @throws CommerceError `unavailable` when the database does not answer or belongs to a newer version or another
 * program; with `migrate: false` also when it lacks tables.
 */
export async function openCommerce(options: CommerceOptions): Promise<Commerce> {
  const { storage, clock = systemClock, ids = uuidV7Source(), upkeep = true } = options;
  try {
    const secrets = openSecretBox(options.secretKey, options.previousSecretKey);
    const webhookGuard = options.allowInsecureWebhooks ? null : openAddressGuard(options.webhookAllow);
    if (options.migrate === false) await requireMigrated(storage);
    else await migrateWritable(storage, clock, options);
    const { disableWebhooksAfter = fiveDays, random = Math.random } = options;
    const webhooks = { disableAfter: disableWebhooksAfter, random };
    const media = mediaPlace(options.media);
    const files = importFiles(options.imports);
    const { publicUrl: address } = options;
    const publicUrl = typeof address === 'string' ? () => address : address;
    const adapters = { publicUrl, storage, clock, ids, secrets, webhookGuard, webhooks, media, importFiles: files };
    return openMigrated(adapters, upkeep);
  } catch (error) {
    await storage.close().catch(() => {});
    throw openingError(storage, error);
  }
}

async function migrateWritable(storage: Storage, clock: Clock, options: MigrateOptions): Promise<void> {
  // Where nothing is to be migrated, the first to find out would be a buyer.
  if (await storage.isReadOnly()) {
    throw new CommerceError(
      'unavailable',
      `the database ${storage.location} is read-only: a standby server, or default_transaction_read_only is set`,
    );
  }
  const { beforeMigrating, ignoreOlderServers } = options;
  await migrate(storage, clock, { beforeMigrating, ignoreOlderServers });
}

function mediaPlace(options: MediaOptions | undefined): MediaPlace {
  const { files, url = '/media' } = options ?? {};
  return { files, url: () => withoutTrailing(typeof url === 'string' ? url : url(), '/') };
}

const gibibyte = 1024 ** 3;

function importFiles({ directory, maxBytes = gibibyte }: ImportFileOptions = {}): Engine['importFiles'] {
  // Another user of the machine may have taken a name without the number.
  const own = `commerce-imports-${process.getuid?.() ?? 'user'}`;
  return { directory: directory ?? join(tmpdir(), own), maxBytes };
}

type Adapters = Pick<
  Engine,
  'publicUrl' | 'storage' | 'clock' | 'ids' | 'secrets' | 'webhookGuard' | 'webhooks' | 'media' | 'importFiles'
>;

function openMigrated(adapters: Adapters, tidies: boolean): Commerce {
  const { storage } = adapters;
  /** Ends of what this instance does until then. */
  const stops = new Set<() => Promise<void>>();
  /** Does something at once and then again and again, until the returned function is called or the instance is closed. */
  const repeat = (interval: number, work: () => Promise<unknown>): (() => Promise<void>) => {
    let running = work();
    const timer = setInterval(() => {
      running = running.then(work);
    }, interval);
    timer.unref();
    const stop = async () => {
      clearInterval(timer);
      stops.delete(stop);
      await running;
    };
    stops.add(stop);
    return stop;
  };
  const engine: Engine = {
    ...adapters,
    // Events and audit entries first: their counts are written with all others.
    endWriters: [outbox, auditWriter, countWriter],
  };
  let rounds = 0;
  // What fails here is done in a later round.
  const upkeep = async () => {
    await identities(engine)
      .flushUse()
      .catch(() => {});
    if (!tidies) return;
    await forgetAnswers(engine).catch(() => {});
    await finishRemovals(engine).catch(() => {});
    await forgetPayloadsWhenDue(engine).catch(() => {});
    await forgetReplacedSecrets(engine).catch(() => {});
    await storage.counts.foldAll?.().catch(() => {});
    // It looks into every store, and what it removes was kept for a month.
    if (rounds++ % roundsPerRetention === 0) await forgetOldDeliveries(engine).catch(() => {});
  };
  let tending = Promise.resolve();
  const tend = setInterval(() => {
    tending = tending.then(upkeep);
  }, upkeepInterval);
  tend.unref();
  let continuing: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    clearInterval(tend);
    clearInterval(continuing);
    await Promise.all([
      ...[...deliverers(engine)].map((deliverer) => deliverer.stop()),
      ...[...stops].map((stop) => stop()),
      stopImports(engine),
    ]);
    await tending;
    await identities(engine)
      .flushUse()
      .catch(() => {});
    await storage.close();
  };
  return {
    engine,
    identities: identities(engine),
    rateLimits: rateLimits(engine),
    async store(storeId, actor = embedder) {
      const store = await findStore(engine, storeId);
      if (!store) throw new CommerceError('notFound', `no store ${quote(storeId)}`);
      return { engine, store, actor, requestId: null };
    },
    createStore: async (input, actor = embedder) => publicStore(await createStore(engine, actor, input)),
    transaction: async (ctx, work, options) => transaction(ctx, work, options),
    async on(events, handler, { name } = {}) {
      const entries = typeof events === 'string' ? [events] : events;
      const off = await appSubscribers(engine).add(engine, entries, name ?? nameOf(entries), handler as EventHandler);
      // What came while no process had the name waits already.
      wakeForAll(engine);
      return off;
    },
    forgetSubscriber: (name) => appSubscribers(engine).remove(engine, name),
    startDelivery(delivererOptions = {}) {
      const deliverer = new Deliverer(engine, delivererOptions);
      const stopDelivering = async () => {
        stops.delete(stopDelivering);
        await deliverer.stop();
      };
      stops.add(stopDelivering);
      const { onError = () => {} } = delivererOptions;
      // Pages are closed by a task of their own: a provider that does not answer must not keep stock from being given back.
      const stopReservations = repeat(reservationInterval, () => endReservations(engine, { onError }).catch(onError));
      const stopPages = repeat(reservationInterval, () => closeDuePages(engine, { onError }).catch(onError));
      return async () => {
        await Promise.all([stopDelivering(), stopReservations(), stopPages()]);
      };
    },
    startExpiry: ({ pendingFor, onError = () => {} }) =>
      repeat(expiryInterval, () => expirePendingOrders(engine, pendingFor, { onError }).catch(onError)),
    startImports({ onError = () => {} } = {}) {
      const run = () => continueImports(engine).catch(onError);
      void run();
      continuing ??= setInterval(run, importInterval).unref();
    },
    importsIdle: () => importsIdle(engine),
    receiveNotification: async (provider, notification, received) =>
      receiveNotification(engine, provider, notification, received),
    deliverDue: () => deliverDue(engine),
    blockedQueues: () => blockedQueues(engine).list(),
    unreadableSecrets: () => unreadableSecrets(engine),
    watch: (observer) => observers(engine).watch(observer),
    async migrationStatus() {
      try {
        await storage.check();
        return await migrationStatus(storage, { isInUse: true });
      } catch (error) {
        throw storageError(storage, error);
      }
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
