import { type Context, createApiKey, listProducts, updateStore } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, newKey } from '@commerce/test-support/harness/requests';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeEach, describe, expect, it } from 'vitest';

forEachStorage('storefront keys over HTTP', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const limits = { reads: 5, writes: 2 };
  let app: App;
  let shop: Context;
  let key: string;
  beforeEach(async () => {
    app = createApp(commerce(), { storefrontLimits: limits });
    shop = await newShop(commerce());
    key = (await createApiKey(shop, { kind: 'storefront', name: 'page' })).key;
    clock.advance(60_000);
  });
  const products = (of = shop) => `/stores/${of.store.id}/products`;

  async function send(line: string, { address, headers = {}, by = key, on = app }: Sent = {}) {
    const [method = '', url = ''] = line.split(' ');
    const request = { method, url, address, headers: { authorization: `Bearer ${by}`, ...headers } };
    const answer = await on.handle({ ...request, readBody: async () => Buffer.from('{}') }, 'x');
    return {
      status: answer.status,
      headers: answer.headers ?? {},
      json: JSON.parse(String(answer.body ?? answer.kept?.plain ?? 'null')),
    };
  }
  /** Statements on a table that the work executes. */
  const readsOf = async (table: string, work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter(({ text }) => text.includes(`from "${table}"`));

  interface Sent {
    address?: string;
    headers?: Record<string, string>;
    by?: string;
    on?: App;
  }
  const statusOf = async (line: string, sent: Sent = {}) => (await send(line, sent)).status;

  describe('are limited by network address', () => {
    it('with Retry-After, reads and writes apart', async () => {
      const from = { address: '192.0.2.1' };
      for (let i = 0; i < 5; i++) expect(await statusOf(`GET ${products()}`, from)).toBe(200);
      const refused = await send(`HEAD ${products()}`, from);
      expectEnvelope(refused, {
        status: 429,
        code: 'RATE_LIMITED',
        message: /^the limit for one network address is 5 reads a minute with a storefront key; try again in 12 s$/,
      });
      expect(refused.headers).toEqual({ 'Retry-After': '12' });
      // The answer reveals nothing about the path, which can belong to another store.
      expect(await statusOf('GET /stores/other/nothing', from)).toBe(429);
      for (let i = 0; i < 2; i++) expect(await statusOf(`POST ${products()}`, from)).toBe(403);
      expect((await send(`DELETE ${products()}/x`, from)).headers).toEqual({ 'Retry-After': '30' });
      expect(await statusOf(`GET ${products()}`, { address: '192.0.2.2' })).toBe(200);
      clock.advance(12_000);
      expect(await statusOf(`GET ${products()}`, from)).toBe(200);
      expect(await statusOf(`GET ${products()}`, from)).toBe(429);
    });

    it('over all keys and stores; secret keys are not', async () => {
      const other = await newShop(commerce());
      const { key: second } = await createApiKey(other, { kind: 'storefront', name: 'page' });
      const from = { address: '192.0.2.1' };
      for (let i = 0; i < 5; i++) await send(`GET ${products()}`, from);
      expect(await statusOf(`GET ${products(other)}`, { ...from, by: second })).toBe(429);
      const secret = await newKey(shop);
      for (let i = 0; i < 20; i++) expect(await statusOf(`GET ${products()}`, { ...from, by: secret })).toBe(200);
    });

    it('before the limit of the store, so that one client cannot use that up', async () => {
      await updateStore(shop, { plan: 'enterprise', rateLimit: { requestsPerMinute: 60, burst: 10 } });
      clock.advance(1000);
      for (let i = 0; i < 20; i++) await send(`GET ${products()}`, { address: '192.0.2.1' });
      const answer = await send(`GET ${products()}`, { address: '192.0.2.2' });
      expect(answer).toMatchObject({ status: 200, headers: { 'RateLimit-Remaining': '4' } });
    });

    it('by the last X-Forwarded-For address, only where a proxy is trusted', async () => {
      const proxied = createApp(commerce(), { storefrontLimits: limits, trustProxy: true });
      const by = (forwarded: string, on: App) =>
        statusOf(`GET ${products()}`, { address: '127.0.0.1', headers: { 'x-forwarded-for': forwarded }, on });
      for (let i = 0; i < 5; i++) expect(await by(`198.51.100.${i}, 192.0.2.1`, proxied)).toBe(200);
      expect(await by('198.51.100.9, 192.0.2.1', proxied)).toBe(429);
      expect(await by('192.0.2.1, 198.51.100.9', proxied)).toBe(200);
      for (let i = 0; i < 5; i++) expect(await by(`192.0.2.${i}`, app)).toBe(200);
      expect(await by('192.0.2.77', app)).toBe(429);
    });

    it('of IPv6 by the first 64 bits, and those without an address together', async () => {
      for (let i = 0; i < 5; i++) expect(await statusOf(`GET ${products()}`, { address: `2001:db8::${i}` })).toBe(200);
      expect(await statusOf(`GET ${products()}`, { address: '2001:db8::ffff' })).toBe(429);
      for (let i = 0; i < 5; i++) expect(await statusOf(`GET ${products()}`)).toBe(200);
      expect(await statusOf(`GET ${products()}`)).toBe(429);
    });
  });

  describe('are used by pages of the origins in the settings of their store', () => {
    const origin = 'https://shop.example';
    const preflight = { origin, 'access-control-request-method': 'GET' };
    const open = async (of: Context, ...origins: string[]) => {
      const settings = JSON.stringify({ returnUrls: origins });
      await commerce()
        .engine.storage.db.transaction()
        .execute((tx) => tx.updateTable('stores').set({ settings }).where('id', '=', of.store.id).execute());
    };
    const asked = async (of: Context | string, headers: Record<string, string> = preflight, on = app) => {
      const path = typeof of === 'string' ? `/stores/${of}/products` : products(of);
      return (await ask(on, `OPTIONS ${path}`, { headers })).headers;
    };

    it('which are told without a key, and may read answers and refusals', async () => {
      await open(shop, 'https://one.example', origin);
      expect(await asked(shop)).toMatchObject({
        Vary: 'Origin',
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      });
      const allowed = { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
      const line = `GET ${products()}`;
      expect(await ask(app, line, { key, headers: { origin } })).toMatchObject({ status: 200, headers: allowed });
      expect(await ask(app, line, { headers: { origin } })).toMatchObject({ status: 401, headers: allowed });
      expect(await ask(app, `GET /api${products()}`, { key, headers: { origin } })).toMatchObject({ headers: allowed });
    });

    it('and by no others', async () => {
      await open(shop, origin);
      const other = await newShop(commerce());
      const nothing = { Allow: 'GET, HEAD, POST, OPTIONS' };
      for (const wrong of ['https://shop.example.evil.test', 'http://shop.example', 'null', 'https://SHOP.example']) {
        expect(await asked(shop, { ...preflight, origin: wrong })).toEqual(nothing);
      }
      for (const store of [other, 'x', '%00', shop.store.id.toUpperCase(), `${shop.store.id.slice(0, -1)}z`]) {
        expect(await asked(store)).toEqual(nothing);
      }
      expect((await ask(app, 'GET /healthz', { headers: { origin } })).headers).not.toHaveProperty(
        'Access-Control-Allow-Origin',
      );
    });

    it('beside those of the service', async () => {
      await open(shop, origin);
      const on = createApp(commerce(), { cors: ['https://admin.example'] });
      for (const one of [origin, 'https://admin.example']) {
        expect(await asked(shop, { ...preflight, origin: one }, on)).toMatchObject({
          'Access-Control-Allow-Origin': one,
        });
      }
      const all = createApp(commerce(), { cors: ['*'] });
      expect(await asked(shop, preflight, all)).toMatchObject({ 'Access-Control-Allow-Origin': '*' });
    });

    it('within a second of a change, at one query a second', async () => {
      await open(shop, origin);
      const read = await readsOf('stores', async () => {
        for (let i = 0; i < 50; i++) await asked(shop);
        await Promise.all(Array.from({ length: 50 }, () => asked(shop)));
      });
      expect(read).toHaveLength(1);
      await open(shop, 'https://new.example');
      expect(await asked(shop)).toHaveProperty('Access-Control-Allow-Origin');
      clock.advance(1000);
      expect(await asked(shop)).not.toHaveProperty('Access-Control-Allow-Origin');
    });

    it('whatever else is asked for: a flood of unknown stores costs a hundred queries a second', async () => {
      await open(shop, origin);
      clock.advance(1000 - (clock.now() % 1000));
      await asked(shop);
      const unknown = (i: number) => `${shop.store.id.slice(0, -6)}${String(i).padStart(6, '0')}`;
      const read = await readsOf('stores', async () => {
        for (let i = 0; i < 300; i++) await asked(unknown(i));
        await Promise.all(Array.from({ length: 300 }, (_, i) => asked(unknown(1000 + i))));
      });
      expect(read).toHaveLength(100);
      expect(await asked(shop)).toHaveProperty('Access-Control-Allow-Origin', origin);
      clock.advance(999);
      expect(await asked(shop)).toHaveProperty('Access-Control-Allow-Origin', origin);
      expect(await readsOf('stores', () => ask(app, `GET ${products()}`))).toEqual([]);
    });
  });

  it('read a page with one statement more, and only where products track stock or are in categories', async () => {
    await newProduct(shop);
    const pages = async (path: string) => {
      const texts = (await statementsOf(() => send(`GET ${path}`))).map(({ text }) => text);
      return texts.filter((text) => text.startsWith('select'));
    };
    // The key is known from then on.
    await send(`GET ${products()}?limit=1`);
    expect(await pages(products())).toHaveLength(1);
    // While nothing is written, SQLite is not asked again after the second time.
    await send(`GET ${products()}`, { address: '192.0.2.2' });
    expect(await pages(products())).toHaveLength(shop.engine.storage.lastCommit ? 0 : 1);
    const tracked = await newProduct(shop, { trackStock: true, stock: 3 });
    for (let i = 0; i < 20; i++) await newProduct(shop, { trackStock: true, stock: 20 });
    expect(await pages(products())).toHaveLength(2);
    expect(await pages(`${products()}/${tracked.id}`)).toHaveLength(2);
    expect((await listProducts(shop)).items[0]).toMatchObject({ stock: 20 });
    const { json } = await send(`GET ${products()}`, { address: '192.0.2.1' });
    expect(json.items[0]).toMatchObject({ stock: 10 });
  });
});
