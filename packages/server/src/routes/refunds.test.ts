import {
  type Context,
  configureProvider,
  createCheckout,
  createOrder,
  getOrder,
  listRefunds,
  type Order,
  updateSettings,
} from '@commerce/core';
import { startProviderStub } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { capture, configurePayPal, transmission } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, signSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { snapshot } from '@commerce/test-support/harness/denied';
import { ask, expectEnvelope, expectRefused, newKey, type TestResponse } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

forEachStorage('orders over HTTP', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let paypal: PayPalStub;
  beforeAll(async () => {
    app = createApp(commerce(), { onError: () => {} });
    paypal = await startPayPal();
  });
  afterAll(() => paypal.close());

  async function openShop() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 10 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const [key, reader] = [await newKey(shop), await newKey(shop, 'order.read')];
    const request = (line: string, body?: unknown, by = key) => {
      const [method, path] = line.split(' ');
      return ask(app, `${method} /stores/${shop.store.id}/orders/${order.id}${path ?? ''}`, {
        key: by,
        ...(body === undefined ? {} : { body }),
      });
    };
    return { shop, order, key, reader, request, pay: () => send(shop, payment(order.id, 5000).chargeSucceeded()) };
  }

  async function paidShop() {
    const made = await openShop();
    await made.pay();
    return made;
  }

  it('records a refund: 200 with the record, and the order and the list follow', async () => {
    const { shop, order, request } = await paidShop();
    const types = await emittedBy(shop, async () => {
      const answer = await request('POST /refund', { amount: '20.5', refundId: 're_1', reason: 'a crack' });
      expect(answer).toMatchObject({
        status: 200,
        json: { item: { refundId: 're_1', amount: '20.50', recordedAt: expect.stringMatching(/^\d{4}-.*Z$/) } },
      });
      expect(Object.keys((answer.json as { item: object }).item)).toEqual([
        ...['refundId', 'amount', 'status', 'kind', 'providerRefundId', 'error', 'reason', 'lines', 'shipping'],
        ...['restocked', 'recordedAt'],
      ]);
    });
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect((await request('GET ')).json).toMatchObject({
      item: { paymentStatus: 'partially_refunded', status: 'paid', refundedAmount: '20.50' },
    });
    const records = await listRefunds(shop, order.id);
    expect(await request('GET /refunds')).toMatchObject({ status: 200, json: records });
    expect(records).toMatchObject({ total: 1, items: [{ refundId: 're_1' }] });
    expect((await request('GET /refunds?limit=1&offset=1')).json).toEqual({ items: [], total: 1 });
  });

  it('answers the same record for the same refund again, and 409 for another amount', async () => {
    const { shop, request } = await paidShop();
    const first = await request('POST /refund', { amount: '20', refundId: 're_1' });
    const types = await emittedBy(shop, async () => {
      const again = await request('POST /refund', { amount: '20.00', refundId: 're_1' });
      expect([again.status, again.text]).toEqual([200, first.text]);
    });
    expect(types).toEqual([]);
    await expectRefused(commerce(), () => request('POST /refund', { amount: '21', refundId: 're_1' }), {
      status: 409,
      code: 'CONFLICT',
      fields: ['refundId'],
    });
  });

  const badRefunds: [string, unknown, string[]][] = [
    ['an amount beyond the total', { amount: '50.01' }, ['amount']],
    ['no amount', { refundId: 're_1' }, ['amount']],
    ['no JSON', '{"amount":', ['body']],
    ['nothing', '', ['body']],
  ];
  it.each(badRefunds)('refuses a refund with %s: 400', async (_, body, fields) => {
    const { request } = await paidShop();
    await expectRefused(commerce(), () => request('POST /refund', body), {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields,
    });
  });

  it('refuses a refund of an order that is not paid (409), of none (404), and without the scope (403)', async () => {
    const { shop, request, key, reader } = await openShop();
    const refund = { amount: '5' };
    await expectRefused(commerce(), () => request('POST /refund', refund), { status: 409, code: 'CONFLICT' });
    const unknown = `/stores/${shop.store.id}/orders/0190a5c8-0000-7000-8000-00000000dead`;
    await expectRefused(commerce(), () => ask(app, `POST ${unknown}/refund`, { key, body: refund }), {
      status: 404,
      code: 'NOT_FOUND',
    });
    await expectRefused(commerce(), () => ask(app, `GET ${unknown}/refunds`, { key }), {
      status: 404,
      code: 'NOT_FOUND',
    });
    await expectRefused(commerce(), () => request('POST /refund', refund, reader), {
      status: 403,
      code: 'FORBIDDEN',
      message: /order\.write/,
    });
    await expectRefused(commerce(), () => request('GET /refunds', undefined, 'ck_live_x'), {
      status: 401,
      code: 'UNAUTHORIZED',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
    expect((await request('GET /refunds', undefined, reader)).status).toBe(200);
  });

  it('asks the provider with execute, for a key that may move money, and a repetition answers as it is then', async () => {
    const stub = await startProviderStub({ ticks: false, retryDelays: [] });
    try {
      const { shop, order } = await openShop();
      const account = stub.account('stripe', async () => 200);
      await updateSettings(shop, { returnUrls: ['https://shop.example'] });
      await configureProvider(shop, 'stripe', { ...account, webhookSecret: account.webhookSecret ?? '' });
      const { items } = order;
      const checkout = await createCheckout(shop, {
        items: [{ productId: items[0]?.productId ?? '', quantity: 1 }],
        customer: { email: 'ada@shop.test' },
        ...{ successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' },
      });
      await stub.act('stripe', decodeURIComponent(checkout.url?.split('/').at(-1) ?? ''), 'pay');
      const [told] = stub.notifications.filter(({ event }) => event === 'payment_intent.succeeded');
      await send(shop, JSON.parse(told?.body ?? ''), account.webhookSecret);
      const path = `POST /stores/${shop.store.id}/orders/${checkout.orderId}/refund`;
      const lines = [{ itemId: (await getOrder(shop, checkout.orderId)).items[0]?.id, quantity: 1 }];
      const refund = { execute: true, lines, reason: 'returned' };
      const recorder = await newKey(shop, 'order.write');
      await expectRefused(commerce(), () => ask(app, path, { key: recorder, body: refund }), {
        status: 403,
        code: 'FORBIDDEN',
        message: /payment\.write/,
      });
      const mover = await newKey(shop, 'order.write', 'payment.write');
      const keyed = () => ask(app, path, { key: mover, body: refund, headers: { 'idempotency-key': 'once' } });
      stub.fault('stripe.refund', 'reset');
      const first = await keyed();
      expect(first).toMatchObject({ status: 200, json: { item: { amount: '50.00', status: 'pending', lines } } });
      const { refundId } = (first.json as { item: { refundId: string } }).item;
      const [refunded] = stub.notifications.filter(({ event }) => event === 'refund.created');
      await send(shop, JSON.parse(refunded?.body ?? ''), account.webhookSecret);
      expect(await keyed()).toMatchObject({ status: 200, json: { item: { refundId, status: 'succeeded' } } });
      expect(stub.refunds('stripe')).toHaveLength(1);
      const other = () =>
        ask(app, path, { key: mover, body: { ...refund, reason: 'x' }, headers: { 'idempotency-key': 'once' } });
      await expectRefused(commerce(), other, { status: 409, code: 'CONFLICT' });
      const reader = await newKey(shop, 'order.read');
      for (const [status, total] of [
        ['succeeded', 1],
        ['pending', 0],
        ['failed', 0],
      ] as const) {
        const answer = await ask(
          app,
          `GET /stores/${shop.store.id}/orders/${checkout.orderId}/refunds?status=${status}`,
          { key: reader },
        );
        expect(answer).toMatchObject({ status: 200, json: { total } });
      }
    } finally {
      await stub.close();
    }
  });

  it("refuses another store's order for a key of this one", async () => {
    const [ours, theirs] = [await paidShop(), await paidShop()];
    const path = `/orders/${theirs.order.id}/refund`;
    const body = { amount: '5' };
    await expectRefused(
      commerce(),
      () => ask(app, `POST /stores/${ours.shop.store.id}${path}`, { key: ours.key, body }),
      {
        status: 404,
        code: 'NOT_FOUND',
      },
    );
    await expectRefused(
      commerce(),
      () => ask(app, `POST /stores/${theirs.shop.store.id}${path}`, { key: ours.key, body }),
      {
        status: 403,
        code: 'FORBIDDEN',
      },
    );
  });

  it('records ten of twenty refunds of a tenth that come at once, and one of twenty under one id', async () => {
    const parts = await paidShop();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => parts.request('POST /refund', { amount: '5.00' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(10).fill(400)]);
    expect(await getOrder(parts.shop, parts.order.id)).toMatchObject({ status: 'refunded', refundedAmount: '50.00' });

    const one = await paidShop();
    const same = await Promise.all(
      Array.from({ length: 20 }, () => one.request('POST /refund', { amount: '5.00', refundId: 're_1' })),
    );
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(same[0]?.status).toBe(200);
    expect(await getOrder(one.shop, one.order.id)).toMatchObject({ refundedAmount: '5.00' });
  });

  it('moves an order on: what was read, changed in one thing and sent back', async () => {
    const { shop, request } = await paidShop();
    const { item } = (await request('GET ')).json as { item: Order };
    expect(await request('PUT ', item)).toMatchObject({ status: 200, json: { item } });
    const types = await emittedBy(shop, async () => {
      const answer = await request('PUT ', { ...item, status: 'fulfilled', merchantNote: 'sent' });
      expect(answer).toMatchObject({ status: 200, json: { item: { status: 'fulfilled', merchantNote: 'sent' } } });
    });
    expect(types.sort()).toEqual(['order.fulfilled', 'order.shipped', 'order.updated']);
  });

  it.each<[string, unknown, number, string, string[]]>([
    ['a move that there is none', { status: 'paid' }, 409, 'CONFLICT', ['status']],
    ['another total', { total: '1.00', status: 'fulfilled' }, 400, 'VALIDATION_ERROR', ['total']],
    ['a note that is no text', { merchantNote: 7 }, 400, 'VALIDATION_ERROR', ['merchantNote']],
    ['no object', 'true', 400, 'VALIDATION_ERROR', ['body']],
  ])('refuses %s', async (_, body, status, code, fields) => {
    const { request } = await paidShop();
    if (status === 409 && (body as { status: string }).status === 'paid')
      await request('PUT ', { status: 'fulfilled' });
    await expectRefused(commerce(), () => request('PUT ', body), { status, code, fields });
  });

  it('refuses a move without the scope', async () => {
    const { request, reader } = await paidShop();
    await expectRefused(commerce(), () => request('PUT ', { status: 'fulfilled' }, reader), {
      status: 403,
      code: 'FORBIDDEN',
    });
  });

  /** Sends a notification like its provider. */
  function notify(
    shop: Context,
    provider: string,
    event: object,
    headers?: Record<string, string>,
  ): Promise<TestResponse> {
    const body = JSON.stringify(event);
    const own = {
      square: { 'x-square-hmacsha256-signature': signSquare(body) },
      paypal: transmission as Record<string, string>,
    };
    return ask(app, `POST /api/webhooks/${provider}/${shop.store.id}`, {
      body,
      headers: headers ?? own[provider as keyof typeof own],
    });
  }

  it('takes notifications of PayPal and Square, and refuses them as it refuses those of Stripe', async () => {
    const { shop, order } = await openShop();
    for (const provider of ['paypal', 'square']) {
      const event =
        provider === 'paypal' ? capture(order.id, '50').completed() : squarePayment(order.id, 5000).completed();
      await expectRefused(commerce(), () => notify(shop, provider, event), {
        status: 400,
        code: 'VALIDATION_ERROR',
        message: /is not configured/,
      });
    }
    await configureSquare(shop);
    await configurePayPal(shop, paypal.url);
    const paid = squarePayment(order.id, 5000).completed();
    await expectRefused(commerce(), () => notify(shop, 'square', paid, { 'x-square-hmacsha256-signature': 'x' }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      message: /signature/,
    });
    await expectRefused(commerce(), () => notify(shop, 'paypal', capture(order.id, '50').completed(), {}), {
      status: 400,
      code: 'VALIDATION_ERROR',
      message: /signature/,
    });
    expect(await notify(shop, 'square', paid)).toMatchObject({
      status: 200,
      json: { received: true, outcome: 'paid' },
    });
    expect(await notify(shop, 'paypal', capture(order.id, '50').completed())).toMatchObject({
      status: 200,
      json: { received: true, outcome: 'second_payment', warning: expect.any(String) },
    });
  });

  it('answers 500 while PayPal cannot be asked, which PayPal answers by sending again', async () => {
    const { shop, order } = await openShop();
    await configurePayPal(shop, paypal.url);
    const event = capture(order.id, '50').completed();
    await notify(shop, 'paypal', capture(null, '1').denied());
    paypal.plan('verify', { status: 503 }, { status: 503 }, { status: 503 });
    const before = await snapshot(commerce());
    const answer = await notify(shop, 'paypal', event);
    expectEnvelope(answer, { status: 500, code: 'UNAVAILABLE', message: /could not be reached/ });
    expect(await snapshot(commerce())).toEqual(before);
    expect(await notify(shop, 'paypal', event)).toMatchObject({ status: 200, json: { outcome: 'paid' } });
  });

  it('answers 500 where the settings are encrypted and the key is missing', async () => {
    const { shop } = await openShop();
    await configureProvider(shop, 'stripe', { webhookSecret: 'w' });
    await commerce()
      .engine.storage.db.transaction()
      .execute((tx) =>
        tx
          .updateTable('payment_providers')
          .set({ settings: 'sealed:1:AAAA' })
          .where('store_id', '=', shop.store.id)
          .execute(),
      );
    const answer = await notify(shop, 'stripe', {}, { 'stripe-signature': 't=1,v1=x' });
    expectEnvelope(answer, { status: 500, code: 'UNAVAILABLE', message: /another secret key|no secret key/ });
  });
});
