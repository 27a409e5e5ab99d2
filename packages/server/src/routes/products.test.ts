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
    const refused: [string, Record<string, unknown>, string[]][] = [
      ['nothing at all', {}, ['title', 'slug', 'price']],
      ['a blank title', { ...mug, title: ' ' }, ['title']],
      ['null for what is required', { ...mug, title: null, price: null }, ['title', 'price']],
      ['a slug that is none', { ...mug, slug: 'No Slug' }, ['slug']],
      ['a price that is a number', { ...mug, price: 10 }, ['price']],
      ['a price with a comma', { ...mug, price: '10,00' }, ['price']],
      ['a price with too many decimals', { ...mug, price: '1.001' }, ['price']],
      ['a price below zero', { ...mug, price: '-1' }, ['price']],
      ['the status that only a deletion sets', { ...mug, status: 'deleted' }, ['status']],
      ['a stock below zero', { ...mug, stock: -1 }, ['stock']],
      ['a stock that is a text', { ...mug, stock: '1' }, ['stock']],
      ['an attribute that is no text', { ...mug, attributes: { size: 1 } }, ['attributes.size']],
      ['a category that does not exist', { ...mug, categoryIds: [randomUUID()] }, ['categoryIds.0']],
    ];
    it.each(refused)('%s, on POST and on PUT', async (name, body, fields) => {
      const { id } = await newProduct(shop);
      const refusal = { status: 400, code: 'VALIDATION_ERROR' };
      const answer = await expectFields(() => send('POST /products', { body }), fields);
      expect(answer).toMatchObject(refusal);
      if (name !== 'nothing at all') await expectFields(() => send(`PUT /products/${id}`, { body }), fields);
    });

    /** The fields can be named more exactly, as `categoryIds.0`, or as a whole. */
    async function expectFields(work: () => ReturnType<typeof send>, fields: string[]) {
      const answer = await work();
      const { details = [] } = (answer.json as { error: { details?: { field: string }[] } }).error;
      const top = (names: string[]) => names.map((field) => field.split('.')[0]);
      expect(top(details.map((detail) => detail.field))).toEqual(top(fields));
      await expectRefused(commerce(), work, {
        status: 400,
        code: 'VALIDATION_ERROR',
        fields: details.map((detail) => detail.field),
      });
      return { status: answer.status, code: 'VALIDATION_ERROR' };
    }

    it.each(['slug', 'sku'] as const)('a %s that another product has, naming it', async (field) => {
      await newProduct(shop, { slug: 'taken', sku: 'taken' });
      const { id } = await newProduct(shop);
      const refusal = { status: 409, code: 'CONFLICT', fields: [field], message: /taken/ };
      const body = { ...mug, [field]: 'taken' };
      await expectRefused(commerce(), () => send('POST /products', { body }), refusal);
      await expectRefused(commerce(), () => send(`PUT /products/${id}`, { body: { [field]: 'taken' } }), refusal);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=', 'limit'],
      ['limit=1e2', 'limit'],
      ['limit=%31%30%20', 'limit'],
      ['offset=-1', 'offset'],
      ['offset=9007199254740993', 'offset'],
      ['offset=99999999999999999999', 'offset'],
      ['offset=0x10', 'offset'],
      ['status=deleted', 'status'],
      ['status=Draft', 'status'],
      ['slug=%00', 'slug'],
    ])('the list with ?%s, naming %s', async (query, field) => {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: [field], message: new RegExp(field) };
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
