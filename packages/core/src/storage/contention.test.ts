import { setTimeout as sleep } from 'node:timers/promises';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { type Commerce, getProduct, listProducts, openCommerce, updateProduct } from '../index.ts';
import { openPostgres } from './postgres/postgres.ts';
import { openSqlite } from './sqlite/sqlite.ts';

forEachStorage('a database that someone else keeps locked', (database, dialect) => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(lockTimeout: number): Promise<Commerce> {
    const storage =
      dialect === 'sqlite'
        ? openSqlite({ file: database.address, lockTimeout })
        : openPostgres({ url: database.address, lockTimeout });
    const commerce = await openCommerce({ storage });
    closing.push(() => commerce.close());
    return commerce;
  }

  /** Another program takes the lock that a write of this product needs; the returned function releases it. */
  async function lock(productId: string): Promise<() => Promise<void>> {
    if (dialect === 'sqlite') {
      const other = new Database(database.address);
      closing.push(() => other.close());
      other.exec('begin immediate');
      return async () => void other.exec('commit');
    }
    const other = new pg.Client({ connectionString: database.address });
    await other.connect();
    closing.push(() => other.end());
    await other.query('begin');
    await other.query('select 1 from products where id = $1 for update', [productId]);
    return async () => void (await other.query('commit'));
  }

  it('is waited for without stopping anything else, and then written', async () => {
    const commerce = await open(60_000);
    const shop = await newShop(commerce);
    const product = await newProduct(shop);
    const unlock = await lock(product.id);
    let settled = false;
    const writing = updateProduct(shop, product.id, { title: 'Cup' }).finally(() => {
      settled = true;
    });
    // The event loop turns and reads are answered during the wait; a blocking wait would prevent both.
    for (let turn = 0; turn < 20; turn++) {
      await sleep(5);
      expect((await getProduct(shop, product.id)).title).toBe('Mug');
    }
    expect(settled).toBe(false);
    await unlock();
    expect(await writing).toMatchObject({ title: 'Cup' });
    expect((await getProduct(shop, product.id)).title).toBe('Cup');
  });

  it('is given up as unavailable after the lock timeout, with nothing written', async () => {
    const commerce = await open(50);
    const shop = await newShop(commerce);
    const product = await newProduct(shop);
    const unlock = await lock(product.id);
    const writes = Array.from({ length: 10 }, (_, i) => updateProduct(shop, product.id, { title: `Cup ${i}` }));
    for (const result of await Promise.allSettled(writes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'CommerceError', kind: 'unavailable' } });
    }
    expect(await getProduct(shop, product.id)).toEqual(product);
    await unlock();
    expect(await updateProduct(shop, product.id, { title: 'Cup' })).toMatchObject({ title: 'Cup' });
  });

  it('is shared by two instances that both write all the time', async () => {
    const [one, two] = [await open(60_000), await open(60_000)];
    const shop = await newShop(one);
    const same = await two.store(shop.store.id);
    const writes = Array.from({ length: 60 }, (_, i) => newProduct(i % 2 ? shop : same));
    await Promise.all(writes);
    expect((await listProducts(shop, { limit: 1 })).total).toBe(60);
  });
});
