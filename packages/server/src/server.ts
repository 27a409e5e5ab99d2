import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Commerce, listeningUrl } from '@commerce/core';
import { preparePlain } from './edge/compress.ts';
import { Drain } from './edge/drain.ts';
import { type Exchange, maxHeaders } from './edge/exchange.ts';
import { type FetchHandler, fetchArguments, openFetchHandler } from './edge/fetch.ts';
import { type EdgePlace, type Listener, openEdge, type ServerOptions } from './edge/listener.ts';
import { noTunnel, refusalOf, refuseConnection } from './edge/malformed.ts';
import { defaultPace, type Pace } from './edge/pace.ts';
import { write } from './edge/write.ts';
import { HandOver } from './request/hand-over.ts';
import type { RequestEntry } from './request/request-entry.ts';
import type { Identify } from './resources/identify.ts';
import type { MetricsPeers, ProcessMetrics } from './service/metrics.ts';
import { servicePages } from './service/service.ts';

export interface OwnServerOptions extends ServerOptions {
  /** Maximum open connections; further ones are closed. 10,000 by default. */
  maxConnections?: number;
  /**
   * Milliseconds for which a stopped server continues while `/readyz` says that it is not ready; 0 by default. A balancer that checks it
   * has left when the server ends.
   */
  stopDelay?: number;
  /** Minimum pace of uploads that take longer than other requests are allowed. */
  uploadPace?: Partial<Pace>;
}

/** Server of one process of a service with one writing and several reading processes. */
export interface WorkerOptions extends OwnServerOptions {
  /** True in the writing process; otherwise the path of the socket on which it listens. */
  writer: true | { socket: string };
  /** The other processes, whose metrics are added to this one's. */
  peers?: MetricsPeers;
}

/**
 * The interface as a plain request listener, to mount into your own node:http or Express application. Connections, their time limits and
 * malformed requests are that application's business; `maxConcurrency` counts here too.
 */
export function createListener(commerce: Commerce, options: ServerOptions = {}): Listener {
  return openEdge(commerce, options).listener;
}

/** Options of `createFetchHandler`. */
export interface FetchOptions extends Omit<ServerOptions, 'identify'> {
  /** Like `identify` of the listener, with the request of the Fetch standard and the framework's further arguments to the handler. */
  identify?: (request: Request, rest: unknown[]) => ReturnType<Identify<Request>>;
  /**
   * The network address that a request came from, by which storefront keys are limited; `rest` are the framework's further arguments to the
   * handler. Without it, all requests count as one client's.
   */
  addressOf?: (request: Request, rest: unknown[]) => string | undefined;
}

/**
 * The interface as a function from `Request` to `Response`, for frameworks on the Fetch standard: Hono, Next.js and others on Node.js. It
 * is the listener of `createListener`; `basePath` is removed from the paths of requests that have it. Bodies are streamed both ways.
 */
export function createFetchHandler(commerce: Commerce, options: FetchOptions = {}): FetchHandler {
  const { addressOf = () => undefined, basePath = '', identify, ...rest } = options;
  const ofFetch = identify && ((incoming: IncomingMessage) => identify(...fetchArguments(incoming)));
  const listener = createListener(commerce, { ...rest, basePath, ...(ofFetch && { identify: ofFetch }) });
  return openFetchHandler(listener, { basePath, addressOf });
}

export interface CommerceServer {
  readonly http: Server;
  /** Starts listening. @throws the error of node:net, `EADDRINUSE` when the port is taken. */
  listen(options: { port: number; host?: string }): Promise<{ host: string; port: number; url: string }>;
  /** Starts listening on a path of the file system, for local processes that have access to it. */
  listenAt(path: string): Promise<void>;
  /** Metrics of this process; empty without `metrics`. */
  metricsOfProcess(): Promise<ProcessMetrics>;
  /**
   * After `stopDelay`, accepts no new connections, answers requests on the open ones with `Connection: close`, and ends with the last of
   * them. Does not close the commerce it serves.
   */
  stop(): Promise<void>;
}

/** The interface as a standalone server. */
export function createServer(commerce: Commerce, options: OwnServerOptions = {}): CommerceServer {
  return openServer(commerce, options, {});
}

/** The interface as a server of one of several processes, whose port all readers share. */
export function createWorkerServer(commerce: Commerce, options: WorkerOptions): CommerceServer {
  const { writer, peers } = options;
  if (writer === true) return openServer(commerce, options, { isWriter: true });
  return openServer(commerce, options, { handOver: new HandOver(writer.socket), peers });
}

