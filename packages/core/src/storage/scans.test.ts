import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import {
  type Context,
  createProduct,
  listCustomers,
  listProducts,
  listProductsByAttributes,
  openCommerce,
  type Product,
} from '../index.ts';

const count = 1300;

forEachStorage('lists that look at many rows', (database, dialect) => {
  const commerce = useCommerce(database);

  /** A store with more products than a list can read on the main thread. */
  async function largeShop(): Promise<Context> {
    const shop = await newShop(commerce());
    for (let i = 0; i < count; i += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          createProduct(shop, {
            title: (i + n) % 2 === 0 ? `Mug ${i + n}` : `Cup ${i + n}`,
            slug: `listed-${i + n}`,
            price: '1',
            status: (i + n) % 3 === 0 ? 'draft' : 'published',
            attributes: { kind: (i + n) % 2 === 0 ? 'mug' : 'cup', all: 'x' },
          }),
        ),
      );
    }
    return shop;
  }

  it('answer the same as those that look at few', async () => {
    const shop = await largeShop();
    const walked: Product[] = [];
    for (let offset = 0; offset < count; offset += 100)
      walked.push(...(await listProducts(shop, { limit: 100, offset })).items);
    expect(walked).toHaveLength(count);
    const mugs = walked.filter(({ title }) => title.startsWith('Mug'));
    const page = { limit: 50, offset: 300 };
    const pageOf = (all: typeof walked) => ({ items: all.slice(300, 350), total: all.length });
    expect(await listProducts(shop, { ...page, search: 'mug' })).toEqual(pageOf(mugs));
    expect(await listProducts(shop, { ...page, search: 'mu' })).toEqual(pageOf(mugs));
    expect(await listProducts(shop, { ...page, search: 'mug', status: 'draft' })).toEqual({
      items: mugs.filter(({ status }) => status === 'draft').slice(300, 350),
      total: mugs.filter(({ status }) => status === 'draft').length,
    });
    expect(await listProductsByAttributes(shop, { ...page, attributes: { kind: 'mug', all: 'x' } })).toEqual(
      pageOf(mugs),
    );
    expect(await listProducts(shop, { limit: 50, offset: 1200 })).toEqual({
      items: walked.slice(1200, 1250),
      total: count,
    });
  });

  it('see what was committed before them, and one moment', async () => {
    const shop = await largeShop();
    for (let i = 0; i < 5; i++) {
      await newProduct(shop, { title: `Bowl ${i}` });
      const { items, total } = await listProducts(shop, { search: 'bowl' });
      expect([total, items.length]).toEqual([i + 1, i + 1]);
    }
  });

  // PostgreSQL is another process anyway.
  if (dialect === 'sqlite') {
    it('leave the thread that serves to others', async () => {
      const shop = await largeShop();
      const searching = async () => {
        // Another list than before, so that it is counted.
        await newProduct(shop);
        await listProducts(shop, { search: 'mug' });
        await listProducts(shop, { search: 'mu', offset: 100 });
        await listProducts(shop, { offset: 1200 });
        await listProductsByAttributes(shop, { attributes: { kind: 'mug', all: 'x' } });
      };
      const here = (await statementsOf(searching)).map(({ text }) => text);
      expect(here.length).toBeGreaterThan(5);
      expect(here.filter((text) => /product_search where|instr\(|offset 1200/.test(text))).toEqual([]);
      // A short list is read here: a thread would cost more than it saves.
      const small = await newShop(commerce());
      await newProduct(small, { title: 'Mug' });
      const there = await statementsOf(() => listProducts(small, { search: 'mug' }));
      expect(there.some(({ text }) => /product_search/.test(text))).toBe(true);
    });

    it('are refused beyond those that may wait, and go on afterwards', async () => {
      const shop = await largeShop();
      const { storage } = shop.engine;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const holding = [0, 1].map(() => storage.scan(shop.store.id, async () => held));
      const waiting = Array.from({ length: 200 }, () =>
        storage.scan(shop.store.id, async () => ({ total: count / 2 })),
      );
      await expect(listProducts(shop, { search: 'cup' })).rejects.toMatchObject({ kind: 'unavailable' });
      release();
      await Promise.all(holding);
      for (const { total } of await Promise.all(waiting)) expect(total).toBe(count / 2);
      expect((await listProducts(shop, { search: 'cup' })).total).toBe(count / 2);
    });

    it('are one for a crowd that asks for the same', async () => {
      const shop = await largeShop();
      const scan = vi.spyOn(shop.engine.storage, 'scan');
      try {
        const crowd = await Promise.all(
          Array.from({ length: 300 }, (_, i) => listProducts(shop, { search: 'mug', limit: 1, offset: i % 7 })),
        );
        expect(new Set(crowd.map(({ total }) => total))).toEqual(new Set([count / 2]));
        expect(scan.mock.calls.length).toBeLessThan(8);
      } finally {
        scan.mockRestore();
      }
    });

    it('fail alone: the next one has a thread again', async () => {
      const shop = await largeShop();
      const { storage } = shop.engine;
      const failing = storage.scan(shop.store.id, (db) => sql`select 1 from nowhere`.execute(db));
      await expect(failing).rejects.toThrow('no such table');
      await expect(
        storage.scan(shop.store.id, (db) => sql`delete from products returning id`.execute(db)),
      ).rejects.toMatchObject({
        code: 'SQLITE_READONLY',
      });
      expect((await listProducts(shop, { search: 'mug' })).total).toBe(count / 2);
    });
  }

  it('end with the database', async () => {
    const other = await openCommerce({ storage: database.open() });
    const shop = await newShop(other);
    await other.engine.storage.scan(shop.store.id, (db) => db.selectFrom('stores').select('id').execute());
    await other.close();
    await expect(
      other.engine.storage.scan(shop.store.id, (db) => db.selectFrom('stores').select('id').execute()),
    ).rejects.toThrow();
    expect((await listCustomers(await newShop(commerce()), { search: 'nobody' })).total).toBe(0);
  });
});
