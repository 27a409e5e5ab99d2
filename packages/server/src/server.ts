import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Commerce } from '@commerce/core';
import { type App, type AppOptions, createApp } from './app.ts';
import { AbortedError, openBody, readBody } from './body.ts';
import { type PreparedAnswer, prepare, preparePlain } from './compress.ts';
import type { Answer, RequestFacts } from './http.ts';
import { Load } from './load.ts';
import {
  malformed,
  noHost,
  noTunnel,
  refusalOf,
  refuseConnection,
  tooManyHeaders,
  unknownExpectation,
} from './malformed.ts';
import { Metrics } from './metrics.ts';
import { clientLeft, type RequestEntry } from './request-entry.ts';
import { pathOf } from './request-target.ts';

export interface ServerOptions extends AppOptions {
  /** Told of every request that has ended; must not throw. */
  onRequest?: (entry: RequestEntry) => void;
  /** Answers `/metrics`, to anybody who reaches the port. */
  metrics?: boolean;
  /** Requests that are worked on at once; those above it are refused with 503. 1,000 by default. */
  maxConcurrency?: number;
}

export interface OwnServerOptions extends ServerOptions {
  /** Connections that may be open at once; those above it are closed. 10,000 by default. */
  maxConnections?: number;
}

/** Answers one request. With `next`, as Express passes it, requests for other paths are handed on. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * The interface as a plain request listener, to mount into a node:http or Express application of your own. Connections, their
 * time limits and what is no well-formed request are that application's; `maxConcurrency` counts here too.
 */
export function createListener(commerce: Commerce, options: ServerOptions = {}): Listener {
  return openEdge(commerce, options, () => 0).listener;
}

export interface CommerceServer {
  readonly http: Server;
  /** Starts listening. @throws the error of node:net, `EADDRINUSE` when the port is taken. */
  listen(options: { port: number; host?: string }): Promise<{ host: string; port: number; url: string }>;
  /** Refuses new requests, waits for those under way, and closes. Does not close the commerce it serves. */
  stop(): Promise<void>;
}

/** The interface as a server of its own. */
export function createServer(commerce: Commerce, options: OwnServerOptions = {}): CommerceServer {
  /** Every open connection, with the last request that came on it. */
  const connections = new Map<Socket, Exchange | undefined>();
  const { app, listener, load, metrics, told } = openEdge(commerce, options, () => connections.size);
  const http = createHttpServer({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    // Without it node looks for those who are late only every half minute.
    connectionsCheckingInterval: 1000,
    // Longer than the usual minute of a load balancer, which otherwise sends into a connection that we just closed.
    keepAliveTimeout: 65_000,
    // Answered here, in the form of every other error.
    requireHostHeader: false,
  });
  http.maxConnections = options.maxConnections ?? 10_000;
  http.maxHeadersCount = maxHeaders;
  // A client that reads nothing of its answer for so long is gone, or wishes to be a burden.
  http.timeout = 120_000;
  http.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  http.on('drop', () => metrics?.connectionDropped());
  http.on('request', (request, response) => {
    connections.set(request.socket, { request, response, requestId: listener(request, response) });
  });
  http.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    connections.set(request.socket, { request, response, requestId });
    write(request, response, preparePlain(unknownExpectation), requestId);
    told?.(refusedEntry(unknownExpectation.status));
  });
  http.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    refuseConnection(socket, noTunnel);
    told?.(refusedEntry(noTunnel.status));
  });
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = answerClientError(error, socket, connections.get(socket));
    if (status !== undefined) told?.(refusedEntry(status));
  });
  return {
    http,
    async listen({ port, host = '127.0.0.1' }) {
      await metrics?.ready;
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, host, () => {
          http.off('error', reject);
          resolve();
        });
      });
      load.start();
      const address = http.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
      return { host, port: address.port, url: `http://${shown}:${address.port}` };
    },
    stop() {
      app.refuse();
      load.stop();
      metrics?.close();
      return new Promise((resolve) => {
        // Node counts connections that have sent no request yet as busy, and a browser opens such ones in advance.
        for (const [socket, last] of connections) if (!last) socket.destroy();
        // A kept-alive connection is idle only once its answer is out, which may be after this call.
        const closing = setInterval(() => http.closeIdleConnections(), 50);
        const cutting = setTimeout(() => http.closeAllConnections(), stopGrace);
        http.close(() => {
          clearInterval(closing);
          clearTimeout(cutting);
          resolve();
        });
      });
    },
  };
}

