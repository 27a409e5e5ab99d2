import { randomUUID } from 'node:crypto';
import { type Context, deleteProduct, type Product } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey, type Sending } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeEach, describe, expect, it } from 'vitest';

forEachStorage('products over HTTP', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let shop: Context;
  let key: string;
  beforeEach(async () => {
    app ??= createApp(commerce());
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  const send = (line: string, sending: Sending = {}) => {
    const [method, path] = line.split(' ');
    return ask(app, `${method} /stores/${shop.store.id}${path}`, { key, ...sending });
  };
  const mug = { title: 'Mug', slug: 'mug', price: '10' };

  it('makes, reads, changes and deletes a product, with one event each', async () => {
    let id = '';
    const created = await emittedBy(shop, async () => {
      const answer = await send('POST /products', { body: { ...mug, sku: 'M-1', attributes: { colour: 'red' } } });
      expect(answer).toMatchObject({ status: 201, json: { item: { ...mug, price: '10.00', status: 'draft' } } });
      ({ id } = (answer.json as { item: Product }).item);
      const read = await send(`GET /products/${id}`);
      expect(read).toMatchObject({ status: 200, text: answer.text });
      expect(await send('GET /products')).toMatchObject({
        status: 200,
        json: { items: [(read.json as { item: Product }).item], total: 1 },
      });
    });
    expect(created).toEqual(['product.created']);

    const changed = await emittedBy(shop, async () => {
      for (const [method, body, expected] of [
        ['PUT', { status: 'published' }, { status: 'published', title: 'Mug', sku: 'M-1' }],
        ['PATCH', { sku: null, attributes: {} }, { status: 'published', sku: null, attributes: {} }],
        ['PUT', {}, { status: 'published', title: 'Mug' }],
      ] as const) {
        expect(await send(`${method} /products/${id}`, { body })).toMatchObject({
          status: 200,
          json: { item: expected },
        });
      }
    });
    expect(changed).toEqual(['product.updated', 'product.updated']);

    const deleted = await emittedBy(shop, async () => {
      expect(await send(`DELETE /products/${id}`)).toMatchObject({ status: 204, text: '' });
    });
    expect(deleted).toEqual(['product.deleted']);
    expect(await send('GET /products')).toMatchObject({ json: { items: [], total: 0 } });
  });

  it('takes back what it answered, edited, and leaves server-owned and unknown fields alone', async () => {
    const { id } = await newProduct(shop);
    const before = (await send(`GET /products/${id}`)).json as { item: Product };
    const same = await emittedBy(shop, async () => {
      expect(await send(`PUT /products/${id}`, { body: { ...before.item, extra: 1 } })).toMatchObject({
        status: 200,
        json: before,
      });
    });
    expect(same).toEqual([]);
    const foreign = {
      id: randomUUID(),
      storeId: randomUUID(),
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      publishedAt: '2001-01-01T00:00:00.000Z',
    };
    const answer = await send(`PUT /products/${id}`, { body: { ...foreign, title: 'Cup' } });
    const { id: _, storeId, createdAt, publishedAt } = before.item;
    expect(answer.json).toMatchObject({ item: { id, storeId, createdAt, publishedAt, title: 'Cup' } });
    const made = await send('POST /products', { body: { ...mug, ...foreign } });
    expect(made).toMatchObject({ status: 201, json: { item: { storeId, publishedAt: null } } });
    expect((made.json as { item: Product }).item.id).not.toBe(foreign.id);
  });

  describe('refuses', () => {
    const invalid = { status: 400, code: 'VALIDATION_ERROR' };

    it('a product without its required fields, naming each', async () => {
      const refusal = { ...invalid, fields: ['title', 'slug', 'price'] };
      await expectRefused(commerce(), () => send('POST /products', { body: {} }), refusal);
    });

    it.each<[string, Record<string, unknown>, string[]]>([
      ['null for what is required', { ...mug, title: null, price: null }, ['title', 'price']],
      ['an attribute that is no text', { ...mug, attributes: { size: 1 } }, ['attributes.size']],
      ['a category that does not exist', { ...mug, categoryIds: [randomUUID()] }, ['categoryIds']],
    ])('%s, on POST and on PUT', async (_, body, fields) => {
      const { id } = await newProduct(shop);
      await expectRefused(commerce(), () => send('POST /products', { body }), { ...invalid, fields });
      await expectRefused(commerce(), () => send(`PUT /products/${id}`, { body }), { ...invalid, fields });
    });

    it.each(['slug', 'sku'] as const)('a %s that another product has, naming it', async (field) => {
      await newProduct(shop, { slug: 'taken', sku: 'taken' });
      const { id } = await newProduct(shop);
      const refusal = { status: 409, code: 'CONFLICT', fields: [field], message: /taken/ };
      const body = { ...mug, [field]: 'taken' };
      await expectRefused(commerce(), () => send('POST /products', { body }), refusal);
      await expectRefused(commerce(), () => send(`PUT /products/${id}`, { body: { [field]: 'taken' } }), refusal);
    });

    it.each([
      ['limit=1e2', 'limit'],
      ['limit=%31%30%20', 'limit'],
      ['offset=0x10', 'offset'],
      ['offset=9007199254740993', 'offset'],
      ['slug=%00', 'slug'],
    ])('the list with ?%s, naming %s', async (query, field) => {
      const refusal = { ...invalid, fields: [field], message: new RegExp(field) };
      await expectRefused(commerce(), () => send(`GET /products?${query}`), refusal);
    });
  });

  it('pages through the list, newest first, and leaves unknown parameters alone', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await newProduct(shop, { status: 'draft' })).id);
    const page = async (query: string) => {
      const { json, status } = await send(`GET /products?${query}`);
      expect(status).toBe(200);
      const { items, total } = json as { items: Product[]; total: number };
      return [items.map(({ id }) => id), total];
    };
    expect(await page('')).toEqual([made, 5]);
    expect(await page('limit=2&colour=red&&=')).toEqual([made.slice(0, 2), 5]);
    expect(await page('limit=2&offset=4')).toEqual([made.slice(4), 5]);
    expect(await page('offset=5')).toEqual([[], 5]);
    expect(await page('offset=9007199254740991')).toEqual([[], 5]);
    expect(await page('status=published')).toEqual([[], 0]);
    expect(await page('search=%25')).toEqual([[], 0]);
  });

  it('answers every id that is not a living product of the store alike', async () => {
    const elsewhere = await newProduct(await newShop(commerce()));
    const gone = await newProduct(shop);
    await deleteProduct(shop, gone.id);
    const { id: upper } = await newProduct(shop);
    const ids = [
      randomUUID(),
      elsewhere.id,
      gone.id,
      'x',
      '1',
      'null',
      upper.toUpperCase(),
      `${upper}x`,
      '%27--',
      '%F0%9F%98%80',
    ];
    const seen = new Set<string>();
    for (const id of ids) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const refusal = { status: 404, code: 'NOT_FOUND' };
        const answer = await expectRefused(
          commerce(),
          () => send(`${method} /products/${id}`, { body: { title: 'Changed' } }),
          refusal,
        );
        seen.add(answer.text.replace(JSON.stringify(decodeURIComponent(id)).slice(1, -1), '<id>'));
      }
    }
    // The message quotes the request; everything else is the same.
    expect([...seen].map((text) => text.replace(/\\"<id>\\"|\\"\S+\\"/, '<id>'))).toHaveLength(1);
  });
});
