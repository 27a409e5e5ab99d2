import { randomUUID } from 'node:crypto';
import { type Context, createApiKey, createProduct, revokeApiKey } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, expectRefused, newKey, requestId } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';

forEachStorage('the interface', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  let shop: Context;
  let other: Context;
  let key: string;
  beforeAll(async () => {
    app = createApp(commerce());
    shop = await newShop(commerce());
    other = await newShop(commerce());
    key = await newKey(shop);
    await newProduct(shop, { slug: 'here-before' });
    await newProduct(other, { slug: 'of-another-shop' });
  });
  const products = () => `/stores/${shop.store.id}/products`;
  const newMug = () => ({ title: 'Mug', slug: `mug-${randomUUID()}`, price: '5' });

  describe('keys', () => {
    const challenge = { status: 401, code: 'UNAUTHORIZED', headers: { 'WWW-Authenticate': 'Bearer' } };
    const refused: [string, Record<string, string>][] = [
      ['a key in the query alone', {}],
      ['an empty Authorization', { authorization: '' }],
      ['a scheme without a key', { authorization: 'Bearer' }],
      ['another scheme', { authorization: 'Basic Y2tfbGl2ZV86' }],
      ['an unknown key', { authorization: `Bearer ck_live_${'a'.repeat(43)}` }],
      ['an unknown key in X-API-Key', { 'x-api-key': `ck_live_${'a'.repeat(43)}` }],
      ['an empty X-API-Key', { 'x-api-key': '' }],
      ['a key that is no key', { authorization: "Bearer ' or 1=1 --" }],
    ];
    it.each(refused)('refuses %s with 401 and a challenge', async (_, headers) => {
      const send = () => ask(app, `POST ${products()}?key=${key}&api_key=${key}`, { headers, body: newMug() });
      await expectRefused(commerce(), send, challenge);
    });

    it('takes the key from Authorization, in any case of the scheme, and from X-API-Key', async () => {
      for (const headers of [
        { authorization: `Bearer ${key}` },
        { authorization: `bearer ${key}` },
        { 'x-api-key': key },
      ] as Record<string, string>[]) {
        expect((await ask(app, `GET ${products()}`, { headers })).status).toBe(200);
      }
    });

    it('does not fall back to X-API-Key when Authorization holds something else', async () => {
      const headers = { authorization: 'Bearer nonsense', 'x-api-key': key };
      await expectRefused(commerce(), () => ask(app, `GET ${products()}`, { headers }), challenge);
    });

    it('never repeats a key', async () => {
      const wrong = `ck_live_${'b'.repeat(43)}`;
      expect((await ask(app, `GET ${products()}`, { key: wrong })).text).not.toContain(wrong);
    });

    it('refuses a revoked key at once', async () => {
      const made = await createApiKey(shop, { name: 'short', scopes: ['product.read'] });
      expect((await ask(app, `GET ${products()}`, { key: made.key })).status).toBe(200);
      await revokeApiKey(shop, made.id);
      await expectRefused(commerce(), () => ask(app, `GET ${products()}`, { key: made.key }), challenge);
    });

    it('asks for a key before it says whether a store or a path exists', async () => {
      const paths = [`/stores/${randomUUID()}/products`, `${products()}/nothing/here`, '/stores/x/y'];
      const answers = await Promise.all(paths.map((path) => ask(app, `GET ${path}`)));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]?.status).toBe(401);
    });
  });

  describe('stores and scopes', () => {
    it("answers the same for another store's path whether that store exists or not", async () => {
      const texts = new Set<string>();
      for (const storeId of [other.store.id, randomUUID(), 'no-id', '%00', '..', shop.store.id.toUpperCase()]) {
        for (const line of [`GET /stores/${storeId}/products`, `POST /api/stores/${storeId}/products`]) {
          const send = () => ask(app, line, { key, body: newMug() });
          texts.add((await expectRefused(commerce(), send, { status: 403, code: 'FORBIDDEN' })).text);
        }
      }
      expect([...texts]).toEqual([expect.stringContaining('insufficient permissions')]);
    });

    it('names the scope that a key lacks, and write does not imply read', async () => {
      const id = (await newProduct(shop)).id;
      const writer = await newKey(shop, 'product.write');
      const reader = await newKey(shop, 'product.read', 'order.write', 'webhook.write');
      const rows = [
        ['GET', products(), writer, 'product.read'],
        ['HEAD', products(), writer, 'product.read'],
        ['GET', `${products()}/${id}`, writer, 'product.read'],
        ['POST', products(), reader, 'product.write'],
        ['PUT', `${products()}/${id}`, reader, 'product.write'],
        ['PATCH', `${products()}/${id}`, reader, 'product.write'],
        ['DELETE', `${products()}/${id}`, writer, 'product.delete'],
        ['GET', `/stores/${shop.store.id}/orders`, reader, 'order.read'],
        ['GET', `/stores/${shop.store.id}/orders/${id}`, reader, 'order.read'],
        ['GET', `/stores/${shop.store.id}/webhooks`, reader, 'webhook.read'],
        ['GET', `/stores/${shop.store.id}/webhooks/${id}`, reader, 'webhook.read'],
        ['POST', `/stores/${shop.store.id}/webhooks`, writer, 'webhook.write'],
        ['PUT', `/stores/${shop.store.id}/webhooks/${id}`, writer, 'webhook.write'],
        ['DELETE', `/stores/${shop.store.id}/webhooks/${id}`, reader, 'webhook.delete'],
      ] as const;
      for (const [method, path, lacking, scope] of rows) {
        const send = () => ask(app, `${method} ${path}`, { key: lacking, body: { title: 'Changed' } });
        const message = new RegExp(`insufficient permissions.*${scope.replace('.', '\\.')}`);
        await expectRefused(commerce(), send, { status: 403, code: 'FORBIDDEN', message });
      }
    });

    it('checks the scope before it looks at the body', async () => {
      const reader = await newKey(shop, 'product.read');
      const send = () => ask(app, `POST ${products()}`, { key: reader, body: '{', type: 'text/plain' });
      await expectRefused(commerce(), send, { status: 403, code: 'FORBIDDEN' });
    });
  });

  describe('paths and methods', () => {
    it('answers under both prefixes alike', async () => {
      const { id } = await newProduct(shop);
      for (const path of [products(), `${products()}/${id}`, `/stores/${shop.store.id}/orders`]) {
        const plain = await ask(app, `GET ${path}`, { key });
        expect(plain.status).toBe(200);
        expect(await ask(app, `GET /api${path}`, { key })).toEqual(plain);
      }
    });

    const unknown = [
      'GET /',
      'GET /products',
      'GET /stores',
      'GET /api',
      'GET /api/api/stores/x/products',
      'POST /api/webhooks',
      'GET /healthz/deep',
      'GET //stores/x/products',
      'GET /STORES/x/products',
      'GET *',
    ];
    it.each(unknown)('knows nothing at %s, with or without a key', async (line) => {
      for (const sending of [{}, { key }]) {
        await expectRefused(commerce(), () => ask(app, line, sending), { status: 404, code: 'NOT_FOUND' });
      }
    });

    it.each([
      '',
      '/',
      '/nothing',
      '/products/',
      '/products/%',
      '/products/%ff',
      '/products/x/y',
      '//products',
      '/product',
      '/__proto__',
      '/constructor',
    ])('knows nothing at <store>%s', async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'BREW']) {
        const send = () => ask(app, `${method} /stores/${shop.store.id}${path}`, { key, body: newMug() });
        await expectRefused(commerce(), send, { status: 404, code: 'NOT_FOUND' });
      }
    });

    it.each([
      ['/products', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'TRACE', 'BREW', 'get']],
      ['/products/x', 'GET, HEAD, PUT, PATCH, DELETE', ['POST']],
      ['/orders', 'GET, HEAD', ['PUT', 'DELETE']],
      ['/orders/x', 'GET, HEAD, PUT, PATCH', ['POST', 'DELETE']],
      ['/webhooks', 'GET, HEAD, POST', ['PUT', 'DELETE']],
      ['/webhooks/x', 'GET, HEAD, PUT, PATCH, DELETE', ['POST']],
    ])('says which methods %s has', async (path, allow, methods) => {
      for (const method of methods) {
        const send = () => ask(app, `${method} /stores/${shop.store.id}${path}`, { key, body: newMug() });
        const refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', headers: { Allow: `${allow}, OPTIONS` } };
        await expectRefused(commerce(), send, refusal);
      }
    });

    it('says so before it says that the scope is missing', async () => {
      const reader = await newKey(shop, 'webhook.read');
      expect((await ask(app, `DELETE ${products()}`, { key: reader })).status).toBe(405);
      expect((await ask(app, `GET /stores/${shop.store.id}/nothing`, { key: reader })).status).toBe(404);
    });
  });

  describe('bodies', () => {
    it('may not have lists and objects without an end', async () => {
      const wrong = Array.from({ length: 100_000 }, () => 0);
      const many = Object.fromEntries(wrong.map((_, i) => [`key${i}`, 0]));
      const refusal = { status: 400, code: 'VALIDATION_ERROR', message: /must have at most 1000 entries, not 100000/ };
      const post = (path: string, body: object) => () =>
        ask(app, `POST /stores/${shop.store.id}${path}`, { key, body });
      for (const [path, field, value] of [
        ['/api-keys', 'scopes', wrong],
        ['/webhooks', 'events', wrong],
        ['/products', 'categoryIds', wrong],
        ['/products', 'attributes', many],
      ] as const) {
        await expectRefused(commerce(), post(path, { ...newMug(), [field]: value }), { ...refusal, fields: [field] });
      }
    });

    const json = '{"title":"Mug","slug":"a-body","price":"5"}';
    it.each([
      ['no type', null],
      ['text', 'text/plain'],
      ['a form', 'application/x-www-form-urlencoded'],
      ['a file', 'multipart/form-data; boundary=x'],
      ['a name that only begins like it', 'application/jsonx'],
      ['a name that only ends like it', 'x-application/json'],
      ['nothing', ''],
    ])('refuses JSON sent as %s', async (_, type) => {
      const send = () => ask(app, `POST ${products()}`, { key, body: json, type });
      await expectRefused(commerce(), send, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    });

    it.each([
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json;charset="utf-8"',
      'application/vnd.api+json',
    ])('takes %s', async (type) => {
      const body = JSON.stringify(newMug());
      expect((await ask(app, `POST ${products()}`, { key, body, type })).status).toBe(201);
    });

    it('takes a body that begins with a byte order mark', async () => {
      const body = `\ufeff${JSON.stringify(newMug())}`;
      expect((await ask(app, `POST ${products()}`, { key, body })).status).toBe(201);
    });

    const badBodies: [string, string | Buffer][] = [
      ['nothing', ''],
      ['half an object', '{"title":"Mug"'],
      ['two objects', `${json}${json}`],
      ['single quotes', "{'title':'Mug'}"],
      ['NaN', '{"price":NaN}'],
      ['a byte order mark that is not at the beginning', `${json}\ufeff`],
      [
        'bytes that are not UTF-8',
        Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      ],
      ['UTF-16', Buffer.from(json, 'utf16le')],
      [
        'UTF-8 for half a surrogate pair',
        Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      ],
      ['null', 'null'],
      ['a list', `[${json}]`],
      ['a text', '"Mug"'],
      ['a number', '1'],
      ['brackets without an end', '['.repeat(100_000)],
    ];
    it.each(badBodies)('refuses %s for a body', async (_, body) => {
      const send = () => ask(app, `POST ${products()}`, { key, body });
      await expectRefused(commerce(), send, { status: 400, code: 'VALIDATION_ERROR', fields: ['body'] });
    });

    it('is not led astray by __proto__, repeated names or deep nesting', async () => {
      const body = `{"__proto__":{"status":"published"},"title":"A","title":"B","slug":"proto","price":"5","more":${'['.repeat(5000)}${']'.repeat(5000)}}`;
      const answer = await ask(app, `POST ${products()}`, { key, body });
      expect(answer).toMatchObject({ status: 201, json: { item: { title: 'B', status: 'draft' } } });
      expect({}).not.toHaveProperty('status');
    });

    it('reads no body with GET, HEAD and DELETE', async () => {
      const { id } = await newProduct(shop);
      expect((await ask(app, `GET ${products()}`, { key, body: '{' })).status).toBe(200);
      expect((await ask(app, `HEAD ${products()}`, { key, body: '{' })).status).toBe(200);
      expect(await ask(app, `DELETE ${products()}/${id}`, { key, body: '{' })).toMatchObject({ status: 204, text: '' });
    });
  });

  describe('health', () => {
    it('answers without a key', async () => {
      for (const headers of [{}, { authorization: 'Bearer nonsense' }] as Record<string, string>[]) {
        expect(await ask(app, 'GET /healthz', { headers })).toMatchObject({ status: 200, json: { status: 'ok' } });
        expect(await ask(app, 'GET /readyz?x=1', { headers })).toMatchObject({
          status: 200,
          json: { status: 'ready' },
        });
      }
      expect((await ask(app, 'HEAD /healthz')).status).toBe(200);
    });

    it.each(['/healthz', '/readyz'])('allows reading alone at %s', async (path) => {
      const refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', headers: { Allow: 'GET, HEAD' } };
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        await expectRefused(commerce(), () => ask(app, `${method} ${path}`), refusal);
      }
    });

    it('answers everything but healthz with 503 once it refuses', async () => {
      const stopping = createApp(commerce());
      stopping.refuse();
      expect((await ask(stopping, 'GET /healthz')).status).toBe(200);
      const refusal = { status: 503, code: 'UNAVAILABLE', headers: { 'Retry-After': '1' } };
      for (const line of ['GET /readyz', `GET ${products()}`, `POST ${products()}`, 'GET /nothing']) {
        await expectRefused(commerce(), () => ask(stopping, line, { key, body: newMug() }), refusal);
      }
      // A provider sends again what was answered with 500.
      const notification = () => ask(stopping, `POST /api/webhooks/stripe/${shop.store.id}`, { body: {} });
      await expectRefused(commerce(), notification, {
        status: 500,
        code: 'UNAVAILABLE',
        headers: { 'Retry-After': '1' },
      });
    });

    it('knows which paths are its own', () => {
      const own = [
        '/healthz',
        '/readyz?x',
        '/stores/a',
        '/stores/a/b?c=/d',
        '/api/stores/a/b',
        '/api/webhooks/stripe',
        '/api/webhooks/x/y',
      ];
      const foreign = [
        '/',
        '',
        '/store',
        '/stores',
        '/stores/',
        '/stores?x',
        '/api',
        '/api/webhooks',
        '/healthzz',
        '/about?next=/stores/a',
        '*',
      ];
      expect(own.filter((url) => !app.owns(url))).toEqual([]);
      expect(foreign.filter((url) => app.owns(url))).toEqual([]);
    });
  });
});

