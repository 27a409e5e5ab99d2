import { type Context, createProduct, importsIdle } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import {
  fixturePublicUrl,
  pathWith,
  prepareStore,
  routeFixtures,
  shopOrigin,
} from '@commerce/test-support/fixtures/route-fixtures';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe } from '@commerce/test-support/fixtures/stripe';
import {
  ask,
  expectEnvelope,
  expectRefused,
  newKey,
  type Sending,
  type TestResponse,
} from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from './router.ts';
import { routeTable } from './table.ts';

const routes = routeTable({ ordersApi: true, uploads: true, dashboard: true }).filter(
  (route): route is Route => 'run' in route,
);
const rows = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
/** Bodies that take no unknown field from any request. */
const strictBodies = new Set([
  ...['SettingsChanges', 'DiscountInput', 'DiscountChanges', 'CheckoutInput', 'QuoteInput'],
  ...['ManualPaymentInput', 'RefundInput', 'PaymentRefundInput', 'PaymentProviderInput'],
  ...['FulfilmentInput', 'FulfilmentChanges', 'WithdrawalInput', 'WithdrawalChanges'],
  ...['MailTemplateInput', 'ResendInput', 'McpMessage'],
]);

const strict = { prefer: 'handling=strict' };
const applied = { 'Preference-Applied': 'handling=strict' };
const fieldsOf = ({ json }: TestResponse) =>
  ((json as { error?: { details?: { field: string; code?: string }[] } })?.error?.details ?? []).filter(
    ({ code }) => code === 'UNKNOWN_FIELD',
  );

