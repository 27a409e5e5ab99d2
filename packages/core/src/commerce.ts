import { type IdentityCache, identities } from './api-keys/identities.ts';
import { auditWriter } from './audit/audit.ts';
import { finishRemovals } from './categories/removals.ts';
import { type CommerceOptions, importFiles, mediaPlace } from './commerce-options.ts';
import { figureWriter } from './customers/figures.ts';
import { appSubscribers } from './deliveries/app-subscribers.ts';
import { type BlockedQueue, blockedQueues } from './deliveries/blocked.ts';
import type { DelivererOptions } from './deliveries/deliverer.ts';
import { Deliverer, deliverDue } from './deliveries/deliverer.ts';
import { type OnError, receiverOf } from './deliveries/handler-errors.ts';
import { type DeliveryObserver, deliveryObservers } from './deliveries/observers.ts';
import { outbox } from './deliveries/outbox.ts';
import { forgetOldDeliveries } from './deliveries/retention.ts';
import { deliverers, wakeForAll } from './deliveries/wake.ts';
import { storesWithoutMail } from './doctor/mail.ts';
import type { Actor, Context, Engine } from './engine/context.ts';
import type { Store } from './engine/store.ts';
import type { TransactionContext, TransactionOptions } from './engine/unit.ts';
import { transaction } from './engine/unit.ts';
import type { EventHandler, EventPattern, EventsOf } from './event-types.ts';
import { forgetAnswers } from './idempotency/once.ts';
import { checkFont } from './invoices/render/fonts.ts';
import { forgetOldInvoices } from './invoices/retention.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { CommerceError, quote } from './kernel/errors.ts';
import { uuidV7Source } from './kernel/ids.ts';
import { openSecretBox } from './kernel/secrets.ts';
import { forgetMailTexts } from './mail/mails.ts';
import { mailWriter } from './mail/of-events.ts';
import { openAddressGuard } from './network/address-guard.ts';
import { countWriter } from './resources/counts.ts';
import { closeDuePages } from './sales/checkout/expire.ts';
import { invoiceWriter } from './sales/invoices/write.ts';
import { MailSender, sendDueMails } from './sales/mails/send.ts';
import { expirePendingOrders } from './sales/moves/expire.ts';
import { endReservations } from './sales/moves/reservations.ts';
import { type NotificationObserver, notificationObservers } from './sales/notifications/observers.ts';
import type { IncomingNotification, ReceiveOptions, ReceiverAnswer } from './sales/notifications/receive.ts';
import { receiveNotification } from './sales/notifications/receive.ts';
import { forgetPayloadsWhenDue } from './sales/notifications/retention.ts';
import { askPendingRefunds } from './sales/refunds/pending.ts';
import { forgetWithdrawalAddresses } from './sales/withdrawals/address-cap.ts';
import { matchWithdrawals } from './sales/withdrawals/match.ts';
import { type UnreadableSecret, unreadableSecrets } from './secrets-rotation.ts';
import { reckonBestSellers } from './statistics/reckon.ts';
import { closedError, closedStorage } from './storage/closed.ts';
import {
  type MigrateOptions,
  type MigrationStatus,
  migrate,
  migrationStatus,
  requireMigrated,
} from './storage/migrations/index.ts';
import type { NoTables } from './storage/own-sql.ts';
import { openingError, storageError } from './storage/run.ts';
import type { Storage } from './storage/storage.ts';
import type { ProviderName } from './storage/tables/payments.ts';
import { type RateLimits, rateLimits } from './stores/rate-limits.ts';
import { createStore, findStore, publicStore, type StoreInput } from './stores/stores.ts';
import { continueImports } from './transfer/background.ts';
import { importsIdle, stopImports } from './transfer/under-way.ts';
import { forgetAttempts } from './users/attempts.ts';
import { sessions } from './users/sessions.ts';
import { forgetReplacedSecrets } from './webhooks/sealed-secrets.ts';

/**
 * Called after something has happened in this process, outside of any transaction, in order to count it. Receives nothing personal or
 * secret.
 */
export interface Observer extends DeliveryObserver, NotificationObserver {}

