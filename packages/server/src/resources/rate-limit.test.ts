import { type Context, listProducts, updateStore } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeEach, expect, it } from 'vitest';

forEachStorage('rate limits over HTTP', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let app: App;
  let shop: Context;
  let key: string;
  beforeEach(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    await updateStore(shop, { plan: 'free' });
    key = await newKey(shop);
  });
  const products = () => `/stores/${shop.store.id}/products`;
  const use = async (n: number) => {
    for (let i = 0; i < n; i++) await ask(app, `GET ${products()}`, { key });
  };

  it('are told with every answer, and refuse what is too much', async () => {
    for (let left = 9; left >= 0; left--) {
      expect(await ask(app, `GET ${products()}`, { key })).toMatchObject({
        status: 200,
        headers: { 'RateLimit-Limit': '10', 'RateLimit-Remaining': String(left), 'RateLimit-Reset': String(10 - left) },
      });
    }
    const refused = await ask(app, `POST ${products()}`, { key, body: { title: 'M', slug: 'm', price: '1' } });
    expectEnvelope(refused, {
      status: 429,
      code: 'RATE_LIMITED',
      message: /plan \(free\) allows 60 requests a minute and 10 at once; try again in 1 s/,
    });
    expect(refused.headers).toEqual({
      'Retry-After': '1',
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '10',
    });
    expect((await listProducts(shop)).total).toBe(0);
    clock.advance(1000);
    expect(await ask(app, `GET ${products()}`, { key })).toMatchObject({ status: 200 });
  });

  it('are told with refusals, and count them', async () => {
    expect(await ask(app, `GET ${products()}/x`, { key })).toMatchObject({
      status: 404,
      headers: { 'RateLimit-Remaining': '9' },
    });
    expect(await ask(app, 'GET /stores/another/products', { key })).toMatchObject({
      status: 403,
      headers: { 'RateLimit-Remaining': '8' },
    });
  });

  it('come after the key and before all else', async () => {
    await use(10);
    expect(await ask(app, `GET ${products()}`)).toMatchObject({ status: 401 });
    for (const line of ['GET /stores/another/products', `GET ${products()}/nothing/there`, `PUT ${products()}`]) {
      expect(await ask(app, line, { key })).toMatchObject({ status: 429 });
    }
  });

  it('are those of the store: all its keys share them, another store has its own', async () => {
    await use(10);
    const second = await newKey(shop);
    expect(await ask(app, `GET ${products()}`, { key: second })).toMatchObject({ status: 429 });
    const other = await newShop(commerce());
    await updateStore(other, { plan: 'free' });
    const line = `GET /stores/${other.store.id}/products`;
    expect(await ask(app, line, { key: await newKey(other) })).toMatchObject({ status: 200 });
  });

  it('are changed while the server runs, and taken away', async () => {
    await use(11);
    await updateStore(shop, { plan: 'pro' });
    clock.advance(1000);
    expect(await ask(app, `GET ${products()}`, { key })).toMatchObject({ headers: { 'RateLimit-Limit': '50' } });
    await updateStore(shop, { plan: 'enterprise', rateLimit: { requestsPerMinute: 6, burst: 1 } });
    clock.advance(1000);
    expect(await ask(app, `GET ${products()}`, { key })).toMatchObject({ status: 429 });
    await updateStore(shop, { rateLimit: null });
    clock.advance(1000);
    const free = await ask(app, `GET ${products()}`, { key });
    expect(free).toMatchObject({ status: 200, headers: {} });
    expect(Object.keys(free.headers)).toEqual([]);
  });

  it('are not for OPTIONS, health and receivers', async () => {
    await use(10);
    expect(await ask(app, `OPTIONS ${products()}`)).toMatchObject({ status: 204 });
    expect(await ask(app, 'GET /healthz', { key })).toMatchObject({ status: 200 });
    const notification = await ask(app, `POST /api/webhooks/stripe/${shop.store.id}`, { key, body: '{}' });
    expect(notification.status).toBe(400);
  });
});
