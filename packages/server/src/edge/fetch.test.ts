import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, configureProvider, createApiKey, createOrder, getOrder, openMediaFolder } from '@commerce/core';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { createFetchHandler, type RequestEntry } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The code around the interface does not depend on the database, so one database is enough.
describe('the interface as a function from Request to Response', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const files = openMediaFolder({ directory: join(folder, 'media') });
  const commerce = useCommerce({ address, open: () => openStorage(address) }, { media: { files, url: '/media' } });
  const secret = 'whsec_of_the_handler';
  let shop: Context;
  let headers: Record<string, string>;
  beforeAll(async () => {
    shop = await newShop(commerce());
    headers = { authorization: `Bearer ${await newKey(shop)}`, 'content-type': 'application/json' };
    await configureProvider(shop, 'stripe', { webhookSecret: secret });
  });
  const url = (path: string) => `https://shop.example${path}`;
  const products = () => url(`/stores/${shop.store.id}/products`);
  let slugs = 0;
  const mug = (description = '') =>
    JSON.stringify({ title: 'Mug', slug: `mug-${++slugs}`, price: '5', description, status: 'published' });

  it('answers as the listener does, with the same headers', async () => {
    const handle = createFetchHandler(commerce());
    const created = await handle(new Request(products(), { method: 'POST', headers, body: mug() }));
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(created.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const { item } = (await created.json()) as { item: { id: string } };
    const one = await handle(new Request(`${products()}/${item.id}`, { headers }));
    expect(await one.json()).toEqual({ item });
    const etag = one.headers.get('etag') as string;
    const again = await handle(
      new Request(`${products()}/${item.id}`, { headers: { ...headers, 'if-none-match': etag } }),
    );
    expect([again.status, again.body]).toEqual([304, null]);
    const head = await handle(new Request(products(), { method: 'HEAD', headers }));
    expect([head.status, head.body, Number(head.headers.get('content-length')) > 0]).toEqual([200, null, true]);
    const gone = await handle(new Request(`${products()}/${item.id}`, { method: 'DELETE', headers }));
    expect([gone.status, gone.body]).toEqual([204, null]);
    const foreign = await handle(new Request(url('/about')));
    expect(foreign.status).toBe(404);
    expect(foreign.headers.get('connection')).toBeNull();
    expect(((await foreign.json()) as { error: { code: string } }).error.code).toBe('NOT_FOUND');
  });

  it('takes the address of the service from that of the request, and its base path off', async () => {
    const handle = createFetchHandler(commerce(), { basePath: '/shop/' });
    const document = (await (await handle(new Request(url('/shop/openapi.json')))).json()) as {
      servers: { url: string }[];
    };
    expect(document.servers[0]?.url).toMatch(/shop\.example\/shop$/);
    for (const path of ['/shop/healthz', '/healthz']) expect((await handle(new Request(url(path)))).status).toBe(200);
    expect((await handle(new Request(url('/shopping/healthz')))).status).toBe(404);
  });

  it('checks the signature of a notification over its very bytes', async () => {
    const handle = createFetchHandler(commerce());
    const product = await newProduct(shop, { price: '10' });
    const { id } = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const signed = signStripe(stripePaymentSucceeded({ orderId: id, amount: 1000 }), secret, Date.now());
    const notify = (body: Buffer) =>
      handle(
        new Request(url('/api/webhooks/stripe'), {
          method: 'POST',
          headers: signed.headers as Record<string, string>,
          body: new Uint8Array(body),
        }),
      );
    expect((await notify(Buffer.concat([Buffer.from(signed.body), Buffer.from(' ')]))).status).toBe(400);
    expect((await getOrder(shop, id)).status).toBe('pending');
    expect((await notify(Buffer.from(signed.body))).status).toBe(200);
    expect((await getOrder(shop, id)).status).toBe('paid');
  });

  it('reads a body that comes in pieces, and refuses one that is too long without reading all of it', async () => {
    const handle = createFetchHandler(commerce());
    const send = (body: ReadableStream) =>
      handle(new Request(products(), { method: 'POST', headers, body, duplex: 'half' } as RequestInit));
    const bytes = new TextEncoder().encode(mug());
    const whole = await send(
      new ReadableStream({
        start(controller) {
          for (let i = 0; i < bytes.length; i += 10) controller.enqueue(bytes.slice(i, i + 10));
          controller.close();
        },
      }),
    );
    expect(whole.status).toBe(201);
    let sent = 0;
    let isCancelled = false;
    const endless = await send(
      new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          sent += 64 * 1024;
          controller.enqueue(new Uint8Array(64 * 1024));
        },
        cancel() {
          isCancelled = true;
        },
      }),
    );
    expect(endless.status).toBe(413);
    await endless.text();
    expect(isCancelled).toBe(true);
    const before = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent - before).toBeLessThan(3 * 64 * 1024);
  });

  it('takes an image, and streams it back', async () => {
    const handle = createFetchHandler(commerce());
    const noise = Buffer.from(Array.from({ length: 400 * 400 * 3 }, (_, i) => (i * 7919) % 251));
    const image = await sharp(noise, { raw: { width: 400, height: 400, channels: 3 } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'noise.png');
    const { authorization } = headers as { authorization: string };
    const uploaded = await handle(
      new Request(url(`/stores/${shop.store.id}/media`), { method: 'POST', headers: { authorization }, body: form }),
    );
    expect(uploaded.status).toBe(201);
    const { items } = (await uploaded.json()) as { items: { url: string }[] };
    const path = items[0]?.url as string;
    const shown = await handle(new Request(url(path)));
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(image);
    // A reader that stops early.
    const left = await handle(new Request(url(path)));
    await left.body?.cancel();
    expect((await handle(new Request(url('/healthz')))).status).toBe(200);
  });

  it('ends what was aborted, and counts it as a client that left', async () => {
    const entries: RequestEntry[] = [];
    const handle = createFetchHandler(commerce(), { maxConcurrency: 1, onRequest: (entry) => entries.push(entry) });
    const abort = new AbortController();
    const answer = handle(
      new Request(products(), {
        method: 'POST',
        headers,
        signal: abort.signal,
        body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"title":')) }),
        duplex: 'half',
      } as RequestInit),
    );
    setTimeout(() => abort.abort(new Error('the buyer left')), 20);
    await expect(answer).rejects.toThrow('the buyer left');
    await expect.poll(() => entries).toMatchObject([{ aborted: true, status: 499 }]);
    const early = new Request(products(), { headers, signal: AbortSignal.abort(new Error('before')) });
    await expect(handle(early)).rejects.toThrow('before');
    // No request is still running.
    expect((await handle(new Request(products(), { headers }))).status).toBe(200);
  });

  it('limits storefront keys by the address that the application names', async () => {
    const { key } = await createApiKey(shop, { name: 'page', kind: 'storefront' });
    const handle = createFetchHandler(commerce(), {
      storefrontLimits: { reads: 2, writes: 1 },
      addressOf: (_, [from]) => from as string,
    });
    const read = async (from: string) =>
      (await handle(new Request(products(), { headers: { authorization: `Bearer ${key}` } }), from)).status;
    expect([await read('192.0.2.1'), await read('192.0.2.1'), await read('192.0.2.1')]).toEqual([200, 200, 429]);
    expect(await read('192.0.2.2')).toBe(200);
  });
});
