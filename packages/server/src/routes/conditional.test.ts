import {
  type Context,
  createApiKey,
  createCategory,
  createCustomer,
  createOrder,
  createPage,
  createWebhook,
  versionOf,
} from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, expectRefused, newKey, type TestResponse } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';

forEachStorage('entity tags', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  const path = (rest: string) => `/stores/${shop.store.id}${rest}`;
  const get = (rest: string, headers: Record<string, string> = {}) => ask(app, `GET ${path(rest)}`, { key, headers });
  const tagOf = (answer: TestResponse) => answer.headers.ETag ?? '';

  let made = 0;
  const resources: [string, () => Promise<{ id: string }>, object][] = [
    ['products', () => newProduct(shop), { title: 'Another' }],
    ['categories', () => createCategory(shop, { name: 'C', slug: `c-${++made}` }), { name: 'Another' }],
    ['customers', () => createCustomer(shop, { email: `a${++made}@example.com` }), { name: 'Another' }],
    ['pages', () => createPage(shop, { title: 'P', slug: `p-${++made}` }), { title: 'Another' }],
    [
      'webhooks',
      () => createWebhook(shop, { url: `https://a${++made}.example.com/`, events: ['product.*'] }),
      { isActive: false },
    ],
    [
      'orders',
      async () => createOrder(shop, { items: [{ productId: (await newProduct(shop)).id, quantity: 1 }] }),
      { merchantNote: 'x' },
    ],
  ];

  describe.each(resources)('of %s', (name, make, change) => {
    it('stand for the item as it is: the same on every read, another after a change', async () => {
      const { id } = await make();
      const first = await get(`/${name}/${id}`);
      expect(tagOf(first)).toBe(`"${versionOf(JSON.stringify((first.json as { item: object }).item))}"`);
      expect(tagOf(await get(`/${name}/${id}`))).toBe(tagOf(first));
      const changed = await ask(app, `PUT ${path(`/${name}/${id}`)}`, { key, body: change });
      expect(changed.status).toBe(200);
      expect(tagOf(changed)).not.toBe(tagOf(first));
      expect(tagOf(await get(`/${name}/${id}`))).toBe(tagOf(changed));
    });

    it('that a client has already are answered with 304 and nothing else', async () => {
      const { id } = await make();
      const etag = tagOf(await get(`/${name}/${id}`));
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await get(`/${name}/${id}`, { 'if-none-match': known });
        expect(answer).toMatchObject({ status: 304, text: '', headers: { ETag: etag } });
      }
      for (const unknown of ['"other"', etag.replaceAll('"', ''), '', 'W/""']) {
        expect(await get(`/${name}/${id}`, { 'if-none-match': unknown })).toMatchObject({ status: 200 });
      }
    });

    it('hold a change to the version that its client has seen', async () => {
      const { id } = await make();
      const before = tagOf(await get(`/${name}/${id}`));
      const put = (match: string, body: object) =>
        ask(app, `PUT ${path(`/${name}/${id}`)}`, { key, body, headers: { 'if-match': match } });
      const stale = { status: 409, code: 'CONFLICT', message: /has changed: its version is/ };
      await expectRefused(commerce(), () => put('"other"', change), stale);
      await expectRefused(commerce(), () => put('', change), stale);
      const changed = await put(`"other", ${before}`, change);
      expect(changed.status).toBe(200);
      // Even if the change would change nothing: the client has not seen the present state.
      await expectRefused(commerce(), () => put(before, change), stale);
      expect((await put('*', change)).status).toBe(200);
      expect((await put(tagOf(changed), {})).status).toBe(200);
    });

    it.skipIf(name === 'orders')('hold a deletion to it', async () => {
      const { id } = await make();
      const etag = tagOf(await get(`/${name}/${id}`));
      const remove = (match: string) =>
        ask(app, `DELETE ${path(`/${name}/${id}`)}`, { key, headers: { 'if-match': match } });
      await expectRefused(commerce(), () => remove('"other"'), { status: 409, code: 'CONFLICT' });
      expect((await remove(etag)).status).toBe(204);
      expect((await remove(etag)).status).toBe(404);
    });

    it('of two changes that both saw one version, let one be made', async () => {
      const { id } = await make();
      const etag = tagOf(await get(`/${name}/${id}`));
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          ask(app, `PUT ${path(`/${name}/${id}`)}`, { key, body: change, headers: { 'if-match': etag } }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    });
  });

  it('are given to an item that was just made, and to keys; not to lists', async () => {
    const body = { title: 'Mug', slug: 'tagged-mug', price: '1' };
    const created = await ask(app, `POST ${path('/products')}`, { key, body });
    const { id } = (created.json as { item: { id: string } }).item;
    expect(tagOf(created)).toBe(tagOf(await get(`/products/${id}`)));
    expect((await get('/products')).headers).toEqual({});
    const made = await createApiKey(shop, { name: 'k', scopes: ['product.read'] });
    const etag = tagOf(await get(`/api-keys/${made.id}`));
    const remove = (match: string) =>
      ask(app, `DELETE ${path(`/api-keys/${made.id}`)}`, { key, headers: { 'if-match': match } });
    await expectRefused(commerce(), () => remove('"other"'), { status: 409, code: 'CONFLICT' });
    expect((await remove(etag)).status).toBe(204);
  });

  it('of a subscription are of what the key may see of it', async () => {
    const { id } = await createWebhook(shop, { url: 'https://seen.example.com/', events: ['product.*'] });
    const limited = await newKey(shop, 'webhook.read', 'webhook.delete');
    const answer = await ask(app, `GET ${path(`/webhooks/${id}`)}`, { key: limited });
    expect(tagOf(answer)).not.toBe(tagOf(await get(`/webhooks/${id}`)));
    const headers = { 'if-match': tagOf(answer) };
    expect((await ask(app, `DELETE ${path(`/webhooks/${id}`)}`, { key: limited, headers })).status).toBe(204);
  });

  it('do not come before what is asked for is known', async () => {
    const headers = { 'if-match': '"x"', 'if-none-match': '*' };
    expectEnvelope(await get('/products/none', headers), { status: 404, code: 'NOT_FOUND' });
    const answer = await ask(app, `PUT ${path('/products/none')}`, { key, headers, body: {} });
    expectEnvelope(answer, { status: 404, code: 'NOT_FOUND' });
  });

  it('stand for the whole answer with what it includes; a change takes the one of the plain item', async () => {
    const one = await newProduct(shop, { variantGroupId: 'tagged', status: 'published' });
    const other = await newProduct(shop, { variantGroupId: 'tagged', status: 'published' });
    const plain = await get(`/products/${one.id}`);
    const whole = await get(`/products/${one.id}?include=variants,media`);
    expect(whole.json).toMatchObject({
      item: { id: one.id, variants: [{ id: other.id, available: null }], media: [] },
    });
    expect(plain.text).not.toMatch(/"variants"|"media"/);
    expect(tagOf(whole)).not.toBe(tagOf(plain));
    const known = { 'if-none-match': tagOf(whole) };
    expect(await get(`/products/${one.id}?include=variants,media`, known)).toMatchObject({ status: 304 });
    expect(await get(`/products/${one.id}`, known)).toMatchObject({ status: 200 });
    await ask(app, `PUT ${path(`/products/${other.id}`)}`, { key, body: { price: '77' } });
    expect(await get(`/products/${one.id}?include=variants,media`, known)).toMatchObject({ status: 200 });
    expect(tagOf(await get(`/products/${one.id}`))).toBe(tagOf(plain));
    const change = (etag: string) =>
      ask(app, `PUT ${path(`/products/${one.id}`)}`, { key, body: { title: 'B' }, headers: { 'if-match': etag } });
    expect(await change(tagOf(whole))).toMatchObject({ status: 409 });
    expect(await change(tagOf(plain))).toMatchObject({ status: 200 });
    const refused = await get(`/products/${one.id}?include=prices`);
    expectEnvelope(refused, {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['include'],
      message: /must be one or more of variants, media.*not "prices"/,
    });
  });
});
