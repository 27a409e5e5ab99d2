import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components, paths } from '@commerce/server/api';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { type RunningServer, startServer } from '@commerce/test-support/harness/processes';
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
    const attributes = had(await client.GET('/stores/{storeId}/products/attributes', { params: { path } }));
    expect(attributes).toEqual({ keys: ['color'], values: { color: ['blue', 'green', 'red'] } });

    const gone = await client.DELETE('/stores/{storeId}/products/{id}', { params: { path: id } });
    expect(gone.response.status).toBe(204);
    const missing = await client.GET('/stores/{storeId}/products/{id}', { params: { path: id } });
    expect([missing.response.status, missing.error?.error.code]).toEqual([404, 'NOT_FOUND']);
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
    expect(had(await client.GET('/readyz'))).toEqual({ status: 'ready' });
    expect(had(await client.GET('/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
  });
});
