import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Commerce, listeningUrl } from '@commerce/core';
import { preparePlain } from './edge/compress.ts';
import { Drain } from './edge/drain.ts';
import { type Exchange, maxHeaders } from './edge/exchange.ts';
import { type FetchHandler, openFetchHandler } from './edge/fetch.ts';
import { type EdgePlace, type Listener, openEdge, type ServerOptions } from './edge/listener.ts';
import { noTunnel, refusalOf, refuseConnection } from './edge/malformed.ts';
import { defaultPace, type Pace } from './edge/pace.ts';
import { write } from './edge/write.ts';
import { HandOver } from './request/hand-over.ts';
import type { RequestEntry } from './request/request-entry.ts';
import type { MetricsPeers, ProcessMetrics } from './service/metrics.ts';
import { servicePages } from './service/service.ts';

export interface OwnServerOptions extends ServerOptions {
  /** Connections that may be open at once; those above it are closed. 10,000 by default. */
  maxConnections?: number;
  /**
   * Milliseconds for which a server that is stopped goes on as before while `/readyz` says that it is not ready, so that a balancer
   * which asks there has left it when it ends; 0 by default.
   */
  stopDelay?: number;
  /** How slowly uploads may come that take longer than other requests may. */
  uploadPace?: Partial<Pace>;
}

/** Server of one of the processes of a service in which one writes and several read. */
export interface WorkerOptions extends OwnServerOptions {
  /** Whether this is the process that writes, or else the path of the socket on which that one listens. */
  writer: true | { socket: string };
  /** The other processes, whose metrics are added to those of this one. */
  peers?: MetricsPeers;
}

/**
 * The interface as a plain request listener, to mount into a node:http or Express application of your own. Connections, their
 * time limits and malformed requests are that application's business; `maxConcurrency` counts here too.
 */
export function createListener(commerce: Commerce, options: ServerOptions = {}): Listener {
  return openEdge(commerce, options).listener;
}

/** Options of `createFetchHandler`. */
export interface FetchOptions extends ServerOptions {
  /**
   * The network address that a request came from, by which storefront keys are limited; `rest` is what else the framework passes to the
   * handler. Without it, all requests count as those of one client.
   */
  addressOf?: (request: Request, rest: unknown[]) => string | undefined;
}

/**
 * The interface as a function from `Request` to `Response`, for frameworks on the Fetch standard: Hono, Next.js and others on Node.js. It
 * is the listener of `createListener`; `basePath` is taken off the paths of requests that have it. Bodies are streamed both ways.
 */
export function createFetchHandler(commerce: Commerce, options: FetchOptions = {}): FetchHandler {
  const { addressOf = () => undefined, basePath = '' } = options;
  return openFetchHandler(createListener(commerce, options), { basePath, addressOf });
}

export interface CommerceServer {
  readonly http: Server;
  /** Starts listening. @throws the error of node:net, `EADDRINUSE` when the port is taken. */
  listen(options: { port: number; host?: string }): Promise<{ host: string; port: number; url: string }>;
  /** Starts listening on a path of the file system, for processes of this machine that may use it. */
  listenAt(path: string): Promise<void>;
  /** What this process counts; nothing without `metrics`. */
  metricsOfProcess(): Promise<ProcessMetrics>;
  /**
   * After `stopDelay`, takes no new connections, answers what comes on the open ones with `Connection: close`, and ends with the last of them. Does not
   * close the commerce it serves.
   */
  stop(): Promise<void>;
}

/** The interface as a server of its own. */
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
  /** Every open connection, with the last request that came on it. */
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
    // Node's own interval is half a minute, in which a late client stays.
    connectionsCheckingInterval: 1000,
    // Longer than the usual minute of a load balancer, which otherwise sends into a connection that we just closed.
    keepAliveTimeout: 65_000,
    // Refused by the exchange, in the form of every other error.
    requireHostHeader: false,
    // A head that a reader has accepted, and what it adds.
    ...(isWriter ? { maxHeaderSize: 32 * 1024 } : {}),
  });
  const maxConnections = options.maxConnections ?? 10_000;
  // A worker's connections above it would be offered to the other workers again and again while all have enough.
  if (!handOver) http.maxConnections = maxConnections;
  http.maxHeadersCount = isWriter ? 2 * maxHeaders : maxHeaders;
  // A client that has read nothing of its answer for two minutes is gone, or wishes to be a burden.
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
  // Refused as any unfit request is, when its turn comes.
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
    // Node says so once for each request; what comes later of a slow one is up to us.
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
      // A process that takes what others hand over ends when they have.
      if (http.listening && !isWriter && options.stopDelay) await sleep(options.stopDelay);
      await drain.end();
      handOver?.close();
      app.refuse();
      load.stop();
      metrics?.close();
    },
  };
}

/** How often an upload is looked at that takes longer than other requests may, in milliseconds. */
const lookInterval = 1000;

/** Lets an upload go on as long as it keeps the pace. @param refuse ends it */
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
 * Answers bytes that are no request, after the answers to the requests before them.
 * @returns the status, where no exchange reports it
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
    // Its turn comes after the answers to those before.
    write(request, response, preparePlain(refusal), requestId);
    // The reader of the body learns from this that no more of it comes.
    response.once('close', () => request.destroy());
    return undefined;
  }
  if (last && !last.response.closed)
    last.response.once('close', () => socket.writable && refuseConnection(socket, refusal));
  else refuseConnection(socket, refusal);
  return refusal.status;
}

/** Log entry of bytes that were no request. */
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
