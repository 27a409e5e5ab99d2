import { createSignInCode, listAuditLogs } from '@commerce/core';
import { createApp } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

forEachStorage('POST /dashboard/sign-in', (database) => {
  const commerce = useCommerce(database);

  it('exchanges a code for a key, once, without any key', async () => {
    const app = createApp(commerce(), { dashboard: true });
    const shop = await newShop(commerce());
    const { code } = await createSignInCode(shop);
    const signedIn = await ask(app, 'POST /dashboard/sign-in', { body: { code } });
    expect(signedIn.status).toBe(201);
    expect(signedIn.headers['Cache-Control']).toBe('no-store');
    const { item } = signedIn.json as { item: { key: string; storeId: string } };
    expect(item.storeId).toBe(shop.store.id);
    const who = await ask(app, `GET /stores/${item.storeId}/whoami`, { key: item.key });
    expect(who.json).toMatchObject({ store: { id: shop.store.id }, key: { name: 'Dashboard' } });
    const again = await ask(app, 'POST /dashboard/sign-in', { body: { code } });
    expectEnvelope(again, { status: 401, code: 'UNAUTHORIZED', message: /was used/ });
  });

  it('refuses other methods, types and bodies', async () => {
    const app = createApp(commerce(), { dashboard: true });
    expectEnvelope(await ask(app, 'PUT /dashboard/sign-in'), { status: 405, code: 'METHOD_NOT_ALLOWED' });
    const wrong = await ask(app, 'POST /dashboard/sign-in', { body: {} });
    expectEnvelope(wrong, { status: 400, code: 'VALIDATION_ERROR', fields: ['code'] });
    const typed = await ask(app, 'POST /dashboard/sign-in', { body: 'code=x', type: 'text/plain' });
    expectEnvelope(typed, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    const long = await ask(app, 'POST /dashboard/sign-in', { body: { code: 'x'.repeat(8192) } });
    expectEnvelope(long, { status: 413, code: 'PAYLOAD_TOO_LARGE', message: /at most 8192 bytes/ });
    const deep = await ask(app, 'POST /dashboard/sign-in', { body: `{"code":${'['.repeat(64)}` });
    expectEnvelope(deep, {
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: ['body'],
      message: /nested at most 64 deep/,
    });
  });

  it('counts what fails by its address, and says from where a sign-in came', async () => {
    const app = createApp(commerce(), { dashboard: true });
    const shop = await newShop(commerce());
    const send = async (code: string, address: string) => {
      const body = Buffer.from(JSON.stringify({ code }));
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', url: '/dashboard/sign-in', headers, address, readBody: async () => body };
      return app.handle(request, 'r');
    };
    for (let i = 0; i < 20; i++) expect((await send(`${shop.store.id}.${i}`, '192.0.2.1')).status).toBe(401);
    const { code } = await createSignInCode(shop);
    const refused = await send(code, '192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers?.['Retry-After'])).toBeGreaterThan(0);
    // Another address is not delayed, and successful sign-ins do not count.
    expect((await send(code, '192.0.2.2')).status).toBe(201);
    const { items } = await listAuditLogs(shop, { action: 'apiKey.signedIn' });
    expect(items).toMatchObject([{ resourceType: 'apiKey', changes: { name: 'Dashboard', address: '192.0.2.2' } }]);
  });
});