forEachStorage('strict requests', (database) => {
  const place = folderPlace();
  const media = { files: place.files(), url: '/media' };
  const commerce = useCommerce(database, { media, publicUrl: fixturePublicUrl });
  let app: App;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    app = createApp(commerce(), { ordersApi: true, dashboard: true });
    shop = await newShop(commerce());
    await prepareStore(shop);
    key = await newKey(shop);
  });
  const path = (rest: string) => `/stores/${shop.store.id}${rest}`;
  const sent = (line: string, sending: Sending = {}, headers: Record<string, string> = strict) =>
    ask(app, line.replace(' /', ` ${path('/')}`), { key, ...sending, headers: { ...sending.headers, ...headers } });

  /** A valid request of a route, made anew each time. */
  async function validRequest(name: string, route: Route) {
    const { own, body, headers, query } = routeFixtures[name] ?? {};
    // An import of the request before would be seen as a change.
    await importsIdle(shop.engine);
    const url = pathWith(route.path, (await own?.(shop)) ?? {});
    return {
      line: `${route.method} ${url}${query ? `?${query}` : ''}`,
      sending: { ...(await body?.()), ...(headers && { headers: await headers(shop) }) } as Sending,
      query,
    };
  }

  it.each(rows)('%s: what is known passes, and the answer says so', async (name, route) => {
    const { line, sending } = await validRequest(name, route);
    const answer = await sent(line, sending);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(answer.headers).toMatchObject(applied);
  });

  it.each(rows)('%s: an unknown parameter is refused', async (name, route) => {
    const { line, sending, query } = await validRequest(name, route);
    if (name === 'GET /products/by-attributes') return;
    const unknown = `${line}${query ? '&' : '?'}colour=red`;
    const send = () => sent(unknown, sending);
    await expectRefused(commerce(), send, {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['colour'],
      message: /^colour: is not a parameter; /,
      headers: applied,
    });
    const ignored = await sent(unknown, sending, {});
    expect(ignored.status, ignored.text).toBeLessThan(300);
    expect(ignored.headers).not.toHaveProperty('Preference-Applied');
  });

  const withBody = rows.filter(([, { body }]) => body !== undefined && body !== 'files' && body !== 'import');
  it.each(withBody)('%s: an unknown field is refused', async (name, route) => {
    const { line, sending } = await validRequest(name, route);
    const more = { ...sending, body: { ...(sending.body as object), colour: 'red' } };
    await expectRefused(commerce(), () => sent(line, more), {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['colour'],
      message: /^colour: is not a field; the fields are /,
      headers: applied,
    });
    const without = await sent(line, more, {});
    if (strictBodies.has(String(route.body))) {
      expect(without).toMatchObject({ status: 400, json: { error: { details: [{ field: 'colour' }] } } });
    } else expect(without.status, without.text).toBeLessThan(300);
    expect(without.headers).not.toHaveProperty('Preference-Applied');
  });

  it.each(rows.filter(([, { method, body }]) => method === 'POST' && body === undefined))(
    '%s: takes no field at all',
    async (name, route) => {
      const { line } = await validRequest(name, route);
      const send = () => sent(line, { body: { colour: 'red' } });
      const message = /^colour: is not a field; there are no fields$/;
      await expectRefused(commerce(), send, {
        status: 400,
        code: 'VALIDATION_ERROR',
        fields: ['colour'],
        message,
        headers: applied,
      });
      expect((await sent(line, { body: {} })).status).toBeLessThan(300);
    },
  );

  describe('nested fields', () => {
    const mug = { title: 'Mug', slug: 'strict-mug', price: '10' };
    const address = { address1: '1 Road', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' };
    it.each<[string, object, string]>([
      ['POST /customers', { email: 'a@example.com', addresses: [{ ...address, colour: 1 }] }, 'addresses.0.colour'],
      ['POST /orders', { items: [{ sku: 'FIXTURE', quantity: 1, price: '1' }] }, 'items.0.price'],
      ['PUT /products/bulk', { ids: [], changes: { colour: 1 } }, 'changes.colour'],
      ['POST /products', { ...mug, Attributes: {} }, 'Attributes'],
    ])('of %s are refused where they are', async (line, body, field) => {
      await expectRefused(commerce(), () => sent(line, { body }), {
        status: 400,
        code: 'VALIDATION_ERROR',
        fields: [field],
        headers: applied,
      });
    });

    it('of any name are taken where names are free', async () => {
      const answer = await sent('POST /products', { body: { ...mug, attributes: { colour: 'red' } } });
      expect(answer.status, answer.text).toBe(201);
    });
  });

  it.each(rows.filter(([, { method, body }]) => method === 'PUT' && body !== undefined))(
    '%s: takes the edited answer of the GET',
    async (name, route) => {
      const get = routes.find((one) => one.method === 'GET' && one.path === route.path);
      if (!get) return;
      const url = pathWith(route.path, (await routeFixtures[name]?.own?.(shop)) ?? {});
      const { json } = await sent(`GET ${url}`);
      const answer = await sent(`PUT ${url}`, { body: (json as { item: object }).item });
      expect(fieldsOf(answer)).toEqual([]);
    },
  );

  it('is said in each answer: lists, 304, refusals, unknown paths, preflights', async () => {
    const { id } = await newProduct(shop);
    const { headers } = await sent(`GET /products/${id}`);
    const cases: [number, Promise<TestResponse>][] = [
      [200, sent('GET /products?limit=1')],
      [304, sent(`GET /products/${id}`, {}, { ...strict, 'if-none-match': headers.ETag ?? '' })],
      [401, sent('GET /products', { key: 'wrong' })],
      [404, sent('GET /products/nothing')],
      [404, sent('GET /nothing')],
      [405, sent('POST /whoami')],
      [415, sent('POST /products', { body: '{}', type: 'text/plain' })],
      [204, sent('OPTIONS /products')],
      [404, ask(app, 'GET /nothing', { headers: strict })],
    ];
    for (const [status, answer] of cases) expect(await answer).toMatchObject({ status, headers: applied });
  });

  it('does not say so where nothing is read strictly', async () => {
    const answer = await ask(app, 'GET /healthz?colour=red', { headers: strict });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('Preference-Applied');
  });

  it('covers images and signing in', async () => {
    const { json } = await sent('POST /media', (await routeFixtures['POST /media']?.body?.()) ?? {});
    const [{ url }] = (json as { items: [{ url: string }] }).items;
    const file = url.slice(url.indexOf('/media/'));
    const refused = await ask(app, `GET ${file}?width=64`, { headers: strict });
    expectEnvelope(refused, {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['width'],
      message: /^width: is not a parameter; the parameters are w, format$/,
    });
    expect(
      await app.handle(
        { method: 'HEAD', url: `${file}?w=64`, headers: strict, readBody: async () => Buffer.of() },
        'r',
      ),
    ).toMatchObject({
      status: 200,
      headers: applied,
    });
    const signIn = await ask(app, 'POST /dashboard/sign-in', { headers: strict, body: { code: 'x', colour: 1 } });
    expectEnvelope(signIn, { status: 400, code: 'VALIDATION_ERROR', fields: ['colour'] });
    expect(signIn.headers).toMatchObject(applied);
  });

  it('comes before an Idempotency-Key is used', async () => {
    const headers = { 'idempotency-key': 'strict-1' };
    const body = { title: 'Tea', slug: 'strict-tea', price: '10' };
    const refused = await sent('POST /products', { body: { ...body, colour: 1 } }, { ...headers, ...strict });
    expect(refused.status).toBe(400);
    const made = await sent('POST /products', { body }, { ...headers, ...strict });
    expect(made.status, made.text).toBe(201);
    const again = await sent('POST /products', { body }, { ...headers, ...strict });
    expect(again).toMatchObject({ status: 201, headers: { 'Idempotent-Replayed': 'true', ...applied } });
  });

  it('lifts nothing with handling=lenient', async () => {
    const { own } = routeFixtures['POST /orders/{id}/refund'] ?? {};
    const { id } = (await own?.(shop)) ?? {};
    const lenient = { prefer: 'handling=lenient' };
    const answer = await sent(`POST /orders/${id}/refund`, { body: { amount: '1', refund: true } }, lenient);
    expectEnvelope(answer, { status: 400, code: 'VALIDATION_ERROR', fields: ['refund'] });
    expect(answer.headers).not.toHaveProperty('Preference-Applied');
  });
});

