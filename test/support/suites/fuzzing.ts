import type { OpenApiDocument } from '@commerce/server';
import fc from 'fast-check';
import { hostileJson, hostileText, type Mutation, mutated, mutation, printJson, RawJson } from '../fixtures/hostile.ts';
import { squarePayment } from '../fixtures/square.ts';
import { payment } from '../fixtures/stripe.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
type Part = any;

/** A request as it is drawn: ids are chosen when it is sent, out of those that are known then. */
export interface DrawnRequest {
  operation: Operation;
  /** Which method is sent, where it is not the operation's own. */
  method: string | undefined;
  /** Prefix, store, and what is in the place of each parameter. */
  prefix: string;
  store: Chosen;
  params: Chosen[];
  query: [name: string, value: string][];
  /** How the names and values of the query are written. */
  encoding: 'usual' | 'all' | 'none';
  headers: [name: string, value: string][];
  body: string | undefined;
  /** What is put behind the path. */
  suffix: string;
  /** Whether a key is sent, and which. */
  key: 'good' | 'none' | 'bad';
  /** Of a notification: whether it is signed. */
  signed: boolean;
  /** Of an upload: what is done to the file. */
  file: { name: string; type: string; at: number; byte: number; length: number };
  overSocket: boolean;
}

/** An id that is known, or a text that is as it is. */
export type Chosen = { known: number } | { text: string };

export interface Operation {
  method: string;
  /** As the document has it. */
  path: string;
  /** The names of its parameters, without the store. */
  params: string[];
  spec: Part;
}

/** Draws requests for every operation of the document. */
export function requestsOf(document: OpenApiDocument): fc.Arbitrary<DrawnRequest> {
  const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(get|post|put|patch|delete|head)$/.test(method))
      .map(([method, spec]) => ({
        method: method.toUpperCase(),
        path,
        params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').filter((name) => name !== 'storeId'),
        spec,
      })),
  );
  const values = new Values(document);
  return fc.oneof(
    ...operations.map((operation) => ({ weight: weightOf(operation), arbitrary: drawn(operation, values) })),
  );
}

/** What makes things is drawn more often than what reads them, and pictures seldom, for each takes its time. */
function weightOf({ method, path }: Operation): number {
  if (/openapi|docs|metrics|readyz|healthz/.test(path)) return 1;
  if (path.endsWith('/media') && method === 'POST') return 3;
  if (method === 'POST') return /\/(?:products|categories|customers|pages|orders)$/.test(path) ? 40 : 14;
  return method === 'DELETE' ? 2 : 10;
}

const known = fc.nat(1000).map((n): Chosen => ({ known: n }));
const someText = fc
  .oneof(hostileText, fc.uuid(), fc.constantFrom('0190a5c8-0000-7000-8000-000000000000', '%00', 'a%2Fb'))
  .map((text): Chosen => ({ text }));
const id = fc.oneof({ weight: 5, arbitrary: known }, { weight: 2, arbitrary: someText });

const headerText = fc.oneof(
  hostileText,
  fc.constantFrom('*', '"x"', 'W/"x"', '"', ',', 'gzip', 'gzip;q=0', 'br, *;q=0.1', 'identity;q=0', 'x'.repeat(8000)),
  fc.constantFrom(
    'bytes=0-0',
    'bytes=-1',
    'bytes=9999999-',
    'bytes=5-1',
    'bytes=0-1,3-4',
    'bytes=99999999999999999999-',
    'x'.repeat(255),
    'x'.repeat(256),
  ),
);
const types = fc.constantFrom(
  ...[
    'application/json; charset=utf-16',
    'application/json;',
    'APPLICATION/JSON',
    'application/merge-patch+json',
    'text/json',
  ],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x',
    '',
    'application/x-www-form-urlencoded',
  ],
);
const header = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom(
        ...['if-match', 'if-none-match', 'accept-encoding', 'x-request-id', 'range', 'if-range', 'if-modified-since'],
        ...['origin', 'accept', 'x-forwarded-proto', 'x-forwarded-host', 'access-control-request-method'],
      ),
      headerText,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('idempotency-key'), headerText) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('content-type'), types) },
  {
    // A few keys that are used over and over, so that requests are sent again.
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('idempotency-key'),
      fc.nat(30).map((n) => `again-${n}`),
    ),
  },
);
const headers = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(header, { minLength: 1, maxLength: 4, size: 'max' }) },
);

