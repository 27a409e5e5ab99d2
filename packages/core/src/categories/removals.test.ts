import { eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createCategory, deleteCategory, getProduct, listAuditLogs, listProducts, openCommerce } from '../index.ts';
import { finishRemovals } from './removals.ts';

forEachStorage('the deletion of a category with very many products', (database) => {
  const commerce = useCommerce(database);
  const count = 350;

  async function filled() {
    const shop = await newShop(commerce());
    const { id } = await createCategory(shop, { name: 'Tea', slug: 'tea' });
    const products = [];
    for (let i = 0; i < count; i++) products.push(await newProduct(shop, { categoryIds: [id] }));
    return { shop, id, products };
  }

  const marked = () => commerce().engine.storage.db.selectFrom('category_removals').selectAll().execute();

  it('is complete when it returns, and lets other writes in between', async () => {
    const { shop, id } = await filled();
    const other = await newShop(commerce());
    let made = 0;
    let isOver = false;
    const deletion = deleteCategory(shop, id).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await newProduct(other);
      if (!isOver) made++;
    }
    await deletion;
    // In a single transaction, only writes queued before it could finish.
    expect(made).toBeGreaterThan(2);
    expect(await listProducts(shop, { categoryId: id })).toEqual({ items: [], total: 0 });
    expect((await listAuditLogs(shop, { action: 'product.updated' })).total).toBe(count);
    expect(await marked()).toEqual([]);
  });

  it('is continued by another process after a kill in the middle, and reports each product once', async () => {
    const { shop, id, products } = await filled();
    // The state after a kill: only the committed part.
    const dying = await openCommerce({ storage: database.open() });
    const real = dying.engine.storage.takeTurn;
    let transactions = 0;
    Object.assign(dying.engine.storage, {
      takeTurn: (storeId: string) => (transactions++ < 2 ? real(storeId) : Promise.reject(new Error('killed'))),
    });
    await deleteCategory(await dying.store(shop.store.id), id);
    await dying.close();
    const left = await listProducts(shop, { categoryId: id });
    expect([left.total, (await marked()).length]).toEqual([count - 200, 1]);
    expect((await getProduct(shop, products[0]?.id ?? '')).categoryIds).toEqual([]);
    expect((await getProduct(shop, products.at(-1)?.id ?? '')).categoryIds).toEqual([id]);

    // Two processes find the removal at the same time.
    await Promise.all([finishRemovals(commerce().engine), finishRemovals(commerce().engine)]);
    expect(await marked()).toEqual([]);
    expect(await listProducts(shop, { categoryId: id })).toEqual({ items: [], total: 0 });
    const updates = (await eventsOf(shop))
      .filter(({ type }) => type === 'product.updated')
      .map((event) => event.resourceId);
    expect([...updates].sort()).toEqual(products.map((product) => product.id).sort());
    const rows = await shop.engine.storage.db
      .selectFrom('product_facets')
      .select('product_id')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(rows).toEqual([]);
  });
});