/** How long a stop waits for requests under way. */
const stopGrace = 15_000;

/** Node leaves out what is beyond, which could be the key: such a request is refused instead. */
const maxHeaders = 100;

/** What is kept of a client's own: it stands in the log, where an API key has no business. */
const requestIdPattern = /^(?!.*ck_live_)[\w.:-]{1,128}$/;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
}

interface Edge {
  app: App;
  /** @returns the request's id; empty where the request was handed on */
  listener(request: IncomingMessage, response: ServerResponse, next?: () => void): string;
  load: Load;
  metrics: Metrics | undefined;
  /** Tells everybody who wants to know of requests that have ended; undefined where nobody does. */
  told: ((entry: RequestEntry) => void) | undefined;
}

function openEdge(commerce: Commerce, options: ServerOptions, connections: () => number): Edge {
  const { onRequest } = options;
  const onError = options.onError ?? ((error, requestId) => console.error(`request ${requestId} failed:`, error));
  const load = new Load(options.maxConcurrency ?? 1000);
  const metrics = options.metrics ? new Metrics(commerce, { underWay: () => load.underWay, connections }) : undefined;
  const app = createApp(commerce, { ...options, onError }, metrics);
  const told = metrics
    ? (entry: RequestEntry) => {
        metrics.request(entry);
        onRequest?.(entry);
      }
    : onRequest;
  return { app, load, metrics, told, listener: listenerOf(app, load, told, onError) };
}

function listenerOf(
  app: App,
  load: Load,
  told: Edge['told'],
  onError: (error: unknown, requestId: string) => void,
): Edge['listener'] {
  return (request, response, next) => {
    const { method = 'GET', headers } = request;
    const url = pathOf(request.url ?? '/');
    if (next && !app.owns(url)) {
      next();
      return '';
    }
    const given = headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
    const startedAt = told ? performance.now() : 0;
    const facts: RequestFacts = { route: '' };
    const ended = (status: number, aborted = false) => {
      told?.({
        time: Date.now(),
        method,
        route: facts.route,
        status: aborted ? clientLeft : status,
        ms: performance.now() - startedAt,
        storeId: facts.storeId,
        keyPrefix: facts.keyPrefix,
        requestId,
        aborted,
      });
    };
    const send = (answer: PreparedAnswer) =>
      together(() => {
        // What could not be written: the connection says so by its end.
        try {
          if (response.headersSent || response.destroyed) {
            answer.stream?.destroy();
            ended(answer.status, !response.headersSent);
            return;
          }
          write(request, response, answer, requestId);
          if (answer.stream) response.once('close', () => ended(answer.status, !response.writableFinished));
          else ended(answer.status);
        } catch (error) {
          onError(error, requestId);
          response.destroy();
        }
      });

    const unfit = unfitAnswer(request, method, url);
    if (unfit) {
      send(preparePlain(unfit));
      return requestId;
    }

    let bodyError: unknown;
    const read = async () => {
      let body: Buffer;
      load.underWay--;
      try {
        body = await readBody(request);
      } catch (error) {
        bodyError = error;
        throw error;
      } finally {
        load.underWay++;
      }
      // Others came in the meantime; nothing has been done for this one yet.
      const refusal = load.refusal();
      if (refusal) throw refusal;
      return body;
    };
    const open = (max: number) => uncounted(openBody(request, max), load);
    load.underWay++;
    app
      .handle({ method, url, headers, readBody: read, openBody: open }, requestId, facts, load.refusal())
      .then((answer) => {
        load.underWay--;
        if (bodyError instanceof AbortedError) {
          answer.stream?.destroy();
          // The parser refused the rest of it, and that was answered; or the client left.
          ended(response.headersSent ? response.statusCode : clientLeft, !response.headersSent);
          return;
        }
        const form = prepare(answer, headers['accept-encoding']);
        return form instanceof Promise ? form.then(send) : send(form);
      })
      .catch((error) => {
        onError(error, requestId);
        response.destroy();
      });
    return requestId;
  };
}

