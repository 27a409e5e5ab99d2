import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  capture,
  configurePayPal,
  deliver,
  deliverBare,
  paypalOrderOf,
  transmission,
} from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Commerce, configureProvider, createOrder, getOrder } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { receiveNotification } from './receive.ts';

forEachStorage("the verification of PayPal's notifications", (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  beforeEach(() => paypal.reset());
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => paypal.close());

  async function pending() {
    const shop = await newShop(commerce());
    const settings = await configurePayPal(shop, paypal.url);
    const product = await newProduct(shop, { price: '43.59', trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, settings, order, paid: capture(order.id, '43.59') };
  }

  it('calls PayPal with the transmission, our webhook id and a token of our account', async () => {
    const { shop, settings, paid } = await pending();
    expect(await deliver(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    const [token, verify] = paypal.asked;
    const account = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64');
    expect(token).toMatchObject({
      method: 'POST',
      path: '/v1/oauth2/token',
      body: 'grant_type=client_credentials',
      headers: { authorization: `Basic ${account}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(verify).toMatchObject({
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
    });
    const { webhook_event: _, ...question } = JSON.parse(verify?.body ?? '');
    expect(question).toEqual({
      transmission_id: transmission['paypal-transmission-id'],
      transmission_time: transmission['paypal-transmission-time'],
      cert_url: transmission['paypal-cert-url'],
      auth_algo: transmission['paypal-auth-algo'],
      transmission_sig: transmission['paypal-transmission-sig'],
      webhook_id: settings.webhookId,
    });
  });

  it.each<[string, (json: string) => string]>([
    ['with odd spacing', (json) => `  ${JSON.stringify(JSON.parse(json), null, 3)}\r\n`],
    ['with its keys in another order', (json) => JSON.stringify(reversedKeys(JSON.parse(json)))],
    ['with escapes that need not be', (json) => json.replace('"not for', '"\\u006eot \\/ f\\u00f6r')],
    ['with letters beyond ASCII', (json) => json.replace('not for', 'café ☕ 😀')],
    [
      'with numbers that would be printed otherwise',
      (json) => json.replace('"links":[]', '"n":[1.0,1e2,10000000000000001]'),
    ],
    ['with a key that is there twice', (json) => json.replace('"summary"', '"summary":"first","summary"')],
    ['with a webhook id of its own', (json) => json.replace('"links":[]', '"webhook_id":"EVIL","webhook_event":{}')],
  ])('is asked about the very bytes that came, %s', async (_, change) => {
    const { shop, settings, paid } = await pending();
    const body = change(JSON.stringify(paid.completed()));
    expect(await deliver(shop, body)).toEqual({ received: true, outcome: 'paid' });
    const question = paypal.askedOf('verify')[0]?.body ?? '';
    expect(question.endsWith(`,"webhook_event":${body}}`)).toBe(true);
    expect(JSON.parse(question)).toMatchObject({ webhook_id: settings.webhookId });
  });

  it.each(Object.keys(transmission).filter((name) => name.startsWith('paypal-')))(
    'makes no call without the header %s',
    async (name) => {
      const { shop, paid } = await pending();
      for (const value of [undefined, '']) {
        const headers = { ...transmission, [name]: value };
        await expectDenied(commerce(), () => deliver(shop, paid.completed(), headers), { kind: 'validation' });
      }
      expect(paypal.asked).toEqual([]);
    },
  );

  it.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"WH-1"'],
    ['half an object', '{"id":"WH-1"'],
    ['an object and a way out of the question', '{"id":"WH-1"},"webhook_id":"EVIL"'],
    ['two objects', '{}{}'],
  ])('makes no call for a body that is not a JSON object: %s', async (_, body) => {
    const { shop } = await pending();
    await expectDenied(commerce(), () => deliver(shop, body), { kind: 'validation' });
    expect(paypal.asked).toEqual([]);
  });

  it.each<[string, object]>([
    ['FAILURE', { verification_status: 'FAILURE' }],
    ['success in other letters', { verification_status: 'success' }],
    ['something new', { verification_status: 'PENDING' }],
  ])('is not so when PayPal answers %s: 400, and nothing is kept', async (_, body) => {
    const { shop, paid } = await pending();
    const event = paid.completed();
    await deliver(shop, capture(null, '1.00').completed());
    paypal.plan('verify', { body });
    await expectDenied(commerce(), () => deliver(shop, event), { kind: 'validation', message: /signature/ });
    paypal.plan('verify', { status: 400, body: { name: 'VALIDATION_ERROR' } });
    await expectDenied(commerce(), () => deliver(shop, event), { kind: 'validation', message: /signature/ });
    expect(await deliver(shop, event)).toMatchObject({ outcome: 'paid' });
  });

  it.each(['{}', '{"id":"WH-1"}', '{"event_type":"PAYMENT.CAPTURE.COMPLETED"}', '{"id":7,"event_type":"x"}'])(
    'passes, but the body is not an event: %s',
    async (body) => {
      const { shop } = await pending();
      await expectDenied(commerce(), () => deliver(shop, body), invalid('body'));
    },
  );

  it.each([
    '{"id":"WH-2","event_type":"CHECKOUT.ORDER.COMPLETED"}',
    '{"id":"WH-3","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":null}',
    '{"id":"WH-4","event_type":"__proto__","resource":{}}',
  ])('is so, and it says nothing of a payment: %s', async (body) => {
    const { shop } = await pending();
    expect(await deliver(shop, body)).toEqual({ received: true, outcome: 'ignored' });
  });

  it('is required: a store without settings refuses everything and makes no call', async () => {
    const shop = await newShop(commerce());
    await expectDenied(commerce(), () => deliver(shop, capture(null, '1').completed()), {
      kind: 'validation',
      message: /not configured/,
    });
    expect(paypal.asked).toEqual([]);
  });

  it('is retried on temporary faults of PayPal: 500, then 429, then SUCCESS', async () => {
    const { shop, paid } = await pending();
    paypal.plan('verify', { status: 500 }, { status: 429 });
    expect(await deliver(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    expect(paypal.askedOf('verify')).toHaveLength(3);
  });

  it.each<[string, number, number]>([
    ['errors', 503, 3],
    ['too many requests', 429, 3],
    ['a token that is not let in', 403, 1],
  ])(
    'is impossible while PayPal answers %s: 500, nothing is stored, and sent again it pays',
    async (_, status, calls) => {
      const { shop, order, paid } = await pending();
      const event = paid.completed();
      await deliver(shop, capture(null, '1.00').completed());
      paypal.asked.length = 0;
      paypal.plan('verify', { status }, { status }, { status });
      await expectDenied(commerce(), () => deliver(shop, event), { kind: 'unavailable' });
      expect(paypal.askedOf('verify')).toHaveLength(calls);
      paypal.plan('verify');
      expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'paid' });
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentProvider: 'paypal' });
    },
  );

  it.each<[string, string | object]>([
    ['not JSON', '<html>maintenance</html>'],
    ['nothing', ''],
    ['JSON without a verdict', {}],
    ['a verdict that is not a text', { verification_status: true }],
  ])('cannot be told from an answer that is %s', async (_, body) => {
    const { shop, paid } = await pending();
    paypal.plan('verify', { body });
    await expectDenied(commerce(), () => deliver(shop, paid.completed()), { kind: 'unavailable' });
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
  });

  it('is impossible while PayPal is down, and passes for the same notification once it is back', async () => {
    const { shop, order, paid } = await pending();
    const down = createServer();
    await new Promise<void>((resolve) => down.listen(0, '127.0.0.1', resolve));
    const { port } = down.address() as AddressInfo;
    await new Promise((resolve) => down.close(resolve));
    const settings = { clientId: 'c', clientSecret: 'very-secret-text', webhookId: 'W' };
    await configureProvider(shop, 'paypal', { ...settings, apiBase: `http://127.0.0.1:${port}` });
    const event = paid.completed();
    await expectDenied(commerce(), () => deliver(shop, event), {
      kind: 'unavailable',
      message: /^http:\/\/127\.0\.0\.1:\d+ could not be reached: .*ECONNREFUSED(?!.*very-secret-text)/,
    });
    await configurePayPal(shop, paypal.url);
    expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid' });
  });

  it('waits for 5 s three times and no longer', async () => {
    const { shop, paid } = await pending();
    await deliver(shop, capture(null, '1.00').completed());
    const waited: number[] = [];
    const usual = globalThis.setTimeout;
    // Checks the requested waits instead of waiting.
    const hurried = (work: () => void, ms: number) => {
      if (ms === 5000) waited.push(ms);
      return usual(work, ms === 5000 ? 30 : ms);
    };
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(hurried as typeof setTimeout);
    paypal.plan('verify', 'hang', 'hang', 'hang');
    await expectDenied(commerce(), () => deliver(shop, paid.completed()), {
      kind: 'unavailable',
      message: /no complete answer within 5 s/,
    });
    expect(waited).toEqual([5000, 5000, 5000]);
    vi.restoreAllMocks();
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
  });

  it('does not follow a redirect', async () => {
    const { shop, paid } = await pending();
    const elsewhere = await startSubscriber(() => (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"verification_status":"SUCCESS"}');
    });
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        paypal.plan('verify', { status, headers: { Location: elsewhere.url } });
        await expectDenied(commerce(), () => deliver(shop, paid.completed()), { kind: 'unavailable' });
        paypal.endTokens();
        paypal.plan('token', { status, headers: { Location: elsewhere.url } });
        await expectDenied(commerce(), () => deliver(shop, paid.completed()), { kind: 'unavailable' });
      }
      expect(elsewhere.received).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('uses one token until it expires, and then a new one', async () => {
    const { shop } = await pending();
    const one = () => deliver(shop, capture(null, '1.00').denied());
    paypal.setLifetime(3600);
    for (let i = 0; i < 3; i++) await one();
    expect(paypal.askedOf('token')).toHaveLength(1);
    // A margin of a minute for clock differences.
    clock.advance(3_539_000);
    await one();
    expect(paypal.askedOf('token')).toHaveLength(1);
    clock.advance(1000);
    await one();
    expect(paypal.askedOf('token')).toHaveLength(2);
    expect(paypal.askedOf('verify').at(-1)?.headers.authorization).toBe('Bearer token-2');
  });

  it('uses a new token, once, when PayPal has revoked the old one early', async () => {
    const { shop, paid } = await pending();
    await deliver(shop, capture(null, '1.00').denied());
    paypal.endTokens();
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect(paypal.askedOf('token')).toHaveLength(2);
    paypal.plan('verify', { status: 401 }, { status: 401 }, { status: 401 });
    await expectDenied(commerce(), () => deliver(shop, capture(null, '1.00').denied()), { kind: 'unavailable' });
    expect(paypal.askedOf('token')).toHaveLength(3);
  });

  it('is impossible with a wrong client secret, which no message repeats', async () => {
    const { shop, paid } = await pending();
    await configurePayPal(shop, paypal.url, { clientSecret: 'very-secret-text' });
    paypal.plan('token', { status: 401, body: { error: 'invalid_client' } });
    await expectDenied(commerce(), () => deliver(shop, paid.completed()), {
      kind: 'unavailable',
      message: /^PayPal issued no token \(401\)(?!.*very-secret-text)/,
    });
  });

  it.each<[string, string | object]>([
    ['not JSON', 'token'],
    ['a token that is not a text', { access_token: 7 }],
    ['an empty token', { access_token: '', expires_in: 100 }],
  ])('cannot be told when what is given as token is %s', async (_, body) => {
    const { shop, paid } = await pending();
    paypal.plan('token', { body });
    await expectDenied(commerce(), () => deliver(shop, paid.completed()), { kind: 'unavailable' });
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
  });

  it('does not reuse a token without lifetime: each call gets its own', async () => {
    const { shop } = await pending();
    paypal.setLifetime(0);
    await deliver(shop, capture(null, '1.00').denied());
    await deliver(shop, capture(null, '1.00').denied());
    expect(paypal.askedOf('token')).toHaveLength(2);
  });

  it('passes at the bare address with one matching store, whatever the others answer', async () => {
    const [ours, other, broken] = [await pending(), await pending(), await pending()];
    const { shop, settings } = other;
    paypal.strangers.add(settings.webhookId);
    const gone = 'http://127.0.0.1:1';
    await configureProvider(broken.shop, 'paypal', { clientId: 'c', clientSecret: 's', webhookId: 'B', apiBase: gone });
    await forgetOthers(commerce(), [ours.shop.store.id, shop.store.id, broken.shop.store.id]);

    expect(await deliverBare(commerce(), ours.paid.completed())).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(ours.shop, ours.order.id)).toMatchObject({ status: 'paid' });

    // None matches, and one account did not answer: the notification can belong to that store.
    paypal.strangers.add(ours.settings.webhookId);
    const strange = capture(ours.order.id, '43.59').completed();
    await expectDenied(commerce(), () => deliverBare(commerce(), strange), { kind: 'unavailable' });
    // All accounts answered, and none matches.
    await forgetOthers(commerce(), [ours.shop.store.id, shop.store.id]);
    await expectDenied(commerce(), () => deliverBare(commerce(), strange), {
      kind: 'validation',
      message: /signature/,
    });
  });

  it('uses the account of the store named by the address', async () => {
    const [ours, theirs] = [await pending(), await pending()];
    paypal.strangers.add(theirs.settings.webhookId);
    await expectDenied(commerce(), () => deliver(theirs.shop, ours.paid.completed()), { kind: 'validation' });
    expect(await deliver(ours.shop, ours.paid.completed())).toMatchObject({ outcome: 'paid' });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no client id', { clientSecret: 'secret-text', webhookId: 'W' }, 'clientId'],
    ['no client secret', { clientId: 'c', webhookId: 'W' }, 'clientSecret'],
    ['no webhook id', { clientId: 'c', clientSecret: 'secret-text' }, 'webhookId'],
    ['a secret with a blank', { clientId: 'c', clientSecret: 'secret-text x', webhookId: 'W' }, 'clientSecret'],
    [
      'an interface without TLS',
      { clientId: 'c', clientSecret: 's', webhookId: 'W', apiBase: 'http://api.paypal.com' },
      'apiBase',
    ],
    [
      'an interface that is another scheme',
      { clientId: 'c', clientSecret: 's', webhookId: 'W', apiBase: 'file:///etc/passwd' },
      'apiBase',
    ],
  ])('cannot be configured with %s', async (_, settings, field) => {
    const shop = await newShop(commerce());
    const before = await snapshot(commerce());
    const error = await configureProvider(shop, 'paypal', settings as never).catch((error: unknown) => error);
    expect(error).toMatchObject({ kind: 'validation', details: [{ field }] });
    expect((error as Error).message).not.toContain('secret-text');
    expect(await snapshot(commerce())).toEqual(before);
  });

  it('also covers copies, while the payer is asked for once', async () => {
    const { shop, paid } = await pending();
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
    const event = paid.completed();
    await deliver(shop, event);
    const asked = paypal.askedOf('order').length;
    expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'unchanged' });
    expect(paypal.askedOf('order')).toHaveLength(asked);
    // A copy counts as a copy only if it is genuine.
    paypal.plan('verify', { body: { verification_status: 'FAILURE' } });
    const body = Buffer.from(JSON.stringify(event));
    const sent = () =>
      receiveNotification(commerce().engine, 'paypal', { body, headers: transmission }, { storeId: shop.store.id });
    await expectDenied(commerce(), sent, { kind: 'validation' });
  });
});

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversedKeys(part)]),
  );
}

/** Deletes PayPal's settings of all other stores. */
async function forgetOthers(commerce: Commerce, storeIds: string[]): Promise<void> {
  await commerce.engine.storage.db
    .transaction()
    .execute((tx) =>
      tx
        .deleteFrom('payment_providers')
        .where('provider', '=', 'paypal')
        .where('store_id', 'not in', storeIds)
        .execute(),
    );
}
