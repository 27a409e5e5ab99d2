import { setTimeout as sleep } from 'node:timers/promises';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { type Commerce, getProduct, listProducts, openCommerce, updateProduct } from '../index.ts';
import { openPostgres } from './postgres/postgres.ts';
import { runTransaction } from './run.ts';

forEachStorage('the connections to a database', (database, dialect) => {
  // A file has one writer, whose transactions wait only for each other.
  if (dialect === 'sqlite') {
    it('of a file are one that writes, whose turn every store has after the others', async () => {
      const commerce = await openCommerce({ storage: database.open() });
      const [busy, other] = [await newShop(commerce), await newShop(commerce)];
      const writes = Array.from({ length: 40 }, () => newProduct(busy));
      await newProduct(other);
      await Promise.all(writes);
      expect([(await listProducts(busy)).total, (await listProducts(other)).total]).toEqual([40, 1]);
      await commerce.close();
    });
    return;
  }

  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(lockTimeout: number): Promise<Commerce> {
    const commerce = await openCommerce({ storage: openPostgres({ url: database.address, lockTimeout }) });
    closing.push(() => commerce.close());
    return commerce;
  }

  it('are not all taken by one store whose writes wait for a row: others read and write', async () => {
    const commerce = await open(60_000);
    const [busy, other] = [await newShop(commerce), await newShop(commerce)];
    const product = await newProduct(busy);
    const holder = new pg.Client({ connectionString: database.address });
    await holder.connect();
    closing.push(() => holder.end());
    await holder.query('begin');
    await holder.query('select 1 from products where id = $1 for update', [product.id]);
    let settled = 0;
    const writes = Array.from({ length: 40 }, (_, i) =>
      updateProduct(busy, product.id, { title: `Mug ${i}` }).finally(() => {
        settled++;
      }),
    );
    await sleep(100);
    const made = await newProduct(other);
    expect(await getProduct(other, made.id)).toEqual(made);
    expect((await listProducts(busy)).total).toBe(1);
    expect(settled).toBe(0);
    await holder.query('commit');
    await Promise.all(writes);
    expect(settled).toBe(40);
  });

  it('are not all taken by one store that reads a lot: another is answered before most of that', async () => {
    const commerce = await open(60_000);
    const [busy, other] = [await newShop(commerce), await newShop(commerce)];
    const [often, once] = [await newProduct(busy), await newProduct(other)];
    // Connections are opened once, which takes as long as many reads.
    const first = () => [
      getProduct(busy, often.id),
      listProducts(busy),
      getProduct(other, once.id),
      listProducts(other),
    ];
    await Promise.all(Array.from({ length: 10 }, first).flat());
    let answered = 0;
    const reads = Array.from({ length: 400 }, (_, i) =>
      (i % 2 === 0 ? getProduct(busy, often.id) : listProducts(busy)).finally(() => {
        answered++;
      }),
    );
    expect(await getProduct(other, once.id)).toEqual(once);
    expect((await listProducts(other)).total).toBe(1);
    expect(answered).toBeLessThan(100);
    await Promise.all(reads);
    expect(answered).toBe(400);
  });

  it('do not leave those who wait for a turn without an answer', async () => {
    const commerce = await open(1000);
    const shop = await newShop(commerce);
    const product = await newProduct(shop);
    const holder = new pg.Client({ connectionString: database.address });
    await holder.connect();
    closing.push(() => holder.end());
    await holder.query('begin');
    await holder.query('select 1 from products where id = $1 for update', [product.id]);
    const writes = Array.from({ length: 30 }, (_, i) => updateProduct(shop, product.id, { title: `Mug ${i}` }));
    for (const result of await Promise.allSettled(writes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
    }
    await holder.query('commit');
    expect(await updateProduct(shop, product.id, { title: 'Cup' })).toMatchObject({ title: 'Cup' });
  });

  it('are taken from a process that stands still in a transaction, which is run again when it goes on', async () => {
    const [still, living] = [await open(2000), await open(10_000)];
    const shop = await newShop(living);
    const product = await newProduct(shop);
    const { storage } = still.engine;
    let runs = 0;
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const standing = runTransaction(storage, async (db) => {
      runs++;
      const locked = db.selectFrom('products').select('json').where('id', '=', product.id).forUpdate();
      await locked.executeTakeFirstOrThrow();
      isHeld();
      // To its server, a stopped process looks like a silent one.
      if (runs === 1) await sleep(3000);
      await db
        .updateTable('stores')
        .set({ name: `run ${runs}` })
        .where('id', '=', shop.store.id)
        .execute();
    });
    await held;
    expect(await updateProduct(shop, product.id, { title: 'Cup' })).toMatchObject({ title: 'Cup' });
    expect(runs).toBe(1);
    await standing;
    expect(runs).toBe(2);
    expect((await living.store(shop.store.id)).store.name).toBe('run 2');
  });
});