function drawn(operation: Operation, values: Values): fc.Arbitrary<DrawnRequest> {
  const { spec } = operation;
  const parameters: Part[] = (spec.parameters ?? []).map((one: Part) => values.resolve(one));
  const query = parameters
    .filter((one) => one.in === 'query')
    .map((one) => {
      const good = values.of(one.schema).map((value) => textOf(value));
      const value = fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: hostileText });
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: value.map((text) => [[one.name, text]]) },
      ) as fc.Arbitrary<[string, string][]>;
    });
  const extraQuery = fc.oneof(
    { weight: 8, arbitrary: fc.constant([] as [string, string][]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(hostileText, hostileText), { maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('limit', 'status', 'search', 'attr.limit', 'limit[]', 'a[b][c]')
        .chain((name) => fc.array(fc.tuple(fc.constant(name), hostileText), { minLength: 2, maxLength: 3 })),
    },
  );
  const content = spec.requestBody?.content ?? {};
  const json = content['application/json'];
  const body = operation.path.startsWith('/api/webhooks/')
    ? notifications
    : json
      ? bodies(json, values)
      : fc.oneof(
          { weight: 9, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom('{}', '', 'x') },
        );
  const goodQuery = parameters
    .filter((one) => one.in === 'query')
    .map((one) =>
      fc.oneof(
        { weight: one.required ? 0 : 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: values.of(one.schema).map((value) => [[one.name, textOf(value)]]) },
      ),
    );
  const goodBody = operation.path.startsWith('/api/webhooks/')
    ? fc.tuple(notified, fc.nat(1e6)).map(([event, n]) => mutate(numbered(event, n), []))
    : json
      ? exampleOrGood(json, values).map(printJson)
      : fc.constant(undefined);
  // Half of the requests are meant to be carried out: what is behind the checks of the input is reached by no others.
  const plain = fc.record({
    operation: fc.constant(operation),
    method: fc.constant(undefined),
    prefix: fc.constantFrom('', '/api'),
    store: fc.constant({ known: 0 } as Chosen),
    params: fc.tuple(...operation.params.map(() => known)) as fc.Arbitrary<Chosen[]>,
    query: fc.tuple(...goodQuery).map((parts) => parts.flat() as [string, string][]),
    encoding: fc.constant('usual'),
    headers: fc.constant([]),
    body: goodBody,
    suffix: fc.constant(''),
    key: fc.constant('good' as const),
    signed: fc.constant(true),
    file: fc.constant({ name: 'a.png', type: 'image/png', at: 1e6, byte: 1, length: 1e6 }),
    overSocket: fc.nat(7).map((n) => n === 0),
  });
  const whole = fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'POST', 'DELETE', 'TRACE', 'SEARCH', 'PUT') },
    ),
    prefix: fc.constantFrom('', '', '', '/api'),
    store: fc.oneof({ weight: 40, arbitrary: fc.constant({ known: 0 } as Chosen) }, { weight: 1, arbitrary: someText }),
    params: fc.tuple(...operation.params.map(() => id)) as fc.Arbitrary<Chosen[]>,
    query: fc.tuple(...query, extraQuery).map((parts) => parts.flat() as [string, string][]),
    encoding: fc.constantFrom('usual', 'usual', 'usual', 'all', 'none'),
    headers,
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
    overSocket: fc.nat(7).map((n) => n === 0),
  });
  return fc.oneof(plain, whole) as fc.Arbitrary<DrawnRequest>;
}

/** What stands in bodies for ids that are known when they are sent: of what, and which. */
export const namedId = /«([\w-]+):(\d+)»/g;

const kindOfField: Record<string, string> = {
  categoryIds: 'categories',
  parentId: 'categories',
  mediaIds: 'media',
  primaryMediaId: 'media',
  seoImageId: 'media',
  customerId: 'customers',
  productId: 'products',
};

/** What stands in notifications for the id of an order. */
export const orderInNotification = '01999999-9999-7999-8999-999999999999';

const mutations = fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3, size: 'max' }));
const mutate = (value: unknown, all: readonly Mutation[]) =>
  printJson(all.reduce((now: unknown, one: Mutation) => mutated(now, one), value));

const paid = payment(orderInNotification, 1000, 'eur', 'pi_of_the_fuzz');
const tapped = squarePayment(orderInNotification, 1000);
const notified = fc.constantFrom(
  ...[
    paid.intentSucceeded(),
    paid.chargeSucceeded(),
    paid.sessionCompleted(),
    paid.intentFailed(),
    paid.intentCanceled(),
  ],
  ...[tapped.completed(), tapped.failed(), tapped.refund(500).updated()],
);
const numbered = (event: object, n: number) => ({
  ...event,
  ...('event_id' in event ? { event_id: `e${n}` } : { id: `evt_${n}` }),
});
const notifications = fc
  .tuple(notified, fc.nat(1e6), mutations)
  .map(([event, n, all]) => mutate(numbered(event, n), all));

function exampleOrGood(media: Part, values: Values): fc.Arbitrary<unknown> {
  const example = media.example ?? media.examples?.[Object.keys(media.examples ?? {})[0] ?? '']?.value;
  return media.schema ? values.of(media.schema) : fc.constant(example ?? {});
}

