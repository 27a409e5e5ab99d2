import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  createOrder,
  getProduct,
  listProducts,
  recordPayment,
  updateSettings,
  upsertProduct,
} from '../index.ts';

forEachStorage('a product that is created or changed', (database) => {
  const commerce = useCommerce(database);

  it('is found by its slug or SKU, and else created', async () => {
    const shop = await newShop(commerce());
    const mug = { slug: 'mug', sku: 'M-1', title: 'Mug', price: '5' };
    let made = '';
    expect(
      await emittedBy(shop, async () => {
        ({ id: made } = await upsertProduct(shop, mug));
      }),
    ).toEqual(['product.created']);
    expect(
      await emittedBy(shop, async () => {
        expect(await upsertProduct(shop, { slug: 'mug', price: '6' })).toMatchObject({ id: made, price: '6.00' });
      }),
    ).toEqual(['product.updated']);
    expect(await emittedBy(shop, () => upsertProduct(shop, { slug: 'mug', price: '6' }))).toEqual([]);
    const bySku = await upsertProduct(shop, { sku: 'M-1', slug: 'blue-mug' }, { match: 'sku' });
    expect(bySku).toMatchObject({ id: made, slug: 'blue-mug', title: 'Mug' });
    expect((await listProducts(shop)).total).toBe(1);
  });

  it('is one, also if it is asked for many times at once', async () => {
    const shop = await newShop(commerce());
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => upsertProduct(shop, { slug: 'mug', title: `Mug ${n}`, price: '5' })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect((await listProducts(shop)).total).toBe(1);
  });

  it('is refused without what finds it, and as other products are', async () => {
    const shop = await newShop(commerce());
    await newProduct(shop, { slug: 'taken', sku: 'T' });
    const refused = (work: () => Promise<unknown>, kind: string, fields: string[]) =>
      expectDenied(commerce(), work, { kind: kind as 'validation', fields });
    await refused(() => upsertProduct(shop, { title: 'Mug', price: '5' }), 'validation', ['slug']);
    await refused(() => upsertProduct(shop, { slug: 'mug' }, { match: 'sku' }), 'validation', ['sku']);
    await refused(() => upsertProduct(shop, { slug: 'mug', title: 'Mug', price: '-1' }), 'validation', ['price']);
    await refused(() => upsertProduct(shop, { slug: 'mug', price: '1' }), 'validation', ['title']);
    await refused(() => upsertProduct(shop, { slug: 'mug', sku: 'T', title: 'M', price: '1' }), 'conflict', ['sku']);
  });

  it('sets no stock that orders have moved, unless it is to be overwritten', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { manualPayments: true });
    const mug = await newProduct(shop, { slug: 'mug', price: '5', trackStock: true, stock: 10 });
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 3 }] });
    await recordPayment(shop, order.id, { method: 'cash', amount: '15' });
    await expectDenied(commerce(), () => upsertProduct(shop, { slug: 'mug', stock: 10 }), {
      kind: 'conflict',
      fields: ['stock'],
    });
    expect(await upsertProduct(shop, { slug: 'mug', stock: 7, price: '6' })).toMatchObject({ stock: 7, price: '6.00' });
    expect((await upsertProduct(shop, { slug: 'mug', stock: 20 }, { overwriteStock: true })).stock).toBe(20);
    await adjustStock(shop, mug.id, { adjustment: -1 });
    expect((await getProduct(shop, mug.id)).stock).toBe(19);
  });

  it('is part of a transaction', async () => {
    const shop = await newShop(commerce());
    const failing = commerce().transaction(shop, async (tx) => {
      expect(await upsertProduct(tx, { slug: 'mug', title: 'Mug', price: '5' })).toMatchObject({ slug: 'mug' });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect((await listProducts(shop)).total).toBe(0);
  });
});
