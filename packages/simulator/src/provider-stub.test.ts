import type { ProviderName } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { pageRequests, pageRequest as requestAt, someAddress } from '@commerce/test-support/fixtures/page-requests';
import { until } from '@commerce/test-support/harness/until';
import fc from 'fast-check';
import { type Square, SquareClient, SquareError, WebhooksHelper } from 'square';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageRequest } from '../../core/src/providers/checkout-page.ts';
import { paypalOrderFor } from '../../core/src/providers/paypal/checkout.ts';
import { squareLink } from '../../core/src/providers/square/checkout.ts';
import { formOf, stripeSession } from '../../core/src/providers/stripe/checkout.ts';
import type { Sent } from './notifications.ts';
import { type RunningStub, startProviderStub } from './provider-stub.ts';
import type { SquareLinkBody } from './square-body.ts';
import { nestedForm, type StripeSessionForm } from './stripe-form.ts';

const clock = fakeClock('2026-11-20T12:00:00Z');
let stub: RunningStub;
beforeAll(async () => {
  stub = await startProviderStub({ clock, retryDelays: [] });
});
beforeEach(() => {
  stub.calls.length = 0;
  stub.notifications.length = 0;
});
afterAll(() => stub.close());

const silent = async () => 200;

function pageRequest(parts: Partial<PageRequest> = {}): PageRequest {
  const now = clock.now();
  return requestAt({ createdAt: now, expiresAt: now + 35 * 60_000, now, ...parts });
}

/** Names of a type's fields, at any depth, that the other type lacks. */
type Strange<Given, Known> = Given extends readonly (infer G)[]
  ? Known extends readonly (infer K)[]
    ? Strange<G, K>
    : 'a list'
  : Given extends object
    ? Known extends object
      ? {
          [Name in keyof Given]-?: Name extends keyof Known
            ? Strange<NonNullable<Given[Name]>, NonNullable<Known[Name]>>
            : Name;
        }[keyof Given]
      : never
    : never;

type CamelName<Name> = Name extends `${infer Head}_${infer Next}${infer Rest}`
  ? `${Head}${Uppercase<Next>}${CamelName<Rest>}`
  : Name;
/** A type of Square's JSON with the names of its library. */
type Camel<Wire> = Wire extends readonly (infer One)[]
  ? Camel<One>[]
  : Wire extends object
    ? { [Name in keyof Wire as CamelName<Name>]: Camel<Wire[Name]> }
    : Wire;

type Wanted = Stripe.Checkout.SessionCreateParams;
type WantedLink = Square.checkout.CreatePaymentLinkRequest;
type Output<Schema extends { _output: unknown }> = Schema['_output'];

/** Checked by the compiler: every field that is sent, and every field that the stub accepts, is in the published types. */
const published: {
  sentToStripe: [Strange<ReturnType<typeof stripeSession>, Wanted>] extends [never] ? true : false;
  takenByStripe: [Strange<Output<typeof StripeSessionForm>, Wanted>] extends [never] ? true : false;
  sentToSquare: [Strange<Camel<ReturnType<typeof squareLink>>, WantedLink>] extends [never] ? true : false;
  takenBySquare: [Strange<Camel<Output<typeof SquareLinkBody>>, WantedLink>] extends [never] ? true : false;
  /** Controls: fields that these types lack. */
  unknown: [Strange<{ payment_intent_data: { shipping: { street: string } } }, Wanted>] extends ['street']
    ? true
    : false;
  removed: [Strange<{ payment_method_types: string[] }, Wanted>] extends ['payment_method_types'] ? true : false;
  unknownToSquare: [Strange<Camel<{ order: { line_items: { price: number }[] } }>, WantedLink>] extends ['price']
    ? true
    : false;
} = {
  sentToStripe: true,
  takenByStripe: true,
  sentToSquare: true,
  takenBySquare: true,
  unknown: true,
  removed: true,
  unknownToSquare: true,
};

it('is typed against what the providers publish', () => {
  expect(Object.values(published)).not.toContain(false);
});

