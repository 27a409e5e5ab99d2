import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import {
  CommerceError,
  type Context,
  configureProvider,
  createApiKey,
  createOrder,
  listPayments,
  openMediaFolder,
  scopes,
  updateStore,
} from '@commerce/core';
import { type App, type CommerceServer, createApp, createServer, openApiDocument } from '@commerce/server';
import { boundary, form, formType } from '@commerce/test-support/fixtures/media-forms';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { signSquare } from '@commerce/test-support/fixtures/square';
import { payment, send as sendStripe } from '@commerce/test-support/fixtures/stripe';
import { expectDocumented } from '@commerce/test-support/harness/contract';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import {
  type Chosen,
  type DrawnRequest,
  namedId,
  orderInNotification,
  requestsOf,
} from '@commerce/test-support/suites/fuzzing';
import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';

// `npm run fuzz -- --requests 1000000 --seed 1` sends more of them.
const { FUZZ_REQUESTS, FUZZ_SEED, FUZZ_STORAGE } = process.env;
/** Always the same with the tests, so that they say something of the change alone; another one each time as a script. */
const usualSeed = FUZZ_REQUESTS === undefined ? 20_261_120 : Math.floor(Math.random() * 2 ** 31);
const seed = FUZZ_SEED === undefined ? usualSeed : Number(FUZZ_SEED);
const counts = { sqlite: 20_000, postgres: 3000 };

const maxBody = 1024 * 1024;
/** What no answer may tell: our files, our frames, our database, or a value that was printed without being one. */
const internals =
  /SQLITE_|SqliteError|syntax error at or near|invalid byte sequence|relation "|constraint failed|\[object |undefined|\n? {2,}at |node_modules|packages\/|\.ts:\d|\.js:\d|(?:Range|Type|Reference|Syntax)Error|call stack|ENOENT|ECONN/;
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface Got {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Values that are as long as a body may be. */
const endless = [
  `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
  `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `[${Array(400_000).fill('1').join(',')}]`,
  `[${Array(90_000).fill('{"a":"x"}').join(',')}]`,
  `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":"v${i}"`).join(',')}}`,
  `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  JSON.stringify('x'.repeat(1_000_000)),
  JSON.stringify('-'.repeat(1_000_000)),
  JSON.stringify('a-'.repeat(500_000)),
  JSON.stringify('0'.repeat(1_000_000)),
  JSON.stringify(`https://${'a.'.repeat(500_000)}`),
];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