/** Bodies that the schema allows, most of them with something done to them, and texts that are no JSON. */
function bodies(media: Part, values: Values): fc.Arbitrary<string | undefined> {
  const good = exampleOrGood(media, values);
  const broken = fc.tuple(good, fc.nat(200), hostileText).map(([value, at, text]) => {
    const whole = printJson(value);
    const place = whole.length === 0 ? 0 : at % whole.length;
    return whole.slice(0, place) + text + (at % 2 === 0 ? whole.slice(place) : '');
  });
  return fc.oneof(
    {
      weight: 16,
      arbitrary: fc.tuple(good, mutations).map(([value, all]) => mutate(value, all)),
    },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: hostileJson.map(printJson) },
    { weight: 1, arbitrary: fc.constantFrom('', undefined, 'null', '\ufeff{}', '{}{}', '{"a":1}x', ' ') },
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value instanceof RawJson ? value.text : JSON.stringify(value);
}

/** Draws what schemas of the document allow. */
class Values {
  readonly #document: OpenApiDocument;
  readonly #made = new Map<string, fc.Arbitrary<unknown>>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  resolve(part: Part): Part {
    if (typeof part?.$ref !== 'string') return part;
    const [, , kind = '', name = ''] = part.$ref.split('/');
    return this.resolve((this.#document.components as Part)[kind][name]);
  }

  of(schema: Part): fc.Arbitrary<unknown> {
    if (typeof schema?.$ref === 'string') {
      const made = this.#made.get(schema.$ref) ?? this.#make(this.resolve(schema));
      this.#made.set(schema.$ref, made);
      return made;
    }
    return this.#make(schema ?? {});
  }

  #make(schema: Part): fc.Arbitrary<unknown> {
    const examples = (schema.examples ?? (schema.example === undefined ? [] : [schema.example])) as unknown[];
    const good = this.#byType(schema);
    if (examples.length === 0) return good;
    return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...examples) }, { weight: 3, arbitrary: good });
  }

  #byType(schema: Part): fc.Arbitrary<unknown> {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map((one: Part) => this.of(one)));
    if (schema.allOf) {
      return fc.tuple(...schema.allOf.map((one: Part) => this.of(one))).map((parts) => Object.assign({}, ...parts));
    }
    if (Array.isArray(schema.type)) {
      return fc.oneof(...schema.type.map((type: string) => this.#byType({ ...schema, type, examples: undefined })));
    }
    switch (schema.type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return fc.integer({ min: Math.max(schema.minimum ?? 0, -1e9), max: Math.min(schema.maximum ?? 1000, 1e9) });
      case 'array':
        return fc.array(this.of(schema.items), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 3, 3),
        });
      case 'object':
        return this.#object(schema);
      case 'string':
        return this.#text(schema);
      default:
        return fc.constantFrom('', 1, null, {});
    }
  }

  #object(schema: Part): fc.Arbitrary<unknown> {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Part>);
    const required = (schema.required ?? []) as string[];
    const values = properties.map(([name, part]) => [name, this.#field(name, part)] as const);
    const named = fc.record(Object.fromEntries(values), {
      requiredKeys: required.filter((name) => properties.some(([one]) => one === name)),
    });
    if (!schema.additionalProperties || typeof schema.additionalProperties !== 'object') return named;
    const more = fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), this.of(schema.additionalProperties), {
      maxKeys: 3,
    });
    return fc.tuple(named, more).map(([one, other]) => ({ ...other, ...one }));
  }

  /** A field that names others by their ids mostly names some that there are. */
  #field(name: string, schema: Part): fc.Arbitrary<unknown> {
    const usual = this.of(schema);
    const kind = kindOfField[name];
    if (name === 'sku') return fc.oneof(usual, fc.constantFrom('A', 'B', 'C', 'MUG'));
    if (kind === undefined) return usual;
    const known = fc.nat(100).map((n) => `«${kind}:${n}»`);
    const value = schema.type === 'array' ? fc.array(known, { maxLength: 3 }) : known;
    return fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: usual });
  }

  #text(schema: Part): fc.Arbitrary<unknown> {
    if (schema.format === 'uuid') return fc.uuid();
    if (schema.format === 'uri') return fc.nat(100_000).map((n) => `https://subscriber.example.com/${n}`);
    if (schema.format === 'email') return fc.nat(100_000).map((n) => `a${n}@example.com`);
    if (schema.format === 'date-time') return fc.constantFrom('2030-01-31T00:00:00Z', '2020-01-31T00:00:00+02:00');
    if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern), { size: 'xsmall' });
    const minLength = schema.minLength ?? 0;
    return fc.string({
      unit: 'grapheme',
      minLength,
      maxLength: Math.max(minLength, Math.min(schema.maxLength ?? 20, 20)),
    });
  }
}