forEachStorage('bodies about money', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    await prepareStore(shop);
    await configureStripe(shop);
    await createProduct(shop, { title: 'Mug', slug: 'mug', sku: 'MUG', price: '0', status: 'published' });
    key = await newKey(shop);
  });
  const sent = (line: string, body: object) =>
    ask(app, line.replace(' /', ` /stores/${shop.store.id}/`), { key, body });
  const checkout = {
    items: [{ sku: 'MUG', quantity: 1 }],
    customer: { email: 'ada@example.com' },
    ...{ successUrl: `${shopOrigin}/thanks`, cancelUrl: `${shopOrigin}/cart` },
  };
  const method = { name: 'Standard', price: '4.90' };

  it.each<[string, object, string[]]>([
    ['PUT /settings', { taxRates: [], name: 'Shop' }, ['taxRates']],
    ['PUT /settings', { shippingMethods: [{ ...method, bands: [] }] }, ['shippingMethods.0.bands']],
    ['POST /discounts', { code: 'A', type: 'percent', value: '10', usagelimit: 1 }, ['usagelimit']],
    ['POST /checkouts', { ...checkout, discountcode: 'A' }, ['discountcode']],
    ['POST /checkouts', { ...checkout, items: [{ sku: 'MUG', quantity: 1, price: '1' }] }, ['items.0.price']],
    [
      'POST /checkouts',
      { ...checkout, customer: { email: 'a@example.com', fax: 'x' }, shippingAddress: { zip: '1' } },
      ['customer.fax', 'shippingAddress.zip'],
    ],
    ['PUT /payment-providers/stripe', { webhookSecret: 'whsec_0123456789abcdef', merchantId: 'x' }, ['merchantId']],
    ['PUT /payment-providers/square', { webhooksecret: 'whsec_0123456789abcdef' }, ['webhooksecret']],
  ])('%s with %j is refused', async (line, body, fields) => {
    await expectRefused(commerce(), () => sent(line, body), { status: 400, code: 'VALIDATION_ERROR', fields });
  });

  it('take a saved address of a customer', async () => {
    const saved = { id: 'a', isDefault: true, createdAt: 'b', updatedAt: 'c', city: 'London', country: 'GB' };
    const answer = await sent('POST /checkouts', { ...checkout, shippingAddress: saved, billingAddress: saved });
    expect(answer.status, answer.text).toBe(201);
  });
});