forEachStorage('faults of our own', (database) => {
  const commerce = useCommerce(database);

  it('are answered with a bare 500 and told in full to whoever runs the server', async () => {
    const shop = await newShop(commerce());
    const key = await newKey(shop);
    const { id } = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '5' });
    const told: [unknown, string][] = [];
    const app = createApp(commerce(), { onError: (...fault) => told.push(fault) });
    await commerce()
      .engine.storage.db.transaction()
      .execute((db) => sql`alter table products rename column json to gone`.execute(db));
    const path = `/stores/${shop.store.id}/products`;
    const lines = [`GET ${path}`, `GET ${path}/${id}`, `PUT ${path}/${id}`, `POST ${path}`, `DELETE ${path}/${id}`];
    for (const line of lines) {
      const answer = await ask(app, line, { key, body: { title: 'New', slug: 'new', price: '6' } });
      expectEnvelope(answer, { status: 500, code: 'INTERNAL_ERROR', message: new RegExp(requestId) });
      expect(answer.text).not.toMatch(/sql|json|column|select|insert|table|gone|node_modules|\bat \w+|\.ts|\.js/i);
    }
    expect(told.map(([, id]) => id)).toEqual(lines.map(() => requestId));
    for (const [error] of told) expect(String(error)).toMatch(/json/i);
  });

  it('do not reach a notification either, and readyz says that tables are missing', async () => {
    const app = createApp(commerce(), { onError: () => {} });
    await commerce()
      .engine.storage.db.transaction()
      .execute(async (db) => {
        await sql`alter table payment_providers rename to elsewhere`.execute(db);
        await sql`delete from schema_migrations`.execute(db);
      });
    const answer = await ask(app, 'POST /api/webhooks/stripe', { body: {} });
    expectEnvelope(answer, { status: 500, code: 'INTERNAL_ERROR', message: new RegExp(requestId) });
    expect(answer.text).not.toMatch(/payment_providers|sql|table/i);
    const ready = await ask(app, 'GET /readyz');
    expectEnvelope(ready, { status: 503, code: 'UNAVAILABLE', message: /0001_initial/ });
    expect(ready.headers).toEqual({ 'Retry-After': '1' });
    expect((await ask(app, 'GET /healthz')).status).toBe(200);
  });
});
