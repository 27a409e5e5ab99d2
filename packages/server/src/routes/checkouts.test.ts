import {
  type Context,
  type CreatedCheckout,
  configureProvider,
  createApiKey,
  createDiscount,
  getSettings,
  listOrders,
  type ProviderName,
  updateProduct,
  updateSettings,
} from '@commerce/core';
import { fakeClock, type RunningStub, startProviderStub } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RequestFacts } from '../http.ts';

const origin = 'https://shop.example';
const publicUrl = 'https://api.example';

const itemOf = ({ json }: { json: unknown }) => (json as { item: CreatedCheckout }).item;

forEachStorage('buying from a page', (database) => {
  const clock = fakeClock('2026-11-20T12:00:00Z');
  const commerce = useCommerce(database, { clock, publicUrl });
  let stub: RunningStub;
  let app: App;
  beforeAll(async () => {
    stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    app = createApp(commerce());
  });
  afterAll(() => stub.close());

  async function openShop(provider: ProviderName) {
    const shop = await newShop(commerce());
    await updateSettings(shop, { returnUrls: [origin] });
    const target = async (sent: { body: string; headers: Record<string, string> }) => {
      const headers = Object.fromEntries(
        Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const path = `/api/webhooks/${provider}/${shop.store.id}`;
      return (await ask(app, `POST ${path}`, { body: sent.body, headers })).status;
    };
    await configureProvider(shop, provider, stub.account(provider, target));
    const { id: productId } = await newProduct(shop, { price: '12.50', trackStock: true, stock: 5 });
    const { key } = await createApiKey(shop, { name: 'page', kind: 'storefront' });
    const body = {
      items: [{ productId, quantity: 1 }],
      customer: { email: 'ada@shop.test' },
      ...{ successUrl: `${origin}/thanks`, cancelUrl: `${origin}/cart` },
    };
    return { shop, key, body };
  }
  const at = ({ store }: Context, rest: string) => {
    const [method, path] = rest.split(' ');
    return `${method} /stores/${store.id}${path}`;
  };

  it('needs nothing but a storefront key: checkout, page, status', async () => {
    const { shop, key, body } = await openShop('stripe');
    const made = await ask(app, at(shop, 'POST /checkouts'), { key, body, headers: { origin } });
    expect(made.status).toBe(201);
    expect(made.headers).toMatchObject({ 'Access-Control-Allow-Origin': origin });
    const { id, url, secret } = itemOf(made);
    expect(secret).toMatch(/^[\w-]{43}$/);
    await stub.act('stripe', String(url).split('/').at(-1) ?? '', 'pay');
    await stub.settled();
    const seen = await ask(app, at(shop, `GET /checkouts/${id}`), { key });
    expect(seen).toMatchObject({ status: 200, json: { item: { id, status: 'paid', url: null, total: '12.50' } } });
    expect(seen.text).not.toMatch(/\bada\b/i);
    expect(itemOf(seen)).not.toHaveProperty('secret');
    for (const path of ['/orders', '/settings', '/discounts', '/payments', '/customers']) {
      expect((await ask(app, at(shop, `GET ${path}`), { key })).status).toBe(403);
    }
  });

  it('sends a buyer of the wallet on, with GET alone', async () => {
    const { shop, key, body } = await openShop('paypal');
    const { id, url } = itemOf(await ask(app, at(shop, 'POST /checkouts'), { key, body }));
    const page = String(url).split('/').at(-1) ?? '';
    const { location } = await stub.act('paypal', page, 'pay');
    const back = new URL(location ?? '');
    expect(back.origin).toBe(publicUrl);
    const path = `${back.pathname}${back.search}`;
    for (const method of ['HEAD', 'POST', 'PUT']) {
      expect(await ask(app, `${method} ${path}`)).toMatchObject({ status: 405, headers: { Allow: 'GET' } });
    }
    expect(await ask(app, `GET ${path}`)).toMatchObject({
      status: 303,
      headers: { Location: `${origin}/thanks?checkout=${id}`, 'Cache-Control': 'no-store' },
    });
    await stub.settled();
    expect(await ask(app, at(shop, `GET /checkouts/${id}`), { key })).toMatchObject({
      json: { item: { status: 'paid' } },
    });
    for (const wrong of [
      `${back.pathname}`,
      `${back.pathname}?store=x`,
      '/checkout/return/x?store=x',
      `${path}&token=y`,
    ]) {
      const status = wrong === `${path}&token=y` ? 303 : 404;
      expect([wrong, (await ask(app, `GET ${wrong}`)).status]).toEqual([wrong, status]);
    }
  });

  it('lets an address come back from paying as often as it may write, for the wallet is asked each time', async () => {
    const few = createApp(commerce(), { storefrontLimits: { reads: 100, writes: 3 } });
    const { shop } = await openShop('paypal');
    const path = `/checkout/return/x?store=${shop.store.id}`;
    for (let i = 0; i < 3; i++) expect((await ask(few, `GET ${path}`)).status).toBe(404);
    expect(await ask(few, `GET ${path}`)).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '20' },
      json: { error: { message: 'the limit for one network address is 3 returns a minute; try again in 20 s' } },
    });
  });

  it('answers copies of a request with one key once, though two transactions make it', async () => {
    const { shop, key, body } = await openShop('stripe');
    const headers = { 'idempotency-key': 'cart-1-4f9d2c7b8a06' };
    const all = await Promise.all(
      Array.from({ length: 10 }, () => ask(app, at(shop, 'POST /checkouts'), { key, body, headers })),
    );
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(new Set(all.map((one) => itemOf(one).id)).size).toBe(1);
    expect(all.filter(({ headers }) => headers?.['Idempotent-Replayed'] === undefined)).toHaveLength(1);
    expect((await listOrders(shop)).total).toBe(1);
    // The answer for replays was stored without the secret.
    const again = await ask(app, at(shop, 'POST /checkouts'), { key, body, headers });
    expect(again.headers).toMatchObject({ 'Idempotent-Replayed': 'true' });
    expect(itemOf(again)).not.toHaveProperty('secret');
    const other = { ...body, customerNote: 'other' };
    expect((await ask(app, at(shop, 'POST /checkouts'), { key, body: other, headers })).status).toBe(409);
  });

  it('answers a quote with a storefront key, as a read, and keeps nothing under a key', async () => {
    const few = createApp(commerce(), { storefrontLimits: { reads: 3, writes: 1 } });
    const { shop, key, body } = await openShop('stripe');
    const quote = { items: body.items };
    const headers = { 'idempotency-key': 'short' };
    const first = await ask(few, at(shop, 'POST /checkouts/quote'), { key, body: quote, headers });
    expect(first).toMatchObject({ status: 200, json: { item: { total: '12.50', problems: [] } } });
    expect(first.headers).not.toHaveProperty('ETag');
    await updateSettings(shop, { taxRate: '0.1' });
    const again = await ask(few, at(shop, 'POST /checkouts/quote'), { key, body: quote, headers });
    expect(again).toMatchObject({ status: 200, json: { item: { total: '13.75' } } });
    expect(again.headers).not.toHaveProperty('Idempotent-Replayed');
    // A malformed body is refused, a problem of the cart is answered.
    const wrong = { ...quote, coupon: 'A' };
    expect(await ask(few, at(shop, 'POST /checkouts/quote'), { key, body: wrong })).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: 'coupon', code: 'UNKNOWN_FIELD' }] } },
    });
    expect((await ask(few, at(shop, 'POST /checkouts/quote'), { key, body: quote })).status).toBe(429);
    expect((await ask(few, at(shop, 'POST /checkouts'), { key, body })).status).toBe(201);
    expect((await ask(few, at(shop, 'POST /checkouts'), { key, body })).status).toBe(429);
    const { key: reader } = await createApiKey(shop, { name: 'reader', scopes: ['checkout.read'] });
    expect((await ask(app, at(shop, 'POST /checkouts/quote'), { key: reader, body: quote })).status).toBe(403);
  });

  it('makes two checkouts of one cart without a key, and gives neither to the other', async () => {
    const { shop, key, body } = await openShop('stripe');
    const both = await Promise.all([1, 2].map(() => ask(app, at(shop, 'POST /checkouts'), { key, body })));
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(both.map((one) => itemOf(one).id)).size).toBe(2);
    expect((await listOrders(shop)).total).toBe(2);
  });

  it('limits the open checkouts of an address, and does not keep that refusal under a key', async () => {
    const { shop, key, body } = await openShop('stripe');
    await updateProduct(shop, body.items[0]?.productId ?? '', { stock: 100 });
    const behindProxy = createApp(commerce(), { trustProxy: true });
    const buy = (more = {}) => {
      const headers = { 'x-forwarded-for': '203.0.113.9', ...more };
      return ask(behindProxy, at(shop, 'POST /checkouts'), { key, body, headers });
    };
    for (let i = 0; i < 20; i++) expect((await buy()).status).toBe(201);
    const headers = { 'idempotency-key': 'cart-21-4f9d2c7b8a06' };
    expect(await buy(headers)).toMatchObject({
      status: 429,
      headers: { 'Retry-After': String(29 * 60) },
      json: { error: { code: 'RATE_LIMITED' } },
    });
    clock.advance(29 * 60_000);
    expect((await buy(headers)).status).toBe(201);
  });

  it('tells the log of no store but one that an id can name', async () => {
    const { shop } = await openShop('paypal');
    for (const [store, told] of [
      [shop.store.id, shop.store.id],
      ['x"%0A{"level":"info"}', undefined],
      ['%E2%82%AC', undefined],
    ]) {
      const facts: RequestFacts = { route: '' };
      const url = `/checkout/return/x?store=${store}`;
      await app.handle({ method: 'GET', url, headers: {}, readBody: async () => Buffer.alloc(0) }, 'r', facts);
      expect(facts.storeId).toBe(told);
    }
  });

  it('takes no key that a stranger could have chosen too', async () => {
    const { shop, key, body } = await openShop('stripe');
    const refused = await ask(app, at(shop, 'POST /checkouts'), {
      key,
      body,
      headers: { 'idempotency-key': 'cart-1' },
    });
    expect(refused).toMatchObject({ status: 400, json: { error: { details: [{ field: 'Idempotency-Key' }] } } });
    expect((await listOrders(shop)).total).toBe(0);
    const strangers = [
      await ask(app, at(shop, 'POST /checkouts'), { key, body }),
      await ask(app, at(shop, 'POST /checkouts'), { key, body }),
    ];
    expect(new Set(strangers.map((one) => itemOf(one).url)).size).toBe(2);
  });

  it('keeps nothing of a failure under the key, so that the same request works later', async () => {
    const { shop, key, body } = await openShop('stripe');
    const headers = { 'idempotency-key': 'cart-1-4f9d2c7b8a06' };
    stub.fault('stripe.create', { status: 500 }, { status: 500 });
    const outage = await ask(app, at(shop, 'POST /checkouts'), { key, body, headers });
    expect(outage).toMatchObject({
      status: 503,
      json: {
        error: { code: 'UNAVAILABLE', message: expect.stringMatching(/^a service that this request depends on/) },
      },
    });
    // The key is public, so the error names no host and no socket error.
    expect(outage.text).not.toMatch(/127\.0\.0\.1|http|answered|ECONN/);
    expect(await ask(app, at(shop, 'POST /checkouts'), { key, body, headers })).toMatchObject({ status: 201 });
  });

  it('cancels with the secret, and tells a used-up discount from a wrong one', async () => {
    const { shop, key, body } = await openShop('stripe');
    const { id, secret } = itemOf(await ask(app, at(shop, 'POST /checkouts'), { key, body }));
    expect((await ask(app, at(shop, `POST /checkouts/${id}/cancel`), { key, body: {} })).status).toBe(403);
    expect(await ask(app, at(shop, `POST /checkouts/${id}/cancel`), { key, body: { secret } })).toMatchObject({
      status: 200,
      json: { item: { status: 'cancelled' } },
    });
    await createDiscount(shop, { code: 'ONE', type: 'amount', value: '1', usageLimit: 1 });
    const ask1 = (changes: object) => ask(app, at(shop, 'POST /checkouts'), { key, body: { ...body, ...changes } });
    expect(await ask1({ discountCode: 'NONE' })).toMatchObject({ status: 400 });
    expect(await ask1({ discountCode: 'one' })).toMatchObject({ status: 201, json: { item: { discount: '1.00' } } });
    expect(await ask1({ discountCode: 'one', customerNote: 'again' })).toMatchObject({
      status: 409,
      json: { error: { code: 'DISCOUNT_USED_UP', details: [{ field: 'discountCode' }] } },
    });
  });

  it('changes settings under If-Match, in force with the next request', async () => {
    const { shop, key, body } = await openShop('stripe');
    const full = await newKey(shop);
    const before = await ask(app, at(shop, 'GET /settings'), { key: full });
    const tag = String(before.headers?.ETag);
    const change = { key: full, body: { taxRate: '0.2' }, headers: { 'if-match': tag } };
    expect((await ask(app, at(shop, 'PUT /settings'), change)).status).toBe(200);
    expect((await ask(app, at(shop, 'PUT /settings'), { ...change, body: { taxRate: '0.3' } })).status).toBe(409);
    expect(await getSettings(shop)).toMatchObject({ taxRate: '0.2' });
    expect(await ask(app, at(shop, 'POST /checkouts'), { key, body })).toMatchObject({
      status: 201,
      json: { item: { tax: '2.50', total: '15.00' } },
    });
  });
});