describe('Stripe’s own library', () => {
  const account = () => {
    const settings = stub.account('stripe', silent);
    const { hostname, port } = new URL(stub.url);
    const options = { host: hostname, port, protocol: 'http' as const, maxNetworkRetries: 0, telemetry: false };
    return { settings, client: new Stripe(settings.secretKey ?? '', options) };
  };
  /** The compiler accepts the sent parameters as the library's. */
  const paramsOf = (request: PageRequest): Stripe.Checkout.SessionCreateParams => stripeSession(request) as never;
  const create = (client: Stripe, changes: object = {}, idempotencyKey = crypto.randomUUID()) =>
    client.checkout.sessions.create({ ...paramsOf(pageRequest()), ...changes }, { idempotencyKey });

  it('sends the same as this project, in the same form', async () => {
    const { client } = account();
    const orders = [pageRequests('EUR', 2), pageRequests('JPY', 0)].map((arbitrary) => fc.sample(arbitrary, 15));
    for (const order of orders.flat()) {
      const now = clock.now();
      const request = { ...order, createdAt: now, expiresAt: now + 35 * 60_000 };
      if (request.total < 50n || request.total > 99_999_999n) continue;
      await client.checkout.sessions.create(paramsOf(request), { idempotencyKey: request.checkoutId });
      expect(nestedForm(stub.calls.at(-1)?.body ?? '')).toEqual(nestedForm(formOf(stripeSession(request))));
      expect(stub.calls.at(-1)?.status).toBe(200);
    }
  });

  it('makes, reads and ends a session', async () => {
    const { client } = account();
    const request = pageRequest();
    const session = await client.checkout.sessions.create(paramsOf(request), { idempotencyKey: request.checkoutId });
    expect(session).toMatchObject({
      object: 'checkout.session',
      amount_total: 3465,
      total_details: { amount_shipping: 490 },
      currency: 'eur',
      status: 'open',
      payment_intent: null,
      client_reference_id: request.orderId,
    });
    expect(await client.checkout.sessions.retrieve(session.id)).toMatchObject({ id: session.id, status: 'open' });
    expect(await client.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null });
    await expect(client.checkout.sessions.expire(session.id)).rejects.toThrow(/Only Checkout Sessions with a status/);
    await expect(client.checkout.sessions.retrieve('cs_none')).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('is answered the same for the same key, and refused for another request with it', async () => {
    const { client } = account();
    const params = paramsOf(pageRequest());
    const first = await client.checkout.sessions.create(params, { idempotencyKey: 'one' });
    expect((await client.checkout.sessions.create(params, { idempotencyKey: 'one' })).id).toBe(first.id);
    await expect(
      client.checkout.sessions.create({ ...params, customer_email: 'b@example.com' }, { idempotencyKey: 'one' }),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    // Another account has its own keys.
    const other = account().client;
    expect((await other.checkout.sessions.create(params, { idempotencyKey: 'one' })).id).not.toBe(first.id);
    await expect(other.checkout.sessions.retrieve(first.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });

  const price = (unit_amount: unknown, currency = 'eur') => [
    { quantity: 1, price_data: { currency, unit_amount, product_data: { name: 'Mug' } } },
  ];
  const rate = (more: object) => [
    {
      shipping_rate_data: {
        display_name: 'Standard',
        type: 'fixed_amount',
        fixed_amount: { amount: 490, currency: 'eur' },
        ...more,
      },
    },
  ];
  it.each<[string, object, object]>([
    ['an unknown field', { colour: 'red' }, { code: 'parameter_unknown', param: 'colour' }],
    ['a field that the version has removed', { payment_method_types: ['card'] }, { code: 'parameter_unknown' }],
    ['an unknown field inside', { payment_intent_data: { shiping: { name: 'x' } } }, { code: 'parameter_unknown' }],
    ['no lines', { line_items: undefined }, { code: 'parameter_missing', param: 'line_items' }],
    ['a negative price', { line_items: price(-100) }, { param: 'line_items[0][price_data][unit_amount]' }],
    ['a price with a fraction', { line_items: price(1.5) }, { param: 'line_items[0][price_data][unit_amount]' }],
    ['101 lines', { line_items: Array(101).fill(price(100)[0]) }, { param: 'line_items' }],
    ['two currencies', { line_items: [...price(100), ...price(100, 'usd')] }, { param: 'line_items' }],
    ['currency in capitals', { line_items: price(100, 'EUR') }, { param: 'line_items[0][price_data][currency]' }],
    ['shipping in another currency', { line_items: price(100, 'usd') }, { param: 'line_items' }],
    ['a long name of the shipping', { shipping_options: rate({ display_name: 'x'.repeat(101) }) }, {}],
    ['too high a total', { line_items: price(100_000_000) }, { code: 'amount_too_large' }],
    ['too small a total', { line_items: price(49), shipping_options: undefined }, { code: 'amount_too_small' }],
    ['an end in 29 minutes', { expires_at: 29 }, { param: 'expires_at' }],
    ['an end in 25 hours', { expires_at: 25 * 60 }, { param: 'expires_at' }],
    ['an e-mail address that is none', { customer_email: 'ada' }, { code: 'email_invalid', param: 'customer_email' }],
    ['a value of 501 characters', { metadata: { order_id: 'x'.repeat(501) } }, { param: 'metadata[order_id]' }],
    ['a relative address', { success_url: '/thanks' }, { param: 'success_url' }],
    ['dinars that do not end in 0', { line_items: price(12_345, 'kwd'), shipping_options: undefined }, {}],
  ])('is refused %s', async (_, changes, expected) => {
    const { client } = account();
    const { expires_at } = changes as { expires_at?: number };
    const end = expires_at === undefined ? {} : { expires_at: Math.floor(clock.now() / 1000) + expires_at * 60 };
    const key = crypto.randomUUID();
    const error = await create(client, { ...changes, ...end }, key).then(
      () => expect.fail('taken'),
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect(error).toMatchObject({ statusCode: 400, ...expected });
    // Refused parameters do not use up the key.
    await create(client, {}, key);
  });

  it('is refused another key, a missing idempotency key and an unknown address', async () => {
    const { client, settings } = account();
    const { hostname, port } = new URL(stub.url);
    const stranger = new Stripe('sk_test_stranger', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
    await expect(create(stranger)).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    const headers = { authorization: `Bearer ${settings.secretKey}` };
    const bare = await fetch(`${stub.url}/v1/checkout/sessions`, { method: 'POST', headers, body: 'mode=payment' });
    expect(bare.status).toBe(400);
    await expect(client.coupons.create({ amount_off: 1, currency: 'eur' })).rejects.toMatchObject({ statusCode: 404 });
  });

  it('takes the events for genuine: of a decline, a payment and an end by time', async () => {
    const received: Sent[] = [];
    const settings = stub.account('stripe', async (sent) => received.push(sent) && 200);
    const { hostname, port } = new URL(stub.url);
    const client = new Stripe(settings.secretKey ?? '', { host: hostname, port, protocol: 'http' });
    const session = await create(client);
    expect(await stub.act('stripe', session.id, 'cancel')).toEqual({ location: 'https://shop.example/cart' });
    expect(await stub.act('stripe', session.id, 'decline')).toEqual({ location: null });
    expect(await stub.act('stripe', session.id, 'pay')).toEqual({ location: 'https://shop.example/thanks' });
    const late = await create(client);
    clock.advance(36 * 60_000);
    await stub.tick();
    const events = received.map(({ body, headers }) =>
      Stripe.webhooks.constructEvent(
        body,
        headers['Stripe-Signature'] ?? '',
        settings.webhookSecret ?? '',
        300,
        undefined,
        JSON.parse(body).created * 1000,
      ),
    );
    expect(events.map(({ type }) => type)).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'charge.succeeded',
      'payment_intent.succeeded',
      'checkout.session.completed',
      'checkout.session.expired',
    ]);
    const objects = events.map(({ data }) => data.object as unknown as Record<string, unknown>);
    const intents = objects.map((object) => object.payment_intent ?? (object.object === 'payment_intent' && object.id));
    expect(new Set(intents.slice(0, 5)).size).toBe(1);
    // No payment was attempted, so no intent exists to find it by.
    expect(objects.at(-1)).toMatchObject({ id: late.id, payment_intent: null, status: 'expired' });
    for (const object of objects) expect(object.metadata).toHaveProperty('order_id');
  });
});

describe('Square’s own library', () => {
  const account = (target: Parameters<RunningStub['account']>[1] = silent) => {
    const settings = stub.account('square', target);
    const client = new SquareClient({ token: settings.accessToken ?? '', environment: stub.url, maxRetries: 0 });
    return { settings, client, locationId: settings.locationId ?? '' };
  };
  /** Square's JSON in the form that its library accepts. */
  const camel = (wire: unknown, name = ''): unknown => {
    if (name === 'amount') return BigInt(wire as number);
    if (Array.isArray(wire)) return wire.map((one) => camel(one));
    if (wire === null || typeof wire !== 'object') return wire;
    return Object.fromEntries(
      Object.entries(wire).map(([key, value]) => [
        key.replace(/_[a-z0-9]/g, (part) => part.slice(1).toUpperCase()),
        camel(value, key),
      ]),
    );
  };
  const create = (client: SquareClient, wire: object) =>
    client.checkout.paymentLinks.create(camel(wire) as Square.checkout.CreatePaymentLinkRequest);
  const codes = async (work: PromiseLike<unknown>) => {
    const error = await work.then(
      () => expect.fail('taken'),
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(SquareError);
    return (error as SquareError).errors.map(({ code }) => code);
  };

  it('sends the same as this project: it leaves out what it does not know', async () => {
    const { client, locationId } = account();
    for (const request of fc.sample(pageRequests('EUR', 2), 30)) {
      const wire = squareLink(request, locationId);
      await create(client, wire);
      expect(JSON.parse(stub.calls.at(-1)?.body ?? '')).toEqual(JSON.parse(JSON.stringify(wire)));
      expect(stub.calls.at(-1)?.status).toBe(200);
    }
  });

  it('makes and deletes a link, and reads and cancels its order', async () => {
    const { client, locationId } = account();
    const { paymentLink, relatedResources } = await create(
      client,
      squareLink(pageRequest({ discount: 100n }), locationId),
    );
    expect(relatedResources?.orders?.[0]).toMatchObject({
      id: paymentLink?.orderId,
      state: 'DRAFT',
      totalMoney: { amount: 3365n, currency: 'EUR' },
    });
    const orderId = paymentLink?.orderId ?? '';
    expect((await client.orders.get({ orderId })).order?.totalMoney?.amount).toBe(3365n);
    const id = paymentLink?.id ?? '';
    expect(await client.checkout.paymentLinks.delete({ id })).toMatchObject({ id, cancelledOrderId: orderId });
    expect((await client.orders.get({ orderId })).order?.state).toBe('CANCELED');
    expect(await codes(client.checkout.paymentLinks.delete({ id }))).toEqual(['NOT_FOUND']);

    const other = await create(client, squareLink(pageRequest(), locationId));
    const change = { orderId: other.paymentLink?.orderId ?? '', order: { locationId, state: 'CANCELED' as const } };
    expect(await codes(client.orders.update({ ...change, order: { ...change.order, version: 7 } }))).toHaveLength(1);
    const updated = await client.orders.update({ ...change, order: { ...change.order, version: 1 } });
    expect(updated.order).toMatchObject({ state: 'CANCELED', version: 2 });
  });

  it('leaves the order of a deleted link open after a failed try, for whoever has the page open', async () => {
    const { client, locationId } = account();
    const { paymentLink } = await create(client, squareLink(pageRequest(), locationId));
    const id = paymentLink?.id ?? '';
    await stub.act('square', id, 'decline');
    expect(await client.checkout.paymentLinks.delete({ id })).not.toHaveProperty('cancelledOrderId');
    expect((await stub.act('square', id, 'pay')).location).toContain('transactionId=');
    const { order } = await client.orders.get({ orderId: paymentLink?.orderId ?? '' });
    // Paid, but still open.
    expect(order).toMatchObject({ state: 'OPEN', netAmountDueMoney: { amount: 0n } });
    const { payment } = await client.payments.get({ paymentId: order?.tenders?.[0]?.paymentId ?? '' });
    expect(payment).toMatchObject({ status: 'COMPLETED', orderId: order?.id });
    expect(payment).not.toHaveProperty('referenceId');
  });

  it('is answered the same for the same key, and refused for another request with it', async () => {
    const { client, locationId } = account();
    const wire = squareLink(pageRequest(), locationId);
    const first = await create(client, wire);
    expect((await create(client, wire)).paymentLink?.id).toBe(first.paymentLink?.id);
    expect(await codes(create(client, { ...wire, payment_note: 'other' }))).toEqual(['IDEMPOTENCY_KEY_REUSED']);
  });

  type Wire = ReturnType<typeof squareLink>;
  it.each<[string, (wire: Wire) => object, string]>([
    ['an unknown field', (wire) => ({ ...wire, colour: 'red' }), 'UNKNOWN_BODY_PARAMETER'],
    ['no idempotency key', ({ idempotency_key: _, ...wire }) => wire, 'MISSING_REQUIRED_PARAMETER'],
    [
      'a long reference',
      ({ order, ...wire }) => ({ ...wire, order: { ...order, reference_id: 'x'.repeat(41) } }),
      'VALUE_TOO_LONG',
    ],
    [
      'a quantity that is a number',
      ({ order, ...wire }) => ({ ...wire, order: { ...order, line_items: [{ ...order.line_items[0], quantity: 2 }] } }),
      'INCORRECT_TYPE',
    ],
    [
      'two currencies',
      ({ order, ...wire }) => ({
        ...wire,
        order: {
          ...order,
          line_items: [
            ...order.line_items,
            { ...order.line_items[0], base_price_money: { amount: 1, currency: 'USD' } },
          ],
        },
      }),
      'CURRENCY_MISMATCH',
    ],
    [
      'nothing to pay',
      ({ order, ...wire }) => ({
        ...wire,
        checkout_options: {},
        order: {
          location_id: order.location_id,
          line_items: [{ quantity: '1', base_price_money: { amount: 0, currency: 'EUR' } }],
        },
      }),
      'AMOUNT_TOO_LOW',
    ],
    ['another location', ({ order, ...wire }) => ({ ...wire, order: { ...order, location_id: 'L2' } }), 'NOT_FOUND'],
    [
      'a phone that is none',
      (wire) => ({ ...wire, pre_populated_data: { buyer_phone_number: '12' } }),
      'INVALID_PHONE_NUMBER',
    ],
    [
      'an e-mail address that is none',
      (wire) => ({ ...wire, pre_populated_data: { buyer_email: 'ada' } }),
      'INVALID_EMAIL_ADDRESS',
    ],
  ])('or anybody is refused %s', async (_, change, code) => {
    const { settings, locationId } = account();
    const answer = await fetch(`${stub.url}/v2/online-checkout/payment-links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(change(squareLink(pageRequest({ tax: 0n, shipping: 0n }), locationId))),
    });
    expect(await answer.json()).toMatchObject({ errors: [{ code }] });
  });

  it('takes the notifications for genuine, which name the order in the note alone', async () => {
    const received: Sent[] = [];
    const { client, settings, locationId } = account(async (sent) => received.push(sent) && 200);
    const request = pageRequest();
    const { paymentLink } = await create(client, squareLink(request, locationId));
    await stub.act('square', paymentLink?.id ?? '', 'decline');
    await stub.act('square', paymentLink?.id ?? '', 'pay');
    const told = received.map(({ body }) => JSON.parse(body));
    expect(told.map(({ type, data }) => `${type} ${data.object.payment.status}`)).toEqual([
      'payment.created FAILED',
      'payment.created APPROVED',
      'payment.updated COMPLETED',
    ]);
    for (const { data } of told) {
      expect(data.object.payment).toMatchObject({
        order_id: paymentLink?.orderId,
        note: expect.stringContaining(request.orderId),
      });
      expect(data.object.payment).not.toHaveProperty('reference_id');
    }
    for (const { body, headers } of received) {
      const genuine = await WebhooksHelper.verifySignature({
        requestBody: body,
        signatureHeader: headers['X-Square-HmacSha256-Signature'] ?? '',
        signatureKey: settings.signatureKey ?? '',
        notificationUrl: settings.notificationUrl ?? '',
      });
      expect(genuine).toBe(true);
    }
  });
});

describe('PayPal’s interface', () => {
  const account = async (target: Parameters<RunningStub['account']>[1] = silent) => {
    const settings = stub.account('paypal', target);
    const basic = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64');
    const answer = await fetch(`${stub.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const call = async (path: string, body?: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) => {
      const response = await fetch(`${stub.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: what PayPal answers is for the test to say
      return { status: response.status, body: (await response.json()) as any };
    };
    const create = (body: object, id: string = crypto.randomUUID()) =>
      call('/v2/checkout/orders', body, { 'PayPal-Request-Id': id });
    return { settings, call, create };
  };
  type Body = ReturnType<typeof paypalOrderFor>;
  const unitWith = (body: Body, change: object) => ({
    ...body,
    purchase_units: [{ ...body.purchase_units[0], ...change }],
  });
  const amountWith = (change: object) => (body: Body) =>
    unitWith(body, { amount: { ...body.purchase_units[0]?.amount, ...change } });
  const partsWith = (change: object) => (body: Body) => {
    const amount = body.purchase_units[0]?.amount as { breakdown: object };
    return unitWith(body, { amount: { ...amount, breakdown: { ...amount.breakdown, ...change } } });
  };
  const euro = (value: string) => ({ currency_code: 'EUR', value });

  it('answers what `Prefer` asks for, and the same order for the same request id', async () => {
    const { call, create } = await account();
    const body = paypalOrderFor(pageRequest());
    const short = await create(body, 'one');
    expect(short).toMatchObject({ status: 201, body: { status: 'PAYER_ACTION_REQUIRED' } });
    expect(Object.keys(short.body).sort()).toEqual(['id', 'links', 'status']);
    const changed = amountWith({ value: '1.00' })(body);
    expect(await create(changed, 'one')).toEqual({ ...short, status: 200 });
    const headers = { 'PayPal-Request-Id': 'two', Prefer: 'return=representation' };
    const whole = await call('/v2/checkout/orders', body, headers);
    expect(whole.body.purchase_units[0]).toMatchObject({ amount: { value: '34.65' }, custom_id: expect.any(String) });
  });

  it.each<[string, (body: Body) => object, number, string]>([
    ['sums that do not fit', amountWith({ value: '34.66' }), 422, 'AMOUNT_MISMATCH'],
    [
      'items that do not fit',
      partsWith({ item_total: euro('25.01'), tax_total: euro('4.74') }),
      422,
      'ITEM_TOTAL_MISMATCH',
    ],
    ['items without their sum', (body) => amountWith({ breakdown: undefined })(body), 422, 'ITEM_TOTAL_REQUIRED'],
    ['a negative part', partsWith({ shipping: euro('-1.00') }), 400, 'INVALID_PARAMETER_SYNTAX'],
    [
      'nothing to pay',
      (body) => unitWith(body, { amount: euro('0.00'), items: undefined }),
      422,
      'CANNOT_BE_ZERO_OR_NEGATIVE',
    ],
    ['three decimals', (body) => unitWith(body, { amount: euro('1.005'), items: undefined }), 422, 'DECIMAL_PRECISION'],
    ['a number for an amount', amountWith({ value: 34.65 }), 400, 'INVALID_PARAMETER_SYNTAX'],
    [
      'a currency that PayPal does not take',
      (body) => unitWith(body, { amount: { currency_code: 'KWD', value: '1.00' }, items: undefined }),
      422,
      'CURRENCY_NOT_SUPPORTED',
    ],
    [
      'a name of 128 characters',
      (body) => unitWith(body, { items: [{ name: 'x'.repeat(128), quantity: '2', unit_amount: euro('12.50') }] }),
      400,
      'INVALID_STRING_LENGTH',
    ],
    [
      'a quantity that is a number',
      (body) => unitWith(body, { items: [{ name: 'Mug', quantity: 2, unit_amount: euro('12.50') }] }),
      400,
      'INVALID_PARAMETER_SYNTAX',
    ],
    ['an unknown field', (body) => ({ ...body, colour: 'red' }), 400, 'UNKNOWN_PARAMETER'],
    [
      'no address although it is to be taken',
      (body) => unitWith(body, { shipping: undefined }),
      422,
      'MISSING_SHIPPING_ADDRESS',
    ],
  ])('refuses %s', async (_, change, status, issue) => {
    const { create } = await account();
    expect(await create(change(paypalOrderFor(pageRequest())))).toMatchObject({
      status,
      body: { details: [{ issue }] },
    });
  });

  it('takes what this project sends, whatever the order', async () => {
    const { create } = await account();
    const orders = [pageRequests('EUR', 2), pageRequests('JPY', 0)].map((arbitrary) => fc.sample(arbitrary, 20));
    for (const order of orders.flat()) expect(await create(paypalOrderFor(order))).toMatchObject({ status: 201 });
  });

  it('refuses a request without an id, without a token and with a token that has run out', async () => {
    const { call, settings } = await account();
    const body = paypalOrderFor(pageRequest());
    expect(await call('/v2/checkout/orders', body)).toMatchObject({
      body: { details: [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED' }] },
    });
    expect((await call('/v2/checkout/orders', body, { authorization: 'Bearer x' })).status).toBe(401);
    clock.advance(32_400_000);
    expect((await call('/v2/checkout/orders', body, { 'PayPal-Request-Id': 'x' })).status).toBe(401);
    expect(settings.clientSecret).toBeTruthy();
  });

  it('calls its own notifications genuine, and no others', async () => {
    const received: Sent[] = [];
    const { create, call, settings } = await account(async (sent) => received.push(sent) && 200);
    const { body } = await create(paypalOrderFor(pageRequest()));
    await stub.act('paypal', body.id, 'pay');
    await call(`/v2/checkout/orders/${body.id}/capture`, {}, { 'PayPal-Request-Id': 'c1' });
    await stub.settled();
    expect(received.map(({ body }) => JSON.parse(body).event_type)).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'PAYMENT.CAPTURE.COMPLETED',
      'CHECKOUT.ORDER.COMPLETED',
    ]);
    const ask = async ({ headers, body }: Sent, webhook_id = settings.webhookId) => {
      const question = {
        transmission_id: headers['PayPal-Transmission-Id'],
        webhook_id,
        webhook_event: JSON.parse(body),
      };
      return (await call('/v1/notifications/verify-webhook-signature', question)).body.verification_status;
    };
    const [approved, captured] = received as [Sent, Sent];
    expect(await ask(captured)).toBe('SUCCESS');
    expect(await ask(captured, 'WH-OTHER')).toBe('FAILURE');
    expect(await ask({ ...captured, body: approved.body })).toBe('FAILURE');
  });

  it('tells of money that was captured when whoever asked for it had gone', async () => {
    const told: string[] = [];
    const { call, create } = await account(async ({ body }) => told.push(JSON.parse(body).event_type) && 200);
    const { body } = await create(paypalOrderFor(pageRequest()));
    await stub.act('paypal', body.id, 'pay');
    stub.fault('paypal.capture', { delay: 200 });
    const gone = call(
      `/v2/checkout/orders/${body.id}/capture`,
      {},
      { 'PayPal-Request-Id': 'c2' },
      AbortSignal.timeout(50),
    );
    await expect(gone).rejects.toThrow(/timeout/);
    await until('it is told', () => told.includes('CHECKOUT.ORDER.COMPLETED'));
    expect(told).toContain('PAYMENT.CAPTURE.COMPLETED');
  });
});

describe('The page of a buyer', () => {
  const opened = async (provider: ProviderName, request = pageRequest()) => {
    const settings = stub.account('stripe', silent);
    expect(provider).toBe('stripe');
    const answer = await fetch(`${stub.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.secretKey}`, 'idempotency-key': request.checkoutId },
      body: formOf(stripeSession(request)),
    });
    return (await answer.json()) as { id: string; url: string };
  };

  it('shows texts as texts, runs no script and is framed by nobody', async () => {
    const evil = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    const lines = [{ name: evil, sku: null, quantity: 1, unitPrice: 1000n, total: 1000n }];
    const { url } = await opened('stripe', pageRequest({ lines, shippingName: evil }));
    const page = await fetch(url);
    const text = await page.text();
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&lt;script&gt;');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('sends the buyer on after paying, and lets nobody pay again', async () => {
    const { url } = await opened('stripe');
    const pay = () => fetch(`${url}/pay`, { method: 'POST', redirect: 'manual' });
    const declined = await fetch(`${url}/decline`, { method: 'POST' });
    expect(await declined.text()).toContain('Your card was declined.');
    expect((await pay()).headers.get('location')).toBe('https://shop.example/thanks');
    expect((await pay()).headers.get('location')).toBe(new URL(url).pathname);
    expect(await (await fetch(url)).text()).toContain('Nothing can be paid here any more.');
  });

  it('does nothing for a link, an unknown action or an unknown page', async () => {
    const { url } = await opened('stripe');
    expect((await fetch(`${url}/pay`)).status).toBe(405);
    expect((await fetch(`${url}/steal`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${stub.url}/buyer/stripe/none`)).status).toBe(404);
    expect((await fetch(`${stub.url}/buyer/constructor/x`)).status).toBe(404);
    expect(stub.notifications).toEqual([]);
  });
});

describe('On demand, the stub', () => {
  const order = async (settings: Record<string, string>, signal?: AbortSignal) => {
    const request = pageRequest();
    return fetch(`${stub.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${settings.secretKey}`, 'idempotency-key': request.checkoutId },
      body: formOf(stripeSession(request)),
      ...(signal && { signal }),
    });
  };

  it('is late, at fault, silent, breaks off or answers twice, once for each', async () => {
    const settings = stub.account('stripe', silent);
    stub.fault('stripe.create', { delay: 50 }, { status: 503 }, 'hang', 'reset');
    expect((await order(settings)).status).toBe(200);
    expect((await order(settings)).status).toBe(503);
    await expect(order(settings, AbortSignal.timeout(300))).rejects.toThrow(/timeout/);
    await expect(order(settings)).rejects.toThrow(/fetch failed/);
    expect((await order(settings)).status).toBe(200);
    stub.fault('stripe.create', 'twice');
    expect((await order(settings)).status).toBe(200);
  });

  it('loses a notification, sends it late or twice, and again after a refusal', async () => {
    const own = await startProviderStub({ clock, retryDelays: [10, 10, 10] });
    try {
      const answers = [500, 503];
      const bodies: string[] = [];
      const settings = own.account('square', async ({ body }) => bodies.push(body) && (answers.shift() ?? 200));
      const wire = squareLink(pageRequest(), settings.locationId ?? '');
      const answer = await fetch(`${own.url}/v2/online-checkout/payment-links`, {
        method: 'POST',
        headers: { authorization: `Bearer ${settings.accessToken}` },
        body: JSON.stringify(wire),
      });
      const { payment_link } = (await answer.json()) as { payment_link: { id: string } };
      await own.act('square', payment_link.id, 'decline');
      await own.settled();
      expect(own.notifications.map(({ status }) => status)).toEqual([500, 503, 200]);
      expect(new Set(bodies).size).toBe(1);
      own.faultNotifications('lost', 'twice');
      await own.act('square', payment_link.id, 'pay');
      expect(own.notifications.slice(3).map(({ event }) => event)).toEqual([
        'payment.updated COMPLETED',
        'payment.updated COMPLETED',
      ]);
    } finally {
      await own.close();
    }
  });
});

it('Addresses without a country code are left out of what is sent', () => {
  const request = pageRequest({ shippingAddress: { ...someAddress, country: 'France' } });
  expect(stripeSession(request).payment_intent_data).not.toHaveProperty('shipping');
  expect(paypalOrderFor(request)).toMatchObject({
    payment_source: { paypal: { experience_context: { shipping_preference: 'NO_SHIPPING' } } },
  });
  expect(squareLink(request, 'L')).not.toHaveProperty('pre_populated_data.buyer_address');
});
