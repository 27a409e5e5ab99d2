import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components, paths } from '@commerce/server/api';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import createClient, { type Client } from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A program that uses only the document. Its types are from `@commerce/server/api`, so the compiler checks every path, parameter and field
// below.

type Product = components['schemas']['Product'];

describe('a client made from the document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-client-'));
  const address = join(folder, 'shop.db');
  let server: RunningServer;
  let client: Client<paths>;
  let storeId: string;
  let path: { storeId: string };

  beforeAll(async () => {
    const shop = await initShop(address);
    storeId = shop.storeId;
    path = { storeId };
    server = await startServer(address, ['--orders-api', '--media-dir', join(folder, 'media')]);
    client = createClient<paths>({
      baseUrl: server.url,
      headers: { Authorization: `Bearer ${shop.key}` },
      // The document describes the attributes like this: `?color=blue`.
      querySerializer: { object: { style: 'form', explode: true } },
      fetch: (request) => fetch(request),
    });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The data of an answer, which must exist. */
  function had<T>({ data, error }: { data?: T; error?: unknown }): NonNullable<T> {
    if (data === undefined || data === null) throw new Error(`refused: ${JSON.stringify(error)}`);
    return data;
  }

  async function newProduct(body: components['schemas']['ProductInput']): Promise<Product> {
    return had(await client.POST('/stores/{storeId}/products', { params: { path }, body })).item;
  }

  it('fills a catalogue, changes it, and reads it page by page', async () => {
    const category = had(
      await client.POST('/stores/{storeId}/categories', { params: { path }, body: { name: 'Mugs', slug: 'mugs' } }),
    ).item;
    const made: Product[] = [];
    for (const color of ['blue', 'red', 'green']) {
      made.push(
        await newProduct({
          title: `${color} mug`,
          slug: `${color}-mug`,
          sku: `MUG-${color}`,
          price: '12.50',
          status: 'published',
          categoryIds: [category.id],
          attributes: { color },
          variantGroupId: 'mugs',
          trackStock: true,
          stock: 10,
        }),
      );
    }
    const [blue] = made as [Product, ...Product[]];
    const id = { ...path, id: blue.id };

    const { data, response } = await client.GET('/stores/{storeId}/products/{id}', { params: { path: id } });
    expect(data?.item).toEqual(blue);
    const etag = response.headers.get('etag') ?? '';
    const known = await client.GET('/stores/{storeId}/products/{id}', {
      params: { path: id, header: { 'If-None-Match': etag } },
    });
    expect(known.response.status).toBe(304);

    const changed = had(
      await client.PUT('/stores/{storeId}/products/{id}', {
        params: { path: id, header: { 'If-Match': etag } },
        body: { price: '11' },
      }),
    ).item;
    expect(changed).toEqual({ ...blue, price: '11.00', updatedAt: changed.updatedAt });
    const late = await client.PATCH('/stores/{storeId}/products/{id}', {
      params: { path: id, header: { 'If-Match': etag } },
      body: { price: '10' },
    });
    expect([late.response.status, late.error?.error.code]).toEqual([409, 'CONFLICT']);

    const seen: string[] = [];
    for (let offset = 0; ; offset += 2) {
      const page = had(
        await client.GET('/stores/{storeId}/products', { params: { path, query: { limit: 2, offset } } }),
      );
      expect(page.total).toBe(3);
      seen.push(...page.items.map(({ slug }) => slug));
      if (page.items.length < 2) break;
    }
    expect(seen).toEqual(['green-mug', 'red-mug', 'blue-mug']);

    const blues = await client.GET('/stores/{storeId}/products/by-attributes', {
      params: { path, query: { attributes: { color: 'blue' } } },
    });
    expect(had(blues).items.map(({ id }) => id)).toEqual([blue.id]);
    const grouped = await client.GET('/stores/{storeId}/products', {
      params: {
        path,
        query: {
          attributes: { 'attr.color': 'blue' },
          facets: ['color', 'price'],
          group: 'variants',
          include: 'variants',
        },
      },
    });
    const { items, total, facets } = had(grouped);
    expect([total, items[0]?.group?.count]).toEqual([1, 1]);
    expect(items[0]?.variants?.map(({ slug }) => slug)).toEqual(['red-mug', 'green-mug']);
    expect(facets?.attributes.color?.map(({ value, count }) => [value, count])).toEqual([
      ['blue', 1],
      ['green', 1],
      ['red', 1],
    ]);
    expect(facets?.price).toEqual({ min: '11.00', max: '11.00' });
    const attributes = had(await client.GET('/stores/{storeId}/products/attributes', { params: { path } }));
    expect(attributes).toEqual({ keys: ['color'], values: { color: ['blue', 'green', 'red'] } });

    const gone = await client.DELETE('/stores/{storeId}/products/{id}', { params: { path: id } });
    expect(gone.response.status).toBe(204);
    const missing = await client.GET('/stores/{storeId}/products/{id}', { params: { path: id } });
    expect([missing.response.status, missing.error?.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('keeps a customer, and a page of the shop', async () => {
    const { item } = had(
      await client.POST('/stores/{storeId}/customers', {
        params: { path },
        body: {
          email: 'ada@shop.test',
          name: 'Ada Lovelace',
          addresses: [{ address1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' }],
        },
      }),
    );
    const [home] = item.addresses;
    expect(home).toMatchObject({ city: 'London', isDefault: false });
    const changed = had(
      await client.PUT('/stores/{storeId}/customers/{id}', {
        params: { path: { ...path, id: item.id } },
        body: { defaultAddressId: home?.id ?? null },
      }),
    );
    expect(changed.item.addresses[0]?.isDefault).toBe(true);
    const page = await client.POST('/stores/{storeId}/pages', {
      params: { path },
      body: { title: 'Imprint', slug: 'imprint', content: '<p>Shop Ltd.</p>' },
    });
    expect(had(page).item.status).toBe('draft');
  });

  it('orders, is paid, and gives money back', async () => {
    await newProduct({ title: 'Plate', slug: 'plate', sku: 'PLATE', price: '20', trackStock: true, stock: 3 });
    const order = had(
      await client.POST('/stores/{storeId}/orders', {
        params: { path, header: { 'Idempotency-Key': 'one-order' } },
        body: { customer: { email: 'ada@shop.test' }, items: [{ sku: 'PLATE', quantity: 2 }], shipping: '5' },
      }),
    ).item;
    expect(order).toMatchObject({ total: '45.00', status: 'pending', paidAt: null });
    const params = { path: { ...path, id: order.id } };

    const early = await client.POST('/stores/{storeId}/orders/{id}/refund', { params, body: { amount: '5' } });
    expect([early.response.status, early.error?.error.code]).toEqual([409, 'CONFLICT']);

    const event = {
      id: 'evt_client',
      object: 'event',
      type: 'payment_intent.succeeded',
      created: Math.floor(Date.now() / 1000),
      data: {
        object: {
          id: 'pi_client',
          object: 'payment_intent',
          amount: 4500,
          amount_received: 4500,
          currency: 'eur',
          status: 'succeeded',
          metadata: { order_id: order.id },
        },
      },
    };
    expect(await sendStripe(server.url, event, { path: `/api/webhooks/stripe/${storeId}` })).toMatchObject({
      status: 200,
      body: { received: true, outcome: 'paid' },
    });

    const tooMuch = await client.POST('/stores/{storeId}/orders/{id}/refund', { params, body: { amount: '45.01' } });
    expect(tooMuch.response.status).toBe(400);
    expect(tooMuch.error?.error.details?.map(({ field }) => field)).toEqual(['amount']);
    const refund = await client.POST('/stores/{storeId}/orders/{id}/refund', {
      params,
      body: { amount: '5', refundId: 're_client' },
    });
    expect(had(refund).item).toMatchObject({ refundId: 're_client', amount: '5.00' });
    const refunds = had(await client.GET('/stores/{storeId}/orders/{id}/refunds', { params }));
    expect(refunds).toEqual({ items: [had(refund).item], total: 1 });
    const fulfilled = await client.PUT('/stores/{storeId}/orders/{id}', { params, body: { status: 'fulfilled' } });
    expect(had(fulfilled).item).toMatchObject({ status: 'fulfilled', paymentStatus: 'partially_refunded' });

    const short = await client.POST('/stores/{storeId}/orders', {
      params: { path },
      body: { items: [{ sku: 'PLATE', quantity: 2 }] },
    });
    expect([short.response.status, short.error?.error.code]).toEqual([409, 'INSUFFICIENT_STOCK']);
  });

  it('repeats a request without doing it twice', async () => {
    const send = () =>
      client.POST('/stores/{storeId}/categories', {
        params: { path, header: { 'Idempotency-Key': 'plates' } },
        body: { name: 'Plates', slug: 'plates' },
      });
    const [first, second] = [await send(), await send()];
    expect(had(second)).toEqual(had(first));
    expect(second.response.headers.get('idempotent-replayed')).toBe('true');
  });

  it('uploads an image and lists it', async () => {
    const bytes = await picture('png', { width: 40, height: 30 });
    const upload = await client.POST('/stores/{storeId}/media', {
      params: { path },
      // The types treat binary content as a text; a form has files.
      body: { files: [new Blob([new Uint8Array(bytes)], { type: 'image/png' })] as never },
      bodySerializer({ files }) {
        const form = new FormData();
        for (const file of files) form.append('files', file as unknown as Blob, 'mug.png');
        return form;
      },
    });
    const [image] = had(upload).items;
    expect(image).toMatchObject({ mimeType: 'image/png', width: 40, height: 30 });
    const listed = had(
      await client.GET('/stores/{storeId}/media', { params: { path, query: { mimeType: 'image/' } } }),
    );
    expect(listed).toEqual({ items: [image], total: 1 });
    const [, , store = '', file = ''] = new URL(image?.url ?? '').pathname.split('/');
    const served = await client.GET('/media/{storeId}/{file}', {
      params: { path: { storeId: store, file }, query: { w: '64' } },
      parseAs: 'arrayBuffer',
    });
    expect(served.response.headers.get('content-type')).toBe('image/png');
  });

  it('subscribes to events, makes keys, and reads who did what', async () => {
    const { item: webhook } = had(
      await client.POST('/stores/{storeId}/webhooks', {
        params: { path },
        body: { url: 'https://shop.example.org/hook', events: ['order.*'] },
      }),
    );
    expect(webhook.events).toContain('order.paid');
    const { item: apiKey } = had(
      await client.POST('/stores/{storeId}/api-keys', {
        params: { path },
        body: { name: 'Storefront', scopes: ['product.read'] },
      }),
    );
    const storefront = createClient<paths>({ baseUrl: server.url, headers: { 'X-API-Key': apiKey.key }, fetch });
    expect(had(await storefront.GET('/stores/{storeId}/products', { params: { path } })).total).toBeGreaterThan(0);
    const denied = await storefront.GET('/stores/{storeId}/webhooks', { params: { path } });
    expect([denied.response.status, denied.error?.error.code]).toEqual([403, 'FORBIDDEN']);

    const id = { ...path, id: apiKey.id };
    expect((await client.DELETE('/stores/{storeId}/api-keys/{id}', { params: { path: id } })).response.status).toBe(
      204,
    );
    await until('the key is refused', async () => {
      const refused = await storefront.GET('/stores/{storeId}/products', { params: { path } });
      return refused.response.status === 401;
    });
    const log = had(
      await client.GET('/stores/{storeId}/audit-logs', { params: { path, query: { resourceId: apiKey.id } } }),
    );
    expect(log.items.map(({ action }) => action)).toEqual(['apiKey.deleted', 'apiKey.created']);
  });

  it('is told what was wrong, in the one envelope there is', async () => {
    const { error, response } = await client.POST('/stores/{storeId}/products', {
      params: { path },
      body: { title: '', slug: 'No Slug', price: '1,50' },
    });
    expect(response.status).toBe(400);
    expect(error?.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.any(String) });
    expect(error?.error.details?.map(({ field }) => field)).toEqual(['title', 'slug', 'price']);
    const nobody = createClient<paths>({ baseUrl: server.url, fetch });
    const refused = await nobody.GET('/stores/{storeId}/orders', { params: { path } });
    expect([refused.response.status, refused.error?.error.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('asks the service about itself', async () => {
    expect(had(await client.GET('/healthz'))).toEqual({ status: 'ok' });
    // No mail is set up.
    expect(had(await client.GET('/readyz'))).toEqual({ status: 'ready', storesWithoutMail: 1 });
    expect(had(await client.GET('/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
  });
});
