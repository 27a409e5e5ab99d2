import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Commerce } from '@commerce/core';
import { type App, type AppOptions, createApp } from './app.ts';
import { AbortedError, openBody, readBody } from './body.ts';
import { type PreparedAnswer, prepare, preparePlain } from './compress.ts';
import type { Answer, RequestFacts } from './http.ts';
import { Load } from './load.ts';
import { malformed, noHost, tooManyHeaders } from './malformed.ts';
import { Metrics } from './metrics.ts';
import { clientLeft, type RequestEntry } from './request-entry.ts';
import { pathOf } from './request-target.ts';
import { together, write } from './write.ts';

export interface ServerOptions extends AppOptions {
  /** Told of every request that has ended; must not throw. */
  onRequest?: (entry: RequestEntry) => void;
  /** Answers `/metrics`, to anybody who reaches the port. */
  metrics?: boolean;
  /** Requests that are worked on at once; those above it are refused with 503. 1,000 by default. */
  maxConcurrency?: number;
}

/** Answers one request. With `next`, as Express passes it, requests for other paths are handed on. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** Node leaves out what is beyond, which could be the key: such a request is refused instead. */
export const maxHeaders = 100;

/** What is kept of a client's own: it stands in the log, where an API key has no business. */
const requestIdPattern = /^(?!.*ck_live_)[\w.:-]{1,128}$/;

/** What a server and a listener of an application have alike. */
export interface Edge {
  app: App;
  /** @returns the request's id; empty where the request was handed on */
  listener(request: IncomingMessage, response: ServerResponse, next?: () => void): string;
  load: Load;
  metrics: Metrics | undefined;
  /** Tells everybody who wants to know of requests that have ended; undefined where nobody does. */
  told: ((entry: RequestEntry) => void) | undefined;
}

/** @param connections how many are open, where that is known */
export function openEdge(commerce: Commerce, options: ServerOptions, connections: () => number): Edge {
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
      .handle(
        { method, url, headers, address: request.socket.remoteAddress, readBody: read, openBody: open },
        requestId,
        facts,
        load.refusal(),
      )
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
