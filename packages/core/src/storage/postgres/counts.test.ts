import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { type Context, listProducts, openCommerce } from '../../index.ts';
import { runTransaction } from '../run.ts';

forEachStorage('counts that are folded later', (database, dialect) => {
  // SQLite writes them once for all transactions of a commit.
  if (dialect === 'sqlite') {
    it('are none on SQLite', () => {
      const storage = database.open();
      expect(storage.counts.foldAll).toBeUndefined();
      return storage.close();
    });
    return;
  }

  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** A store with a product, and another store whose changes cannot be folded, because its count would overflow. */
  async function twoShops() {
    const commerce = await openCommerce({ storage: database.open() });
    ends.push(() => commerce.close());
    const [broken, healthy] = [await newShop(commerce), await newShop(commerce)];
    const { db, counts } = commerce.engine.storage;
    const setCount = (n: bigint) =>
      sql`insert into list_counts (store_id, list, value, n) values (${broken.store.id}, 'products.status', 'published', ${n})
        on conflict (store_id, list, value) do update set n = excluded.n`.execute(db);
    await setCount(2n ** 63n - 1n);
    const waiting = async ({ store }: Context) => {
      const { rows } = await sql<{
        n: number;
      }>`select count(*) as n from list_count_changes where store_id = ${store.id}`.execute(db);
      return rows[0]?.n ?? 0;
    };
    return { commerce, broken, healthy, counts, waiting, setCount };
  }

  it('wait where they cannot be folded, and keep those of no other store waiting', async () => {
    const { broken, healthy, waiting, setCount } = await twoShops();
    // They are folded in this order.
    await newProduct(broken);
    await newProduct(healthy);
    await until('the other store is folded', async () => (await waiting(healthy)) === 0);
    expect(await waiting(broken)).toBeGreaterThan(0);
    expect((await listProducts(healthy)).total).toBe(1);
    // Folded with the next change after it becomes possible.
    await setCount(0n);
    await newProduct(broken);
    await until('that one is folded too', async () => (await waiting(broken)) === 0);
    expect((await listProducts(broken)).total).toBe(2);
  });

  it('are tidied up for every store but that one, whatever comes first, and the fault is told', async () => {
    const { commerce, broken, healthy, counts, waiting } = await twoShops();
    const { db } = commerce.engine.storage;
    const stores = [broken, healthy, ...(await Promise.all(Array.from({ length: 6 }, () => newShop(commerce))))];
    // As left by a process that ended before it folded them.
    for (const { store } of stores) {
      await sql`insert into list_count_changes (store_id, list, value, n)
        values (${store.id}, 'products.status', 'published', 1), (${store.id}, 'products.status', 'published', 1)`.execute(
        db,
      );
    }
    await expect(counts.foldAll?.()).rejects.toMatchObject({ code: '22003' });
    for (const store of stores) expect((await waiting(store)) > 0).toBe(store === broken);
    for (const store of stores.slice(1)) expect((await listProducts(store)).total).toBe(2);
  });

  it('are the same for few changes in a transaction and for many', async () => {
    const { healthy, counts, waiting } = await twoShops();
    const { storage } = healthy.engine;
    const changes = Array.from({ length: 100 }, (_, i) => ({
      list: 'products.facets' as const,
      value: `["attr.${i < 50 ? 'color' : "it's"}","{${i % 50},\\"}"]`,
      n: i + 1,
      isDroppedAtZero: true,
    }));
    const add = (some: typeof changes) => runTransaction(storage, async (tx) => counts.add(tx, healthy.store.id, some));
    await add(changes);
    for (let i = 0; i < 60; i += 20) await add(changes.slice(i, i + 20).map((change) => ({ ...change, n: -1 })));
    // Fails, because the stores of earlier tests cannot be folded.
    await counts.foldAll?.().catch(() => {});
    expect(await waiting(healthy)).toBe(0);
    const { rows } = await sql<{ value: string; n: number }>`select value, n from list_counts
      where store_id = ${healthy.store.id} and list = 'products.facets'`.execute(storage.db);
    const wanted = changes.map(({ value, n }, i) => [value, i < 60 ? n - 1 : n] as const).filter(([, n]) => n !== 0);
    expect(new Map(rows.map(({ value, n }) => [value, n]))).toEqual(new Map(wanted));
  });
});
