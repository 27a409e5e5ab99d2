import { type Commerce, deliveryBacklog, type Storage } from '@commerce/core';
import type { Counter, Gauge, Histogram, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { Answer } from '../http.ts';
import type { RequestEntry } from '../request/request-entry.ts';

/** Gauges of the serving process, read for each answer. */
export interface ServerGauges {
  /** Running requests. */
  underWay(): number;
  /** Open connections. */
  connections(): number;
}

/** Metrics of one process, as sent between processes. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** Other processes of the same service. */
export interface MetricsPeers {
  /** @param own metrics of the asking process; needed to add the counts of ended processes */
  metricsOfOthers(own: ProcessMetrics): Promise<ProcessMetrics[]>;
}

/** Metrics of the database, not of a process: the asked process reads them for all. */
const ofDatabase = new Set([
  'commerce_database_up',
  'commerce_database_size_bytes',
  'commerce_webhook_deliveries_waiting',
  'commerce_webhook_oldest_due_seconds',
]);

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Bounds of the histogram, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Milliseconds that the database has to answer; after that, the other metrics are answered without it. */
const patience = 2000;

/** Instruments of one method of one route, kept to avoid a look-up by labels for each request. */
interface Series {
  method: string;
  route: string;
  duration: Histogram.Internal<string>;
  byStatus: Map<number, Counter.Internal>;
}

type Instruments = ReturnType<typeof instrumentsOf>;

/** Counts for Prometheus. The library is loaded with the first instance; earlier requests are counted afterwards. */
export class Metrics {
  /** Settles when the library is loaded. */
  readonly ready: Promise<void>;
  readonly #commerce: Commerce;
  readonly #gauges: ServerGauges;
  readonly #peers: MetricsPeers | undefined;
  readonly #series = new Map<string, Map<string, Series>>();
  readonly #unwatch: () => void;
  #instruments: Instruments | undefined;
  /** Counts that wait for the library. */
  #early: ((instruments: Instruments) => void)[] = [];
  #answering: Promise<Answer> | undefined;

  /** @param peers processes whose metrics are added to this one's */
  constructor(commerce: Commerce, gauges: ServerGauges, peers?: MetricsPeers) {
    this.#commerce = commerce;
    this.#gauges = gauges;
    this.#peers = peers;
    this.ready = this.#load();
    this.#unwatch = commerce.watch({
      deliveryAttempted: ({ outcome }) => this.#when(({ attempts }) => attempts.inc({ outcome })),
      webhookDisabled: () => this.#when(({ disabled }) => disabled.inc()),
      notificationReceived: ({ provider, outcome }) =>
        this.#when(({ notifications }) => notifications.inc({ provider, outcome })),
    });
  }

  /** Counts a finished request. */
  request(entry: RequestEntry): void {
    const { method, route, status, ms } = entry;
    if (!this.#instruments) {
      this.#when(() => this.request(entry));
      return;
    }
    const series = this.#series.get(route)?.get(method) ?? this.#open(route, method, this.#instruments);
    series.duration.observe(ms / 1000);
    const counter = series.byStatus.get(status) ?? this.#openStatus(series, status, this.#instruments);
    counter.inc();
    if (status === 429) this.#instruments.rateLimited.inc();
  }

  connectionDropped(): void {
    this.#when(({ dropped }) => dropped.inc());
  }

  /** Answers `/metrics`. Simultaneous requests share one answer: asking often costs little. */
  answer(): Promise<Answer> {
    this.#answering ??= this.#print().finally(() => {
      this.#answering = undefined;
    });
    return this.#answering;
  }

  /** Counts of this process, for another one that answers for all. */
  async ofProcess(): Promise<ProcessMetrics> {
    await this.ready;
    const { registry } = this.#instruments as Instruments;
    const all = (await registry.getMetricsAsJSON()) as ProcessMetrics;
    return all.filter(({ name }) => !ofDatabase.has(name));
  }

  /** Stops watching the database's events. */
  close(): void {
    this.#unwatch();
  }

  async #load(): Promise<void> {
    const library = await import('prom-client');
    const instruments = instrumentsOf(library, this.#gauges, this.#commerce);
    this.#instruments = instruments;
    for (const count of this.#early) count(instruments);
    this.#early = [];
  }

  #when(count: (instruments: Instruments) => void): void {
    if (this.#instruments) count(this.#instruments);
    else if (this.#early.length < 10_000) this.#early.push(count);
  }

  /** Labels come only from the route table and short lists, which bounds the number of series. */
  #open(entryRoute: string, entryMethod: string, { durations }: Instruments): Series {
    const route = entryRoute === '' ? 'unmatched' : entryRoute;
    const method = methods.has(entryMethod) ? entryMethod : 'OTHER';
    const series = { method, route, duration: durations.labels(method, route), byStatus: new Map() };
    const ofRoute = this.#series.get(entryRoute) ?? new Map<string, Series>();
    this.#series.set(entryRoute, ofRoute.set(entryMethod, series));
    return series;
  }

  #openStatus({ method, route, byStatus }: Series, status: number, { requests }: Instruments): Counter.Internal {
    const counter = requests.labels(method, route, String(status));
    byStatus.set(status, counter);
    return counter;
  }

  async #print(): Promise<Answer> {
    await this.ready;
    const instruments = this.#instruments as Instruments;
    await this.#readDatabase(instruments);
    const { registry } = instruments;
    const whole = this.#peers ? await this.#addPeers(registry, this.#peers) : registry;
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await whole.metrics() };
  }

  async #addPeers(registry: Registry, peers: MetricsPeers): Promise<Registry> {
    const { AggregatorRegistry } = await import('prom-client');
    const own = (await registry.getMetricsAsJSON()) as ProcessMetrics;
    return AggregatorRegistry.aggregate([own, ...(await peers.metricsOfOthers(own))]);
  }

  async #readDatabase({ up, size, waiting, oldestDue }: Instruments): Promise<void> {
    const { engine } = this.#commerce;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patience);
    });
    const look = Promise.all([engine.storage.size(), deliveryBacklog(engine)]).catch(() => undefined);
    const found = await Promise.race([look, late]);
    clearTimeout(timer);
    up.set(found ? 1 : 0);
    if (found) {
      const [bytes, backlog] = found;
      size.set(bytes);
      waiting.set(backlog.waiting);
      oldestDue.set(backlog.oldestDueFor / 1000);
    } else {
      // An old value would look like a new one.
      for (const gauge of [size, waiting, oldestDue]) gauge.remove();
    }
  }
}

