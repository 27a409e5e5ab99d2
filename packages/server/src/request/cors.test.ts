import type { Context } from '@commerce/core';
import { createApp } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';

const shopOrigin = 'https://shop.example';

forEachStorage('pages of other origins', (database) => {
  const commerce = useCommerce(database);
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  const products = () => `/stores/${shop.store.id}/products`;
  const preflight = (origin: string) => ({
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization, content-type',
  });

  it('are told nothing unless the server is told to', async () => {
    const app = createApp(commerce());
    expect(await ask(app, `OPTIONS ${products()}`, { headers: preflight(shopOrigin) })).toEqual({
      status: 204,
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
      text: '',
      json: undefined,
    });
    expect((await ask(app, `GET ${products()}`, { key, headers: { origin: shopOrigin } })).headers).toEqual({});
  });

  describe('of one that is allowed', () => {
    const app = () => createApp(commerce(), { cors: ['https://admin.example', shopOrigin] });

    it('may ask without a key what they may send, and then send it', async () => {
      const asked = await ask(app(), `OPTIONS ${products()}`, { headers: preflight(shopOrigin) });
      expect(asked.status).toBe(204);
      expect(asked.headers).toMatchObject({
        Vary: 'Origin',
        'Access-Control-Allow-Origin': shopOrigin,
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'Access-Control-Max-Age': '86400',
      });
      const sendable = ['Authorization', 'X-API-Key', 'Content-Type', 'Idempotency-Key', 'If-Match'];
      for (const header of [...sendable, 'Prefer', 'Order-Token', 'Checkout-Secret']) {
        expect(asked.headers['Access-Control-Allow-Headers']).toContain(header);
      }
      const answer = await ask(app(), `GET ${products()}`, { key, headers: { origin: shopOrigin } });
      expect(answer).toMatchObject({
        status: 200,
        headers: { 'Access-Control-Allow-Origin': shopOrigin, Vary: 'Origin' },
      });
      for (const header of ['ETag', 'Preference-Applied']) {
        expect(answer.headers['Access-Control-Expose-Headers']).toContain(header);
      }
    });

    it('may read refusals too, and what is not of a store', async () => {
      const headers = { origin: shopOrigin };
      const allowed = { 'Access-Control-Allow-Origin': shopOrigin };
      expect(await ask(app(), `GET ${products()}`, { headers })).toMatchObject({ status: 401, headers: allowed });
      expect(await ask(app(), 'GET /nothing', { headers })).toMatchObject({ status: 404, headers: allowed });
      expect(await ask(app(), 'GET /healthz', { headers })).toMatchObject({ status: 200, headers: allowed });
    });

    it.each([
      ['another host', 'https://shop.example.evil.test'],
      ['another scheme', 'http://shop.example'],
      ['another port', 'https://shop.example:8443'],
      ['no origin at all', 'null'],
      ['another case', 'https://SHOP.example'],
    ])('leaves out %s', async (_, origin) => {
      const asked = await ask(app(), `OPTIONS ${products()}`, { headers: preflight(origin) });
      expect(asked.headers).toEqual({ Allow: 'GET, HEAD, POST, OPTIONS', Vary: 'Origin' });
      const answer = await ask(app(), `GET ${products()}`, { key, headers: { origin } });
      expect(answer).toMatchObject({ status: 200, headers: { Vary: 'Origin' } });
      expect(answer.headers).not.toHaveProperty('Access-Control-Allow-Origin');
    });
  });

  it('of all are meant by *', async () => {
    const app = createApp(commerce(), { cors: ['*'] });
    const answer = await ask(app, `GET ${products()}`, { key, headers: { origin: 'https://any.example' } });
    expect(answer.headers['Access-Control-Allow-Origin']).toBe('*');
    expect(answer.headers).not.toHaveProperty('Access-Control-Allow-Credentials');
  });

  it('learn the methods of paths that exist, and of no others', async () => {
    const app = createApp(commerce());
    const options = (path: string) => ask(app, `OPTIONS /stores/any-store${path}`);
    expect(await options('/orders/x/refund')).toMatchObject({ status: 204, headers: { Allow: 'POST, OPTIONS' } });
    expect(await options('/nothing')).toMatchObject({ status: 404 });
  });
});
