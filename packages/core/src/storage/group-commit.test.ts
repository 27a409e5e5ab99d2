import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createOrder, createProduct, listOrders, listProducts, openCommerce } from '../index.ts';

forEachStorage('transactions that are ready together', (database, dialect) => {
  const commerce = useCommerce(database);

  it('all commit, also hundreds of them', async () => {
    const shop = await newShop(commerce());
    const products = await Promise.all(Array.from({ length: 300 }, () => newProduct(shop)));
    const { items, total } = await listProducts(shop, { limit: 200 });
    expect([items.length, total]).toEqual([200, 300]);
    expect(new Set(products.map((product) => product.id)).size).toBe(300);
    expect((await eventTypesOf(shop)).length).toBe(300);
  });

  it('do not see what one of them rolls back, and lose nothing by it', async () => {
    const shop = await newShop(commerce());
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        i % 3 === 1 ? newProduct(shop, { categoryIds: ['nowhere'] }) : newProduct(shop, { title: `number ${i}` }),
      ),
    );
    expect(results.map((result) => result.status)).toEqual(
      results.map((_, i) => (i % 3 === 1 ? 'rejected' : 'fulfilled')),
    );
    expect((await listProducts(shop, { limit: 1 })).total).toBe(40);
    expect((await listProducts(shop, { search: 'number', limit: 1 })).total).toBe(40);
    expect((await eventTypesOf(shop)).length).toBe(40);
  });

  it('undo what one of them wrote before it failed, and only that', async () => {
    const shop = await newShop(commerce());
    const lamp = await newProduct(shop, { trackStock: true, stock: 1 });
    const buy = (i: number) =>
      createOrder(shop, {
        items: [{ productId: lamp.id, quantity: i % 3 === 1 ? 2 : 1 }],
        customer: { email: `buyer${i}@example.org` },
      });
    const results = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => buy(i)));
    expect(results.map((result) => result.status)).toEqual(
      results.map((_, i) => (i % 3 === 1 ? 'rejected' : 'fulfilled')),
    );
    // Each refused transaction had already written its customer, its order and its number.
    expect((await listOrders(shop)).total).toBe(20);
    expect((await eventTypesOf(shop)).filter((type) => type === 'customer.created')).toHaveLength(20);
    const customers = await shop.engine.storage.db
      .selectFrom('customers')
      .select('email')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(customers.map(({ email }) => email).sort()).toEqual(
      results.flatMap((_, i) => (i % 3 === 1 ? [] : [`buyer${i}@example.org`])).sort(),
    );
    const numbers = (await listOrders(shop)).items.map((order) => Number(order.orderNumber.slice(4))).sort();
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => 1001 + i));
  });

  it('leave one winner when they all want one slug', async () => {
    const shop = await newShop(commerce());
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => createProduct(shop, { title: 'Mug', slug: 'the-mug', price: '1' })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ kind: 'conflict', details: [{ field: 'slug' }] });
      }
    }
    expect((await listProducts(shop)).total).toBe(1);
    expect(await eventTypesOf(shop)).toEqual(['product.created']);
  });

  it('are durable when they return: another instance sees each of them at once', async () => {
    const reader = await openCommerce({ storage: database.open() });
    try {
      const shop = await newShop(commerce());
      const seen = await reader.store(shop.store.id);
      for (let i = 1; i <= 20; i++) {
        await newProduct(shop);
        expect((await listProducts(seen, { limit: 1 })).total).toBe(i);
      }
    } finally {
      await reader.close();
    }
  });

  it('are not read before they are committed', async () => {
    const shop = await newShop(commerce());
    const { db } = shop.engine.storage;
    const rename = (name: string) =>
      db.transaction().execute(async (tx) => {
        await tx.updateTable('stores').set({ name }).where('id', '=', shop.store.id).execute();
        const inside = await tx.selectFrom('stores').select('name').where('id', '=', shop.store.id).execute();
        const outside = await db.selectFrom('stores').select('name').where('id', '=', shop.store.id).execute();
        return [inside, outside];
      });
    expect(await rename('Renamed')).toEqual([[{ name: 'Renamed' }], [{ name: 'Shop' }]]);
  });

  // PostgreSQL commits a single statement itself.
  if (dialect === 'sqlite')
    it('are the only way to write: anything else fails', async () => {
      const shop = await newShop(commerce());
      const { db } = shop.engine.storage;
      const writes = [
        () => db.updateTable('stores').set({ name: 'x' }).execute(),
        () => db.deleteFrom('stores').execute(),
        () => db.insertInto('schema_migrations').values({ name: 'x', applied_at: 1 }).execute(),
        () => sql`create table x (id text)`.execute(db),
        () => sql`drop table products`.execute(db),
      ];
      for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
      expect(await commerce().store(shop.store.id)).toMatchObject({ store: { name: 'Shop' } });
    });

  // PostgreSQL has no such setting; there each transaction is the server's own.
  if (dialect === 'sqlite')
    it('survive that one of them fills the disk: it ends as unavailable', async () => {
      const shop = await newShop(commerce());
      const { db } = shop.engine.storage;
      // Pages that the tests before have freed would take what this one fills the disk with.
      const tidying = new Database(database.address);
      tidying.exec('vacuum');
      tidying.close();
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
      const allowPages = (pages: number) =>
        db.transaction().execute((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx));
      await allowPages((rows[0]?.page_count ?? 0) + 60);
      const huge = 'the quick brown fox '.repeat(4999);
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, i) => newProduct(shop, i % 4 === 2 ? { description: huge } : {})),
      );
      expect(results.map((result) => result.status)).toEqual(
        results.map((_, i) => (i % 4 === 2 ? 'rejected' : 'fulfilled')),
      );
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'unavailable' });
      }
      expect((await listProducts(shop)).total).toBe(9);
      expect((await eventTypesOf(shop)).length).toBe(9);
      await allowPages(2 ** 30 - 1);
      expect(await newProduct(shop, { description: huge })).toMatchObject({ description: huge });
    });

  it('are waited for by close, and refused after it', async () => {
    const other = await openCommerce({ storage: database.open() });
    const shop = await newShop(other);
    // Takes the first numbers of products; otherwise the others would wait for them before they begin.
    await newProduct(shop);
    const writes = Array.from({ length: 19 }, () => newProduct(shop));
    const closed = other.close();
    await Promise.all(writes);
    await closed;
    await expect(newProduct(shop)).rejects.toThrow();
    await other.close();
    expect((await listProducts(await commerce().store(shop.store.id))).total).toBe(20);
  });
});