function instrumentsOf(library: typeof import('prom-client'), gauges: ServerGauges, commerce: Commerce) {
  const registry: Registry = new library.Registry();
  const registers = [registry];
  library.collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read?: () => number): Gauge =>
    new library.Gauge({
      name,
      help,
      registers,
      ...(read
        ? {
            collect() {
              this.set(read());
            },
          }
        : {}),
    });
  const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
    new library.Counter({ name, help, labelNames, registers });
  gauge('commerce_http_requests_in_flight', 'Requests in progress.', gauges.underWay);
  gauge('commerce_http_connections', 'Open connections.', gauges.connections);
  gauge(
    'commerce_webhooks_blocked',
    'Subscriptions that this process cannot send to, for reasons unrelated to them.',
    () => commerce.blockedQueues().length,
  );
  addReplicas(library, registry, commerce.engine.storage);
  return {
    registry,
    requests: counter('commerce_http_requests_total', 'Requests answered.', ['method', 'route', 'status']),
    durations: new library.Histogram({
      name: 'commerce_http_request_duration_seconds',
      help: 'Time from the head of a request to its response.',
      labelNames: ['method', 'route'],
      buckets,
      registers,
    }) as Histogram,
    rateLimited: counter('commerce_http_rate_limited_total', "Requests rejected by a store's rate limit."),
    dropped: counter('commerce_http_connections_dropped_total', 'Connections closed because of the connection limit.'),
    attempts: counter('commerce_webhook_attempts_total', 'Attempts to deliver a webhook.', ['outcome']),
    disabled: counter('commerce_webhooks_disabled_total', 'Subscriptions disabled because of failures.'),
    notifications: counter('commerce_payment_notifications_total', 'Notifications of payment providers.', [
      'provider',
      'outcome',
    ]),
    waiting: gauge('commerce_webhook_deliveries_waiting', 'Unfinished deliveries of all stores.'),
    oldestDue: gauge('commerce_webhook_oldest_due_seconds', 'Age of the oldest due delivery.'),
    size: gauge('commerce_database_size_bytes', 'Size of the database and its indexes.'),
    up: gauge('commerce_database_up', 'Whether the database answered during this scrape.'),
  };
}

/** Adds metrics of read replicas, if there are any. */
function addReplicas(library: typeof import('prom-client'), registry: Registry, { replicas }: Storage): void {
  if (!replicas) return;
  const registers = [registry];
  new library.Counter({
    name: 'commerce_replica_reads_total',
    help: 'Reads eligible for a replica, by the server that answered.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, n] of Object.entries(replicas.reads)) this.inc({ server }, n);
    },
  });
  new library.Gauge({
    name: 'commerce_replica_lag_seconds',
    help: 'Maximum age of the data of a replica.',
    labelNames: ['replica'],
    registers,
    aggregator: 'max',
    async collect() {
      for (const { location: replica, lag } of await replicas.states()) {
        if (lag !== undefined) this.set({ replica }, lag / 1000);
      }
    },
  });
  new library.Gauge({
    name: 'commerce_replica_up',
    help: 'Whether a replica answers and follows the primary.',
    labelNames: ['replica'],
    registers,
    aggregator: 'min',
    async collect() {
      for (const { location: replica, isUp } of await replicas.states()) this.set({ replica }, isUp ? 1 : 0);
    },
  });
}
