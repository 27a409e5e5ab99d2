import { randomUUID } from 'node:crypto';
import { type AuditLog, configureProvider, createOrder, type Scope, scopes } from '@commerce/core';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { send as notify, payment } from '@commerce/test-support/fixtures/stripe';
import { expectRefused, newKey, requestId } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { itemOf, useApp } from '@commerce/test-support/suites/crud-routes';
import { describe, expect, it } from 'vitest';

forEachStorage('the audit log over HTTP', (database) => {
  const commerce = useCommerce(database);
  const { shop, send } = useApp(commerce);
  const read = async (query = '') => {
    const answer = await send(`GET /audit-logs${query}`);
    expect(answer.status).toBe(200);
    return answer.json as { items: AuditLog[]; total: number };
  };

  const bodies: [string, Record<string, unknown>, Record<string, unknown> | null][] = [
    ['products', { title: 'Mug', slug: 'mug', price: '5' }, { price: '6' }],
    ['categories', { name: 'Mugs', slug: 'mugs' }, { name: 'Cups' }],
    ['pages', { title: 'Imprint', slug: 'imprint' }, { content: 'We' }],
    ['customers', { email: 'ada@example.org' }, { name: 'Ada' }],
    [
      'webhooks',
      { url: 'https://example.com/', events: ['order.*'], secret: 'a secret of a subscriber' },
      { isActive: false },
    ],
    ['api-keys', { name: 'Till', scopes: ['product.read'] }, null],
  ];

  it.each(bodies)('says of %s who made, changed and deleted one, with which request', async (path, body, change) => {
    const { id } = itemOf(await send(`POST /${path}`, { body }));
    if (change) await send(`PUT /${path}/${id}`, { body: change });
    await send(`DELETE /${path}/${id}`);
    const { items, total } = await read(`?resourceId=${id}`);
    const noun = items[0]?.resourceType ?? '';
    expect(items.map(({ action }) => action)).toEqual(
      ['deleted', ...(change ? ['updated'] : []), 'created'].map((done) => `${noun}.${done}`),
    );
    expect(total).toBe(items.length);
    for (const entry of items) {
      expect(Object.keys(entry)).toEqual([
        'id',
        'storeId',
        'actorType',
        'actorId',
        'action',
        'resourceType',
        'resourceId',
        'changes',
        'requestId',
        'createdAt',
      ]);
      expect(entry).toMatchObject({
        storeId: shop().store.id,
        actorType: 'apiKey',
        actorId: expect.any(String),
        resourceId: id,
        requestId,
      });
      expect(entry.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(itemOf(await send(`GET /audit-logs/${entry.id}`))).toEqual(entry);
      expect(
        await read(`?resourceId=${id}&action=${entry.action}&actorId=${entry.actorId}&resourceType=${noun}`),
      ).toEqual({
        items: [entry],
        total: 1,
      });
    }
  });

  it('names a provider with its request, and the field of an order that was paid', async () => {
    await configureProvider(shop(), 'stripe', { webhookSecret: 'whsec_test_5f2b8e0c9d7a4b1e' });
    const order = await createOrder(shop(), { items: [{ productId: (await newProduct(shop())).id, quantity: 1 }] });
    await notify(shop(), payment(order.id, 1000).intentSucceeded());
    const { items, total } = await read('?actorId=stripe');
    expect([total, items]).toMatchObject([
      1,
      [{ actorType: 'provider', action: 'order.paid', resourceType: 'order', resourceId: order.id }],
    ]);
    expect((await read(`?resourceId=${order.id}`)).items.map(({ action }) => action)).toEqual([
      'order.paid',
      'order.created',
    ]);
  });

  it('comes in pages, newest first, with the exact total also beyond its end', async () => {
    for (let i = 0; i < 5; i++) await newProduct(shop());
    const all = (await read('?limit=200')).items;
    expect(all.map(({ action }) => action)).toEqual([
      ...Array.from({ length: 5 }, () => 'product.created'),
      'apiKey.created',
      'store.created',
    ]);
    expect(await read('?limit=2&offset=1')).toEqual({ items: all.slice(1, 3), total: 7 });
    expect(await read('?offset=7')).toEqual({ items: [], total: 7 });
    expect(await read('?offset=9007199254740991&colour=red')).toEqual({ items: [], total: 7 });
    expect(await read('?action=product.created&limit=1&offset=4')).toEqual({ items: [all[4]], total: 5 });
    expect(await read('?resourceType=')).toMatchObject({ total: 7 });
    expect(await read('?resourceType=Product')).toEqual({ items: [], total: 0 });
    expect(await send('HEAD /audit-logs')).toEqual(await send('GET /audit-logs'));
  });

  it('holds no secret and no key', async () => {
    const secrets = ['a secret of a subscriber', 'another secret of it', 'whsec_the_secret_of_stripe'];
    const body = { url: 'https://example.com/', events: ['order.*'], secret: secrets[0] };
    const { id } = itemOf(await send('POST /webhooks', { body }));
    await send(`PUT /webhooks/${id}`, { body: { secret: secrets[1] } });
    await configureProvider(shop(), 'stripe', { webhookSecret: secrets[2] as string });
    const { key } = itemOf<{ id: string; key: string }>(
      await send('POST /api-keys', { body: { name: 'Till', scopes: ['product.read'] } }),
    );
    const { text } = await send('GET /audit-logs?limit=200');
    for (const secret of [...secrets, key.slice(12)]) expect(text).not.toContain(secret);
    expect(text).toContain(key.slice(0, 12));
  });

  describe('is read-only:', () => {
    it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is not a method of it', async (method) => {
      const { items } = await read();
      for (const path of ['/audit-logs', `/audit-logs/${items[0]?.id}`]) {
        await expectRefused(commerce(), () => send(`${method} ${path}`, { body: { action: 'nothing' } }), {
          status: 405,
          code: 'METHOD_NOT_ALLOWED',
          headers: { Allow: 'GET, HEAD, OPTIONS' },
        });
      }
    });
  });

  it('needs its own scope and a key of the store', async () => {
    const { items } = await read();
    const lacking = await newKey(shop(), ...scopes.filter((scope) => scope !== 'auditLog.read'));
    const foreign = await newKey(await newShop(commerce()));
    const reader = await newKey(shop(), 'auditLog.read' satisfies Scope);
    for (const path of ['/audit-logs', `/audit-logs/${items[0]?.id}`]) {
      for (const [key, message] of [
        [lacking, /auditLog\.read/],
        [foreign, /belongs to another store/],
      ] as const) {
        await expectRefused(commerce(), () => send(`GET ${path}`, { key }), {
          status: 403,
          code: 'FORBIDDEN',
          message,
        });
      }
      expect((await send(`GET ${path}`, { key: reader })).status).toBe(200);
    }
  });

  it("never shows another store's entry, nor one that does not exist", async () => {
    const other = await newShop(commerce());
    const [foreign] = await other.engine.storage.db
      .selectFrom('audit_logs')
      .select('id')
      .where('store_id', '=', other.store.id)
      .execute();
    for (const id of [foreign?.id, randomUUID(), 'x', '%00']) {
      await expectRefused(commerce(), () => send(`GET /audit-logs/${id}`), { status: 404, code: 'NOT_FOUND' });
    }
    const { items } = await read('?limit=200');
    for (const entry of items) expect(entry.storeId).toBe(shop().store.id);
  });

  it.each([
    ['limit=0', 'limit'],
    ['resourceId=%00', 'resourceId'],
  ])('is refused with ?%s, naming %s', async (query, field) => {
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: [field] };
    await expectRefused(commerce(), () => send(`GET /audit-logs?${query}`), refusal);
  });
});
