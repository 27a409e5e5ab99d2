import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  type Context,
  createCategory,
  createOrder,
  deleteProduct,
  listProducts,
  type ProductQueryInput,
  recordPayment,
  updateOrder,
  updateProduct,
  updateSettings,
} from '../index.ts';

forEachStorage('products that run low', (database) => {
  const commerce = useCommerce(database);

  const low = async (shop: Context, query: ProductQueryInput = {}) => {
    const { items, total } = await listProducts(shop, { lowStock: true, ...query });
    return [total, ...items.map(({ title }) => title)];
  };

  it('track their stock, are not archived, and have no more than their threshold', async () => {
    const shop = await newShop(commerce());
    const { id: categoryId } = await createCategory(shop, { name: 'Mugs', slug: 'mugs' });
    const make = (title: string, stock: number, more: object = {}) =>
      newProduct(shop, { title, trackStock: true, stock, ...more });
    await make('none left', 0);
    await make('one left', 1);
    await make('at threshold', 5, { lowStockThreshold: 5, categoryIds: [categoryId] });
    await make('above threshold', 6, { lowStockThreshold: 5 });
    await make('untracked', 0, { trackStock: false, lowStockThreshold: 5 });
    await make('archived', 0, { status: 'archived' });
    await make('draft', 2, { status: 'draft', lowStockThreshold: 2 });
    expect(await low(shop)).toEqual([3, 'draft', 'at threshold', 'none left']);
    expect(await low(shop, { lowStock: 'true' })).toEqual([3, 'draft', 'at threshold', 'none left']);
    expect(await low(shop, { status: 'published', limit: 1 })).toEqual([2, 'at threshold']);
    expect(await low(shop, { status: 'archived' })).toEqual([0]);
    expect(await low(shop, { search: 'thresh' })).toEqual([1, 'at threshold']);
    expect(await low(shop, { categoryId })).toEqual([1, 'at threshold']);
    expect((await listProducts(shop, { lowStock: false })).total).toBe(7);
    const [first] = (await listProducts(shop, { lowStock: true })).items;
    expect(await low(shop, { after: first?.id })).toEqual([3, 'at threshold', 'none left']);
    expect(await low(await newShop(commerce()))).toEqual([0]);
  });

  it('come and go with sales, returns, adjustments, thresholds and statuses', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { manualPayments: true });
    const now = await commerce().store(shop.store.id);
    const { id } = await newProduct(now, { title: 'mug', trackStock: true, stock: 3, lowStockThreshold: 2 });
    expect(await low(now)).toEqual([0]);
    const order = await createOrder(now, { items: [{ productId: id, quantity: 1 }] });
    await recordPayment(now, order.id, { method: 'cash', amount: '10' });
    expect(await low(now)).toEqual([1, 'mug']);
    await updateOrder(now, order.id, { status: 'cancelled' });
    expect(await low(now)).toEqual([0]);
    await adjustStock(now, id, { adjustment: -2 });
    expect(await low(now)).toEqual([1, 'mug']);
    await updateProduct(now, id, { lowStockThreshold: null });
    expect(await low(now)).toEqual([0]);
    await adjustStock(now, id, { adjustment: -1 });
    expect(await low(now)).toEqual([1, 'mug']);
    await updateProduct(now, id, { status: 'archived' });
    expect(await low(now)).toEqual([0]);
    await updateProduct(now, id, { status: 'draft' });
    expect(await low(now)).toEqual([1, 'mug']);
    await deleteProduct(now, id);
    expect(await low(now)).toEqual([0]);
  });

  it('are not for everybody to see', async () => {
    const { store, engine } = await newShop(commerce());
    const everybody: Context = { engine, store, actor: { type: 'apiKey', id: null, isPublic: true }, requestId: null };
    await expect(listProducts(everybody, { lowStock: true })).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await listProducts(everybody, { lowStock: false })).toEqual({ items: [], total: 0 });
  });
});
