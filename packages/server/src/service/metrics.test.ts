import { type Context, configureProvider, createOrder, createWebhook, getOrder, updateStore } from '@commerce/core';
import { fakeClock, signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { type CommerceServer, createServer } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

/** The samples of a page in the text format, by name and labels as written; checks the form of every line. */
function parsePage(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.trimEnd().split('\n')) {
    if (line === '') continue;
    const [, name, kind] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (name && kind) {
      expect(types.has(name)).toBe(false);
      types.set(name, kind);
    }
    if (line.startsWith('#')) continue;
    const [, series = '', value] = /^([a-zA-Z_:][\w:]*(?:\{(?:\w+="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)$/.exec(line) ?? [];
    expect([line, series]).not.toEqual([line, '']);
    const base = series.replace(/\{.*/, '');
    expect(types.has(base) || types.has(base.replace(/_(bucket|sum|count)$/, ''))).toBe(true);
    expect(samples.has(series)).toBe(false);
    samples.set(series, Number(value));
  }
  return samples;
}

forEachStorage('metrics', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { allowInsecureWebhooks: true, clock });
  let server: CommerceServer;
  let url: string;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    server = createServer(commerce(), { metrics: true });
    ({ url } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  afterAll(() => server?.stop());

  const page = async () => {
    const answer = await fetch(`${url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return parsePage(await answer.text());
  };
  const ask = async (path: string, method = 'GET', headers = {}) => {
    const answer = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const count = (samples: Map<string, number>, method: string, route: string, status: number) =>
    samples.get(`commerce_http_requests_total{method="${method}",route="${route}",status="${status}"}`);

  it('count requests by route and never by path', async () => {
    const { id } = await newProduct(shop);
    const products = `/stores/${shop.store.id}/products`;
    for (let i = 0; i < 3; i++) expect(await ask(`${products}?search=x${i}`)).toBe(200);
    expect(await ask(`${products}/${id}`)).toBe(200);
    for (const missing of ['a', 'b']) expect(await ask(`${products}/${missing}`)).toBe(404);
    for (const path of ['/x', '/y/z', `${products}/a/b/c`]) expect(await ask(path)).toBe(404);
    expect(await ask(products, 'GET', { authorization: 'Bearer wrong' })).toBe(401);
    const samples = await page();
    expect(count(samples, 'GET', '/products', 200)).toBe(3);
    expect(count(samples, 'GET', '/products/{id}', 200)).toBe(1);
    expect(count(samples, 'GET', '/products/{id}', 404)).toBe(2);
    expect(count(samples, 'GET', 'unmatched', 404)).toBe(3);
    const duration = 'commerce_http_request_duration_seconds';
    expect(samples.get(`${duration}_count{method="GET",route="/products"}`)).toBe(3);
    expect(samples.get(`${duration}_bucket{le="+Inf",method="GET",route="/products"}`)).toBe(3);
    expect(samples.get(`${duration}_sum{method="GET",route="/products"}`)).toBeGreaterThan(0);
    const text = [...samples.keys()].join('\n');
    for (const part of [id, shop.store.id, key.slice(0, 12), 'search']) expect(text).not.toContain(part);
  });

  it('tell of the process, of what is under way and of the database', async () => {
    const samples = await page();
    expect(samples.get('commerce_http_requests_in_flight')).toBe(1);
    expect(samples.get('commerce_http_connections')).toBeGreaterThan(0);
    expect(samples.get('commerce_database_up')).toBe(1);
    expect(samples.get('commerce_database_size_bytes')).toBeGreaterThan(100_000);
    // Background work of the database, such as folding counts, can change it slightly.
    const size = await commerce().engine.storage.size();
    expect(Math.abs((samples.get('commerce_database_size_bytes') ?? 0) - size)).toBeLessThan(1_000_000);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    for (const name of ['process_cpu_user_seconds_total', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(samples.has(name)).toBe(true);
    }
  });

  it('count deliveries and payments by what became of them, and tell what waits', async () => {
    const subscriber = await startSubscriber(({ path }) => (path === '/hook' ? 200 : 500));
    const before = await page();
    expect(before.get('commerce_webhook_deliveries_waiting')).toBe(0);
    expect(before.get('commerce_webhook_oldest_due_seconds')).toBe(0);
    await createWebhook(shop, { url: subscriber.url, events: ['product.created'] });
    await createWebhook(shop, { url: subscriber.url.replace('hook', 'wrong'), events: ['product.created'] });
    await newProduct(shop);
    clock.advance(2500);
    const waiting = await page();
    expect(waiting.get('commerce_webhook_deliveries_waiting')).toBe(2);
    expect(waiting.get('commerce_webhook_oldest_due_seconds')).toBe(2.5);
    await commerce().deliverDue();

    const secret = 'whsec_of_the_metrics';
    await configureProvider(shop, 'stripe', { webhookSecret: secret });
    const product = await newProduct(shop);
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const send = async (event: object, signedWith = secret) => {
      const { body, headers } = signStripe(event, signedWith, clock.now());
      const init = { method: 'POST', headers: headers as Record<string, string>, body };
      return (await fetch(`${url}/api/webhooks/stripe/${shop.store.id}`, init)).status;
    };
    const event = stripePaymentSucceeded({ orderId: order.id, amount: 1000 });
    expect([await send(event), await send(event), await send(event, 'whsec_wrong')]).toEqual([200, 200, 400]);
    expect((await getOrder(shop, order.id)).status).toBe('paid');

    const samples = await page();
    expect(samples.get('commerce_webhook_attempts_total{outcome="succeeded"}')).toBe(1);
    expect(samples.get('commerce_webhook_attempts_total{outcome="retrying"}')).toBe(1);
    const notifications = (outcome: string) =>
      samples.get(`commerce_payment_notifications_total{provider="stripe",outcome="${outcome}"}`);
    expect(['paid', 'unchanged', 'refused', 'error'].map(notifications)).toEqual([1, 1, 1, undefined]);
    expect(count(samples, 'POST', '/api/webhooks/{provider}/{storeId}', 200)).toBe(2);
    await subscriber.close();
  });

  it('count what a rate limit refuses', async () => {
    const limited = await newShop(commerce());
    await updateStore(limited, { rateLimit: { requestsPerMinute: 1, burst: 1 } });
    const authorization = `Bearer ${await newKey(limited)}`;
    const path = `/stores/${limited.store.id}/products`;
    expect([await ask(path, 'GET', { authorization }), await ask(path, 'GET', { authorization })]).toEqual([200, 429]);
    const samples = await page();
    expect(samples.get('commerce_http_rate_limited_total')).toBe(1);
  });

  it('are there only where they are switched on, and only to be read', async () => {
    const plain = createServer(commerce());
    const { url: other } = await plain.listen({ port: 0 });
    expect((await fetch(`${other}/metrics`)).status).toBe(404);
    await plain.stop();
    const posted = await fetch(`${url}/metrics`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${url}/metrics`, { method: 'HEAD' })).headers.get('content-type')).toMatch(/^text\/plain/);
  });
});

describe('metrics without a database', () => {
  const fake = (storage: object) =>
    ({
      watch: () => () => {},
      blockedQueues: () => [],
      engine: { storage, clock: { now: Date.now } },
    }) as unknown as ConstructorParameters<typeof Metrics>[0];
  const gauges = { underWay: () => 0, connections: () => 0 };
  const failing = { size: () => Promise.reject(new Error('down')), db: undefined };

  it('tell that it does not answer, and everything else', async () => {
    const metrics = new Metrics(fake(failing), gauges);
    const samples = parsePage((await metrics.answer()).body ?? '');
    expect(samples.get('commerce_database_up')).toBe(0);
    expect(samples.has('commerce_database_size_bytes')).toBe(false);
    expect(samples.has('commerce_webhook_deliveries_waiting')).toBe(false);
    expect(samples.get('commerce_http_requests_in_flight')).toBe(0);
  });

  it('count what comes before the library is loaded, and only so many series', async () => {
    const metrics = new Metrics(fake(failing), gauges);
    const entry = { time: 0, status: 200, ms: 1, storeId: undefined, keyPrefix: undefined, requestId: 'r' };
    metrics.request({ ...entry, route: '/a', method: 'GET', aborted: false });
    await metrics.ready;
    for (const method of ['PROPFIND', 'TRACE']) metrics.request({ ...entry, route: '', method, aborted: false });
    const samples = parsePage((await metrics.answer()).body ?? '');
    expect(samples.get('commerce_http_requests_total{method="GET",route="/a",status="200"}')).toBe(1);
    expect(samples.get('commerce_http_requests_total{method="OTHER",route="unmatched",status="200"}')).toBe(2);
  });
});
