import { randomUUID } from 'node:crypto';
import { type Context, configureProvider, createOrder, getOrder, getProduct, updateProduct } from '@commerce/core';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, expectRefused, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, beforeEach, expect, it } from 'vitest';

forEachStorage('payment receivers', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let shop: Context;
  let secret: string;
  beforeAll(() => {
    app = createApp(commerce());
  });
  beforeEach(async () => {
    shop = await newShop(commerce());
    secret = `whsec_${randomUUID()}`;
    await configureProvider(shop, 'stripe', { webhookSecret: secret });
  });
  const path = () => `/api/webhooks/stripe/${shop.store.id}`;
  const post = (event: object | string, { to = path(), by = secret, at = Date.now() } = {}) => {
    const { body, headers } = signStripe(event, by, at);
    return ask(app, `POST ${to}`, { body, headers: headers as Record<string, string>, type: null });
  };
  const newOrder = async (stock = 5) => {
    const product = await newProduct(shop, { trackStock: true, stock });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { product, order, payment: stripePaymentSucceeded({ orderId: order.id, amount: 1000 }) };
  };
  const paidEvents = ['product.updated', 'order.created', 'order.paid', 'order.updated'].sort();

  it.each(['with the store in the path', 'without it'])('pays an order, once, %s', async (way) => {
    const to = way === 'without it' ? '/api/webhooks/stripe' : path();
    const { product, order, payment } = await newOrder();
    const emitted = await emittedBy(shop, async () => {
      expect(await post(payment, { to })).toMatchObject({ status: 200, json: { received: true } });
    });
    expect(emitted.sort()).toEqual(paidEvents);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentProvider: 'stripe' });
    expect(await getProduct(shop, product.id)).toMatchObject({ stock: 4 });
    const again = await emittedBy(shop, async () => {
      expect(await post(payment, { to })).toMatchObject({ status: 200, json: { received: true } });
    });
    expect(again).toEqual([]);
    expect(await getProduct(shop, product.id)).toMatchObject({ stock: 4 });
  });

  it('needs no key and minds none', async () => {
    const { payment } = await newOrder();
    const { body, headers } = signStripe(payment, secret, Date.now());
    const sent = { ...(headers as Record<string, string>), authorization: 'Bearer nonsense' };
    expect(await ask(app, `POST ${path()}`, { body, headers: sent, type: null })).toMatchObject({ status: 200 });
  });

  it('minds no content type: the bytes are what is signed', async () => {
    const { order, payment } = await newOrder();
    const { body, headers } = signStripe(payment, secret, Date.now());
    const sent = { 'stripe-signature': String(headers['stripe-signature']) };
    expect(await ask(app, `POST ${path()}`, { body, headers: sent, type: 'text/plain' })).toMatchObject({
      status: 200,
    });
    expect((await getOrder(shop, order.id)).status).toBe('paid');
  });

  it('answers 200 with a warning where sending again would not help', async () => {
    const { order } = await newOrder();
    for (const payment of [
      stripePaymentSucceeded({ orderId: order.id, amount: 999 }),
      stripePaymentSucceeded({ orderId: order.id, amount: 1000, currency: 'usd' }),
      stripePaymentSucceeded({ orderId: randomUUID(), amount: 1000 }),
      stripePaymentSucceeded({}),
    ]) {
      const emitted = await emittedBy(shop, async () => {
        const answer = await post(payment);
        expect(answer).toMatchObject({ status: 200, json: { received: true, warning: expect.any(String) } });
      });
      expect(emitted).toEqual(['payment.unmatched']);
    }
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentId: null });
  });

  it('answers 200 without a warning to an event that says nothing about a payment', async () => {
    const event = { id: `evt_${randomUUID()}`, object: 'event', type: 'customer.updated', data: { object: {} } };
    expect(await post(event)).toMatchObject({ status: 200, json: { received: true } });
  });

  it('answers 500 while stock is short, and pays when it is sent again after restocking', async () => {
    const { product, order, payment } = await newOrder(1);
    await updateProduct(shop, product.id, { stock: 0 });
    const emitted = await emittedBy(shop, async () => {
      expectEnvelope(await post(payment), { status: 500, code: 'INSUFFICIENT_STOCK', fields: ['items'] });
    });
    expect(emitted).toEqual(['payment.unmatched']);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'pending' });
    expect(await getProduct(shop, product.id)).toMatchObject({ stock: 0 });
    await updateProduct(shop, product.id, { stock: 3 });
    expect(await post(payment)).toMatchObject({ status: 200 });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid' });
  });

  it('refuses what is not signed, or not now, or by somebody else', async () => {
    const { order, payment } = await newOrder();
    const other = `whsec_${randomUUID()}`;
    const tampered = async () => {
      const { headers } = signStripe(payment, secret, Date.now());
      const body = JSON.stringify(stripePaymentSucceeded({ orderId: order.id, amount: 1000 }));
      return ask(app, `POST ${path()}`, { body, headers: headers as Record<string, string>, type: null });
    };
    const minute = 60_000;
    const rows = [
      () => post(payment, { by: other }),
      () => post(payment, { by: other, to: '/api/webhooks/stripe' }),
      () => post(payment, { at: Date.now() - 6 * minute }),
      () => post(payment, { at: Date.now() + 6 * minute }),
      tampered,
      () => ask(app, `POST ${path()}`, { body: payment }),
      () => ask(app, `POST ${path()}`, { body: payment, headers: { 'stripe-signature': '' } }),
      () => ask(app, `POST ${path()}`, { body: payment, headers: { 'stripe-signature': 't=,v1=,v1' } }),
    ];
    for (const row of rows) {
      const answer = await expectRefused(commerce(), row, { status: 400, code: 'VALIDATION_ERROR' });
      expect(answer.text).not.toContain(secret);
    }
  });

  it.each(['', '{', 'null', '[]', '1', '{"id":"evt_1"}', '{"id":1,"type":2}'])(
    'refuses a signed body that is no event: %s',
    async (body) => {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['body'] };
      await expectRefused(commerce(), () => post(body), refusal);
    },
  );

  it('refuses a store that has set no secret, never open', async () => {
    const bare = await newShop(commerce());
    const { payment } = await newOrder();
    const to = `/api/webhooks/stripe/${bare.store.id}`;
    for (const by of [secret, 'undefined', 'null', '""']) {
      await expectRefused(commerce(), () => post(payment, { to, by }), { status: 400, code: 'VALIDATION_ERROR' });
    }
  });

  it('does not pay an order of another store', async () => {
    const { order, payment } = await newOrder();
    const other = await newShop(commerce());
    const by = `whsec_${randomUUID()}`;
    await configureProvider(other, 'stripe', { webhookSecret: by });
    for (const to of ['/api/webhooks/stripe', `/api/webhooks/stripe/${other.store.id}`]) {
      const answer = await post(payment, { to, by });
      expect(answer).toMatchObject({
        status: 200,
        json: { received: true, warning: expect.stringMatching(/no order/) },
      });
    }
    expect((await getOrder(shop, order.id)).status).toBe('pending');
  });

  it('knows no other provider, no other store and no other path', async () => {
    const { payment } = await newOrder();
    const paths = [
      `/api/webhooks/stripe/${randomUUID()}`,
      '/api/webhooks/stripe/x',
      '/api/webhooks/stripe/%',
      '/api/webhooks/toString',
      '/api/webhooks/__proto__',
      `/api/webhooks/unknown/${shop.store.id}`,
      `/api/webhooks/Stripe/${shop.store.id}`,
      `${path()}/more`,
      `/webhooks/stripe/${shop.store.id}`,
      '/api/webhooks/',
    ];
    for (const to of paths) {
      await expectRefused(commerce(), () => post(payment, { to }), { status: 404, code: 'NOT_FOUND' });
    }
  });

  it('takes POST alone', async () => {
    const key = await newKey(shop);
    const refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', headers: { Allow: 'POST' } };
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const to of [path(), '/api/webhooks/stripe']) {
        await expectRefused(commerce(), () => ask(app, `${method} ${to}`, { key }), refusal);
      }
    }
  });
});