/** What a request is answered with that cannot be worked on as it stands. */
function unfitAnswer(request: IncomingMessage, method: string, url: string): Answer | undefined {
  // The parser takes a line without a version for HTTP/0.9.
  if (request.httpVersionMajor !== 1) return malformed;
  if (request.rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
  if (request.headers.host === undefined && request.httpVersion === '1.1') return noHost;
  if (method === 'OPTIONS' && url === '*')
    return { status: 204, headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } };
  return undefined;
}

/** The body as it arrives; while its next part is waited for, the request is none that is being worked on. */
async function* uncounted(parts: AsyncGenerator<Buffer>, load: Load): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      load.underWay--;
      const part = await parts.next().finally(() => load.underWay++);
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await parts.return(undefined);
  }
}

/**
 * Answers bytes that are no request, after the answers to the requests before them.
 * @returns the status, where it is not that of a request which is known
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
    // Whoever reads the body learns from this that no more of it comes.
    response.once('close', () => request.destroy());
    return undefined;
  }
  if (last && !last.response.closed)
    last.response.once('close', () => socket.writable && refuseConnection(socket, refusal));
  else refuseConnection(socket, refusal);
  return refusal.status;
}

/** The entry of bytes that were no request. */
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

let waiting: (() => void)[] = [];

/**
 * Runs what writes the answers of one turn of the event loop one after the other at its end. Written one by one between
 * the reads, each would wake a client that went back to sleep meanwhile, which costs more than the read.
 */
function together(write: () => void): void {
  if (waiting.length === 0) {
    setImmediate(() => {
      const writes = waiting;
      waiting = [];
      for (const one of writes) one();
    });
  }
  waiting.push(write);
}

/** How long a client may go on sending a body that nobody reads before the connection is cut. */
const drainTime = 1000;

function write(request: IncomingMessage, response: ServerResponse, answer: PreparedAnswer, requestId: string): void {
  const headers: string[] = ['X-Request-Id', requestId];
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
  const { body, stream } = answer;
  if (stream) {
    writeStream(request, response, answer.status, headers, stream);
    return;
  }
  if (body !== undefined) {
    if (answer.headers?.['Content-Type'] === undefined) headers.push('Content-Type', 'application/json; charset=utf-8');
    headers.push('Content-Length', String(answer.length));
  }
  if (request.complete) {
    response.writeHead(answer.status, headers);
    response.end(body);
    return;
  }
  // Part of the body is still on its way. The connection is closed with the end of the answer, and closing it on bytes
  // that nobody has read resets it, which can cost the client the answer: so the answer goes out whole, and ends later.
  if (answer.headers?.Connection === undefined) headers.push('Connection', 'close');
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  if (body !== undefined) response.write(body);
  const end = () => {
    clearTimeout(cutting);
    response.end();
  };
  const cutting = setTimeout(end, drainTime).unref();
  request.once('end', end).once('close', end).resume();
}

/** Passes bytes on as fast as the client takes them; a client that leaves gives back the file. */
function writeStream(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  stream: Readable,
): void {
  if (response.destroyed || stream.destroyed) {
    stream.destroy();
    response.destroy();
    return;
  }
  if (!request.complete) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  response.once('close', () => stream.destroy());
  // The length was announced: only a connection that is cut says that not all of it came.
  stream.once('error', () => response.destroy());
  stream.pipe(response);
  request.resume();
}
