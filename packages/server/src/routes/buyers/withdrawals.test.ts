import {
  createApiKey,
  createCheckout,
  getWithdrawal,
  listWithdrawals,
  matchWithdrawals,
  updateSettings,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

const origin = 'https://shop.example';
const statement = { name: 'Ada Lovelace', email: 'ada@shop.test', orderNumber: 'ORD-1001' };

forEachStorage("withdrawals, and the buyer's page of an order", (database) => {
  const clock = fakeClock('2026-11-20T12:00:00Z');
  const commerce = useCommerce(database, { clock });
  let app: App;
  beforeAll(() => {
    app = createApp(commerce(), { trustProxy: true, storefrontLimits: { reads: 999, writes: 999 } });
  });

  async function openShop() {
    const shop = await newShop(commerce());
    const paymentMethods = [{ id: 'transfer', name: 'Transfer', kind: 'transfer' } as const];
    await updateSettings(shop, { returnUrls: [origin], orderUrl: `${origin}/order#{token}`, paymentMethods });
    const { id: productId } = await newProduct(shop, { title: 'Blue mug', price: '12.50' });
    const { key } = await createApiKey(shop, { name: 'page', kind: 'storefront' });
    const body = {
      items: [{ productId, quantity: 1 }],
      customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
      ...{ successUrl: `${origin}/thanks`, cancelUrl: `${origin}/cart` },
    };
    const send = (line: string, sending: Parameters<typeof ask>[2] = {}) => {
      const [method, path] = line.split(' ');
      return ask(app, `${method} /stores/${shop.store.id}${path}`, { key, ...sending });
    };
    return { shop, body, send };
  }
  const itemOf = ({ json }: { json: unknown }) => (json as { item: Record<string, string> }).item;
  const tokenOf = (url: unknown) => new URL(String(url)).hash.slice(1);
  const withToken = (token: string) => ({ headers: { 'order-token': token } });
  const notFound = { status: 404, code: 'NOT_FOUND', message: /^no order for this Order-Token/ };

  it('answers a statement the same way, whether or not it names an order, before and after the matching', async () => {
    const { shop, body, send } = await openShop();
    await createCheckout(shop, body);
    const shapes = new Set<string>();
    for (const orderNumber of ['ORD-1001', 'ORD-1002', 'x']) {
      for (const email of ['ada@shop.test', 'eve@shop.test']) {
        const answer = await send('POST /withdrawals', { body: { ...statement, orderNumber, email } });
        expect(answer.status).toBe(201);
        expect(Object.keys(itemOf(answer))).toEqual(['id', 'receivedAt']);
        const { 'RateLimit-Remaining': _, ...headers } = answer.headers;
        shapes.add(JSON.stringify([headers, answer.text.replace(/"id":"[^"]+"/, '')]));
        await matchWithdrawals(commerce().engine);
      }
    }
    expect(shapes.size).toBe(1);
    expect((await listWithdrawals(shop, { status: 'matched' })).total).toBe(1);
  });

  it("opens the buyer's page with the token of the answer, and takes a statement with it", async () => {
    const { shop, body, send } = await openShop();
    const placed = itemOf(await send('POST /checkouts', { body, headers: { origin } }));
    const token = tokenOf(placed.orderUrl);
    const page = await send('GET /orders/by-token', withToken(token));
    expect(page).toMatchObject({ status: 200, json: { item: { orderNumber: 'ORD-1001', status: 'unpaid' } } });
    expect(page.headers).not.toHaveProperty('ETag');
    const types = await emittedBy(shop, async () => {
      const { id = '' } = itemOf(await send('POST /withdrawals', { body: {}, ...withToken(token) }));
      expect(await getWithdrawal(shop, id)).toMatchObject({ ...statement, status: 'matched', orderId: placed.orderId });
    });
    expect(types).toEqual(['withdrawal.received']);
    const asked = { origin, 'access-control-request-method': 'POST' };
    const options = await ask(app, `OPTIONS /stores/${shop.store.id}/withdrawals`, { headers: asked });
    expect(options.headers['Access-Control-Allow-Headers']).toMatch(/Checkout-Secret.*Order-Token/);
  });

  it('says the same to every other token, and to none', async () => {
    const { shop, body, send } = await openShop();
    const elsewhere = await openShop();
    const token = tokenOf(itemOf(await send('POST /checkouts', { body })).orderUrl);
    const foreign = tokenOf(itemOf(await elsewhere.send('POST /checkouts', { body: elsewhere.body })).orderUrl);
    const texts = new Set<string>();
    for (const wrong of [undefined, '', 'x', token.slice(0, -1), `${token}, ${token}`, foreign]) {
      const sending = wrong === undefined ? {} : withToken(wrong);
      texts.add((await expectRefused(commerce(), () => send('GET /orders/by-token', sending), notFound)).text);
      if (wrong === undefined) continue;
      const state = () => send('POST /withdrawals', { body: statement, ...sending });
      texts.add((await expectRefused(commerce(), state, notFound)).text);
    }
    expect(texts.size).toBe(1);
    // In a path it is an unknown id, and in a query nothing.
    const secret = await newKey(shop, 'order.read', 'checkout.read');
    const inPath = await send(`GET /orders/${token}`, { key: secret });
    expect(inPath.status).toBe(404);
    expect((await send(`GET /orders/by-token?token=${token}`)).status).toBe(404);
  });

  it('ends all tokens with the next key of the links', async () => {
    const { shop, body, send } = await openShop();
    const token = tokenOf(itemOf(await send('POST /checkouts', { body })).orderUrl);
    const rotate = (key: string) => send('POST /settings/rotate-order-links', { key });
    const reader = await newKey(shop, 'settings.read');
    await expectRefused(commerce(), () => rotate(reader), { status: 403, code: 'FORBIDDEN' });
    expect((await send('GET /orders/by-token', withToken(token))).status).toBe(200);
    const rotated = await rotate(await newKey(shop, 'settings.write'));
    expect(rotated).toMatchObject({ status: 200, json: { item: { orderUrl: `${origin}/order#{token}` } } });
    await expectRefused(commerce(), () => send('GET /orders/by-token', withToken(token)), notFound);
  });

  it('shows the link of a checkout once, and again with its secret', async () => {
    const { send, body } = await openShop();
    const headers = { 'idempotency-key': 'a key of at least 16' };
    const first = itemOf(await send('POST /checkouts', { body, headers }));
    expect(first.orderUrl).toMatch(/^https:\/\/shop\.example\/order#/);
    const again = await send('POST /checkouts', { body, headers });
    expect(again.headers).toMatchObject({ 'Idempotent-Replayed': 'true' });
    expect(itemOf(again)).not.toHaveProperty('orderUrl');
    expect(itemOf(again)).not.toHaveProperty('secret');
    const seen = (more: Record<string, string> = {}) => send(`GET /checkouts/${first.id}`, { headers: more });
    expect(itemOf(await seen())).toMatchObject({ status: 'placed', orderUrl: null });
    expect(itemOf(await seen({ 'checkout-secret': first.secret ?? '' })).orderUrl).toMatch(/order#/);
    await expectRefused(commerce(), () => seen({ 'checkout-secret': 'x' }), { status: 403, code: 'FORBIDDEN' });
  });

  it('is one statement for copies of a request, and another one with another token', async () => {
    const { shop, send, body } = await openShop();
    const token = tokenOf(itemOf(await send('POST /checkouts', { body })).orderUrl);
    const headers = { 'idempotency-key': 'a random key of a buyer' };
    const copies = await Promise.all(
      Array.from({ length: 5 }, () => send('POST /withdrawals', { body: statement, headers })),
    );
    expect(new Set(copies.map(({ text }) => text)).size).toBe(1);
    expect((await listWithdrawals(shop)).total).toBe(1);
    const sending = { body: statement, headers: { ...headers, 'order-token': token } };
    await expectRefused(commerce(), () => send('POST /withdrawals', sending), { status: 409, code: 'CONFLICT' });
  });

  it('takes ten statements an hour of a network address', async () => {
    const { send } = await openShop();
    const from = (address: string) =>
      send('POST /withdrawals', { body: statement, headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 10; i++) expect((await from('203.0.113.1')).status).toBe(201);
    expect((await from('203.0.113.2')).status).toBe(201);
    const refused = await from('203.0.113.1');
    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '3600' } });
  });

  it('is worked on with its scopes, and by versions', async () => {
    const { shop, send } = await openShop();
    const { id } = itemOf(await send('POST /withdrawals', { body: statement }));
    for (const line of ['GET /withdrawals', `GET /withdrawals/${id}`, `PUT /withdrawals/${id}`]) {
      const key = await newKey(shop, 'order.read', 'order.write', 'checkout.write');
      const sending = line.startsWith('PUT') ? { body: { status: 'closed' } } : {};
      const forbidden = { status: 403, code: 'FORBIDDEN' };
      await expectRefused(commerce(), () => send(line, sending), forbidden);
      await expectRefused(commerce(), () => send(line, { key, ...sending }), forbidden);
    }
    const key = await newKey(shop, 'withdrawal.read', 'withdrawal.write');
    const read = await send(`GET /withdrawals/${id}`, { key });
    const headers = { 'if-match': read.headers.ETag ?? '' };
    const close = () => send(`PUT /withdrawals/${id}`, { key, headers, body: { ...itemOf(read), status: 'closed' } });
    expect(itemOf(await close())).toMatchObject({ status: 'closed', name: 'Ada Lovelace' });
    await expectRefused(commerce(), close, { status: 409, code: 'CONFLICT' });
    const listed = await send('GET /withdrawals?status=closed', { key });
    expect(listed.json).toMatchObject({ items: [{ id, status: 'closed' }], total: 1 });
  });
});