forEachStorage('any request', (database, dialect) => {
  const count =
    FUZZ_REQUESTS === undefined
      ? counts[dialect]
      : FUZZ_STORAGE && FUZZ_STORAGE !== dialect
        ? 0
        : Number(FUZZ_REQUESTS);
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  const media = { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' };
  const commerce = useCommerce(database, { media });
  const stripeSecret = 'whsec_of_the_fuzz_test';
  const square = { signatureKey: 'key-of-the-fuzz', notificationUrl: 'https://shop.example.com/square' };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let app: App;
  let server: CommerceServer;
  let port: number;
  let shop: Context;
  let key: string;
  let ownKey: string;
  let png: Buffer;
  /** Ids that are known, by what they are ids of. */
  const pools = new Map<string, string[]>();
  /** What went wrong, by what it is. */
  const faults = new Map<string, string>();
  const thrown: unknown[] = [];
  const seen = new Map<string, number>();
  /** How many requests each operation got, and how many of them it carried out. */
  const byRoute = new Map<string, { sent: number; done: number }>();
  let slowest = { ms: 0, request: '' };
  let longestRefusal = { length: 0, request: '' };

  beforeAll(async () => {
    const options = { ordersApi: true, onError: (error: unknown) => thrown.push(error) };
    app = createApp(commerce(), options);
    server = createServer(commerce(), { ...options, cors: ['*'] });
    port = (await server.listen({ port: 0 })).port;
    shop = await newShop(commerce());
    const made = await createApiKey(shop, { name: 'fuzz', scopes: [...scopes] });
    [key, ownKey] = [made.key, made.id];
    await configureProvider(shop, 'stripe', { webhookSecret: stripeSecret });
    await configureProvider(shop, 'square', square);
    png = await picture('png');
    await seedPools();
  });

  /** Orders that a refund, or a payment by hand, can be drawn for: without them hardly any would be carried out. */
  async function seedPools(): Promise<void> {
    await updateStore(shop, { manualPayments: true });
    const { id: productId } = await newProduct(shop, { slug: 'seed-of-the-fuzz', price: '32' });
    const order = (quantity: number) => createOrder(shop, { items: [{ productId, quantity }] });
    for (let i = 0; i < 20; i++) {
      const dear = await order(10_000);
      await sendStripe(shop, payment(dear.id, 32_000_000).chargeSucceeded(), stripeSecret);
      putIn('paid orders', dear.id);
      // As much as the example of a payment by hand in the document.
      putIn('payable orders', (await order(1)).id);
      await sendStripe(shop, payment(null, 3200).chargeSucceeded(), stripeSecret);
    }
    for (const { id } of (await listPayments(shop, { matched: 'none' })).items) putIn('payments', id);
  }

  function putIn(kind: string, id: string): void {
    const pool = pools.get(kind) ?? [];
    pools.set(kind, pool);
    if (!pool.includes(id)) pool.push(id);
    if (pool.length > 30) pool.splice(0, pool.length - 30);
  }
  afterAll(async () => {
    agent.destroy();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it.skipIf(count === 0)(
    `is answered as the document says, and never with a fault of ours (${count} of them, seed ${seed})`,
    { timeout: 120_000 + count * 20 },
    async () => {
      let sent = 0;
      let heapAtFirst = 0;
      const property = fc.asyncProperty(requestsOf(await openApiDocument()), async (drawn) => {
        if (++sent === Math.ceil(count / 4)) heapAtFirst = heapUsed();
        await send(drawn);
      });
      const start = performance.now();
      await fc.assert(property, { seed, numRuns: count, endOnFailure: true });
      const seconds = (performance.now() - start) / 1000;
      const grown = (heapUsed() - heapAtFirst) / 1e6;
      if (FUZZ_REQUESTS !== undefined) {
        console.log(
          [
            `${dialect}: ${sent} requests, seed ${seed}, ${Math.round(sent / seconds)}/s, heap grew by ${grown.toFixed(1)} MB`,
            `answers: ${[...seen]
              .sort(([, a], [, b]) => b - a)
              .map(([status, times]) => `${status} × ${times}`)
              .join(', ')}`,
            `slowest: ${slowest.ms.toFixed(0)} ms, ${slowest.request}`,
            `longest refusal: ${longestRefusal.length} bytes, ${longestRefusal.request}`,
            ...tableOfRoutes(),
          ].join('\n'),
        );
      }
      expect([...faults.values()].join('\n\n'), `seed ${seed}`).toBe('');
      // Refusals alone would say little: most operations have to be carried out, too.
      for (const status of ['200', '201', '204', '400', '404', '409'])
        expect([status, (seen.get(status) ?? 0) > count / 400]).toEqual([status, true]);
      // Caches have their bounds, and what was answered is forgotten.
      expect(grown).toBeLessThan(50);
    },
  );

  // Refused before the database is asked: one of them is enough.
  it.skipIf(count === 0 || dialect === 'postgres')(
    'refuses every field that is nested without end, or has no end',
    { timeout: 300_000 },
    async () => {
      const { paths, components } = await openApiDocument();
      const slow: string[] = [];
      const wrong: string[] = [];
      for (const [path, methods] of Object.entries(paths).filter(([path]) => path.startsWith('/stores/'))) {
        for (const method of ['post', 'put']) {
          // biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
          const schema = (methods[method] as any)?.requestBody?.content?.['application/json']?.schema;
          const name = schema?.$ref?.split('/').at(-1);
          // biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
          const given = name ? (components.schemas?.[name] as any) : schema;
          if (!given) continue;
          const answered = name?.replace(/Input|Changes/, '');
          const fields = new Set([
            ...Object.keys(given.properties),
            ...Object.keys(Object(components.schemas?.[answered]?.properties)),
          ]);
          for (const field of fields) {
            for (const value of endless) {
              const known = pools.get(path.split('/')[3] ?? '')?.[0] ?? shop.store.id;
              const url = path.replace('{storeId}', shop.store.id).replaceAll(/\{\w+\}/g, known);
              const body = Buffer.from(`{${JSON.stringify(field)}:${value}}`);
              const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
              const request = { method: method.toUpperCase(), url, headers, body };
              const start = performance.now();
              const got = await handle(request);
              const ms = performance.now() - start;
              if (ms > 1000) slow.push(`${shown(request)}: ${ms.toFixed(0)} ms`);
              for (const error of thrown.splice(0)) wrong.push(`${shown(request)}: ${error}`);
              if (got.status >= 500) wrong.push(`${shown(request)}: ${got.status}`);
              if (got.status >= 400 && got.text.length > 100_000) {
                wrong.push(`${shown(request)}: ${got.text.length} bytes`);
              }
            }
          }
        }
      }
      if (FUZZ_REQUESTS !== undefined) console.log(`slow:\n${slow.join('\n')}`);
      expect(wrong).toEqual([]);
    },
  );

  it.skipIf(count === 0)('leaves a store whose lists are what their totals say', { timeout: 600_000 }, async () => {
    const lists = [
      '/products',
      '/categories',
      '/customers',
      '/pages',
      '/orders',
      '/media',
      '/webhooks',
      '/api-keys',
      '/audit-logs',
    ];
    let found = 0;
    for (const path of lists) {
      const items = await everyItem(path);
      found += items.length;
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      for (const item of items.slice(0, 200)) {
        expect(await read(`${path}/${item.id}`)).toEqual({ item });
      }
      const statuses = new Set(items.flatMap(({ status }) => (status === undefined ? [] : [status])));
      for (const status of statuses) {
        const { total } = await read(`${path}?limit=1&status=${status}`);
        expect([path, status, total]).toEqual([path, status, items.filter((item) => item.status === status).length]);
      }
    }
    expect(found).toBeGreaterThan(count / 50);
  });

  const read = async (path: string) => {
    const url = `/stores/${shop.store.id}${path}`;
    const answer = await handle({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${key}` },
      body: Buffer.alloc(0),
    });
    expect([url, answer.status]).toEqual([url, 200]);
    return JSON.parse(answer.text);
  };

  async function everyItem(path: string) {
    const items: { id: string; status?: string }[] = [];
    for (let total = 1; items.length < total; ) {
      const page = await read(`${path}?limit=200&offset=${items.length}`);
      if (page.items.length === 0) expect([path, items.length]).toEqual([path, page.total]);
      items.push(...page.items);
      total = page.total;
    }
    return items;
  }

  function tableOfRoutes(): string[] {
    const rows = [...byRoute].filter(([, { sent }]) => sent > count / 2000).sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      '| Method and path | Sent | 2xx | Other |',
      '|---|---|---|---|',
      ...rows.map(([route, { sent, done }]) => `| ${route} | ${sent} | ${done} | ${sent - done} |`),
    ];
  }

  function heapUsed(): number {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }

  async function send(drawn: DrawnRequest): Promise<void> {
    const request = compose(drawn);
    const start = performance.now();
    let got: Got | undefined;
    try {
      got = await (drawn.overSocket ? overSocket(request) : handle(request));
      await check(drawn, request, got);
      learn(drawn, request, got);
    } catch (error) {
      note(drawn, request, got, error);
    }
    for (const error of thrown.splice(0)) note(drawn, request, got, error);
    const ms = performance.now() - start;
    if (ms > slowest.ms) slowest = { ms, request: shown(request) };
    if (got && got.status >= 400 && got.text.length > longestRefusal.length) {
      longestRefusal = { length: got.text.length, request: shown(request) };
    }
    const route = `${request.method} ${drawn.operation.path}`;
    const counted = byRoute.get(route) ?? { sent: 0, done: 0 };
    counted.sent++;
    if (got && got.status < 300) counted.done++;
    byRoute.set(route, counted);
    const status = String(got?.status ?? 'none');
    seen.set(status, (seen.get(status) ?? 0) + 1);
  }

  function note({ operation }: DrawnRequest, request: Sent, got: Got | undefined, error: unknown): void {
    const { message, stack = '' } = error as Error;
    const name = `${operation.method} ${operation.path} ${got?.status} ${message.replace(/[\d"].*/s, '').slice(0, 60)}`;
    const text = `${shown(request)}\n→ ${got?.status} ${got?.text.slice(0, 300)}\n${message.slice(0, 600)}\n${stack.split('\n').slice(1, 7).join('\n')}`;
    if (faults.size < 40 && !faults.has(name)) faults.set(name, text);
  }

  const shown = ({ method, url, headers, body }: Sent) => {
    const { authorization: _, ...rest } = headers;
    const text = body.toString('utf8');
    const cut = text.length > 400 ? `${text.slice(0, 300)}… (${body.length} bytes)` : text;
    return `${method} ${url.slice(0, 300)} ${JSON.stringify(rest).slice(0, 300)} ${cut}`;
  };

  function idFor(chosen: Chosen, kind: string): string {
    if ('text' in chosen) return chosen.text;
    const pool = pools.get(kind) ?? [];
    return pool[chosen.known % pool.length] ?? '0190a5c8-0000-7000-8000-000000000000';
  }

  /** What is in the place of each parameter. */
  function parameterOf(name: string, chosen: Chosen, path: string): string {
    if (name === 'provider')
      return 'known' in chosen ? ((['stripe', 'square', 'paypal'] as const)[chosen.known % 3] ?? '') : chosen.text;
    if (name === 'file') return 'known' in chosen ? `${idFor(chosen, 'media')}.png` : chosen.text;
    if (path.endsWith('/refund')) return idFor(chosen, 'paid orders');
    if (path.endsWith('/orders/{id}/payments')) return idFor(chosen, 'payable orders');
    return idFor(chosen, name === 'deliveryId' ? 'deliveries' : (path.split('/')[3] ?? ''));
  }

  function compose(drawn: DrawnRequest): Sent {
    const { operation, encoding, store, query, suffix, signed } = drawn;
    const encode = (text: string) =>
      encoding === 'none'
        ? text.toWellFormed().replace(/[\s#?]/g, '')
        : encoding === 'all'
          ? percent(text)
          : encodeURIComponent(text.toWellFormed());
    const values = [...drawn.params];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'storeId') return 'known' in store ? shop.store.id : encode(store.text);
      const value = parameterOf(name, values.shift() ?? { text: '' }, operation.path);
      // The key that all of this is sent with has to stay.
      return encode(value === ownKey ? 'own' : value);
    });
    const prefix = operation.path.startsWith('/stores/') ? drawn.prefix : '';
    const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    const url = `${prefix}${path}${suffix}${search === '' ? '' : `?${search}`}`.replace(/[^\x21-\x7e]/g, (char) =>
      encodeURIComponent(char.toWellFormed()),
    );
    const body = bodyOf(drawn);
    const headers: Record<string, string> = {};
    if (drawn.key !== 'none') headers.authorization = `Bearer ${drawn.key === 'good' ? key : key.slice(1)}`;
    if (drawn.body !== undefined) headers['content-type'] = 'application/json';
    if (operation.spec.requestBody?.content?.['multipart/form-data']) headers['content-type'] = formType;
    for (const [name, value] of drawn.headers) headers[name] = value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim();
    if (operation.path.startsWith('/api/webhooks/') && signed)
      Object.assign(headers, signatures(body.toString('utf8')));
    return { method: drawn.method ?? operation.method, url, headers, body };
  }

  function signatures(payload: string): Record<string, string> {
    return {
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: stripeSecret }),
      'x-square-hmacsha256-signature': signSquare(payload, square.signatureKey, square.notificationUrl),
    };
  }

  function bodyOf({ operation, body, file, params }: DrawnRequest): Buffer {
    if (operation.spec.requestBody?.content?.['multipart/form-data']) {
      const content = Buffer.from(png.subarray(0, file.length));
      if (file.at < content.length && file.byte > 100) content[file.at] = file.byte;
      const name = file.name
        .toWellFormed()
        .replace(/["\r\n]/g, '')
        .slice(0, 200);
      const whole = form({ content, fileName: name, type: file.type === '' ? null : file.type });
      return file.byte % 16 === 0
        ? Buffer.from(whole.toString('latin1').replace(`--${boundary}--`, `--${boundary}`), 'latin1')
        : whole;
    }
    const order = idFor(params[0] ?? { known: body?.length ?? 0 }, 'orders');
    const named = (body ?? '').replace(namedId, (_, kind: string, n: string) => idFor({ known: Number(n) }, kind));
    return Buffer.from(
      named.replaceAll(orderInNotification, order.includes('"') || order.includes('\\') ? 'x' : order.toWellFormed()),
    );
  }

  async function handle({ method, url, headers, body }: Sent): Promise<Got> {
    const readBody = async () => {
      if (body.length > maxBody) throw new CommerceError('tooLarge', `the body must have at most ${maxBody} bytes`);
      return body;
    };
    const answer = await app.handle({ method, url, headers, readBody }, 'request-of-the-fuzz');
    if (answer.stream) for await (const _ of answer.stream);
    const text = answer.shared ? Buffer.concat([...answer.shared.plain]).toString() : (answer.body ?? '');
    return { status: answer.status, headers: answer.headers ?? {}, text };
  }

  function overSocket({ method, url, headers, body }: Sent): Promise<Got> {
    return new Promise((resolve, reject) => {
      const length = body.length > 0 || method === 'POST' ? { 'content-length': String(body.length) } : {};
      const sending = httpRequest({
        agent,
        port,
        host: '127.0.0.1',
        method,
        path: url,
        headers: { ...headers, ...length },
      });
      sending.setTimeout(20_000, () => sending.destroy(new Error('no answer came for 20 s')));
      sending.on('error', reject);
      sending.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const isGzip = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
          const isImage = response.headers['content-type']?.startsWith('image/');
          const text = isImage ? '' : (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, text });
        });
      });
      sending.end(body);
    });
  }

  async function check(
    { operation }: DrawnRequest,
    { method, url }: Sent,
    { status, headers, text }: Got,
  ): Promise<void> {
    for (const [name, value] of Object.entries(headers)) {
      if (!headerText.test(String(value)))
        throw new Error(`the header ${name} cannot be sent: ${JSON.stringify(value)}`);
    }
    const isPage = /openapi|docs|metrics/.test(operation.path);
    // A payment that is more than the stock can serve is answered so that the provider sends it again.
    const isRetry = status === 500 && url.includes('/api/webhooks/') && text.includes('"INSUFFICIENT_STOCK"');
    if (status >= 500 && !isRetry) throw new Error(`answered ${status}`);
    if (!isPage && internals.test(text)) throw new Error(`tells ${internals.exec(text)?.[0]}`);
    if (status >= 400 && text.length > 300_000) throw new Error(`a refusal of ${text.length} bytes`);
    // Refused by the parser of HTTP, before there is a path.
    if (status === 431) return;
    // Not switched on here.
    if (operation.path === '/metrics' && status === 404) return;
    // What has not the form of a file's name is no path of a file.
    if (/^\/(?:media\/.*|docs)\/\{\w+\}$/.test(operation.path) && status === 404) return;
    await expectDocumented(method, url, status, headers, text);
  }

  function learn({ operation }: DrawnRequest, { url }: Sent, { status, text }: Got): void {
    if (status === 204) {
      const id = decodeURIComponent(url.replace(/\?.*/, '')).split('/').at(-1);
      for (const pool of pools.values()) if (id && pool.includes(id)) pool.splice(pool.indexOf(id), 1);
    }
    if (status >= 300 || !text.startsWith('{"item')) return;
    const kind =
      operation.path.includes('/deliveries') || /\/(?:test|redeliver)$/.test(operation.path)
        ? 'deliveries'
        : operation.path.endsWith('/payments')
          ? 'payments'
          : (operation.path.split('/')[3] ?? '');
    if (/refund|rotate|replay/.test(operation.path)) return;
    const { item, items = item ? [item] : [] } = JSON.parse(text) as {
      item?: { id: string };
      items?: { id: string }[];
    };
    for (const { id } of items.slice(0, 5)) if (id) putIn(kind, id);
  }
});

/** Every byte percent-encoded. */
function percent(text: string): string {
  return Buffer.from(text.toWellFormed()).toString('hex').replace(/../g, '%$&');
}
