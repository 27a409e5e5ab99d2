import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  createApiKey,
  createSignInCode,
  exchangeCode,
  listApiKeys,
  listAuditLogs,
  scopes,
  uuidV7Source,
  whoAmI,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('exchanging a code for a key', (database) => {
  const clock = fakeClock('2026-01-01T00:00:00.000Z');
  const commerce = useCommerce(database, { clock });
  const exchange = (code: unknown) => exchangeCode(commerce().engine, { code } as { code: string }, 'request');
  const refusal = { kind: 'unauthorized', message: /used, has expired or never existed/ } as const;

  it('gives a key with every scope that ends after twelve hours', async () => {
    const shop = await newShop(commerce());
    const { code, expiresAt } = await createSignInCode(shop);
    expect(expiresAt).toBe(new Date(clock.now() + 600_000).toISOString());
    const { key, ...shown } = await exchange(code);
    expect(shown).toMatchObject({
      storeId: shop.store.id,
      name: 'Dashboard',
      kind: 'secret',
      scopes,
      expiresAt: new Date(clock.now() + 12 * 3_600_000).toISOString(),
    });
    expect((await commerce().identities.authenticate(key))?.store.id).toBe(shop.store.id);
    expect((await listAuditLogs(shop, { action: 'apiKey.created' })).items[0]).toMatchObject({
      action: 'apiKey.created',
      actorType: 'system',
      resourceId: shown.id,
      requestId: 'request',
    });
    clock.advance(12 * 3_600_000);
    expect(await commerce().identities.authenticate(key)).toBeUndefined();
  });

  it('works once, also where it is tried many times at once', async () => {
    const shop = await newShop(commerce());
    const { code } = await createSignInCode(shop);
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => exchange(code)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expectDenied(commerce(), () => exchange(code), refusal);
    expect((await listApiKeys(shop)).total).toBe(1);
  });

  it('works for ten minutes, beside other codes of the store', async () => {
    const shop = await newShop(commerce());
    const first = await createSignInCode(shop);
    clock.advance(599_999);
    const second = await createSignInCode(shop);
    await exchange(first.code);
    clock.advance(600_000);
    await expectDenied(commerce(), () => exchange(second.code), refusal);
    // The next code deletes expired ones.
    await createSignInCode(shop);
    const rows = await shop.engine.storage.db.selectFrom('sign_in_codes').selectAll().execute();
    expect(rows.filter(({ store_id }) => store_id === shop.store.id)).toHaveLength(1);
  });

  it('refuses what is no code, and the code of one store for another', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const { code } = await createSignInCode(shop);
    const secret = code.slice(code.indexOf('.'));
    const never = uuidV7Source().next(clock.now());
    for (const wrong of [
      secret,
      `${other.store.id}${secret}`,
      `${never}${secret}`,
      `${code}x`,
      code.slice(0, -1),
      'x',
    ]) {
      await expectDenied(commerce(), () => exchange(wrong), refusal);
    }
    for (const wrong of ['', 5, null, 'x'.repeat(201), 'a\0']) {
      await expectDenied(commerce(), () => exchange(wrong), invalid('code'));
    }
    await exchange(code);
  });

  it('keeps the hash of a code alone', async () => {
    const shop = await newShop(commerce());
    const { code } = await createSignInCode(shop);
    const rows = await shop.engine.storage.db.selectFrom('sign_in_codes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code.slice(code.indexOf('.') + 1));
  });

  it('is not given to API keys', async () => {
    const shop = await newShop(commerce());
    const { key } = await createApiKey(shop, { name: 'all', scopes: [...scopes] });
    const actor = (await commerce().identities.authenticate(key))?.actor;
    if (!actor) throw new Error('the key is nobody');
    await expectDenied(commerce(), () => createSignInCode({ ...shop, actor }), { kind: 'forbidden' });
  });

  it('tells who asks, and of which store', async () => {
    const shop = await newShop(commerce(), 'JPY');
    const { id, key } = await createApiKey(shop, { name: 'Till', scopes: ['product.read'] });
    const actor = (await commerce().identities.authenticate(key))?.actor;
    if (!actor) throw new Error('the key is nobody');
    const store = { id: shop.store.id, name: 'Shop', currency: 'JPY', plan: 'enterprise', timeZone: 'UTC' };
    expect(await whoAmI({ ...shop, actor })).toEqual({
      store,
      key: { id, name: 'Till', kind: 'secret', scopes: ['product.read'], expiresAt: null },
      user: null,
    });
    expect(await whoAmI(shop)).toEqual({ store, key: null, user: null });
    const page = await createApiKey(shop, { kind: 'storefront', name: 'Page' });
    const anybody = (await commerce().identities.authenticate(page.key))?.actor;
    if (!anybody) throw new Error('the key is nobody');
    expect(await whoAmI({ ...shop, actor: anybody })).toEqual({
      store,
      key: { id: page.id, name: 'Page', kind: 'storefront', scopes: page.scopes, expiresAt: null },
      user: null,
    });
  });
});
