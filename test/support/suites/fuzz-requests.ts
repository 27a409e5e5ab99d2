import type { OpenApiDocument } from '@commerce/server';
import fc from 'fast-check';
import { hostileJson, hostileText, mutated, mutation, printJson } from '../fixtures/hostile.ts';
import { type Header, harmlessHeaders, wildHeaders } from './fuzz-headers.ts';
import { wildNotifications } from './fuzz-notifications.ts';
import { type Part, textOf, Values } from './fuzz-values.ts';

/** A drawn request: ids are chosen when it is sent, from the ids known at that time. */
export interface DrawnRequest {
  operation: Operation;
  /** Whether the service has to carry it out: if so, the store's rules beyond the schema are fulfilled when it is sent. */
  valid: boolean;
  /** The method to send, if it is not the operation's own. */
  method: string | undefined;
  prefix: string;
  store: Chosen;
  /** The parameters of the path, without the store. */
  params: Chosen[];
  query: [name: string, value: string][];
  /** Encoding of the names and values of the query. */
  encoding: 'usual' | 'all' | 'none';
  headers: Header[];
  body: string | undefined;
  /** Text after the path. */
  suffix: string;
  key: 'good' | 'none' | 'bad';
  /** Whether a notification is signed. */
  signed: boolean;
  /** The file of an upload: its name and type, the changed byte, and its length. */
  file: { name: string; type: string; at: number; byte: number; length: number };
  overSocket: boolean;
  /** Seed for choices when it is sent. */
  n: number;
}

/** A known id, or a text that is sent unchanged. */
export type Chosen = { known: number } | { text: string };

export interface Operation {
  method: string;
  /** As in the document. */
  path: string;
  /** The names of its parameters, without the store. */
  params: string[];
  spec: Part;
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(get|post|put|patch|delete|head)$/.test(method))
      // Keys have no account: the tests of users ask for these in a session.
      .filter(([, { security }]) => !JSON.stringify(security ?? []).includes('session'))
      // Every other path below the dashboard is its page, which the document does not describe.
      .filter(([method]) => method !== 'get' || !path.startsWith('/dashboard/'))
      .map(([method, spec]) => ({
        method: method.toUpperCase(),
        path,
        params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').filter((name) => name !== 'storeId'),
        spec,
      })),
  );
}

/**
 * Draws requests for every operation of the document. Of each operation three in five are valid, in turns, so that the share of successes
 * depends on the service and not on luck.
 */
export function requestsOf(document: OpenApiDocument): (draw: fc.GeneratorValue) => DrawnRequest {
  const [known, any] = [new Values(document, true), new Values(document, false)];
  const drawers = operationsOf(document).map((operation) => {
    const [valid, wild] = [validRequests(operation, known), wildRequests(operation, any)];
    return { weight: weightOf(operation), sent: 0, valid: () => valid, wild: () => wild };
  });
  const chosen = fc.oneof(...drawers.map((drawer) => ({ weight: drawer.weight, arbitrary: fc.constant(drawer) })));
  const drawer = () => chosen;
  return (draw) => {
    const one = draw(drawer);
    // The first, the third and the fifth of every five.
    return draw((one.sent++ % 5) % 2 === 0 ? one.valid : one.wild);
  };
}

/** Creating is drawn more often than reading; pictures and exports of everything are drawn seldom, because each takes its time. */
function weightOf({ method, path }: Operation): number {
  if (/openapi|docs|metrics|readyz|healthz/.test(path)) return 1;
  if (path.endsWith('/media') && method === 'POST') return 3;
  if (path.includes('/exports/')) return 3;
  if (method === 'POST') return /\/(?:products|categories|customers|pages|orders)$/.test(path) ? 40 : 14;
  return method === 'DELETE' ? 2 : 10;
}

const knownId = fc.nat(1000).map((n): Chosen => ({ known: n }));
const someText = fc
  .oneof(hostileText, fc.uuid(), fc.constantFrom('0190a5c8-0000-7000-8000-000000000000', '%00', 'a%2Fb'))
  .map((text): Chosen => ({ text }));
const anyId = fc.oneof({ weight: 5, arbitrary: knownId }, { weight: 2, arbitrary: someText });
const theStore = fc.constant({ known: 0 } as Chosen);
const number = fc.nat(1e6);
/** One request in eight goes through a socket. */
const overSocket = fc.nat(7).map((n) => n === 0);

function queryOf({ spec }: Operation, values: Values): Part[] {
  const parameters: Part[] = (spec.parameters ?? []).map((one: Part) => values.resolve(one));
  return parameters.filter((one) => one.in === 'query');
}

function jsonOf({ spec }: Operation): Part {
  return spec.requestBody?.content?.['application/json'];
}

