import { auditOf, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Actor,
  createFirstStore,
  createProduct,
  listProducts,
  listStores,
  requireStore,
  type StoreInput,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('stores', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const system: Actor = { type: 'system', id: null };

  it('begin with one store and a full key, created once however many processes ask at once', async () => {
    const { engine, identities } = commerce();
    await expect(requireStore(engine)).rejects.toMatchObject({ kind: 'notFound', message: 'there is no store yet' });
    const created = await Promise.all(
      Array.from({ length: 10 }, () => createFirstStore(engine, system, { name: 'First', currency: 'EUR' })),
    );
    const [first, ...others] = created.filter((result) => result !== undefined);
    expect(others).toEqual([]);
    expect(await listStores(engine)).toMatchObject({ total: 1, items: [{ id: first?.store.id, name: 'First' }] });
    expect((await requireStore(engine)).id).toBe(first?.store.id);
    expect((await identities.authenticate(first?.apiKey.key ?? ''))?.actor.scopes.size).toBe(41);
    expect(await createFirstStore(engine, system, { name: 'Second', currency: 'EUR' })).toBeUndefined();
  });

  it('answer the given values, the currency in capitals', async () => {
    const store = await commerce().createStore({ name: 'Shop', currency: 'kwd' });
    const at = new Date(clock.now()).toISOString();
    expect(store).toEqual({
      id: store.id,
      name: 'Shop',
      currency: 'KWD',
      strictCategoryDepth: false,
      manualPayments: false,
      plan: 'enterprise',
      rateLimit: null,
      createdAt: at,
      updatedAt: at,
    });
    const ctx = await commerce().store(store.id);
    expect(ctx).toMatchObject({ store: { ...store, decimals: 3 }, actor: { type: 'embedder', id: null } });
    expect(await auditOf(ctx)).toMatchObject([{ action: 'store.created', resource_id: store.id }]);
  });

  it('have distinct numbers, also when they are created at once', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, () => commerce().createStore({ name: 'Shop', currency: 'EUR' })),
    );
    const scopes = await Promise.all(created.map(({ id }) => commerce().store(id)));
    expect(new Set(scopes.map(({ store }) => store.number)).size).toBe(20);
  });

  it('know nothing of each other', async () => {
    const [one, two] = await Promise.all(
      ['EUR', 'JPY'].map(async (currency) => {
        const { id } = await commerce().createStore({ name: 'Shop', currency });
        return commerce().store(id);
      }),
    );
    if (!one || !two) throw new Error('no stores');
    await createProduct(one, { title: 'Mug', slug: 'mug', sku: 'M', price: '1.50' });
    await createProduct(two, { title: 'Mug', slug: 'mug', sku: 'M', price: '150' });
    expect(await listProducts(one, { search: 'mug' })).toMatchObject({ total: 1, items: [{ price: '1.50' }] });
    expect(await listProducts(two, { search: 'mu' })).toMatchObject({ total: 1, items: [{ price: '150' }] });
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['name', 'currency']],
    ['a blank name', { name: ' ', currency: 'EUR' }, ['name']],
    ['an unknown currency', { name: 'Shop', currency: 'EURO' }, ['currency']],
    ['gold', { name: 'Shop', currency: 'XAU' }, ['currency']],
    ['a currency that is a number', { name: 'Shop', currency: 978 }, ['currency']],
    ['no currency', { name: 'Shop', currency: '' }, ['currency']],
  ])('are refused with %s', async (_, input, fields) => {
    await expectDenied(commerce(), () => commerce().createStore(input as StoreInput), invalid(...fields));
  });

  it.each(['', 'x', '0190a5c8-0000-7000-8000-000000000000', '\0', "' or 1=1 --"])('are not found by %j', async (id) => {
    await expect(commerce().store(id)).rejects.toMatchObject({ kind: 'notFound' });
    await expect(requireStore(commerce().engine, id)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('must be named when there are several', async () => {
    await commerce().createStore({ name: 'Another', currency: 'EUR' });
    await expect(requireStore(commerce().engine)).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: 'store' }],
    });
  });
});
