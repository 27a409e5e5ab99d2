import { randomUUID } from 'node:crypto';
import { type Context, type CreatedApiKey, openCommerce, type Scope, scopes } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { createApp } from '@commerce/server';
import { auditOf, emittedBy, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { ask, expectRefused, newKey, requestId } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { itemOf, useApp } from '@commerce/test-support/suites/crud-routes';
import { expect, it } from 'vitest';

const unauthorized = { status: 401, code: 'UNAUTHORIZED', headers: { 'WWW-Authenticate': 'Bearer' } };
const forbidden = { status: 403, code: 'FORBIDDEN' };
const notFound = { status: 404, code: 'NOT_FOUND' };

forEachStorage('API keys over HTTP', (database) => {
  const clock = fakeClock('2026-01-01T00:00:00.000Z');
  const commerce = useCommerce(database, { clock });
  const { shop, send, sendTo } = useApp(commerce);
  const add = async (body: object = {}) =>
    itemOf<CreatedApiKey>(await send('POST /api-keys', { body: { name: 'Till', scopes: ['product.read'], ...body } }));

  it('are answered with exactly their record, and with the key itself this once', async () => {
    const answer = await send('POST /api-keys', {
      body: { name: 'Till', scopes: ['product.read'], expiresAt: '2030-01-01T00:00:00+01:00' },
    });
    expect(answer.status).toBe(201);
    const { key, ...record } = itemOf<CreatedApiKey>(answer);
    expect(key).toMatch(/^ck_live_[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      id: record.id,
      storeId: shop().store.id,
      kind: 'secret',
      name: 'Till',
      prefix: key.slice(0, 12),
      scopes: ['product.read'],
      lastUsedAt: null,
      createdBy: expect.any(String),
      expiresAt: '2029-12-31T23:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    const one = await send(`GET /api-keys/${record.id}`);
    expect(one).toMatchObject({ status: 200, json: { item: record } });
    expect(Object.keys(itemOf(one))).toEqual(Object.keys(record));
    const all = await send('GET /api-keys');
    expect(all).toMatchObject({ status: 200, json: { items: [record, {}], total: 2 } });
    for (const { text } of [one, all]) expect(text).not.toContain(key.slice(12));
    expect(JSON.stringify(await snapshot(commerce()))).not.toContain(key.slice(12));
    expect(await send('HEAD /api-keys')).toEqual(all);
  });

  it('work as soon as they are made, and are 401 as soon as they are deleted', async () => {
    const { id, key } = await add();
    expect(await send('GET /products', { key })).toMatchObject({ status: 200 });
    await expectRefused(commerce(), () => send('GET /orders', { key }), forbidden);
    const types = await emittedBy(shop(), async () => {
      expect(await send(`DELETE /api-keys/${id}`)).toMatchObject({ status: 204, text: '' });
    });
    expect(types).toEqual([]);
    await expectRefused(commerce(), () => send('GET /products', { key }), unauthorized);
    for (const method of ['GET', 'DELETE']) {
      await expectRefused(commerce(), () => send(`${method} /api-keys/${id}`), notFound);
    }
  });

  it('can delete themselves', async () => {
    const key = await newKey(shop(), 'apiKey.delete', 'apiKey.read');
    const { items } = (await send('GET /api-keys', { key })).json as { items: { id: string }[] };
    expect(await send(`DELETE /api-keys/${items[0]?.id}`, { key })).toMatchObject({ status: 204 });
    await expectRefused(commerce(), () => send('GET /api-keys', { key }), unauthorized);
  });

  it('that are deleted elsewhere are felt within a second', async () => {
    const other = await openCommerce({ storage: database.open(), clock });
    try {
      const { id, key } = await add();
      const app = createApp(other);
      const there = () => ask(app, `GET /stores/${shop().store.id}/products`, { key });
      expect((await there()).status).toBe(200);
      await send(`DELETE /api-keys/${id}`);
      clock.advance(999);
      expect((await there()).status).toBe(200);
      clock.advance(1);
      await expectRefused(commerce(), there, unauthorized);
    } finally {
      await other.close();
    }
  });

  it('end when they expire', async () => {
    const { key } = await add({ expiresAt: new Date(clock.now() + 5000).toISOString() });
    clock.advance(4999);
    expect((await send('GET /products', { key })).status).toBe(200);
    clock.advance(1);
    await expectRefused(commerce(), () => send('GET /products', { key }), unauthorized);
  });

  it('hold every scope in its one spelling, however it was spelt', async () => {
    const spelt = [
      'products:write',
      'product:write',
      'categories.read',
      'apiKeys:delete',
      'media:read',
      'auditLogs.read',
    ];
    expect((await add({ scopes: spelt })).scopes).toEqual([
      'product.write',
      'category.read',
      'apiKey.delete',
      'media.read',
      'auditLog.read',
    ]);
    expect((await add({ scopes })).scopes).toEqual([...scopes]);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{}, ['name', 'scopes']],
    [{ name: 'Till', scopes: ['product.read', 'product.fly'] }, ['scopes.1']],
    [{ name: 'Till', scopes: ['product.read'], expiresAt: 1893456000000 }, ['expiresAt']],
  ])('are refused as %j', async (body, fields) => {
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields };
    await expectRefused(commerce(), () => send('POST /api-keys', { body }), refusal);
  });

  it('cannot grant what they do not hold, and an unknown scope is told before that', async () => {
    const key = await newKey(shop(), 'apiKey.write', 'product.read');
    const make =
      (...wanted: string[]) =>
      () =>
        send('POST /api-keys', { key, body: { name: 'x', scopes: wanted } });
    const refusal = { ...forbidden, message: /insufficient permissions.*product\.write, order\.read/ };
    await expectRefused(commerce(), make('product.read', 'products:write', 'order.read'), refusal);
    await expectRefused(commerce(), make('order.read', 'nonsense'), {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['scopes.1'],
    });
    expect(await make('product:read')()).toMatchObject({ status: 201, json: { item: { scopes: ['product.read'] } } });
    expect(await make('apiKey.write')()).toMatchObject({ status: 201 });
  });

  it.each<[string, string, Scope]>([
    ['GET', '', 'apiKey.read'],
    ['POST', '', 'apiKey.write'],
    ['GET', '/{id}', 'apiKey.read'],
    ['DELETE', '/{id}', 'apiKey.delete'],
  ])('%s /api-keys%s needs exactly its own scope, and a key of the store', async (method, below, scope) => {
    const { id } = await add();
    const line = `${method} /api-keys${below.replace('{id}', id)}`;
    const body = { name: 'x', scopes: [scope] };
    const rest = scopes.filter((other) => other !== scope);
    const refusal = { ...forbidden, message: new RegExp(`insufficient permissions.*${scope.replace('.', '\\.')}`) };
    const lacking = await newKey(shop(), ...rest);
    await expectRefused(commerce(), () => send(line, { key: lacking, body }), refusal);
    const foreign = await newKey(await newShop(commerce()));
    await expectRefused(commerce(), () => send(line, { key: foreign, body }), {
      ...forbidden,
      message: /belongs to another store/,
    });
    const answer = await send(line, { key: await newKey(shop(), scope), body });
    expect(answer.status).toBe(method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200);
  });

  it.each([
    ['', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/x', 'GET, HEAD, DELETE', ['PUT', 'PATCH', 'POST']],
  ])('cannot be changed: the methods at /api-keys%s are %s', async (below, allow, methods) => {
    for (const method of methods) {
      const refusal = { status: 405, code: 'METHOD_NOT_ALLOWED', headers: { Allow: `${allow}, OPTIONS` } };
      await expectRefused(commerce(), () => send(`${method} /api-keys${below}`, { body: {} }), refusal);
    }
  });

  it('of another store, and ids that are none, are not found', async () => {
    const other: Context = await newShop(commerce());
    const foreign = itemOf(
      await sendTo(`POST /stores/${other.store.id}/api-keys`, {
        key: await newKey(other),
        body: { name: 'x', scopes: ['product.read'] },
      }),
    );
    const { id } = await add();
    for (const wrong of [foreign.id, randomUUID(), 'x', id.toUpperCase(), '%00']) {
      for (const method of ['GET', 'DELETE']) {
        await expectRefused(commerce(), () => send(`${method} /api-keys/${wrong}`), notFound);
      }
    }
  });

  it('are listed newest first with an exact total', async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift((await add()).id);
    expect(await send('GET /api-keys?limit=2&offset=1')).toMatchObject({
      json: { items: [{ id: ids[1] }, { id: ids[2] }], total: 4 },
    });
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['limit'] };
    await expectRefused(commerce(), () => send('GET /api-keys?limit=0'), refusal);
  });

  it('leave their prefix in the audit log, never themselves', async () => {
    const { id, key, prefix } = await add();
    await send(`DELETE /api-keys/${id}`);
    const entries = (await auditOf(shop())).filter((entry) => entry.resource_id === id);
    expect(entries.map((entry) => [entry.action, entry.request_id, JSON.parse(entry.changes)])).toEqual([
      ['apiKey.created', requestId, { kind: 'secret', name: 'Till', prefix, scopes: ['product.read'] }],
      ['apiKey.deleted', requestId, { name: 'Till', prefix }],
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.slice(12));
  });
});
