import { createApiKey, createCategory, createCustomer, createOrder, type Product } from '@commerce/core';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectRefused, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { useApp } from '@commerce/test-support/suites/crud-routes';
import { expect, it } from 'vitest';

forEachStorage('products by what they have, over HTTP', (database) => {
  const commerce = useCommerce(database);
  const { shop, send } = useApp(commerce);
  const found = async (path: string) => {
    const { status, json } = await send(`GET /products${path}`);
    expect(status).toBe(200);
    const { items, total } = json as { items: Product[]; total: number };
    return [total, ...items.map(({ slug }) => slug)];
  };

  it('are found by one attribute and by several, each parameter but those of lists being one', async () => {
    const rows = {
      a: { attributes: { colour: 'red', size: 'L' }, status: 'published' },
      b: { attributes: { colour: 'red', size: 'M', note: '' } },
      c: { attributes: { limit: '5', offset: 'x', status: 'new', 'attr.size': 'L' } },
      d: { attributes: { größe: 'x y+z', 'a&b': '=' } },
    } as const;
    for (const [slug, row] of Object.entries(rows)) await newProduct(shop(), { slug, status: 'draft', ...row });
    const expected: [string, (number | string)[]][] = [
      ['colour=red', [2, 'b', 'a']],
      ['colour=red&size=L', [1, 'a']],
      ['size=L&colour=red&limit=1', [1, 'a']],
      ['colour=red&limit=1', [2, 'b']],
      ['colour=red&limit=1&offset=1', [2, 'a']],
      ['colour=red&offset=9007199254740991', [2]],
      ['colour=red&status=published', [1, 'a']],
      ['colour=red&status=archived', [0]],
      ['attr.colour=red&status=draft', [1, 'b']],
      ['colour=RED', [0]],
      ['colour=', [0]],
      ['note=', [1, 'b']],
      ['unknown=red', [0]],
      ['attr.limit=5', [1, 'c']],
      ['attr.limit=5&attr.status=new&attr.offset=x&limit=1', [1, 'c']],
      ['attr.attr.size=L', [1, 'c']],
      ['attr.size=L', [1, 'a']],
      ['gr%C3%B6%C3%9Fe=x%20y%2Bz', [1, 'd']],
      ['gr%C3%B6%C3%9Fe=x+y%2Bz', [1, 'd']],
      ['a%26b=%3D', [1, 'd']],
      ['constructor=Object', [0]],
    ];
    for (const [query, answer] of expected) {
      expect([query, await found(`/by-attributes?${query}`)]).toEqual([query, answer]);
    }
  });

  it('go on behind the product that `after` names', async () => {
    const ids: string[] = [];
    for (const slug of ['a', 'b', 'c'])
      ids.push((await newProduct(shop(), { slug, attributes: { colour: 'red', after: 'x' } })).id);
    const [first, , last] = ids;
    expect(await found(`/by-attributes?colour=red&after=${last}&limit=1`)).toEqual([3, 'b']);
    expect(await found(`/by-attributes?colour=red&after=${last}&offset=1`)).toEqual([3, 'a']);
    expect(await found(`/by-attributes?colour=red&after=${first}`)).toEqual([3]);
    expect(await found(`/by-attributes?attr.after=x&after=${first}`)).toEqual([3]);
    expect(await found(`/by-variant-group?variantGroupId=none&after=${first}`)).toEqual([0]);
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['after'], message: /the last product/ };
    for (const query of ['colour=red&after=mug', 'after=mug&colour=none'])
      await expectRefused(commerce(), () => send(`GET /products/by-attributes?${query}`), refusal);
  });

  it.each([
    ['', ['attributes'], /at least one attribute/],
    ['limit=5&offset=0&status=draft', ['attributes'], /at least one attribute/],
    ['__proto__=x&colour=red', ['attributes'], /__proto__/],
    ['colour=red&limit=0', ['limit'], /limit/],
    ['colour=%00', ['attributes.colour'], /NUL/],
  ])('are refused with ?%s', async (query, fields, message) => {
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields, message };
    await expectRefused(commerce(), () => send(`GET /products/by-attributes?${query}`), refusal);
  });

  it('are found by their metadata, like customers and orders, by secret keys alone', async () => {
    const mug = await newProduct(shop(), { slug: 'a', metadata: { 'erp.id': '1', note: '' }, attributes: { of: 'x' } });
    await newProduct(shop(), { slug: 'b', metadata: { 'erp.id': '1' }, status: 'draft' });
    const own = { metadata: { 'erp.id': '1' }, tags: ['vip'] };
    await createCustomer(shop(), { email: 'ada@shop.test', ...own });
    await createOrder(shop(), { items: [{ productId: mug.id, quantity: 1 }], ...own });
    expect(await found('?metadata.erp.id=1')).toEqual([2, 'b', 'a']);
    expect(await found('?metadata.erp.id=1&metadata.note=')).toEqual([1, 'a']);
    expect(await found('?metadata.erp.id=1&status=draft')).toEqual([1, 'b']);
    expect(await found('/by-attributes?of=x&metadata.erp.id=1')).toEqual([1, 'a']);
    expect(await found('/by-attributes?of=x&attr.metadata.erp.id=1')).toEqual([0]);
    const strict = { headers: { prefer: 'handling=strict' } };
    for (const [path, n] of [
      ['/products?metadata.erp.id=1', 2],
      ['/customers?metadata.erp.id=1&tag=vip', 1],
      ['/orders?metadata.erp.id=1&tag=vip', 1],
      ['/orders?metadata.erp.id=2&tag=vip', 0],
      ['/customers?tag=other', 0],
    ] as const) {
      expect(await send(`GET ${path}`, strict)).toMatchObject({ status: 200, json: { total: n } });
    }
    for (const path of ['/exports/products.jsonl', '/exports/orders.jsonl', '/exports/customers.jsonl']) {
      expect(await send(`GET ${path}?metadata.erp.id=1`, strict)).toMatchObject({ status: 200 });
    }
    const refusal = { status: 400, code: 'VALIDATION_ERROR' };
    for (const list of ['products', 'customers', 'orders']) {
      const bad = { ...refusal, fields: ['metadata.a b'], message: /metadata\.a b: must be a key of letters/ };
      await expectRefused(commerce(), () => send(`GET /${list}?metadata.a%20b=1`), bad);
    }
    const { key } = await createApiKey(shop(), { kind: 'storefront', name: 'page' });
    const hidden = { ...refusal, fields: ['metadata'], message: /storefront/ };
    for (const path of [
      '/products?',
      '/products/by-attributes?of=x&',
      '/products/by-variant-group?variantGroupId=x&',
    ]) {
      await expectRefused(commerce(), () => send(`GET ${path}metadata.erp.id=1`, { key }), hidden);
    }
  });

  it('name their attributes, sorted', async () => {
    expect(await send('GET /products/attributes')).toMatchObject({ status: 200, text: '{"keys":[],"values":{}}' });
    await newProduct(shop(), { attributes: { size: 'M', colour: 'red' } });
    await newProduct(shop(), { attributes: { size: 'L', constructor: 'x' } });
    expect((await send('GET /products/attributes?limit=1')).json).toEqual({
      keys: ['colour', 'constructor', 'size'],
      values: { colour: ['red'], constructor: ['x'], size: ['L', 'M'] },
    });
  });

  it('are found by their variant group, which has to be named', async () => {
    for (const slug of ['a', 'b', 'c'])
      await newProduct(shop(), { slug, variantGroupId: slug === 'c' ? 'other' : 'mug 1' });
    expect(await found('/by-variant-group?variantGroupId=mug%201')).toEqual([2, 'b', 'a']);
    expect(await found('/by-variant-group?variantGroupId=mug+1&limit=1&offset=1')).toEqual([2, 'a']);
    expect(await found('/by-variant-group?variantGroupId=none')).toEqual([0]);
    for (const query of ['', '?variantGroupId=', '?limit=5']) {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['variantGroupId'] };
      await expectRefused(commerce(), () => send(`GET /products/by-variant-group${query}`), refusal);
    }
  });

  it('are found by their category together with other filters', async () => {
    const category = await createCategory(shop(), { name: 'Tea', slug: 'tea' });
    await newProduct(shop(), { slug: 'a', categoryIds: [category.id], status: 'draft' });
    await newProduct(shop(), { slug: 'b', categoryIds: [category.id], status: 'published' });
    await newProduct(shop(), { slug: 'c' });
    expect(await found(`?categoryId=${category.id}`)).toEqual([2, 'b', 'a']);
    expect(await found(`?categoryId=${category.id}&status=published&search=mug`)).toEqual([1, 'b']);
    expect(await found(`?categoryId=${category.id}&slug=c`)).toEqual([0]);
    expect(await found('?categoryId=tea')).toEqual([0]);
  });

  it.each(['/attributes', '/by-attributes', '/by-variant-group'])(
    '%s is read with product.read alone',
    async (path) => {
      const query = '?variantGroupId=x&attr.color=red';
      const writer = await newKey(shop(), 'product.write', 'product.delete', 'category.read');
      const lacking = { status: 403, code: 'FORBIDDEN', message: /product\.read/ };
      await expectRefused(commerce(), () => send(`GET /products${path}${query}`, { key: writer }), lacking);
      const foreign = await newKey(await newShop(commerce()));
      const elsewhere = { status: 403, code: 'FORBIDDEN', message: /belongs to another store/ };
      await expectRefused(commerce(), () => send(`GET /products${path}${query}`, { key: foreign }), elsewhere);
      const answer = await send(`GET /products${path}${query}`, { key: await newKey(shop(), 'product.read') });
      expect(answer.status).toBe(200);
      expect(await send(`HEAD /products${path}${query}`)).toEqual(answer);
      for (const method of ['POST', 'PUT', 'DELETE']) {
        await expectRefused(commerce(), () => send(`${method} /products${path}`, { body: {} }), {
          status: 405,
          code: 'METHOD_NOT_ALLOWED',
          headers: { Allow: 'GET, HEAD, OPTIONS' },
        });
      }
    },
  );
});
