import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, get, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, configureProvider, createOrder, getOrder } from '@commerce/core';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { createListener } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectEnvelope, newKey } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import express, { type ErrorRequestHandler } from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

// The additions of a surrounding application do not depend on the database, so one database is enough.
describe('the listener inside another application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const commerce = useCommerce({ address, open: () => openStorage(address) });
  const secret = 'whsec_of_the_application';
  let shop: Context;
  let headers: Record<string, string>;
  let server: Server | undefined;
  beforeAll(async () => {
    shop = await newShop(commerce());
    headers = { authorization: `Bearer ${await newKey(shop)}`, 'content-type': 'application/json' };
    await configureProvider(shop, 'stripe', { webhookSecret: secret });
  });
  afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

  async function serve(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const ask = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, { headers, ...init });
    return { status: answer.status, text: await answer.text(), requestId: answer.headers.get('x-request-id') };
  };
  const products = () => `/stores/${shop.store.id}/products`;
  let slugs = 0;
  const mug = () => JSON.stringify({ title: 'Mug', slug: `mug-${++slugs}`, price: '5' });

  async function paysAnOrder(url: string): Promise<void> {
    const product = await newProduct(shop, { price: '10' });
    const { id } = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const event = stripePaymentSucceeded({ orderId: id, amount: 1000 });
    const { body, headers } = signStripe(event, secret, Date.now());
    const sent = { method: 'POST', headers: headers as Record<string, string>, body };
    expect((await ask(`${url}/api/webhooks/stripe`, sent)).status).toBe(200);
    expect((await getOrder(shop, id)).status).toBe('paid');
  }

  describe('with its own pages', () => {
    /** Without the check of answers against the document, which has the pages at their usual paths. */
    const statusOf = (url: string) =>
      new Promise((resolve, reject) => {
        get(url, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      });

    it('elsewhere, and nothing in their place', async () => {
      const listener = createListener(commerce(), { pagesAt: '/internal/', metrics: true, maxConcurrency: 0 });
      const url = await serve(listener);
      expect((await ask(`${url}/internal/healthz`)).status).toBe(200);
      expect((await ask(`${url}/internal/metrics`)).status).toBe(200);
      for (const page of ['/healthz', '/docs', '/openapi.json', '/metrics']) {
        expect(await statusOf(url + page)).not.toBe(200);
      }
    });

    it('elsewhere, where what they lead to is found', async () => {
      const url = await serve(
        createListener(commerce(), { pagesAt: '/internal', pages: ['/', '/docs', '/openapi.json'] }),
      );
      const { text } = await ask(`${url}/internal/docs`);
      const links = [...text.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, link]) => link as string);
      expect(links).toContain('docs/redoc.js');
      for (const link of links) {
        expect((await ask(new URL(link, `${url}/internal/docs`).href)).status).toBe(200);
      }
      expect((await ask(`${url}/internal/`)).status).toBe(200);
      expect((await ask(`${url}/internal/docs/`)).status).toBe(200);
      expect((await ask(url + products())).status).toBe(200);
    });

    it('left out, as the application says', async () => {
      const url = await serve(createListener(commerce(), { pages: [] }));
      for (const page of ['/', '/healthz', '/readyz', '/docs', '/openapi.json', '/metrics', '/dashboard']) {
        expect(await statusOf(url + page)).toBe(404);
      }
      expect((await ask(url + products())).status).toBe(200);
    });

    it('nowhere where no path could lead', () => {
      expect(() => createListener(commerce(), { pagesAt: 'internal' })).toThrow(
        'pagesAt must be a path such as "/internal", not "internal"',
      );
    });
  });

  describe('of node:http', () => {
    it('answers everything by itself, foreign paths with 404', async () => {
      const url = await serve(createListener(commerce()));
      expect((await ask(url + products(), { method: 'POST', body: mug() })).status).toBe(201);
      expect((await ask(`${url}/healthz`)).status).toBe(200);
      await paysAnOrder(url);
      const { status, text } = await ask(`${url}/about`);
      expectEnvelope({ status, json: JSON.parse(text) }, { status: 404, code: 'NOT_FOUND' });
    });

    it('hands foreign paths on to next, untouched', async () => {
      const listener = createListener(commerce());
      const url = await serve((request, response) =>
        listener(request, response, () => {
          request.pipe(response);
        }),
      );
      const sent = { method: 'POST', body: 'an echo' };
      expect(await ask(`${url}/about`, sent)).toEqual({ status: 200, text: 'an echo', requestId: null });
      expect(await ask(`${url}/storesx`, sent)).toMatchObject({ text: 'an echo' });
      expect((await ask(url + products())).status).toBe(200);
      expect((await ask(`${url}/stores/x/nothing`)).status).toBe(403);
    });
  });

  describe('of Express', () => {
    const application = (onError?: (error: unknown) => void) => {
      const app = express();
      return { app, listener: createListener(commerce(), onError ? { onError } : {}) };
    };

    it('answers its own paths and leaves the others to the routes after it', async () => {
      const { app, listener } = application();
      app.use(listener);
      app.use(express.json());
      app.post('/about', (request, response) => void response.json({ echo: request.body }));
      const url = await serve(app);
      expect((await ask(`${url}/api${products()}`, { method: 'POST', body: mug() })).status).toBe(201);
      await paysAnOrder(url);
      const about = await ask(`${url}/about`, { method: 'POST', body: '{"a":1}' });
      expect(about).toEqual({ status: 200, text: '{"echo":{"a":1}}', requestId: null });
      expect((await ask(`${url}/nowhere`)).text).toMatch(/Cannot GET/);
      const { status, text, requestId } = await ask(`${url}/stores/${shop.store.id}/nothing`);
      expectEnvelope({ status, json: JSON.parse(text) }, { status: 404, code: 'NOT_FOUND' });
      expect(requestId).not.toBeNull();
    });

    it('answers below a path that it was mounted at', async () => {
      const { app, listener } = application();
      app.use('/shop', listener);
      app.get('/healthz', (_, response) => void response.send('of the application'));
      const url = await serve(app);
      expect((await ask(`${url}/shop${products()}`)).status).toBe(200);
      expect((await ask(`${url}/shop/healthz`)).text).toBe('{"status":"ok"}');
      expect((await ask(`${url}/healthz`)).text).toBe('of the application');
      await paysAnOrder(`${url}/shop`);
    });

    it('names the path that it was mounted at in its document, and leaves the application its own pages', async () => {
      const app = express();
      const pages = ['/openapi.json', '/docs'] as const;
      app.use('/shop', createListener(commerce(), { basePath: '/shop/', pages }));
      app.use(createListener(commerce(), { pages }));
      app.get(
        ['/', '/healthz', '/shop/healthz', '/metrics'],
        (request, response) => void response.send(`own ${request.path}`),
      );
      const url = await serve(app);
      const serversOf = async (path: string) => JSON.parse((await ask(`${url}${path}/openapi.json`)).text).servers;
      expect(await serversOf('/shop')).toEqual([expect.objectContaining({ url: `${url}/shop` })]);
      expect(await serversOf('')).toEqual([expect.objectContaining({ url })]);
      for (const path of ['/', '/healthz', '/shop/healthz', '/metrics']) {
        expect((await ask(`${url}${path}`)).text).toBe(`own ${path}`);
      }
      for (const path of ['/docs', '/shop/docs']) expect((await ask(`${url}${path}`)).text).toMatch(/^<!doctype html>/);
    });

    it('never passes its own errors to the error handler of the application', async () => {
      const { app, listener } = application();
      const seen: unknown[] = [];
      const handler: ErrorRequestHandler = (error, _request, response, _next) => {
        seen.push(error);
        response.status(599).end();
      };
      app.use(listener);
      app.use(handler);
      const url = await serve(app);
      for (const [body, status] of [
        ['{', 400],
        ['{}', 400],
        [' '.repeat(1024 * 1024 + 1), 413],
      ] as const) {
        expect((await ask(url + products(), { method: 'POST', body })).status).toBe(status);
      }
      expect(seen).toEqual([]);
    });

    it('says what is wrong to whoever put a body parser ahead of it, and nothing of it to the client', async () => {
      const told: unknown[] = [];
      const { app, listener } = application((error) => told.push(error));
      app.use(express.json());
      app.use(listener);
      const url = await serve(app);
      expect((await ask(url + products())).status).toBe(200);
      const { status, text } = await ask(url + products(), { method: 'POST', body: mug() });
      expectEnvelope({ status, json: JSON.parse(text) }, { status: 500, code: 'INTERNAL_ERROR' });
      expect(text).not.toMatch(/parser|express/);
      expect(told).toEqual([expect.objectContaining({ message: expect.stringMatching(/ahead of body parsers/) })]);
    });
  });
});
