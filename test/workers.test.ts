import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Context,
  configureProvider,
  createApiKey,
  createOrder,
  openMediaFolder,
  scopes,
  updateSettings,
  updateStore,
} from '@commerce/core';
import { form, formType } from '@commerce/test-support/fixtures/media-forms';
import { picture } from '@commerce/test-support/fixtures/media-images';
import {
  fixturePublicUrl,
  pathWith,
  prepareStore,
  routeFixtures,
} from '@commerce/test-support/fixtures/route-fixtures';
import { stripeSample } from '@commerce/test-support/fixtures/samples';
import { sendStripe, stripeSecret } from '@commerce/test-support/fixtures/served-shop';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { type FreshAnswer, processesOf, sendFresh } from '@commerce/test-support/harness/workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../packages/server/src/routes/router.ts';
import { routeTable } from '../packages/server/src/routes/table.ts';

const routes = routeTable({ ordersApi: true, uploads: true }).filter((route): route is Route => 'run' in route);
const origin = 'https://shop.example';
/** More requests than workers, so that each worker gets some. */
const severalTimes = 6;

forEachStorage('a service of several processes', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'commerce-workers-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const cdn = 'https://cdn.example.com';
  const commerce = useCommerce(database, { media: { files: openMediaFolder({ directory }), url: cdn } });
  let one: RunningServer;
  let several: RunningServer;
  let shop: Context;
  let key: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    shop = await newShop(commerce());
    await configureProvider(shop, 'stripe', { webhookSecret: stripeSecret });
    await prepareStore(shop);
    ({ key } = await createApiKey(shop, { name: 'all', scopes: [...scopes] }));
    headers = { authorization: `Bearer ${key}` };
    const flags = ['--orders-api', '--allow-insecure-webhooks', '--media-dir', directory, '--cdn-url', cdn];
    flags.push('--cors', origin, '--metrics', '--public-url', fixturePublicUrl);
    one = await startServer(database.address, flags);
    several = await startServer(database.address, [...flags, '--workers', '2']);
  });
  afterAll(async () => {
    expect(await several?.stop()).toBe(0);
    await one?.stop();
    expect(several.stderr()).toBe('');
  });

  const json = (body: unknown, more: Record<string, string> = {}) => ({
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const at = (path: string) => `/stores/${shop.store.id}${path}`;
  const post = (path: string, body: unknown, more?: Record<string, string>) =>
    sendFresh(several.url, 'POST', at(path), json(body, more));
  const get = (path: string) => sendFresh(several.url, 'GET', at(path), { headers });

  /** An answer without the parts that differ between requests. */
  function shape({ status, headers: given, text }: FreshAnswer) {
    const { date: _, 'content-length': __, etag, 'x-request-id': ___, ...rest } = given;
    const stable = text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/\b(ck_live_|whsec_)[\w+/=]*/g, 'SECRET')
      .replace(/(?<="(?:secret|token)":")[\w-]+/g, 'SECRET')
      // Versions and secrets can contain any letters, even the beginning of a name, so they come first.
      .replace(/\\"[\w-]{27}\\"/g, 'VERSION')
      .replace(/(?<="lastFour":")[^"]+/g, 'LAST')
      .replace(/fixture-\d+|product-\d+|\b(?:pi|ch|evt|we)_\w+/g, 'NAME')
      // Deliveries are attempted at the same time.
      .replace(/"status":"\w+","attempts":\[[^\]]*\],"nextAttemptAt":(?:null|"TIME")/g, 'ATTEMPTS')
      // Names of the fixtures grow with their number, and so do files.
      .replace(/"(number|total|id|fileSize|readBytes)":\d+|(?:ORD|INV-\d{4})-\d+/g, 'N');
    return { status, headers: rest, hasTag: etag !== undefined, text: stable };
  }

  it('has one process that writes and as many that read as it was told', async () => {
    const { writers, readers } = await processesOf(several);
    expect([writers.length, readers.length]).toEqual([1, 2]);
    expect(await processesOf(one)).toEqual({ writers: [], readers: [] });
  });

  describe('answers as a single process does', () => {
    it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (line, route) => {
      const { own = async () => ({}), body, headers: needed, query } = routeFixtures[line] ?? {};
      const search = query === undefined ? '' : `?${query}`;
      const wrong: Record<string, string>[] = [{}, { 'if-match': '"another"' }, { 'idempotency-key': 'x'.repeat(300) }];
      for (const more of wrong) {
        const shapes = [];
        for (const { url } of [one, several]) {
          const path = pathWith(route.path, await own(shop)) + search;
          const { body: content, type = 'application/json' } = (await body?.()) ?? {};
          const id = randomUUID();
          const answer = await sendFresh(url, route.method, at(path), {
            headers: {
              ...headers,
              origin,
              'x-request-id': id,
              ...(await needed?.(shop)),
              ...(content === undefined || type === null ? {} : { 'content-type': type }),
              ...more,
            },
            ...(content === undefined ? {} : { body: Buffer.isBuffer(content) ? content : JSON.stringify(content) }),
          });
          expect(answer.headers['x-request-id']).toBe(id);
          shapes.push(shape(answer));
        }
        expect(shapes[1]).toEqual(shapes[0]);
      }
      // Background work would differ in the next answers.
      const goesOn = async () => /"status":"(waiting|running)"/.test((await get('/imports')).text);
      if (line === 'POST /imports') await until('all is imported', async () => !(await goesOn()));
    });

    it('to shopping agents, too', async () => {
      await updateSettings(shop, { ucp: { enabled: true } });
      const { id } = await newProduct(shop);
      const folder = `/ucp/${shop.store.id}`;
      const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
      for (const [method, path, body, status] of [
        ['GET', '/.well-known/ucp', undefined, 200],
        ['POST', `${folder}/catalog/search`, { query: 'mug', pagination: { limit: 1 } }, 200],
        ['POST', `${folder}/catalog/lookup`, { ids: [id] }, 200],
        ['POST', `${folder}/catalog/product`, { id }, 200],
        ['POST', `${folder}/catalog/product`, {}, 400],
        ['POST', `${folder}/mcp`, rpc('tools/list'), 200],
        ['POST', `${folder}/mcp`, rpc('tools/call', { name: 'get_product', arguments: { catalog: { id } } }), 200],
        ['POST', `/ucp/${randomUUID()}/mcp`, rpc('tools/list'), 404],
      ] as const) {
        const sent = {
          headers: { origin, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        };
        const single = shape(await sendFresh(one.url, method, path, sent));
        expect([path, single.status]).toEqual([path, status]);
        for (let i = 0; i < severalTimes; i++) {
          expect(shape(await sendFresh(several.url, method, path, sent)), path).toEqual(single);
        }
      }
    });

    const large = 'x'.repeat(1024 * 1024 + 1);
    const refusals: [string, string, { headers?: Record<string, string>; body?: string }, number][] = [
      ['POST', '/products', { headers: { authorization: '' }, body: '{}' }, 401],
      ['POST', '/products', { body: '{"title":' }, 400],
      ['POST', '/products', { body: '{}' }, 400],
      ['POST', '/products', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
      ['POST', '/products', { body: large }, 413],
      ['POST', '/products', { headers: { authorization: '' }, body: large }, 401],
      ['POST', '/products', {}, 415],
      ['POST', '/media', { headers: { 'content-type': 'application/json' }, body: '{}' }, 415],
      ['POST', '/media', { headers: { 'content-type': formType }, body: 'no form' }, 400],
      ['POST', '/nothing', { body: '{}' }, 404],
      ['PUT', '/products', { body: '{}' }, 405],
      ['PROPFIND', '/products', {}, 405],
      ['PUT', '/products/0190a5c8-0000-7000-8000-000000000000', { body: '{}' }, 404],
      ['DELETE', '/products/0190a5c8-0000-7000-8000-000000000000', {}, 404],
      ['GET', '/products/0190a5c8-0000-7000-8000-000000000000', {}, 404],
      ['OPTIONS', '/products', {}, 204],
      ['HEAD', '/products', {}, 200],
    ];
    it.each(refusals)('%s %s %#', async (method, path, { headers: more = {}, body }, status) => {
      const content = body === undefined ? {} : { body };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const sending = { headers: { ...headers, ...type, ...more, origin }, ...content };
      const shapes = [];
      for (const { url } of [one, several]) shapes.push(shape(await sendFresh(url, method, at(path), sending)));
      expect(shapes[0]?.status).toBe(status);
      expect(shapes[1]).toEqual(shapes[0]);
    });

    it.each([
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['POST', '/healthz'],
      ['DELETE', '/openapi.json'],
      ['POST', '/'],
      ['GET', '/api/webhooks/stripe'],
      ['POST', '/api/webhooks/stripe'],
      ['POST', '/api/webhooks/nobody'],
      ['POST', '/stores/x/products'],
      ['POST', '/media/x'],
    ])('%s %s', async (method, path) => {
      const shapes = [];
      for (const { url } of [one, several])
        shapes.push(shape(await sendFresh(url, method, path, { headers: { origin } })));
      expect(shapes[1]).toEqual(shapes[0]);
    });

    it('refuses headers of its own processes from clients', async () => {
      const answer = await post('/products', {}, { 'x-commerce-address': '10.0.0.1', 'x-commerce-facts': '{}' });
      expect([answer.status, Object.keys(answer.headers).filter((name) => name.startsWith('x-commerce'))]).toEqual([
        400,
        [],
      ]);
    });
  });

  it('shows every worker what was written, as soon as that is answered', async () => {
    let reading = true;
    // Readers that are always busy always have open snapshots.
    const busy = inParallel(Array.from({ length: 8 }), 8, async () => {
      while (reading) await (await fetch(several.url + at('/products?limit=5'), { headers })).text();
    });
    const before = (await get('/products')).json.total;
    const rounds = 60;
    const missed: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const { status, json: made } = await post('/products', { title: 'Seen', slug: `seen-${round}`, price: '1' });
      expect(status).toBe(201);
      const seen = await inParallel(Array.from({ length: severalTimes }), severalTimes, async () => [
        (await get(`/products/${made.item.id}`)).status,
        (await get('/products')).json.total,
      ]);
      const wanted = Array.from({ length: severalTimes }, () => [200, before + round + 1]);
      if (JSON.stringify(seen) !== JSON.stringify(wanted)) missed.push(JSON.stringify(seen));
    }
    reading = false;
    await busy;
    expect(missed).toEqual([]);
  });

  it('keeps versions and idempotency keys apart and together', async () => {
    const made = await post('/products', { title: 'Cup', slug: 'cup', price: '1' }, { 'idempotency-key': 'once' });
    for (let time = 0; time < severalTimes; time++) {
      const again = await post('/products', { title: 'Cup', slug: 'cup', price: '1' }, { 'idempotency-key': 'once' });
      expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', made.text]);
    }
    const path = at(`/products/${made.json.item.id}`);
    const { etag = '' } = made.headers;
    for (let time = 0; time < severalTimes; time++) {
      const { status } = await sendFresh(several.url, 'GET', path, { headers: { ...headers, 'if-none-match': etag } });
      expect(status).toBe(304);
    }
    const put = (tag: string, title: string) =>
      sendFresh(several.url, 'PUT', path, json({ title }, { 'if-match': tag }));
    const changed = await put(etag, 'Bowl');
    expect(changed.status).toBe(200);
    expect((await put(etag, 'Plate')).status).toBe(409);
    expect((await put(changed.headers.etag ?? '', 'Dish')).status).toBe(200);
    expect((await get(`/products/${made.json.item.id}`)).json.item.title).toBe('Dish');
  });

  it('takes in images and gives them to everybody', async () => {
    const content = await picture('png');
    // Larger than the buffer of the socket between the processes, and sent in pieces.
    const filling = { content: 'x'.repeat(300_000), name: 'ignored', fileName: null, type: null };
    for (const parts of [[{ content }], [{ content }, { content, fileName: 'b.png' }]]) {
      const { status, json: made } = await sendFresh(several.url, 'POST', at('/media'), {
        headers: { ...headers, 'content-type': formType },
        body: form(...parts),
      });
      expect([status, made.items?.length]).toEqual([201, parts.length]);
      for (let time = 0; time < severalTimes; time++) {
        const { pathname } = new URL(made.items[0].url);
        expect((await sendFresh(several.url, 'GET', `/media${pathname}`)).status).toBe(200);
      }
    }
    const long = { headers: { ...headers, 'content-type': formType }, body: form(filling) };
    const shapes = [];
    for (const { url } of [one, several]) shapes.push(shape(await sendFresh(url, 'POST', at('/media'), long)));
    expect(shapes[1]).toEqual(shapes[0]);
  });

  it('receives payments, once each', async () => {
    // Routes above have set it up with another secret.
    await configureProvider(shop, 'stripe', { webhookSecret: stripeSecret });
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 50 });
    for (let time = 0; time < severalTimes; time++) {
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const event = stripeSample('payment_intent.succeeded', { id: order.id, amount: 1000 });
      const path = `/api/webhooks/stripe/${shop.store.id}`;
      expect(await sendStripe(several.url, event, { path })).toEqual({
        status: 200,
        body: { received: true, outcome: 'paid' },
      });
      expect((await sendStripe(several.url, event, { path })).body.outcome).not.toBe('paid');
      expect((await sendStripe(several.url, event, { path, secret: 'whsec_wrong' })).status).toBe(400);
      expect((await get(`/orders/${order.id}`)).json.item.status).toBe('paid');
    }
    expect((await get(`/products/${product.id}`)).json.item.stock).toBe(50 - severalTimes);
  });

  it('forgets a revoked key, and learns a limit, within a second in every process', async () => {
    const made = await createApiKey(shop, { name: 'to go', scopes: ['product.read', 'product.write'] });
    const ask = async () =>
      inParallel(Array.from({ length: severalTimes }), severalTimes, async (_, i) => {
        const sending = { headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' } };
        const answer =
          i % 2
            ? await sendFresh(several.url, 'GET', at('/products'), sending)
            : await sendFresh(several.url, 'POST', at('/products'), { ...sending, body: '{}' });
        return answer.status;
      });
    expect((await ask()).sort()).toEqual([200, 200, 200, 400, 400, 400]);
    expect((await sendFresh(several.url, 'DELETE', at(`/api-keys/${made.id}`), { headers })).status).toBe(204);
    await until('nobody takes the key', async () => (await ask()).every((status) => status === 401), 1500);

    const limited = await newShop(commerce());
    const { key: another } = await createApiKey(limited, {
      name: 'limited',
      scopes: ['product.read', 'product.write'],
    });
    const take = (method: string) =>
      sendFresh(several.url, method, `/stores/${limited.store.id}/products`, {
        headers: { authorization: `Bearer ${another}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
    for (let time = 0; time < severalTimes; time++) {
      expect((await take(time % 2 ? 'POST' : 'GET')).headers['ratelimit-limit']).toBeUndefined();
    }
    await updateStore(limited, { plan: 'enterprise', rateLimit: { requestsPerMinute: 1, burst: 40 } });
    const isLimited = async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => take(i % 2 ? 'POST' : 'GET')));
      return answers.every(({ headers: given }) => given['ratelimit-limit'] === '40');
    };
    await until('everybody limits', isLimited, 1500);
  });

  it('counts each request once against the limit of its store', async () => {
    const limited = await newShop(commerce());
    await updateStore(limited, { plan: 'enterprise', rateLimit: { requestsPerMinute: 1, burst: 12 } });
    const { key: another } = await createApiKey(limited, {
      name: 'limited',
      scopes: ['product.read', 'product.write'],
    });
    const statuses: number[] = [];
    for (let time = 0; time < 20; time++) {
      const method = time % 4 > 1 ? 'POST' : 'GET';
      const answer = await sendFresh(several.url, method, `/stores/${limited.store.id}/products`, {
        headers: { authorization: `Bearer ${another}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect(answer.headers['retry-after'] !== undefined).toBe(answer.status === 429);
      statuses.push(answer.status);
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(12);
  });

  it('drops the body of a client that leaves, and serves the others', async () => {
    const { hostname, port } = new URL(several.url);
    const before = (await get('/products')).json.total;
    for (let time = 0; time < severalTimes; time++) {
      const socket = connect(Number(port), hostname);
      const head = [`POST ${at('/products')} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`];
      head.push('Content-Type: application/json', 'Content-Length: 1000');
      await new Promise<void>((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n{"title":"half`, () => resolve()));
      socket.destroy();
    }
    expect((await post('/products', { title: 'Whole', slug: 'whole', price: '1' })).status).toBe(201);
    expect((await get('/products')).json.total).toBe(before + 1);
  });

  it('counts for Prometheus what all processes have done, whichever is asked', async () => {
    const samples = async () => {
      const { text } = await sendFresh(several.url, 'GET', '/metrics');
      return new Map(
        text.split('\n').flatMap((line) => {
          const [, name = '', value] = /^([^#\s].*) (\S+)$/.exec(line) ?? [];
          return name === '' ? [] : [[name, Number(value)] as const];
        }),
      );
    };
    const name = 'commerce_http_requests_total{method="GET",route="/pages",status="200"}';
    const written = 'commerce_http_requests_total{method="POST",route="/pages",status="400"}';
    const before = await samples();
    for (let time = 0; time < severalTimes; time++) {
      expect((await get('/pages')).status).toBe(200);
      expect((await post('/pages', {})).status).toBe(400);
    }
    const notified = [...before].find(([key]) => key.startsWith('commerce_payment_notifications_total'));
    expect(notified?.[1]).toBeGreaterThan(0);
    for (let time = 0; time < severalTimes; time++) {
      const after = await samples();
      expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBe(severalTimes);
      expect((after.get(written) ?? 0) - (before.get(written) ?? 0)).toBe(severalTimes);
      expect(after.get(notified?.[0] ?? '')).toBe(notified?.[1]);
      expect(after.get('commerce_database_up')).toBe(1);
      expect(after.get('commerce_http_requests_in_flight')).toBe(1);
      // Of one database, not of three.
      const size = await shop.engine.storage.size();
      expect(Math.abs((after.get('commerce_database_size_bytes') ?? 0) / size - 1)).toBeLessThan(0.5);
      const memory = after.get('process_resident_memory_bytes') ?? 0;
      expect(memory).toBeGreaterThan(3 * 30e6);
    }
  });
});
