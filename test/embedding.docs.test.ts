import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configureProvider, createApiKey, createOrder, createProduct, getOrder, listProducts } from '@commerce/core';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { expressApp } from '@commerce/test-support/recipes/express';
import { fastifyApp } from '@commerce/test-support/recipes/fastify';
import { honoApp } from '@commerce/test-support/recipes/hono';
import { nextRoute } from '@commerce/test-support/recipes/next';
import { openShop } from '@commerce/test-support/recipes/open';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const recipes = fileURLToPath(new URL('support/recipes/', import.meta.url));

describe('the recipes of docs/embedding.md', () => {
  it.each(readdirSync(recipes))('has %s as it is run here', (name) => {
    const text = readFileSync(join(recipes, name), 'utf8');
    expect(readFileSync(fileURLToPath(new URL('../docs/embedding.md', import.meta.url)), 'utf8')).toContain(
      `\`\`\`ts\n${text}\`\`\``,
    );
  });

  it('open a file, or create it with a store and a key, in at most 15 lines', async () => {
    const file = join(folder, 'first.db');
    const first = await openShop(file);
    expect(first.key).toMatch(/^ck_live_/);
    expect(await first.commerce.identities.authenticate(first.key as string)).toBeDefined();
    await createProduct(first.shop, { title: 'Mug', slug: 'mug', price: '12.50' });
    await first.commerce.close();
    const second = await openShop(file);
    expect(second.key).toBeUndefined();
    expect(second.shop.store).toEqual(first.shop.store);
    expect((await listProducts(second.shop)).total).toBe(1);
    await second.commerce.close();
    expect(readFileSync(join(recipes, 'open.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(15);
  });

  it('make one store where two processes begin at once', async () => {
    const file = join(folder, 'race.db');
    const opened = await Promise.all([openShop(file), openShop(file)]);
    expect(new Set(opened.map(({ shop }) => shop.store.id))).toHaveLength(1);
    expect(opened.filter(({ key }) => key !== undefined)).toHaveLength(1);
    for (const { commerce } of opened) await commerce.close();
  });
});

describe('the interface in an application of', () => {
  const secret = 'whsec_of_the_application';
  let opened: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    opened = await openShop(join(folder, 'shop.db'));
    await configureProvider(opened.shop, 'stripe', { webhookSecret: secret });
  });
  afterAll(() => opened.commerce.close());
  let slugs = 0;

  type Ask = (path: string, init?: RequestInit) => Promise<Response>;

  /** Sells a product below a path of the application, and receives the payment. */
  async function sells(ask: Ask, at = '/shop'): Promise<void> {
    const { shop, key } = opened;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const products = `${at}/stores/${shop.store.id}/products`;
    const body = JSON.stringify({ title: 'Mug', slug: `mug-${++slugs}`, price: '10' });
    const created = await ask(products, { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    const { item } = (await created.json()) as { item: { id: string } };
    expect(await (await ask(`${products}/${item.id}`, { headers })).json()).toEqual({ item });
    const order = await createOrder(shop, { items: [{ productId: item.id, quantity: 1 }] });
    const signed = signStripe(stripePaymentSucceeded({ orderId: order.id, amount: 1000 }), secret, Date.now());
    const notification = {
      method: 'POST',
      headers: signed.headers as Record<string, string>,
      body: new Uint8Array(Buffer.from(signed.body)),
    };
    expect((await ask(`${at}/api/webhooks/stripe`, notification)).status).toBe(200);
    expect((await getOrder(shop, order.id)).status).toBe('paid');
    expect((await ask(`${at}/docs`)).status).toBe(200);
    expect((await ask(`${at}/stores/${shop.store.id}/nothing`, { headers })).status).toBe(404);
  }

  /** The application's own route, whose body its own parser reads. */
  async function keepsItsOwn(ask: Ask): Promise<void> {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"A"}' };
    expect(await (await ask('/contact', sent)).json()).toEqual({ received: { name: 'A' } });
  }

  const asking =
    (server: Server): Ask =>
    (path, init) =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  const closed = (server: Server) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  it('Express', async () => {
    const server = createServer(expressApp(opened.commerce));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await sells(asking(server));
    await keepsItsOwn(asking(server));
    await closed(server);
  });

  it('Fastify', async () => {
    const app = fastifyApp(opened.commerce);
    await app.listen({ port: 0, host: '127.0.0.1' });
    await sells(asking(app.server), '');
    await keepsItsOwn(asking(app.server));
    // Left to the application, which has no such route.
    expect((await asking(app.server)('/healthz')).status).toBe(404);
    await app.close();
  });

  it('Hono', async () => {
    const { shop } = opened;
    const server = await new Promise<Server>((resolve) => {
      const started = serve({ fetch: honoApp(opened.commerce).fetch, port: 0, hostname: '127.0.0.1' }, () =>
        resolve(started as Server),
      );
    });
    await sells(asking(server));
    await keepsItsOwn(asking(server));
    // The client's address was recognised: requests without an address share a limit, but this request names its own.
    const { key } = await createApiKey(shop, { name: 'page', kind: 'storefront' });
    const listed = await asking(server)(`/shop/stores/${shop.store.id}/products`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(listed.status).toBe(200);
    await closed(server);
  });

  // The package is hundreds of megabytes. A route handler is a function from Request to Response, so it is called directly.
  it('Next.js', async () => {
    const route = nextRoute(opened.commerce);
    const ask: Ask = (path, init) => {
      const method = (init?.method ?? 'GET') as keyof typeof route;
      const params = Promise.resolve({ path: path.split('/').slice(2) });
      return route[method](new Request(`https://shop.example${path}`, init), { params });
    };
    await sells(ask);
  });
});