function validRequests(operation: Operation, values: Values): fc.Arbitrary<DrawnRequest> {
  const query = queryOf(operation, values).map((one) =>
    fc.oneof(
      { weight: one.required ? 0 : 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: values.of(one.schema).map((value) => [[one.name, textOf(value)]]) },
    ),
  );
  const json = jsonOf(operation);
  return fc.record({
    operation: fc.constant(operation),
    valid: fc.constant(true),
    method: fc.constant(undefined),
    prefix: fc.constantFrom('', '/api'),
    store: theStore,
    params: fc.tuple(...operation.params.map(() => knownId)) as fc.Arbitrary<Chosen[]>,
    query: fc.tuple(...query).map((parts) => parts.flat() as [string, string][]),
    encoding: fc.constant('usual' as const),
    headers: harmlessHeaders(operation.method),
    body: json ? exampleOrGood(json, values).map(printJson) : fc.constant(undefined),
    suffix: fc.constant(''),
    key: fc.constant('good' as const),
    signed: fc.constant(true),
    file: fc.constant({ name: 'a.png', type: 'image/png', at: 1e6, byte: 1, length: 1e6 }),
    overSocket,
    n: number,
  });
}

function wildRequests(operation: Operation, values: Values): fc.Arbitrary<DrawnRequest> {
  const query = queryOf(operation, values).map((one) => {
    const good = values.of(one.schema).map((value) => textOf(value));
    const value = fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: hostileText });
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: value.map((text) => [[one.name, text]]) },
    ) as fc.Arbitrary<[string, string][]>;
  });
  const json = jsonOf(operation);
  const body = operation.path.startsWith('/api/webhooks/')
    ? wildNotifications
    : json
      ? wildBodies(json, values)
      : fc.oneof(
          { weight: 9, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom('{}', '', 'x') },
        );
  return fc.record({
    operation: fc.constant(operation),
    valid: fc.constant(false),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'POST', 'DELETE', 'TRACE', 'SEARCH', 'PUT') },
    ),
    prefix: fc.constantFrom('', '', '', '/api'),
    store: fc.oneof({ weight: 40, arbitrary: theStore }, { weight: 1, arbitrary: someText }),
    params: fc.tuple(...operation.params.map(() => anyId)) as fc.Arbitrary<Chosen[]>,
    query: fc.tuple(...query, strayQuery).map((parts) => parts.flat() as [string, string][]),
    encoding: fc.constantFrom('usual' as const, 'usual' as const, 'usual' as const, 'all' as const, 'none' as const),
    headers: wildHeaders,
    body,
    suffix: fc.oneof(
      { weight: 60, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom('/', '//', '/x', ';a=b', '%20', '%00', '/..', '?', '&') },
    ),
    key: fc.oneof(
      { weight: 60, arbitrary: fc.constant('good' as const) },
      { weight: 1, arbitrary: fc.constantFrom('none' as const, 'bad' as const) },
    ),
    signed: fc.boolean(),
    file: fc.record({
      name: hostileText,
      type: fc.constantFrom('image/png', 'image/png', 'image/jpeg', '', 'text/html'),
      at: fc.nat(2000),
      byte: fc.nat(255),
      length: fc.oneof(fc.constant(100_000), fc.nat(2000)),
    }),
    overSocket,
    n: number,
  });
}

/** Undocumented parameters, and repeated ones. */
const strayQuery = fc.oneof(
  { weight: 8, arbitrary: fc.constant([] as [string, string][]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(hostileText, hostileText), { maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('limit', 'status', 'search', 'attr.limit', 'limit[]', 'a[b][c]')
      .chain((name) => fc.array(fc.tuple(fc.constant(name), hostileText), { minLength: 2, maxLength: 3 })),
  },
);

function exampleOrGood(media: Part, values: Values): fc.Arbitrary<unknown> {
  const example = media.example ?? media.examples?.[Object.keys(media.examples ?? {})[0] ?? '']?.value;
  return media.schema ? values.of(media.schema) : fc.constant(example ?? {});
}

const mutations = fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3, size: 'max' }));

/** Bodies that the schema allows, most of them mutated, and texts that are not JSON. */
function wildBodies(media: Part, values: Values): fc.Arbitrary<string | undefined> {
  const good = exampleOrGood(media, values);
  const broken = fc.tuple(good, fc.nat(200), hostileText).map(([value, at, text]) => {
    const whole = printJson(value);
    const place = whole.length === 0 ? 0 : at % whole.length;
    return whole.slice(0, place) + text + (at % 2 === 0 ? whole.slice(place) : '');
  });
  return fc.oneof(
    {
      weight: 16,
      arbitrary: fc.tuple(good, mutations).map(([value, all]) => printJson(all.reduce<unknown>(mutated, value))),
    },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: hostileJson.map(printJson) },
    { weight: 1, arbitrary: fc.constantFrom('', undefined, 'null', '\ufeff{}', '{}{}', '{"a":1}x', ' ') },
  );
}
