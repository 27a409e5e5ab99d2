import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { type Commerce, type Context, createOrder, listOrders, listProducts, openCommerce } from '../../index.ts';
import { writing } from '../run.ts';
import { byStore } from './0018_by_store.ts';
import { migrate } from './index.ts';

const tables = ['product_search', 'order_search'] as const;

forEachStorage('search indexes of an earlier version', (database, dialect) => {
  const closing: Commerce[] = [];
  afterEach(async () => {
    for (const commerce of closing.splice(0)) await commerce.close();
  });

  /** Gives the indexes the form in which earlier versions had them: rows named by the number of their store. */
  async function takeBack({ engine: { storage } }: Commerce): Promise<void> {
    await writing(storage, async (db) => {
      for (const table of dialect === 'postgres' ? tables : []) {
        const name = sql.table(table);
        await sql`alter table ${name} add column store_number integer`.execute(db);
        await sql`update ${name} set store_number = (select number from stores where id = store_id)`.execute(db);
        await sql`alter table ${name} drop column store_id`.execute(db);
        await sql`alter table ${name} add primary key (store_number, number)`.execute(db);
      }
      await sql`drop index checkouts_due_of_store`.execute(db);
      await db.deleteFrom('schema_migrations').where('name', '=', byStore.name).execute();
    });
  }

  async function found(shop: Context) {
    const terms = ['mug', 'blue', 'mu', 'teapot', '%'];
    return {
      products: await Promise.all(terms.map((search) => listProducts(shop, { search }))),
      orders: await Promise.all(['ada', 'ord-', 'x'].map((search) => listOrders(shop, { search }))),
    };
  }

  it('answer the same afterwards, in their own store alone, and are written on', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    closing.push(commerce);
    const shops = [await newShop(commerce), await newShop(commerce)] as const;
    for (const [i, shop] of shops.entries()) {
      const mug = await newProduct(shop, { title: `Mug blue ${i}`, price: '0' });
      await newProduct(shop, { title: i === 0 ? 'Teapot 100%' : 'Spoon' });
      await createOrder(shop, {
        items: [{ productId: mug.id, quantity: 1 }],
        customer: { email: `ada${i}@example.org`, name: 'Ada' },
      });
    }
    const before = await Promise.all(shops.map(found));
    expect(before[0]?.products.map(({ total }) => total)).toEqual([1, 1, 1, 1, 1]);
    expect(before[1]?.products.map(({ total }) => total)).toEqual([1, 1, 1, 0, 0]);
    await takeBack(commerce);
    expect(await migrate(commerce.engine.storage, commerce.engine.clock)).toMatchObject({
      applied: [byStore.name],
    });
    expect(await Promise.all(shops.map(found))).toEqual(before);
    await newProduct(shops[0], { title: 'Mug red' });
    expect((await listProducts(shops[0], { search: 'mug' })).total).toBe(2);
    expect((await listProducts(shops[1], { search: 'mug' })).total).toBe(1);
  });

  it('are left as they are where they are named by the store already', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    closing.push(commerce);
    const shop = await newShop(commerce);
    await newProduct(shop, { title: 'Cup' });
    await writing(commerce.engine.storage, async (db) => {
      await sql`drop index checkouts_due_of_store`.execute(db);
      await byStore.up(db, commerce.engine.storage);
    });
    expect((await listProducts(shop, { search: 'cup' })).total).toBe(1);
  });

  // A row of SQLite has nothing but its number.
  if (dialect === 'sqlite') return;
  it('have the same columns and indexes as those of a new database', async () => {
    const commerce = await openCommerce({ storage: database.open() });
    closing.push(commerce);
    const { reads } = commerce.engine.storage;
    const form = async () =>
      (
        await sql`
          select tablename as of, indexname as name, indexdef as form from pg_indexes where tablename like '%\\_search'
          union all select table_name, column_name, data_type || is_nullable from information_schema.columns
          where table_name like '%\\_search' order by 1, 2`.execute(reads)
      ).rows;
    const fresh = await form();
    expect(fresh).toHaveLength(2 * (2 + 3));
    await takeBack(commerce);
    expect(await form()).not.toEqual(fresh);
    await migrate(commerce.engine.storage, commerce.engine.clock);
    expect(await form()).toEqual(fresh);
  });
});
