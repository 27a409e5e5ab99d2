import { createHash } from 'node:crypto';
import { auditOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type ApiKeyInput,
  type Context,
  createApiKey,
  getApiKey,
  listApiKeys,
  listAuditLogs,
  openCommerce,
  readScope,
  revokeApiKey,
  type Scope,
  scopePresets,
  scopes,
  storefrontScopes,
} from '../index.ts';
import { maxApiKeys } from '../kernel/limits.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('API keys', (database) => {
  const clock = fakeClock('2026-01-01T00:00:00.000Z');
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());
  const authenticate = (key: string) => commerce().identities.authenticate(key);
  /** Also with scopes that TypeScript refuses. */
  type Fields = Partial<Omit<ApiKeyInput, 'scopes'>> & { scopes?: readonly string[] };
  const input = (fields: Fields = {}) =>
    ({
      name: 'Till',
      scopes: ['product.read'],
      ...fields,
    }) as ApiKeyInput;

  /** The store as used by that key. */
  const actingBy = async (shop: Context, key: string): Promise<Context> => {
    const identity = await authenticate(key);
    if (!identity) throw new Error('the key is nobody');
    return { ...shop, actor: identity.actor };
  };

  /** The store as used by a key with those scopes. */
  const actingAs = async (shop: Context, ...held: Scope[]): Promise<Context> =>
    actingBy(shop, (await createApiKey(shop, { name: 'Parent', scopes: held })).key);

  it('are shown once: ck_live_ and 43 base62 characters, stored as a hash alone', async () => {
    const shop = await openShop();
    const { key, ...shown } = await createApiKey(shop, input());
    expect(key).toMatch(/^ck_live_[0-9A-Za-z]{43,}$/);
    expect(shown).toEqual({
      id: shown.id,
      storeId: shop.store.id,
      kind: 'secret',
      name: 'Till',
      prefix: key.slice(0, 12),
      scopes: ['product.read'],
      lastUsedAt: null,
      expiresAt: null,
      createdAt: new Date(clock.now()).toISOString(),
      createdBy: null,
    });
    expect(await listApiKeys(shop)).toEqual({ items: [shown], total: 1 });
    const row = await shop.engine.storage.db
      .selectFrom('api_keys')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .executeTakeFirstOrThrow();
    expect(row.hash).toBe(createHash('sha256').update(key).digest('hex'));
    expect(JSON.stringify(await snapshot(commerce()))).not.toContain(key.slice(12));
  });

  it('are all different', async () => {
    const shop = await openShop();
    const keys = await Promise.all(Array.from({ length: 50 }, () => createApiKey(shop, input())));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(50);
  });

  it.each([
    ['product.write', 'product.write'],
    ['product:write', 'product.write'],
    ['products:write', 'product.write'],
    ['products.write', 'product.write'],
    ['categories:read', 'category.read'],
    ['category:delete', 'category.delete'],
    ['media:write', 'media.write'],
    ['apiKeys:read', 'apiKey.read'],
    ['apiKey.delete', 'apiKey.delete'],
    ['auditLogs:read', 'auditLog.read'],
    ['order.delete', 'order.delete'],
  ])('take the scope %s for %s', async (spelling, scope) => {
    const created = await createApiKey(await openShop(), input({ scopes: [spelling, scope, spelling] }));
    expect(created.scopes).toEqual([scope]);
    expect(readScope(spelling)).toBe(scope);
  });

  it('can hold all 41 scopes, and the preset "read" holds those that only read', async () => {
    const shop = await openShop();
    expect((await createApiKey(shop, input({ scopes: [...scopePresets.full] }))).scopes).toEqual([...scopes]);
    expect(scopes).toHaveLength(41);
    expect(scopePresets.read).toEqual(
      'product order customer category page media webhook apiKey user auditLog payment settings discount checkout mail withdrawal'
        .split(' ')
        .map((resource) => `${resource}.read`),
    );
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['name', 'scopes']],
    ['a blank name', input({ name: '  ' }), ['name']],
    ['a name that is too long', input({ name: 'x'.repeat(256) }), ['name']],
    ['no scopes', input({ scopes: [] }), ['scopes']],
    ['scopes that are not a list', { name: 'x', scopes: 'product.read' }, ['scopes']],
    ['an unknown scope', input({ scopes: ['product.read', 'product.fly'] }), ['scopes.1']],
    ['two unknown scopes', input({ scopes: ['a', 'product.read', 'b'] }), ['scopes.0', 'scopes.2']],
    ['everything', input({ scopes: ['*'] }), ['scopes.0']],
    ['a preset as a scope', input({ scopes: ['full'] }), ['scopes.0']],
    ['a scope in capitals', input({ scopes: ['Product.read'] }), ['scopes.0']],
    ['a scope of audit logs that does not exist', input({ scopes: ['auditLog.write'] }), ['scopes.0']],
    ['a name of Object.prototype', input({ scopes: ['constructor'] }), ['scopes.0']],
    ['a scope that is a number', { name: 'x', scopes: [7] }, ['scopes.0']],
    ['an expiry that is not a time', input({ expiresAt: 'tomorrow' }), ['expiresAt']],
    ['an expiry without a zone', input({ expiresAt: '2030-01-01T00:00:00' }), ['expiresAt']],
    ['an expiry that has passed', input({ expiresAt: '2025-12-31T23:59:59Z' }), ['expiresAt']],
    ['an expiry of this very moment', input({ expiresAt: '2026-01-01T00:00:00Z' }), ['expiresAt']],
  ])('are refused with %s', async (_, given, fields) => {
    const shop = await openShop();
    await expectDenied(commerce(), () => createApiKey(shop, given as ApiKeyInput), invalid(...fields));
  });

  describe('of storefronts', () => {
    const fixed = ['product.read', 'category.read', 'page.read', 'media.read', 'checkout.read', 'checkout.write'];
    const storefront = (fields: Fields = {}) =>
      ({
        name: 'Page',
        kind: 'storefront',
        ...fields,
      }) as ApiKeyInput;

    it('are ck_pub_ and 43 base62 characters, with scopes that are fixed', async () => {
      const shop = await openShop();
      const { key, ...shown } = await createApiKey(shop, storefront());
      expect(key).toMatch(/^ck_pub_[0-9A-Za-z]{43}$/);
      expect(shown).toMatchObject({ kind: 'storefront', name: 'Page', prefix: key.slice(0, 12), scopes: fixed });
      expect(await getApiKey(shop, shown.id)).toEqual(shown);
      expect(await listApiKeys(shop)).toEqual({ items: [shown], total: 1 });
      expect(await authenticate(key)).toMatchObject({
        actor: { type: 'apiKey', id: shown.id, scopes: new Set(fixed), isPublic: true },
      });
      expect(fixed).toEqual(storefrontScopes);
    });

    it('take their scopes in any order and spelling, and no others', async () => {
      const shop = await openShop();
      const scopes = ['checkout:write', ...fixed.slice(0, 5).reverse()];
      expect(await createApiKey(shop, storefront({ scopes }))).toMatchObject({ scopes: fixed });
      for (const wrong of [[], ['product.read'], [...fixed, 'order.read'], fixed.slice(1), ['*']]) {
        await expectDenied(commerce(), () => createApiKey(shop, storefront({ scopes: wrong })), {
          kind: 'validation',
          fields: [wrong[0] === '*' ? 'scopes.0' : 'scopes'],
        });
      }
      const unknown = { ...storefront(), kind: 'public' } as unknown as ApiKeyInput;
      await expectDenied(
        commerce(),
        () => createApiKey(shop, { ...unknown, scopes: ['product.read'] }),
        invalid('kind'),
      );
    });

    it('are created by keys that hold all of their scopes alone, and by no storefront key', async () => {
      const shop = await openShop();
      const enough = await actingAs(shop, 'apiKey.write', ...storefrontScopes);
      const { key } = await createApiKey(enough, storefront());
      for (const scope of storefrontScopes) {
        const less = await actingAs(shop, 'apiKey.write', ...storefrontScopes.filter((one) => one !== scope));
        await expectDenied(commerce(), () => createApiKey(less, storefront()), {
          kind: 'forbidden',
          message: new RegExp(`does not hold ${scope} itself`),
        });
      }
      const own = await actingBy(shop, key);
      for (const work of [
        () => createApiKey(own, storefront()),
        () => listApiKeys(own),
        () => getApiKey(own, own.actor.id ?? ''),
        () => revokeApiKey(own, own.actor.id ?? ''),
      ]) {
        await expectDenied(commerce(), work, { kind: 'forbidden', message: /storefront key/ });
      }
    });
  });

  it('cannot grant scopes they do not hold, and an unknown scope is reported first', async () => {
    const shop = await actingAs(await openShop(), 'apiKey.write', 'product.read');
    await expectDenied(commerce(), () => createApiKey(shop, input({ scopes: ['product.read', 'products:write'] })), {
      kind: 'forbidden',
      message: /product\.write/,
    });
    await expectDenied(
      commerce(),
      () => createApiKey(shop, input({ scopes: ['order.read', 'nonsense'] })),
      invalid('scopes.1'),
    );
    expect(await createApiKey(shop, input({ scopes: ['products:read'] }))).toMatchObject({ scopes: ['product.read'] });
  });

  it('stand for their store, themselves and their scopes', async () => {
    const shop = await openShop();
    const { id, key, prefix } = await createApiKey(shop, input({ scopes: ['product.read', 'order.read'] }));
    expect(await authenticate(key)).toEqual({
      store: shop.store,
      actor: { type: 'apiKey', id, scopes: new Set(['product.read', 'order.read']) },
      prefix,
      expiresAt: null,
    });
  });

  it.each<[string, (key: string) => string]>([
    ['nothing', () => ''],
    ['a key that was never created', () => `ck_live_${'A'.repeat(43)}`],
    ['one character less', (key) => key.slice(0, -1)],
    ['one character more', (key) => `${key}A`],
    ['another case', (key) => key.toUpperCase()],
    ['a blank after it', (key) => `${key} `],
    ['its hash', (key) => createHash('sha256').update(key).digest('hex')],
    ['its prefix', (key) => key.slice(0, 12)],
  ])('are nobody with %s', async (_, change) => {
    const { key } = await createApiKey(await openShop(), input());
    expect(await authenticate(change(key))).toBeUndefined();
    expect(await authenticate(key)).toBeDefined();
  });

  it('expire to the millisecond, also when they were used just before', async () => {
    const shop = await openShop();
    const expiresAt = new Date(clock.now() + 5000).toISOString();
    const { key } = await createApiKey(shop, input({ expiresAt }));
    expect((await listApiKeys(shop)).items[0]?.expiresAt).toBe(expiresAt);
    clock.advance(4999);
    expect(await authenticate(key)).toBeDefined();
    clock.advance(1);
    expect(commerce().identities.known(key)).toBeUndefined();
    expect(await authenticate(key)).toBeUndefined();
  });

  it('take an expiry in any zone', async () => {
    const created = await createApiKey(await openShop(), input({ expiresAt: '2030-01-01T00:00:00+02:00' }));
    expect(created.expiresAt).toBe('2029-12-31T22:00:00.000Z');
  });

  it('end at once in this process when they are revoked', async () => {
    const shop = await openShop();
    const { id, key } = await createApiKey(shop, input());
    expect(await authenticate(key)).toBeDefined();
    expect(commerce().identities.known(key)).toBeDefined();
    await revokeApiKey(shop, id);
    expect(commerce().identities.known(key)).toBeUndefined();
    expect(await authenticate(key)).toBeUndefined();
    expect(await listApiKeys(shop)).toEqual({ items: [], total: 0 });
    await expectDenied(commerce(), () => revokeApiKey(shop, id), { kind: 'notFound' });
  });

  it('end at once also for a request that is just looking them up', async () => {
    const shop = await openShop();
    for (let round = 0; round < 20; round++) {
      const { id, key } = await createApiKey(shop, input());
      const lookups = Array.from({ length: 5 }, () => authenticate(key));
      await Promise.all([revokeApiKey(shop, id), ...lookups]);
      expect(commerce().identities.known(key)).toBeUndefined();
    }
  });

  it('end within a second in every other process', async () => {
    const shop = await openShop();
    const other = await openCommerce({ storage: database.open(), clock });
    try {
      const { id, key } = await createApiKey(shop, input());
      const { identities } = other;
      expect(await identities.authenticate(key)).toBeDefined();
      await revokeApiKey(shop, id);
      clock.advance(999);
      expect(identities.known(key)).toBeDefined();
      clock.advance(1);
      expect(identities.known(key)).toBeUndefined();
      expect(await identities.authenticate(key)).toBeUndefined();
    } finally {
      await other.close();
    }
  });

  it('cost no query while in use: the identity is kept for a second, and use does not prolong that', async () => {
    const shop = await openShop();
    const { key } = await createApiKey(shop, input());
    expect(commerce().identities.known(key)).toBeUndefined();
    await authenticate(key);
    clock.advance(900);
    expect(await authenticate(key)).toBe(commerce().identities.known(key));
    clock.advance(100);
    expect(commerce().identities.known(key)).toBeUndefined();
    expect(await authenticate(key)).toBeDefined();
  });

  it('record when they were last used, only when it is flushed', async () => {
    const shop = await openShop();
    const [used, unused] = [await createApiKey(shop, input()), await createApiKey(shop, input())];
    const lastUsed = async () => {
      const { items } = await listApiKeys(shop);
      return [used, unused].map(({ id }) => items.find((key) => key.id === id)?.lastUsedAt);
    };
    const before = await snapshot(commerce());
    await authenticate(used.key);
    clock.advance(200);
    await authenticate(used.key);
    const at = new Date(clock.now()).toISOString();
    expect(await snapshot(commerce())).toEqual(before);
    clock.advance(30_000);
    await commerce().identities.flushUse();
    expect(await lastUsed()).toEqual([at, null]);
    const after = await snapshot(commerce());
    await commerce().identities.flushUse();
    expect(await snapshot(commerce())).toEqual(after);
  });

  it('record their last use when the database is closed, and nothing of a key revoked meanwhile', async () => {
    const shop = await openShop();
    const other = await openCommerce({ storage: database.open(), clock });
    const [kept, revoked] = [await createApiKey(shop, input()), await createApiKey(shop, input())];
    await other.identities.authenticate(kept.key);
    await other.identities.authenticate(revoked.key);
    await revokeApiKey(shop, revoked.id);
    await other.close();
    expect(await listApiKeys(shop)).toMatchObject({
      total: 1,
      items: [{ id: kept.id, lastUsedAt: new Date(clock.now()).toISOString() }],
    });
  });

  it('of another store are not found, nor are ids of another shape', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const { id, key } = await createApiKey(shop, input());
    for (const [ctx, wrong] of [
      [other, id],
      [shop, 'x'],
      [shop, '\0'],
      [shop, key],
    ] as const) {
      await expectDenied(commerce(), () => revokeApiKey(ctx, wrong), { kind: 'notFound' });
    }
    expect(await listApiKeys(other)).toEqual({ items: [], total: 0 });
    expect(await authenticate(key)).toBeDefined();
  });

  it('are listed newest first with an exact total', async () => {
    const shop = await openShop();
    const ids = [];
    for (let i = 0; i < 4; i++) ids.unshift((await createApiKey(shop, input())).id);
    const { items, total } = await listApiKeys(shop, { limit: 2, offset: 1 });
    expect([total, ...items.map((key) => key.id)]).toEqual([4, ids[1], ids[2]]);
    await expect(listApiKeys(shop, { offset: -1 })).rejects.toMatchObject({ details: [{ field: 'offset' }] });
  });

  it('created by a key expire no later than it, and name it', async () => {
    const shop = await openShop();
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const scopes: Scope[] = ['apiKey.write', 'product.read'];
    const parent = await createApiKey(shop, input({ scopes, expiresAt: at(10_000) }));
    const acting = await actingBy(shop, parent.key);
    const never = await createApiKey(acting, input({ scopes }));
    expect(never).toMatchObject({ createdBy: parent.id, expiresAt: parent.expiresAt });
    expect(await createApiKey(acting, input({ expiresAt: null }))).toMatchObject({ expiresAt: parent.expiresAt });
    expect(await createApiKey(acting, input({ expiresAt: at(5000) }))).toMatchObject({ expiresAt: at(5000) });
    await expectDenied(commerce(), () => createApiKey(acting, input({ expiresAt: at(10_001) })), invalid('expiresAt'));
    // The same applies to a key created by a key that it created.
    const next = await createApiKey(await actingBy(shop, never.key), input({ scopes }));
    expect(next).toMatchObject({ createdBy: never.id, expiresAt: parent.expiresAt });
  });

  it('are revoked with the key that created them, and with its own creator', async () => {
    const shop = await openShop();
    const scopes: Scope[] = ['apiKey.write', 'product.read'];
    const [parent, other] = [await createApiKey(shop, input({ scopes })), await createApiKey(shop, input({ scopes }))];
    const child = await createApiKey(await actingBy(shop, parent.key), input({ scopes }));
    const grandchild = await createApiKey(await actingBy(shop, child.key), input({ scopes }));
    const acting = await actingBy(shop, child.key);
    const stranger = await createApiKey(await actingBy(shop, other.key), input({ scopes }));
    for (const { key } of [parent, child, grandchild, stranger]) expect(await authenticate(key)).toBeDefined();
    await revokeApiKey(shop, parent.id);
    for (const { key } of [parent, child, grandchild]) expect(await authenticate(key)).toBeUndefined();
    for (const { key } of [other, stranger]) expect(await authenticate(key)).toBeDefined();
    expect((await listApiKeys(shop)).total).toBe(2);
    const ended = (await auditOf(shop)).filter(({ action }) => action === 'apiKey.deleted');
    expect(ended.map((entry) => entry.resource_id)).toEqual([parent.id, child.id, grandchild.id]);
    expect(JSON.parse(ended[2]?.changes ?? '')).toMatchObject({ with: parent.id });
    // A request authenticated just before cannot create a key that would survive.
    await expectDenied(commerce(), () => createApiKey(acting, input({ scopes })), { kind: 'forbidden' });
  });

  it('are not left behind when their creator is revoked at the same moment', async () => {
    const shop = await openShop();
    const scopes: Scope[] = ['apiKey.write', 'product.read'];
    for (let round = 0; round < 10; round++) {
      const parent = await createApiKey(shop, input({ scopes }));
      const acting = await actingBy(shop, parent.key);
      await Promise.allSettled([
        ...Array.from({ length: 4 }, () => createApiKey(acting, input({ scopes }))),
        revokeApiKey(shop, parent.id),
        ...Array.from({ length: 4 }, () => createApiKey(acting, input({ scopes }))),
      ]);
      expect((await listApiKeys(shop)).total).toBe(0);
    }
  });

  it('never exceed the limit of a store, also when they are requested at once', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const { id } = await createApiKey(shop, input());
    const row = await shop.engine.storage.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: maxApiKeys - 6 }, (_, i) => ({
      ...row,
      id: `${id.slice(0, -4)}${i}`,
      hash: `h${i}${id}`,
    }));
    await shop.engine.storage.db.transaction().execute(async (db) => {
      for (let i = 0; i < rows.length; i += 200)
        await db
          .insertInto('api_keys')
          .values(rows.slice(i, i + 200))
          .execute();
    });
    const created = await Promise.allSettled(Array.from({ length: 10 }, () => createApiKey(shop, input())));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect((await listApiKeys(shop)).total).toBe(maxApiKeys);
    await expectDenied(commerce(), () => createApiKey(shop, input()), { kind: 'conflict', message: /1000/ });
    expect(await createApiKey(other, input())).toBeDefined();
    await revokeApiKey(shop, id);
    expect(await createApiKey(shop, input())).toBeDefined();
    // Expired keys make room.
    await shop.engine.storage.db.transaction().execute((db) =>
      db
        .updateTable('api_keys')
        .set({ expires_at: clock.now() })
        .where('store_id', '=', shop.store.id)
        .where(
          'hash',
          'in',
          ['h1', 'h2'].map((start) => `${start}${id}`),
        )
        .execute(),
    );
    expect(await createApiKey(shop, input())).toBeDefined();
    expect((await listApiKeys(shop)).total).toBe(maxApiKeys - 1);
    const { items } = await listAuditLogs(shop, { action: 'apiKey.deleted' });
    expect(items.filter(({ changes }) => changes.expired === true)).toHaveLength(2);
  });

  it('appear in the audit log with their prefix and never whole', async () => {
    const shop = await openShop();
    const { id, key, prefix } = await createApiKey(shop, input());
    await revokeApiKey(shop, id);
    const entries = (await auditOf(shop)).slice(1);
    expect(entries).toMatchObject([
      { action: 'apiKey.created', resource_type: 'apiKey', resource_id: id },
      { action: 'apiKey.deleted', resource_type: 'apiKey', resource_id: id },
    ]);
    expect(entries.map((entry) => JSON.parse(entry.changes))).toEqual([
      { kind: 'secret', name: 'Till', prefix, scopes: ['product.read'] },
      { name: 'Till', prefix },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.slice(12));
  });
});
