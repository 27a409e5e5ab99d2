import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Commerce,
  type Context,
  createProduct,
  openCommerce,
  updateProduct,
  updateSettings,
} from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { type App, createApp, createServer as createHttpServer } from '@commerce/server';
import { pathWith, prepareStore, routeFixtures } from '@commerce/test-support/fixtures/route-fixtures';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { newPostgres } from '@commerce/test-support/harness/postgres';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routeTable } from '../packages/server/src/routes/table.ts';

const mcpSearch = { name: 'search_catalog', arguments: { catalog: { query: 'mug' } } };

/** The replica lag that these tests allow, in milliseconds. */
const maxLag = 4000;

const inMemory = ['fsync', 'full_page_writes'].flatMap((name) => ['-c', `${name}=off`]);
const small = ['-c', 'shared_buffers=32MB', ...inMemory];

describe.skipIf(process.env.TEST_QUICK !== undefined)('read replicas', () => {
  let primary: Awaited<ReturnType<typeof newPostgres>>;
  let replica: Awaited<ReturnType<typeof newPostgres>>;
  /** A proxy between the service and the replica, which can pause. */
  let road: Road;
  let control: pg.Client;
  let commerce: Commerce;
  let app: App;
  let shop: Context;
  let key: string;

  beforeAll(async () => {
    primary = await newPostgres(small);
    replica = await newPostgres(small, primary);
    await primary.start();
    await replica.start();
    road = await openRoad(replica.port);
    control = new pg.Client({ connectionString: `${replica.url}/postgres` });
    control.on('error', () => {});
    await control.connect();
    commerce = await openCommerce({ storage: open(), upkeep: false });
    app = createApp(commerce, { ordersApi: true });
    shop = await newShop(commerce);
    key = await newKey(shop);
    // Compiling the code of the first answers takes longer than the allowed lag.
    const { id } = await newProduct(shop);
    for (const path of [`/products/${id}`, '/products']) await get(path);
  });

  afterAll(async () => {
    await commerce?.close();
    await control?.end().catch(() => {});
    road?.close();
    await replica?.stop();
    await primary?.stop();
    await replica?.remove();
    await primary?.remove();
  });

  /** Every test begins with a replica that is up to date and in use. */
  beforeEach(() => caughtUp());

  const open = () =>
    openPostgres({
      url: `${primary.url}/postgres`,
      readUrls: [`postgres://postgres:postgres@127.0.0.1:${road.port}/postgres`],
      maxReplicaLag: maxLag,
    });
  const replicas = () => commerce.engine.storage.replicas ?? expect.fail('it was opened with replicas');
  const pause = () => control.query('select pg_wal_replay_pause()');
  const resume = () => control.query('select pg_wal_replay_resume()');
  const caughtUp = async () => {
    await resume();
    await expect
      .poll(async () => {
        const position = await replicas().position();
        return replicas().choose(position) !== undefined;
      })
      .toBe(true);
  };
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await ask(app, `GET /stores/${shop.store.id}${path}`, { key, headers });
    // biome-ignore lint/suspicious/noExplicitAny: what the service answers is for the test to say
    return { ...answer, json: answer.json as any };
  };
  const put = (path: string, body: object) => ask(app, `PUT /stores/${shop.store.id}${path}`, { key, body });

  it('answer items and lists, as old as they are', async () => {
    const { id } = await newProduct(shop, { title: 'Old mug' });
    await caughtUp();
    await pause();
    await updateProduct(shop, id, { title: 'New mug' });
    expect((await get(`/products/${id}`)).json.item.title).toBe('Old mug');
    const { items } = (await get('/products')).json;
    expect(items.find((item: { id: string }) => item.id === id).title).toBe('Old mug');
    await caughtUp();
    expect((await get(`/products/${id}`)).json.item.title).toBe('New mug');
  });

  it('do not answer who sends back the position of a write before they have it', async () => {
    const { id } = await newProduct(shop, { title: 'Old mug' });
    await caughtUp();
    await pause();
    const { headers } = await put(`/products/${id}`, { title: 'New mug' });
    const position = headers['Commerce-Position'] ?? '';
    expect(position).toMatch(/^\d+$/);
    expect((await get(`/products/${id}`)).json.item.title).toBe('Old mug');
    const own = { 'commerce-position': position };
    expect((await get(`/products/${id}`, own)).json.item.title).toBe('New mug');
    expect((await get('/products', own)).json.items[0].title).toBe('New mug');
    // An invalid position reads from the primary.
    expect((await get(`/products/${id}`, { 'commerce-position': 'primary' })).json.item.title).toBe('New mug');
    // When the replica has received the write, it answers again.
    await resume();
    const before = replicas().reads.replica;
    await expect
      .poll(async () => {
        expect((await get(`/products/${id}`, own)).json.item.title).toBe('New mug');
        return replicas().reads.replica > before;
      })
      .toBe(true);
  });

  it('are no reason for what was just created not to be found', async () => {
    await pause();
    const { id } = await newProduct(shop);
    expect((await get(`/products/${id}`)).status).toBe(200);
    expect((await get('/products/0190a000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  it('are left out while they are further behind than they may be', async () => {
    const { id } = await newProduct(shop, { title: 'Old mug' });
    await caughtUp();
    await pause();
    await updateProduct(shop, id, { title: 'New mug' });
    await expect
      .poll(async () => (await get(`/products/${id}`)).json.item.title, { interval: 100, timeout: 3 * maxLag })
      .toBe('New mug');
    const [state] = await replicas().states();
    expect(state).toMatchObject({ isUp: true });
    expect(state?.lag).toBeGreaterThan(maxLag);
  });

  it('stay of use while nothing is written', async () => {
    const until = Date.now() + 2 * maxLag;
    while (Date.now() < until) {
      await get('/products');
      await sleep(50);
    }
    const before = replicas().reads.replica;
    await get('/products');
    expect(replicas().reads.replica).toBe(before + 1);
  });

  it('are not asked what is decided by: prices and stock at checkout, orders, payments, keys, limits', async () => {
    const mug = await newProduct(shop, { price: '10', stock: 5, trackStock: true, sku: 'REPLICA-MUG' });
    await prepareStore(shop);
    await caughtUp();
    await pause();
    await updateProduct(shop, mug.id, { price: '12', stock: 1 });
    const post = (path: string, body: object) => ask(app, `POST /stores/${shop.store.id}${path}`, { key, body });
    const order = await post('/orders', { items: [{ productId: mug.id, quantity: 1 }], reserveMinutes: 31 });
    expect(order).toMatchObject({ status: 201, json: { item: { total: '12.00' } } });
    expect(await post('/orders', { items: [{ productId: mug.id, quantity: 1 }], reserveMinutes: 31 })).toMatchObject({
      status: 409,
      json: { error: { code: 'INSUFFICIENT_STOCK' } },
    });
    const { id } = (order.json as { item: { id: string } }).item;
    expect((await get(`/orders/${id}`)).json.item.total).toBe('12.00');
    expect((await get('/orders')).json.items[0].id).toBe(id);
    const fresh = await newKey(shop);
    expect((await ask(app, `GET /stores/${shop.store.id}/whoami`, { key: fresh })).status).toBe(200);
    const sent = {
      key,
      body: { title: 'Once', slug: 'replica-once', price: '1' },
      headers: { 'idempotency-key': 'once' },
    };
    const first = await ask(app, `POST /stores/${shop.store.id}/products`, sent);
    const again = await ask(app, `POST /stores/${shop.store.id}/products`, sent);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
    expect(again.json).toEqual(first.json);
  });

  it('are read by tools of assistants as by their routes, and previews see the present', async () => {
    const mug = await newProduct(shop, { price: '10', sku: 'REPLICA-TOOL' });
    await caughtUp();
    const call = async (name: string, args: object, headers: Record<string, string> = {}) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const answer = await ask(app, `POST /stores/${shop.store.id}/mcp`, { key, body, headers });
      const { result } = answer.json as { result: { structuredContent: Record<string, unknown> } };
      return { ...answer, content: result.structuredContent };
    };
    const before = { ...replicas().reads };
    expect((await call('list_products', { sku: 'REPLICA-TOOL' })).content).toMatchObject({ total: 1 });
    expect(replicas().reads).toEqual({ ...before, replica: before.replica + 1 });
    await call('list_orders', {});
    expect(replicas().reads).toEqual({ ...before, replica: before.replica + 1 });
    await pause();
    await updateProduct(shop, mug.id, { price: '12' });
    expect((await call('get_product', { id: mug.id })).content).toMatchObject({ item: { price: '10.00' } });
    const changes = { price: '13' };
    const { content } = await call('update_product', { id: mug.id, changes });
    expect(content).toMatchObject({ preview: { changes: { price: { from: '12.00', to: '13.00' } } } });
    const done = await call('update_product', { id: mug.id, changes, confirm: content.confirm });
    expect(done.content).toMatchObject({ item: { price: '13.00' } });
    // As after any other write, the position asks for an answer that has it.
    const position = { 'commerce-position': done.headers['Commerce-Position'] ?? '' };
    expect((await call('get_product', { id: mug.id }, position)).content).toMatchObject({ item: { price: '13.00' } });
  });

  it('are read by these routes and no others, and never written to', async () => {
    const table = routeTable({ ordersApi: true, uploads: true });
    const lagging = table.flatMap((route) => ('run' in route && route.mayLag ? [route] : []));
    expect(lagging.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /audit-logs',
      'GET /audit-logs/{id}',
      'GET /categories',
      'GET /categories/{id}',
      'GET /customers',
      'GET /customers/{id}',
      'GET /media',
      'GET /media/{id}',
      'GET /pages',
      'GET /pages/{id}',
      'GET /products',
      'GET /products/attributes',
      'GET /products/by-attributes',
      'GET /products/by-variant-group',
      'GET /products/feed-report',
      'GET /products/{id}',
      'GET /statistics/countries',
      'GET /statistics/products',
      'GET /statistics/sales',
      'GET /statistics/taxes',
    ]);
    for (const route of lagging) {
      const { own, query } = routeFixtures[`GET ${route.path}`] ?? {};
      if (route.path.startsWith('/media/')) continue;
      const params = (await own?.(shop)) ?? {};
      await caughtUp();
      const before = { ...replicas().reads };
      const answer = await get(`${pathWith(route.path, params)}${query ? `?${query}` : ''}`);
      expect([route.path, answer.status]).toEqual([route.path, 200]);
      expect([route.path, replicas().reads]).toEqual([route.path, { ...before, replica: before.replica + 1 }]);
    }
    // Agents read there, too, over both transports.
    await updateSettings(shop, { ucp: { enabled: true } });
    await caughtUp();
    for (const [path, body] of [
      ['catalog/search', { query: 'mug' }],
      ['mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: mcpSearch }],
    ] as const) {
      const before = { ...replicas().reads };
      const { status } = await ask(app, `POST /ucp/${shop.store.id}/${path}`, { body });
      expect([path, status]).toEqual([path, 200]);
      expect([path, replicas().reads]).toEqual([path, { ...before, replica: before.replica + 1 }]);
    }
    const at = replicas().choose(undefined)?.storage ?? expect.fail('it is caught up');
    await expect(
      createProduct(
        { ...shop, engine: { ...shop.engine, storage: at } },
        {
          title: 'Lost',
          slug: 'lost',
          price: '1',
        },
      ),
    ).rejects.toThrow('a replica is read-only');
  });

  it('that end, stand still or come back fail no request', async () => {
    const server = createHttpServer(commerce, { metrics: true });
    const { url } = await server.listen({ port: 0 });
    const { id } = await newProduct(shop);
    await caughtUp();
    const statuses = new Map<number, number>();
    let slowest = 0;
    let isRunning = true;
    const clients = Array.from({ length: 8 }, async (_, i) => {
      while (isRunning) {
        const began = performance.now();
        const path = i % 2 === 0 ? `/products/${id}` : '/products?limit=5';
        const answer = await fetch(`${url}/stores/${shop.store.id}${path}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await answer.arrayBuffer();
        slowest = Math.max(slowest, performance.now() - began);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        await sleep(20);
      }
    });
    const metric = async (name: string) => {
      const page = await (await fetch(`${url}/metrics`)).text();
      return Number(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm').exec(page)?.[1]);
    };
    const isUp = () => metric('commerce_replica_up');
    try {
      await sleep(300);
      expect(await isUp()).toBe(1);
      road.stall();
      await expect.poll(isUp).toBe(0);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      road.go();
      await expect.poll(isUp).toBe(1);
      await replica.stop();
      await expect.poll(isUp).toBe(0);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      await replica.start();
      await expect.poll(isUp).toBe(1);
      const before = await metric('commerce_replica_reads_total\\{server="replica"\\}');
      await expect.poll(() => metric('commerce_replica_reads_total\\{server="replica"\\}')).toBeGreaterThan(before);
      expect(await metric('commerce_replica_lag_seconds')).toBeLessThan(maxLag / 1000 + 1);
    } finally {
      isRunning = false;
      await Promise.all(clients);
      await server.stop();
      control = new pg.Client({ connectionString: `${replica.url}/postgres` });
      control.on('error', () => {});
      await control.connect();
    }
    expect([...statuses.keys()]).toEqual([200]);
    expect(slowest).toBeLessThan(6000);
  });

  it('are none that follow another database, or nobody', async () => {
    const other = `${primary.url}/postgres`;
    const storage = openPostgres({ url: `${primary.url}/postgres`, readUrls: [other] });
    try {
      expect(await storage.replicas?.states()).toMatchObject([{ isUp: false, lag: undefined }]);
      expect(storage.replicas?.choose(undefined)).toBeUndefined();
    } finally {
      await storage.close();
    }
  });
});

interface Road {
  port: number;
  /** Lets nothing through, without closing connections. */
  stall(): void;
  go(): void;
  close(): void;
}

async function openRoad(to: number): Promise<Road> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server: Server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => {
        if (!isStalled) other.write(bytes);
      });
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stall: () => {
      isStalled = true;
    },
    go: () => {
      isStalled = false;
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
