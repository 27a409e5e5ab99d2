import { auditOf, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { inParallel } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createProduct,
  createWebhook,
  deleteCategory,
  deleteProduct,
  getCategory,
  getProduct,
  listAuditLogs,
  listCategories,
  listProducts,
  type Product,
  updateProduct,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

let made = 0;

forEachStorage('the deletion of a category', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const openShop = () => newShop(commerce());
  const now = () => new Date(clock.now()).toISOString();
  const add = (shop: Context, parentId: string | null = null) =>
    createCategory(shop, { name: 'Category', slug: `category-${++made}`, parentId, status: 'published' });
  const facetsOf = (shop: Context, category: string) =>
    shop.engine.storage.db
      .selectFrom('product_facets')
      .select('product_id')
      .where('store_id', '=', shop.store.id)
      .where('facet', '=', 'category')
      .where('value', '=', category)
      .execute();

  it('makes roots of any number of children', async () => {
    const shop = await openShop();
    const root = await add(shop);
    const children: string[] = [];
    for (let i = 0; i < 120; i++) children.push((await add(shop, root.id)).id);
    const events = await eventsOf(shop);
    await deleteCategory(shop, root.id);
    expect((await listCategories(shop, { parentId: null })).total).toBe(120);
    const seen = (await eventsOf(shop)).slice(events.length);
    expect(seen.map(({ type }) => type)).toEqual(['category.deleted', ...children.map(() => 'category.updated')]);
    expect(seen.slice(1).map(({ resourceId }) => resourceId)).toEqual(children);
    expect((await listAuditLogs(shop, { action: 'category.updated' })).total).toBe(120);
  });

  it('makes roots of its children and takes its id from the products, with one event and one entry for each', async () => {
    const shop = await openShop();
    const [root, other] = [await add(shop), await add(shop)];
    const [one, two] = [await add(shop, root.id), await add(shop, root.id)];
    const elsewhere = await add(shop, other.id);
    const goneChild = await add(shop, root.id);
    await deleteCategory(shop, goneChild.id);
    const both = await newProduct(shop, { categoryIds: [root.id, other.id, one.id], status: 'published' });
    const only = await newProduct(shop, { categoryIds: [root.id] });
    const apart = await newProduct(shop, { categoryIds: [other.id] });
    const goneProduct = await newProduct(shop, { categoryIds: [root.id] });
    await deleteProduct(shop, goneProduct.id);
    const [events, entries] = [await eventsOf(shop), await auditOf(shop)];
    clock.advance(1000);
    await deleteCategory(shop, root.id);

    const freed = [one, two].map((child) => ({ ...child, parentId: null, updatedAt: now() }));
    const left = [
      { ...both, categoryIds: [other.id, one.id], updatedAt: now() },
      { ...only, categoryIds: [], updatedAt: now() },
    ];
    const seen = (await eventsOf(shop)).slice(events.length).map(({ type, data }) => ({ type, data }));
    expect(seen).toHaveLength(5);
    expect(seen).toEqual(
      expect.arrayContaining([
        { type: 'category.deleted', data: { ...root, status: 'deleted', updatedAt: now() } },
        ...freed.map((data) => ({ type: 'category.updated', data })),
        ...left.map((data) => ({ type: 'product.updated', data })),
      ]),
    );
    for (const child of freed) expect(await getCategory(shop, child.id)).toEqual(child);
    for (const product of [...left, apart]) expect(await getProduct(shop, product.id)).toEqual(product);
    expect(await getCategory(shop, elsewhere.id)).toEqual(elsewhere);

    const newEntries = (await auditOf(shop)).slice(entries.length);
    expect(newEntries.map((row) => [row.action, row.resource_id, JSON.parse(row.changes)]).sort()).toEqual(
      [
        ['category.deleted', root.id, {}],
        ...freed.map(({ id }) => ['category.updated', id, { parentId: { from: root.id, to: null } }]),
        ['product.updated', both.id, { categoryIds: { from: both.categoryIds, to: [other.id, one.id] } }],
        ['product.updated', only.id, { categoryIds: { from: [root.id], to: [] } }],
      ].sort(),
    );

    expect(await listCategories(shop, { parentId: root.id })).toEqual({ items: [], total: 0 });
    expect((await listCategories(shop, { parentId: null })).total).toBe(3);
    expect((await listCategories(shop, { status: 'published' })).total).toBe(4);
    expect(await listProducts(shop, { categoryId: root.id })).toEqual({ items: [], total: 0 });
    expect(await listProducts(shop, { categoryId: other.id })).toEqual({ items: [apart, left[0]], total: 2 });
    expect(await facetsOf(shop, root.id)).toEqual([]);
    // A freed child can take children of its own now.
    expect(await add(shop, one.id)).toMatchObject({ parentId: one.id });
  });

  it('of a child leaves its parent and its siblings alone', async () => {
    const shop = await openShop();
    const root = await add(shop);
    const [gone, stays] = [await add(shop, root.id), await add(shop, root.id)];
    await deleteCategory(shop, gone.id);
    expect(await listCategories(shop)).toEqual({ items: [stays, root], total: 2 });
  });

  it('goes to subscribers, each event once', async () => {
    const shop = await openShop();
    const root = await add(shop);
    await add(shop, root.id);
    await newProduct(shop, { categoryIds: [root.id] });
    await createWebhook(shop, { url: 'https://example.com/hook', events: ['category.*', 'product.*'] });
    await deleteCategory(shop, root.id);
    const rows = await shop.engine.storage.db
      .selectFrom('deliveries')
      .select('event')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(rows.map((row) => row.event).sort()).toEqual(['category.deleted', 'category.updated', 'product.updated']);
  });

  it('reaches every product of a category that has more than are held in memory at a time', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const [big, small, theirs] = [await add(shop), await add(shop), await add(other)];
    const count = 510;
    const products = await inParallel(Array.from({ length: count }), 8, (_, i) =>
      newProduct(shop, { categoryIds: i % 100 === 0 ? [small.id, big.id] : [big.id], attributes: { size: 'L' } }),
    );
    const foreign = await newProduct(other, { categoryIds: [theirs.id] });
    expect((await listProducts(shop, { categoryId: big.id })).total).toBe(count);
    const before = (await eventsOf(shop)).length;
    clock.advance(1000);
    await deleteCategory(shop, big.id);

    const events = (await eventsOf(shop)).slice(before);
    const updated = events.filter((event) => event.type === 'product.updated');
    expect(events).toHaveLength(count + 1);
    expect(new Set(updated.map((event) => event.resourceId))).toEqual(new Set(products.map(({ id }) => id)));
    const rows = await shop.engine.storage.db
      .selectFrom('products')
      .select(['id', 'json'])
      .where('store_id', '=', shop.store.id)
      .execute();
    const stored = new Map(rows.map((row) => [row.id, JSON.parse(row.json) as Product]));
    for (const product of products) {
      const categoryIds = product.categoryIds.filter((id) => id !== big.id);
      expect(stored.get(product.id)).toEqual({ ...product, categoryIds, updatedAt: now() });
    }
    for (const { resourceId, data } of updated) expect(data).toEqual(stored.get(resourceId));
    expect(await facetsOf(shop, big.id)).toEqual([]);
    expect(await listProducts(shop, { categoryId: big.id })).toEqual({ items: [], total: 0 });
    expect((await listProducts(shop, { categoryId: small.id })).total).toBe(6);
    expect(await listAuditLogs(shop, { action: 'product.updated', limit: 1 })).toMatchObject({ total: count });
    expect(await getProduct(other, foreign.id)).toEqual(foreign);
  });

  it('leaves its id on no product, also when others add it at the same time', async () => {
    for (let round = 0; round < 15; round++) {
      const shop = await openShop();
      const category = await add(shop);
      const [inside, outside] = [await newProduct(shop, { categoryIds: [category.id] }), await newProduct(shop)];
      const results = await Promise.allSettled([
        createProduct(shop, { title: 'X', slug: 'x', price: '1', categoryIds: [category.id] }),
        updateProduct(shop, outside.id, { categoryIds: [category.id] }),
        updateProduct(shop, inside.id, { title: 'Changed' }),
        deleteCategory(shop, category.id),
        updateProduct(shop, inside.id, { categoryIds: [category.id], price: '2' }),
        createProduct(shop, { title: 'Y', slug: 'y', price: '1', categoryIds: [category.id] }),
      ]);
      for (const result of results) {
        if (result.status === 'rejected') {
          expect(result.reason).toMatchObject({ kind: 'validation', details: [{ field: 'categoryIds' }] });
        }
      }
      expect(results[3]?.status).toBe('fulfilled');
      const { items } = await listProducts(shop);
      for (const product of items) expect(product.categoryIds).toEqual([]);
      expect(items.find(({ id }) => id === inside.id)?.title).toBe('Changed');
      expect(await facetsOf(shop, category.id)).toEqual([]);
      expect(await listProducts(shop, { categoryId: category.id })).toEqual({ items: [], total: 0 });
    }
  });

  it('reports no change of a product that was taken out of it, or deleted, just before', async () => {
    for (let round = 0; round < 15; round++) {
      const shop = await openShop();
      const category = await add(shop);
      const [left, gone] = await Promise.all([1, 2].map(() => newProduct(shop, { categoryIds: [category.id] })));
      await Promise.all([
        updateProduct(shop, left?.id ?? '', { categoryIds: [] }),
        deleteProduct(shop, gone?.id ?? ''),
        deleteCategory(shop, category.id),
      ]);
      const { items } = await listAuditLogs(shop, { action: 'product.updated' });
      for (const { changes } of items) expect(changes).toEqual({ categoryIds: { from: [category.id], to: [] } });
      const typesOf = async (id: string | undefined) =>
        (await eventsOf(shop)).filter((event) => event.resourceId === id).map(({ type }) => type);
      expect(await typesOf(left?.id)).toEqual(['product.created', 'product.updated']);
      expect((await typesOf(gone?.id)).at(-1)).toBe('product.deleted');
    }
  });

  it('happens once, however many requests come at once', async () => {
    const shop = await openShop();
    const root = await add(shop);
    await newProduct(shop, { categoryIds: [root.id] });
    await add(shop, root.id);
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => deleteCategory(shop, root.id)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const types = (await eventsOf(shop)).map((event) => event.type);
    expect(types.filter((type) => !type.endsWith('.created')).sort()).toEqual([
      'category.deleted',
      'category.updated',
      'product.updated',
    ]);
  });
});
