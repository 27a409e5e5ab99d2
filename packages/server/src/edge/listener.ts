import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Commerce } from '@commerce/core';
import { type AppOptions, type AppPlace, createApp } from '../app.ts';
import type { AppRequest } from '../http.ts';
import { BodyRoom } from '../request/body-room.ts';
import type { RequestEntry } from '../request/request-entry.ts';
import type { Identify } from '../resources/identify.ts';
import { Metrics, type MetricsPeers } from '../service/metrics.ts';
import { type Edge, Exchange } from './exchange.ts';
import { Load } from './load.ts';
import { RequestLines } from './request-line.ts';
import { pathOf } from './request-target.ts';

export interface ServerOptions extends Omit<AppOptions, 'identify'> {
  /**
   * The application's own sign-in, in front of keys: it is asked for each request for the resources of a store, and names the store and the
   * user, who is then in the audit log.
   */
  identify?: Identify<IncomingMessage>;
  /** Called for every finished request; must not throw. */
  onRequest?: (entry: RequestEntry) => void;
  /** Answers `/metrics` to any client that reaches the port. */
  metrics?: boolean;
  /** Maximum running requests; further ones are refused with 503. 1,000 by default. */
  maxConcurrency?: number;
}

/** Place of a server in a service of several processes. */
export interface EdgePlace extends AppPlace {
  /** The other processes, whose metrics are added to this one's. */
  peers?: MetricsPeers | undefined;
}

/** Answers one request. With `next`, as Express passes it, hands on requests for other paths. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** Maximum bytes of bodies held at once, of requests without a key and with one. */
const maxAnonymousBodies = 32 * 1024 * 1024;
const maxKnownBodies = 128 * 1024 * 1024;

/** Ids accepted from a client. They are logged, so an id that contains an API key is not accepted. */
const requestIdPattern = /^(?!.*ck_(?:live|pub)_)[\w.:-]{1,128}$/;

/** Edge of a server, and of a listener in another application. */
export interface OpenEdge extends Edge {
  listener: Listener;
  metrics: Metrics | undefined;
}

/** @param connections the open ones, if known: each gets its last request */
export function openEdge(
  commerce: Commerce,
  options: ServerOptions,
  connections?: Map<Socket, Exchange | undefined>,
  place: EdgePlace = {},
): OpenEdge {
  const { isWriter = false } = place;
  const { onRequest } = options;
  const onError = options.onError ?? ((error, requestId) => console.error(`request ${requestId} failed:`, error));
  const load = new Load(options.maxConcurrency ?? 1000);
  // Readers count the requests that they hand over.
  const gauges = isWriter
    ? { underWay: () => 0, connections: () => 0 }
    : { underWay: () => load.underWay, connections: () => connections?.size ?? 0 };
  const metrics = options.metrics ? new Metrics(commerce, gauges, place.peers) : undefined;
  const { identify, ...rest } = options;
  // Every request that this edge hands to the application is an exchange.
  const ofExchange = identify && ((request: AppRequest) => identify((request as Exchange).request));
  const app = createApp(commerce, { ...rest, ...(ofExchange && { identify: ofExchange }), onError }, metrics, place);
  const counted = isWriter ? undefined : metrics;
  const onFinished = counted
    ? (entry: RequestEntry) => {
        counted.request(entry);
        onRequest?.(entry);
      }
    : onRequest;
  const bodies = { anonymous: new BodyRoom(maxAnonymousBodies), known: new BodyRoom(maxKnownBodies) };
  const edge: Edge = { app, load, onFinished, bodies, onError, isBehindReaders: isWriter };
  const lines = new RequestLines();
  const listener: Listener = (request, response, next) => {
    const url = pathOf(request.url ?? '/');
    if (next && !app.owns(url)) {
      next();
      return;
    }
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID();
    const exchange = new Exchange(edge, request, response, url, requestId);
    connections?.set(request.socket, exchange);
    lines.add(request.socket, exchange);
  };
  return { ...edge, metrics, listener };
}