/** An open database of stores. */
export interface Commerce {
  readonly engine: Engine;
  /** Stores and scopes that API keys grant. */
  readonly identities: IdentityCache;
  /** Stores and scopes that the tokens of users' sessions grant: `sessions.authenticate(token)`. */
  readonly sessions: IdentityCache;
  /** Rate limits that the stores have used in this process. */
  readonly rateLimits: RateLimits;
  /**
   * The store's context, the first argument of every operation. The audit log names the actor, `embedder` by default.
   * @throws CommerceError `notFound`
   */
  store(storeId: string, actor?: Actor): Promise<Context>;
  createStore(input: StoreInput, actor?: Actor): Promise<Store>;
  /**
   * Runs several operations on a store as one transaction: all of them, or none. Other readers see it, its events and its audit entries
   * once `work` has returned. If `work` throws, everything is rolled back. An operation that fails inside is rolled back completely, so its
   * error can be caught and the rest kept. Of several events of one type about one resource, the last is sent.
   *
   * Inside, operations take the context that `work` is given. Operations with another context are refused as `conflict`, as are operations
   * that ask a payment provider, touch files or import. Reads by id and lists see the transaction's changes; `total` and `search` of lists
   * might not. `work` is run again if the database aborts the transaction (a deadlock), so it must change only the store. `sql` of its
   * context queries tables of the application in the same transaction: `async (tx: TransactionContext<Own>) => …` names them.
   * @param options.timeout milliseconds, up to 5,000, which is the default; then it is rolled back with `unavailable`
   * @param options.maxOperations changing operations, up to 1,000; 100 by default
   * @returns the result of `work`
   * @throws CommerceError `conflict`, `unavailable`, `validation` on the options; and everything that `work` throws
   */
  transaction<T, Own = NoTables>(
    context: Context,
    work: (context: TransactionContext<Own>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Calls a function of this application for events of all stores, from the same outbox and on the same schedule as webhooks. It is called
   * at least once. It is called again 5 s, 25 s, 2 min and 10 min after it threw or took more than a minute. Any process calls it that
   * delivers (`startDelivery`) and has a handler of that name. From its first use, the name's events are kept even if no process runs.
   * @param events names such as `order.paid`, or `<resource>.*`
   * @param options.name name of the subscription in the database; derived from the events by default
   * @returns ends the subscription in this process; `forgetSubscriber` ends it for good
   * @throws CommerceError `validation`; `conflict` if this process has a handler of that name
   */
  on<const Pattern extends EventPattern>(
    events: Pattern | readonly Pattern[],
    handler: EventHandler<EventsOf<Pattern>>,
    options?: { name?: string },
  ): Promise<() => void>;
  /** Ends a subscription of the application for good and drops its waiting events. */
  forgetSubscriber(name: string): Promise<void>;
  /**
   * Delivers events to subscribers, sends mails, ends expired reservations, and looks for the orders of withdrawals, until the returned
   * function is called or the instance is closed.
   */
  startDelivery(options?: DelivererOptions): () => Promise<void>;
  /**
   * Cancels orders that have waited for payment longer than `pendingFor` milliseconds, now and every minute. Ends when the returned
   * function is called or the instance is closed.
   */
  startExpiry(options: { pendingFor: number; onError?: OnError }): () => Promise<void>;
  /** Continues imports that another process has left, now and every ten seconds, until the instance is closed. */
  startImports(options?: { onError?: OnError }): void;
  /** Waits until this process runs no import in the background. */
  importsIdle(): Promise<void>;
  /** Attempts each due delivery once and waits for the attempts; returns their number. Errors of handlers go to `onError`, as in `startDelivery`. */
  deliverDue(options?: { onError?: OnError }): Promise<number>;
  /** Attempts to send each due mail once and waits for the attempts; returns their number. */
  sendDueMails(): Promise<number>;
  /** Subscriptions to which this process cannot send at present, for a reason that is not the subscriber's. */
  blockedQueues(): BlockedQueue[];
  /** Secrets that this process cannot read, because they were encrypted with a key that it does not have. */
  unreadableSecrets(): Promise<UnreadableSecret[]>;
  /** Number of stores that send no mail although some kind is on, because they have no sender or no mail server; at most a minute old. */
  storesWithoutMail(): Promise<number>;
  /** Reports deliveries and notifications of this process until the returned function is called. */
  watch(observer: Observer): () => void;
  /**
   * Whether the database is up to date.
   * @throws CommerceError `unavailable` if it does not answer, or is not where it was opened
   */
  migrationStatus(): Promise<MigrationStatus>;
  /**
   * Processes a notification of a payment provider; see `receiveNotification`.
   * @throws CommerceError like `receiveNotification`
   */
  receiveNotification(
    provider: ProviderName,
    notification: IncomingNotification,
    options?: ReceiveOptions,
  ): Promise<ReceiverAnswer>;
  /** Stops delivering, waits for running work, and closes the storage. Everything after it is refused as `unavailable`. */
  close(): Promise<void>;
}

/** Name of a subscription of the application that was given only events. */
function nameOf(events: readonly string[]): string {
  return [...events].sort().join('-').replaceAll('*', 'all').slice(0, 100);
}

const fiveDays = 5 * 24 * 60 * 60 * 1000;
const embedder: Actor = { type: 'embedder', id: null };
const upkeepInterval = 60_000;
const roundsPerRetention = 60;
const expiryInterval = 60_000;
const reservationInterval = 5000;
const reckoningInterval = 60_000;
const importInterval = 10_000;

/**
 * Opens the stores of a database and migrates its tables.
 * @throws CommerceError `unavailable` if the database does not answer or belongs to a newer version or another program; with `migrate:
 * false`, also if it lacks tables
 */
export async function openCommerce(options: CommerceOptions): Promise<Commerce> {
  const { storage, clock = systemClock, ids = uuidV7Source(), upkeep = true } = options;
  try {
    const secrets = openSecretBox(options.secretKey, options.previousSecretKey);
    const webhookGuard = options.allowInsecureWebhooks ? null : openAddressGuard(options.webhookAllow);
    const smtpGuard = openAddressGuard(options.smtpAllow, undefined, 'smtpAllow');
    if (options.migrate === false) await requireMigrated(storage);
    else await migrateWritable(storage, clock, options);
    const { disableWebhooksAfter = fiveDays, random = Math.random } = options;
    const webhooks = { disableAfter: disableWebhooksAfter, random };
    const media = mediaPlace(options.media);
    const files = importFiles(options.imports);
    await checkFont(options.invoiceFont);
    const { publicUrl: address } = options;
    const publicUrl = typeof address === 'string' ? () => address : address;
    const adapters = {
      ...{ publicUrl, taxes: options.taxes, storage, clock, ids, secrets, webhookGuard, smtpGuard, webhooks, media },
      importFiles: files,
      invoiceFont: options.invoiceFont,
    };
    return openMigrated(adapters, upkeep);
  } catch (error) {
    await storage.close().catch(() => {});
    throw openingError(storage, error);
  }
}

async function migrateWritable(storage: Storage, clock: Clock, options: MigrateOptions): Promise<void> {
  // If there is nothing to migrate, the first write, and with it the error, would be a buyer's.
  if (await storage.isReadOnly()) {
    throw new CommerceError(
      'unavailable',
      `the database ${storage.location} is read-only: it is a standby server, or default_transaction_read_only is set`,
    );
  }
  const { beforeMigrating, ignoreOlderServers } = options;
  await migrate(storage, clock, { beforeMigrating, ignoreOlderServers });
}

type Adapters = Pick<
  Engine,
  | 'publicUrl'
  | 'taxes'
  | 'storage'
  | 'clock'
  | 'ids'
  | 'secrets'
  | 'webhookGuard'
  | 'smtpGuard'
  | 'webhooks'
  | 'media'
  | 'importFiles'
  | 'invoiceFont'
>;

function openMigrated(adapters: Adapters, tidies: boolean): Commerce {
  const { storage } = adapters;
  /** Stop functions of the work that this instance repeats. */
  const stops = new Set<() => Promise<void>>();
  /** Does something now and then at an interval, until the returned function is called or the instance is closed. */
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
  const engine = {
    ...adapters,
    // Mails are made of the events. Numbers of invoices are locked last: what follows locks nothing that others wait for.
    endWriters: [mailWriter, figureWriter, invoiceWriter, outbox, auditWriter, countWriter],
  } satisfies Engine;
  const flushUse = async () => {
    for (const cache of [identities(engine), sessions(engine)]) await cache.flushUse().catch(() => {});
  };
  let rounds = 0;
  // Work that fails here is done in a later round.
  const upkeep = async () => {
    await flushUse();
    if (!tidies) return;
    await forgetAttempts(engine).catch(() => {});
    await forgetAnswers(engine).catch(() => {});
    await finishRemovals(engine).catch(() => {});
    await forgetPayloadsWhenDue(engine).catch(() => {});
    await forgetReplacedSecrets(engine).catch(() => {});
    await storage.counts.foldAll?.().catch(() => {});
    // This looks into every store, and the rows that it removes were kept for a month.
    if (rounds++ % roundsPerRetention === 0) {
      await forgetOldDeliveries(engine).catch(() => {});
      await forgetMailTexts(engine).catch(() => {});
      await forgetOldInvoices(engine).catch(() => {});
      await forgetWithdrawalAddresses(engine).catch(() => {});
    }
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
    await flushUse();
    await storage.close();
    engine.storage = closedStorage(storage);
  };
  const refuseClosed = () => {
    if (closing) throw closedError();
  };
  return {
    engine,
    identities: identities(engine),
    sessions: sessions(engine),
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
      // Events that came while no process had the name are waiting already.
      wakeForAll(engine);
      return off;
    },
    forgetSubscriber: (name) => appSubscribers(engine).remove(engine, name),
    startDelivery(delivererOptions = {}) {
      refuseClosed();
      const deliverer = new Deliverer(engine, delivererOptions);
      const stopDelivering = async () => {
        stops.delete(stopDelivering);
        await deliverer.stop();
      };
      stops.add(stopDelivering);
      const onError = receiverOf(engine, delivererOptions.onError);
      // Pages are closed by a separate task: a provider that does not answer must not keep stock from being given back.
      const stopReservations = repeat(reservationInterval, () => endReservations(engine, { onError }).catch(onError));
      const stopReckoning = repeat(reckoningInterval, () => reckonBestSellers(engine, { onError }).catch(onError));
      const stopRefunds = repeat(reservationInterval, () => askPendingRefunds(engine, { onError }).catch(onError));
      const stopMatching = repeat(reservationInterval, () => matchWithdrawals(engine, { onError }).catch(onError));
      const sender = new MailSender(engine, { onError });
      const stopMail = async () => {
        stops.delete(stopMail);
        await sender.stop();
      };
      stops.add(stopMail);
      const stopPages = repeat(reservationInterval, () => closeDuePages(engine, { onError }).catch(onError));
      const all = [stopDelivering, stopReservations, stopPages, stopRefunds, stopReckoning, stopMatching, stopMail];
      return async () => {
        await Promise.all(all.map((stop) => stop()));
      };
    },
    startExpiry(options) {
      refuseClosed();
      const onError = receiverOf(engine, options.onError);
      return repeat(expiryInterval, () => expirePendingOrders(engine, options.pendingFor, { onError }).catch(onError));
    },
    startImports(options) {
      refuseClosed();
      const onError = receiverOf(engine, options?.onError);
      const run = () => continueImports(engine).catch(onError);
      void run();
      continuing ??= setInterval(run, importInterval).unref();
    },
    importsIdle: () => importsIdle(engine),
    receiveNotification: async (provider, notification, received) =>
      receiveNotification(engine, provider, notification, received),
    deliverDue: (options) => deliverDue(engine, options),
    sendDueMails: () => sendDueMails(engine),
    blockedQueues: () => blockedQueues(engine).list(),
    unreadableSecrets: () => unreadableSecrets(engine),
    storesWithoutMail: () => storesWithoutMail(engine),
    watch(observer) {
      const ends = [deliveryObservers(engine).watch(observer), notificationObservers(engine).watch(observer)];
      return () => {
        for (const end of ends) end();
      };
    },
    async migrationStatus() {
      try {
        await engine.storage.check();
        return await migrationStatus(engine.storage, { isInUse: true });
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
