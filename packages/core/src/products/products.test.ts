import { afterAll, beforeAll, expect, it } from 'vitest';
import { forEachStorage } from '../../../../test/support/storages.ts';
import { type Commerce, type Context, createProduct, getProduct, listProducts, openCommerce } from '../index.ts';

forEachStorage('products', (database) => {
  let commerce: Commerce;
  let shop: Context;
  beforeAll(async () => {
    commerce = await openCommerce({ storage: database.open() });
    shop = await commerce.store((await commerce.createStore({ name: 'Shop', currency: 'EUR' })).id);
  });
  afterAll(() => commerce?.close());

  it('answers a created product as it was created', async () => {
    const product = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '10', sku: 'M1' });
    expect(product).toMatchObject({ price: '10.00', status: 'draft', stock: 0 });
    expect(await getProduct(shop, product.id)).toEqual(product);
    expect(await listProducts(shop)).toEqual({ items: [product], total: 1 });
    expect(await listProducts(shop, { search: 'MU' })).toEqual({ items: [product], total: 1 });
    expect(await listProducts(shop, { search: 'mug' })).toEqual({ items: [product], total: 1 });
    await expect(createProduct(shop, { title: 'Mug', slug: 'mug', price: '10', sku: 'M1' })).rejects.toMatchObject({
      kind: 'conflict',
    });
  });
});
