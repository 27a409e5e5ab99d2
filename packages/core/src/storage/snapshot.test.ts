import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Commerce,
  type Context,
  createCategory,
  createOrder,
  deleteProduct,
  listAuditLogs,
  listOrders,
  listProducts,
  listProductsByAttributes,
  openCommerce,
  type Product,
  updateProduct,
} from '../index.ts';
import { snapshot } from './run.ts';
import type { Db } from './storage.ts';

forEachStorage('reads that belong together', (database) => {
  const commerce = useCommerce(database);
  let other: Commerce;
  beforeAll(async () => {
    other = await openCommerce({ storage: database.open() });
  });
  afterAll(() => other.close());

  const countProducts = async (db: Db, shop: Context) => {
    const query = db.selectFrom('products').where('store_id', '=', shop.store.id);
    return (await query.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
  };

  it('see one moment, whatever this process or another one commits between them', async () => {
    const shop = await newShop(commerce());
    const elsewhere = await other.store(shop.store.id);
    for (const writer of [shop, elsewhere]) {
      const seen = await snapshot(shop.engine.storage, async (db) => {
        const before = await countProducts(db, shop);
        await newProduct(writer);
        return [before, await countProducts(db, shop)];
      });
      expect(seen[1]).toBe(seen[0]);
    }
    // The control: reads without a snapshot see the product that was created in between.
    const before = await countProducts(shop.engine.storage.reads, shop);
    await newProduct(shop);
    expect(await countProducts(shop.engine.storage.reads, shop)).toBe(before + 1);
  });

  it('tell the failure of the second run where the first saw two moments', async () => {
    const shop = await newShop(commerce());
    const failing = snapshot(shop.engine.storage, async (db) => {
      await countProducts(db, shop);
      await newProduct(shop);
      await countProducts(db, shop);
      throw new Error('as ever');
    });
    await expect(failing).rejects.toThrow('as ever');
    expect((await listProducts(shop)).total).toBeGreaterThan(0);
  });

  it('never show a list that its total contradicts, nor a product of another status, while two processes write', async () => {
    const shop = await newShop(commerce());
    const elsewhere = await other.store(shop.store.id);
    const { id: categoryId } = await createCategory(shop, { name: 'Tea', slug: 'tea' });
    const input = { title: 'Blue mug', categoryIds: [categoryId], attributes: { size: 's', color: 'red' } };
    const fixed = await Promise.all(
      Array.from({ length: 12 }, (_, i) => newProduct(shop, { ...input, status: i % 2 ? 'published' : 'draft' })),
    );
    let isOver = false;
    const flip = async (writer: Context, own: Product[]) => {
      for (let n = 0; !isOver; n++) {
        const { id } = own[n % own.length] as Product;
        await updateProduct(writer, id, {
          status: n % 4 < 2 ? 'published' : 'draft',
          attributes: { size: n % 3 ? 's' : 'm', color: 'red' },
        });
        if (n % 3 === 0) await deleteProduct(writer, (await newProduct(writer, { ...input, status: 'published' })).id);
        if (n % 5 === 0) await createOrder(writer, { items: [{ productId: id, quantity: 1 }] }).catch(() => {});
      }
    };
    const wrong: unknown[] = [];
    const look = async (reader: Context) => {
      for (let n = 0; n < 60; n++) {
        for (const [name, read] of [
          ['status', () => listProducts(reader, { status: 'published', limit: 200 })],
          ['search', () => listProducts(reader, { search: 'mug', status: 'published', limit: 200 })],
          ['all', () => listProducts(reader, { search: 'blue', limit: 200 })],
          ['category', () => listProducts(reader, { categoryId, status: 'published', limit: 200 })],
          [
            'attributes',
            () =>
              listProductsByAttributes(reader, {
                attributes: { size: 's', color: 'red' },
                status: 'published',
                limit: 200,
              }),
          ],
        ] as const) {
          const { items, total } = await read();
          if (items.length !== total) wrong.push(`${name}: ${items.length} items of ${total}`);
          const other = items.filter(({ status }) => status !== 'published');
          if (name !== 'all' && other.length > 0) wrong.push(`${name}: ${other.length} of another status`);
        }
        const orders = await listOrders(reader, { limit: 200 });
        if (orders.items.length !== Math.min(orders.total, 200)) wrong.push(`orders: ${orders.total}`);
        const log = await listAuditLogs(reader, { limit: 1, action: 'product.updated', resourceId: fixed[0]?.id });
        if (log.items.length !== Math.min(log.total, 1)) wrong.push(`log: ${log.total}`);
      }
    };
    const half = fixed.length / 2;
    const writers = [flip(shop, fixed.slice(0, half)), flip(elsewhere, fixed.slice(half))];
    await Promise.all([shop, elsewhere, shop, elsewhere].map(look)).finally(() => {
      isOver = true;
    });
    await Promise.all(writers);
    expect(wrong).toEqual([]);
  });
});