function openServer(commerce: Commerce, options: OwnServerOptions, place: EdgePlace): CommerceServer {
  /** Every open connection, with its last request. */
  const connections = new Map<Socket, Exchange | undefined>();
  const { app, listener, load, metrics, onFinished } = openEdge(
    commerce,
    { pages: servicePages, ...options },
    connections,
    place,
  );
  const { handOver, isWriter = false } = place;
  const http = createHttpServer({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    // Node's own interval is half a minute; a late client would stay that long.
    connectionsCheckingInterval: 1000,
    // Longer than the usual minute of a load balancer, which otherwise sends into a connection that was just closed.
    keepAliveTimeout: 65_000,
    // Refused by the exchange, in the form of every other error.
    requireHostHeader: false,
    // A head that a reader has accepted, and the reader's additions.
    ...(isWriter ? { maxHeaderSize: 32 * 1024 } : {}),
  });
  const maxConnections = options.maxConnections ?? 10_000;
  // A worker's connections above it would be offered to the other workers again and again while all are full.
  if (!handOver) http.maxConnections = maxConnections;
  http.maxHeadersCount = isWriter ? 2 * maxHeaders : maxHeaders;
  // A client that has read nothing of its answer for two minutes is gone, or is an attacker.
  http.timeout = 120_000;
  http.on('connection', (socket) => {
    if (connections.size >= maxConnections) {
      metrics?.connectionDropped();
      socket.destroy();
      return;
    }
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  http.on('drop', () => metrics?.connectionDropped());
  const drain = new Drain(http, connections);
  http.on('request', listener);
  // Refused like any invalid request, when its turn comes.
  http.on('checkExpectation', listener);
  http.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    refuseConnection(socket, noTunnel);
    onFinished?.(refusedEntry(noTunnel.status));
  });
  const pace = { ...defaultPace, ...options.uploadPace };
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const last = connections.get(socket);
    const refuse = () => {
      const status = answerClientError(error, socket, last);
      if (status !== undefined) onFinished?.(refusedEntry(status));
    };
    // Node reports it once per request; a slow one has to be handled here from then on.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && last?.keepsPace(pace)) followUpload(last, pace, refuse);
    else refuse();
  });
  const start = async (where: ListenOptions) => {
    await metrics?.ready;
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(where, () => {
        http.off('error', reject);
        resolve();
      });
    });
    load.start();
  };
  return {
    http,
    async listen({ port, host = '127.0.0.1' }) {
      await start({ port, host });
      const address = http.address() as AddressInfo;
      return { host, port: address.port, url: listeningUrl(host, address.port) };
    },
    // Every process of a cluster has its own.
    listenAt: (path) => start({ path, exclusive: true }),
    metricsOfProcess: async () => (await metrics?.ofProcess()) ?? [],
    async stop() {
      app.leave();
      // A process that serves other processes ends after they have.
      if (http.listening && !isWriter && options.stopDelay) await sleep(options.stopDelay);
      await drain.end();
      handOver?.close();
      app.refuse();
      load.stop();
      metrics?.close();
    },
  };
}

/** Milliseconds between two checks of an upload that takes longer than other requests are allowed. */
const lookInterval = 1000;

/** An upload continues while it keeps the pace. @param refuse ends it */
function followUpload(exchange: Exchange, pace: Pace, refuse: () => void): void {
  const looking = setInterval(() => {
    const { request, response } = exchange;
    if (exchange.keepsPace(pace)) return;
    clearInterval(looking);
    if (!request.complete && !request.destroyed && !response.headersSent) refuse();
  }, lookInterval);
  exchange.response.once('close', () => clearInterval(looking));
}

/**
 * Answers bytes that are not a request, after the answers to the previous requests.
 * @returns the status if no exchange reports it
 */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  last: Exchange | undefined,
): number | undefined {
  const inBody = last !== undefined && !last.request.complete;
  if (error.code === 'ECONNRESET' || !socket.writable || (inBody && error.code === 'HPE_INVALID_EOF_STATE')) {
    // The client left.
    socket.destroy();
    return undefined;
  }
  const refusal = refusalOf(error);
  if (inBody) {
    const { request, response, requestId } = last;
    if (response.headersSent) return undefined;
    // Its turn comes after the previous answers.
    write(request, response, preparePlain(refusal), requestId);
    // Tells the reader of the body that the rest does not come.
    response.once('close', () => request.destroy());
    return undefined;
  }
  if (last && !last.response.closed)
    last.response.once('close', () => socket.writable && refuseConnection(socket, refusal));
  else refuseConnection(socket, refusal);
  return refusal.status;
}

/** Log entry of bytes that were not a request. */
function refusedEntry(status: number): RequestEntry {
  return {
    time: Date.now(),
    method: 'OTHER',
    route: '',
    status,
    ms: 0,
    storeId: undefined,
    keyPrefix: undefined,
    requestId: randomUUID(),
    aborted: false,
  };
}
