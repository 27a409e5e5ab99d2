import { type Context, createApiKey, createPage, updatePage, updateSettings } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp, createServer } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

forEachStorage('GET /shop', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const other = useCommerce(database, { clock });
  let app: App;
  let shop: Context;
  let pageKey: string;
  let termsId: string;
  beforeAll(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    ({ key: pageKey } = await createApiKey(shop, { kind: 'storefront', name: 'page' }));
    ({ id: termsId } = await createPage(shop, { title: 'Terms', slug: 'terms', status: 'published' }));
    const seller = { name: 'Tea & Co', address: 'Teichweg 1', email: 'a@shop.example', taxNumber: '12/345/67890' };
    await updateSettings(shop, { country: 'AT', pages: { terms: termsId }, seller });
  });
  const get = (key: string, headers: Record<string, string> = {}) =>
    ask(app, `GET /stores/${shop.store.id}/shop`, { key, headers });

  it('answers keys of pages and secret keys the same, and caches may keep it for a minute', async () => {
    const answer = await get(pageKey);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=60', ETag: expect.stringMatching(/^".+"$/) },
      json: { item: { country: 'AT', pages: { terms: 'terms' }, seller: { name: 'Tea & Co' } } },
    });
    expect(JSON.stringify(answer.json)).not.toContain('12/345');
    expect((await get(await newKey(shop, 'checkout.read'))).json).toEqual(answer.json);
  });

  it('is 304 until something in it changes, also the address of a page', async () => {
    const etag = (await get(pageKey)).headers.ETag ?? '';
    const known = await get(pageKey, { 'if-none-match': etag });
    expect(known).toMatchObject({ status: 304, headers: { ETag: etag, 'Cache-Control': 'public, max-age=60' } });
    await updatePage(shop, termsId, { slug: 'agb' });
    const changed = await get(pageKey, { 'if-none-match': etag });
    expect(changed).toMatchObject({ status: 200, json: { item: { pages: { terms: 'agb' } } } });
    expect(changed.headers.ETag).not.toBe(etag);
  });

  it('follows settings that another process has changed, within a second, however the requests come', async () => {
    const there = await other().store(shop.store.id);
    for (const pauses of [
      [600, 100, 350, 2000],
      [300, 650, 400, 2000],
      [999, 1, 1, 999],
    ] as const) {
      await updateSettings(there, { country: 'AT' });
      clock.advance(5000);
      const key = await newKey(shop);
      // The key and the settings of the shop are remembered from different times.
      await ask(app, `GET /stores/${shop.store.id}/products`, { key });
      clock.advance(pauses[0]);
      await get(key);
      clock.advance(pauses[1]);
      await updateSettings(there, { country: 'DE' });
      clock.advance(pauses[2]);
      await get(key);
      clock.advance(pauses[3]);
      expect([pauses, (await get(key)).json]).toMatchObject([pauses, { item: { country: 'DE' } }]);
    }
  });

  it('refuses a key without its scope', async () => {
    const key = await newKey(shop, 'settings.read');
    await expectRefused(commerce(), () => get(key), { status: 403, code: 'FORBIDDEN' });
  });

  it('has one Cache-Control on the wire, and other answers say that no cache keeps them', async () => {
    const server = createServer(commerce());
    const { url } = await server.listen({ port: 0 });
    try {
      const headers = { authorization: `Bearer ${pageKey}` };
      const of = (path: string) => fetch(`${url}/stores/${shop.store.id}/${path}`, { headers });
      expect((await of('shop')).headers.get('cache-control')).toBe('public, max-age=60');
      expect((await of('products')).headers.get('cache-control')).toBe('no-store');
    } finally {
      await server.stop();
    }
  });
});
