import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Commerce } from '@commerce/core';
import { type App, type AppOptions, createApp } from './app.ts';
import { AbortedError, openBody, readBody } from './body.ts';
import type { Answer } from './http.ts';

export type ServerOptions = AppOptions;

/** Answers one request. With `next`, as Express passes it, requests for other paths are handed on. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** The interface as a plain request listener, to mount into a node:http or Express application of your own. */
export function createListener(commerce: Commerce, options: ServerOptions = {}): Listener {
  return listenerOf(createApp(commerce, options));
}

export interface CommerceServer {
  readonly http: Server;
  /** Starts listening. @throws the error of node:net, `EADDRINUSE` when the port is taken. */
  listen(options: { port: number; host?: string }): Promise<{ host: string; port: number; url: string }>;
  /** Refuses new requests, waits for those under way, and closes. Does not close the commerce it serves. */
  stop(): Promise<void>;
}

/** The interface as a server of its own. */
export function createServer(commerce: Commerce, options: ServerOptions = {}): CommerceServer {
  const app = createApp(commerce, options);
  const http = createHttpServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      // Longer than the usual minute of a load balancer, which otherwise sends into a connection that we just closed.
      keepAliveTimeout: 65_000,
    },
    listenerOf(app),
  );
  // Connections that have sent no request yet; node counts them as busy, and a browser opens such ones in advance.
  const unused = new Set<Socket>();
  http.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  http.on('request', (request) => unused.delete(request.socket));
  return {
    http,
    listen({ port, host = '127.0.0.1' }) {
      return new Promise((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, host, () => {
          http.off('error', reject);
          const address = http.address() as AddressInfo;
          const shown = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
          resolve({ host, port: address.port, url: `http://${shown}:${address.port}` });
        });
      });
    },
    stop() {
      app.refuse();
      return new Promise((resolve) => {
        // A kept-alive connection is idle only once its answer is out, which may be after this call.
        for (const socket of unused) socket.destroy();
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

const requestIdPattern = /^[\w.:-]{1,128}$/;

function listenerOf(app: App): Listener {
  return (request, response, next) => {
    const { method = 'GET', url = '/', headers } = request;
    if (next && !app.owns(url)) return next();
    const given = headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
    let bodyError: unknown;
    const read = async () => {
      try {
        return await readBody(request);
      } catch (error) {
        bodyError = error;
        throw error;
      }
    };
    const open = (max: number) => openBody(request, max);
    app.handle({ method, url, headers, readBody: read, openBody: open }, requestId).then((answer) => {
      if (bodyError instanceof AbortedError || response.destroyed) {
        answer.stream?.destroy();
        return;
      }
      together(() => write(request, response, answer, requestId));
    });
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

function write(request: IncomingMessage, response: ServerResponse, answer: Answer, requestId: string): void {
  const headers: string[] = ['X-Request-Id', requestId];
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
  const { body, stream } = answer;
  if (stream) {
    writeStream(request, response, answer.status, headers, stream);
    return;
  }
  if (body !== undefined) {
    headers.push('Content-Type', 'application/json; charset=utf-8');
    headers.push('Content-Length', String(Buffer.byteLength(body)));
  }
  if (request.complete) {
    response.writeHead(answer.status, headers);
    response.end(body);
    return;
  }
  // Part of the body is still on its way. The connection is closed with the end of the answer, and closing it on bytes
  // that nobody has read resets it, which can cost the client the answer: so the answer goes out whole, and ends later.
  headers.push('Connection', 'close');
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
