import { createSignInCode } from '@commerce/core';
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
    expectEnvelope(await ask(app, 'GET /dashboard/sign-in'), { status: 405, code: 'METHOD_NOT_ALLOWED' });
    const wrong = await ask(app, 'POST /dashboard/sign-in', { body: {} });
    expectEnvelope(wrong, { status: 400, code: 'VALIDATION_ERROR', fields: ['code'] });
    const typed = await ask(app, 'POST /dashboard/sign-in', { body: 'code=x', type: 'text/plain' });
    expectEnvelope(typed, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});
