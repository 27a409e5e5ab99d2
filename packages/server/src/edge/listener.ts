import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Commerce } from '@commerce/core';
import { type AppOptions, createApp } from '../app.ts';
import { Metrics } from '../service/metrics.ts';
import { BodyRoom } from './body-room.ts';
import { type Edge, Exchange } from './exchange.ts';
import { Load } from './load.ts';
import type { RequestEntry } from './request-entry.ts';
import { RequestLines } from './request-line.ts';
import { pathOf } from './request-target.ts';

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

/** Bytes of bodies that are held at once, of requests without a key and of those with one. */
const maxAnonymousBodies = 32 * 1024 * 1024;
const maxKnownBodies = 128 * 1024 * 1024;

/** What is kept of a client's own: it stands in the log, where an API key has no business. */
const requestIdPattern = /^(?!.*ck_live_)[\w.:-]{1,128}$/;

/** What a server and a listener of an application have alike. */
export interface OpenEdge extends Edge {
  /** @returns the request with its answer; undefined where it was handed on */
  listener(request: IncomingMessage, response: ServerResponse, next?: () => void): Exchange | undefined;
  metrics: Metrics | undefined;
}

/** @param connections how many are open, where that is known */
export function openEdge(commerce: Commerce, options: ServerOptions, connections: () => number): OpenEdge {
  const { onRequest } = options;
  const onError = options.onError ?? ((error, requestId) => console.error(`request ${requestId} failed:`, error));
  const load = new Load(options.maxConcurrency ?? 1000);
  const metrics = options.metrics ? new Metrics(commerce, { underWay: () => load.underWay, connections }) : undefined;
  const app = createApp(commerce, { ...options, onError }, metrics);
  const onFinished = metrics
    ? (entry: RequestEntry) => {
        metrics.request(entry);
        onRequest?.(entry);
      }
    : onRequest;
  const bodies = { anonymous: new BodyRoom(maxAnonymousBodies), known: new BodyRoom(maxKnownBodies) };
  const edge: Edge = { app, load, onFinished, bodies, onError };
  const lines = new RequestLines();
  const listener: OpenEdge['listener'] = (request, response, next) => {
    const url = pathOf(request.url ?? '/');
    if (next && !app.owns(url)) {
      next();
      return undefined;
    }
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
    const exchange = new Exchange(edge, request, response, url, requestId);
    lines.add(request.socket, exchange);
    return exchange;
  };
  return { ...edge, metrics, listener };
}
