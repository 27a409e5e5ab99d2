import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Context, createProduct, deleteProduct, listProducts, updateProduct } from '../index.ts';
import { CountChanges } from '../resources/counts.ts';
import { type PublishingStatus, publishingStatuses } from '../resources/publishing.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { BlockChanges, findPageStart } from './blocks.ts';

interface Listed {
  created_at: number;
  id: string;
  status: PublishingStatus;
}

const status = fc.constantFrom(...publishingStatuses);
/** Times out of order and equal ones, as when clocks differ. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('create' as const), at: fc.integer({ min: 1, max: 9 }), status }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), which: fc.nat(), status }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

forEachStorage('the blocks of products', (database, dialect) => {
  const commerce = useCommerce(database);
  let made = 0;

  /** Does the steps in one transaction, with blocks so small that a few products cut them. */
  function perform(shop: Context, steps: readonly Step[], { most = 4, locked = true } = {}) {
    return runTransaction(shop.engine.storage, async (db) => {
      const [blocks, counts] = [new BlockChanges(), new CountChanges()];
      if (locked) counts.add('products.version', '', 1);
      for (const one of steps) await performStep(db, shop.store.id, blocks, one);
      await counts.write(db, shop.store.id);
      await blocks.write(db, shop.store.id, most);
    });
  }

  async function performStep(db: Db, storeId: string, blocks: BlockChanges, one: Step) {
    if (one.do === 'create') {
      const number = ++made;
      // Ids that are not in the order in which they are made.
      const id = `${(number * 7919) % 10_007}`.padStart(5, '0');
      await db
        .insertInto('products')
        .values({
          store_id: storeId,
          id,
          number,
          status: one.status,
          created_at: one.at,
          ...plain,
          slug: `${number}`,
          json: JSON.stringify({ id }),
        })
        .execute();
      blocks.move({ created_at: one.at, id }, undefined, one.status);
      return;
    }
    const all = await listed(db, storeId);
    const before = all[one.which % all.length];
    if (!before) return;
    const to = one.do === 'move' ? one.status : undefined;
    // As the operations do: the row is locked, and what it was decides.
    const { numUpdatedRows } = await db
      .updateTable('products')
      .set({ status: to ?? 'deleted' })
      .where('store_id', '=', storeId)
      .where('id', '=', before.id)
      .where('status', '=', before.status)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 1n) blocks.move({ created_at: before.created_at, id: before.id }, before.status, to);
  }

  const plain = {
    sku: null,
    variant_group_id: null,
    track_stock: 0,
    stock: 0,
    stock_moved: 0,
    allow_backorder: 0,
  } as const;

  /** The living products, newest first. */
  async function listed(db: Db, storeId: string): Promise<Listed[]> {
    const rows = await db
      .selectFrom('products')
      .select(['created_at', 'id', 'status'])
      .where('store_id', '=', storeId)
      .where('status', '<>', 'deleted')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows as Listed[];
  }

  /** How the blocks differ from the products in their range; empty when they do not. */
  async function faults(shop: Context, most: number): Promise<string[]> {
    const { db } = shop.engine.storage;
    const all = (await listed(db, shop.store.id)).reverse();
    const blocks = await db
      .selectFrom('product_blocks')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const found: string[] = [];
    blocks.forEach((block, i) => {
      const next = blocks[i + 1];
      const inside = all.filter((row) => !isBefore(row, block) && (!next || isBefore(row, next)));
      if (inside.length > most) found.push(`block ${i} has ${inside.length} products`);
      for (const one of publishingStatuses) {
        const n = inside.filter((row) => row.status === one).length;
        if (block[one] !== n) found.push(`block ${i} counts ${block[one]} ${one}, there are ${n}`);
      }
    });
    if (all.length > 0 && blocks[0]?.id !== '') found.push('the first block does not begin before every product');
    return found;
  }

  function isBefore(one: { created_at: number; id: string }, other: { created_at: number; id: string }): boolean {
    return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
  }

  async function expectStarts(shop: Context) {
    const { db } = shop.engine.storage;
    const all = await listed(db, shop.store.id);
    for (const of of [undefined, ...publishingStatuses]) {
      const some = of ? all.filter((row) => row.status === of) : all;
      for (let offset = 0; offset < some.length; offset++) {
        const start = await findPageStart(db, shop.store.id, of, offset);
        const rest = start ? some.filter((row) => isBefore(row, start.before)) : some;
        expect(rest.slice(start ? start.offset : offset)).toEqual(some.slice(offset));
      }
    }
  }

  it('count what is in their range and lead to every offset, whatever was done in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { maxLength: 12 }), async (steps) => {
        const shop = await newShop(commerce());
        for (const some of steps) {
          await perform(shop, some);
          expect(await faults(shop, 4)).toEqual([]);
        }
        await expectStarts(shop);
      }),
      { numRuns: 25 },
    );
  });

  it('count what is in their range when it is all done at once', async () => {
    const shop = await newShop(commerce());
    await Promise.all(
      fc.sample(fc.array(step, { minLength: 1, maxLength: 3 }), 150).map((some) => perform(shop, some)),
    );
    expect(await faults(shop, 4)).toEqual([]);
    await expectStarts(shop);
  });

  it.runIf(dialect === 'postgres')('do not when the version of the lists is not written first', async () => {
    const create = fc.record({ do: fc.constant('create' as const), at: fc.integer({ min: 1, max: 9 }), status });
    for (let attempt = 0; attempt < 20; attempt++) {
      const shop = await newShop(commerce());
      const done = await Promise.allSettled(
        fc.sample(create, 60).map((one) => perform(shop, [one], { locked: false })),
      );
      const failed = done.some((result) => result.status === 'rejected');
      if (failed || (await faults(shop, 4)).length > 0) return;
    }
    expect.fail('the race did not happen');
  });

  it('follow the operations', async () => {
    const shop = await newShop(commerce());
    const [a, b, c] = await Promise.all([
      newProduct(shop),
      newProduct(shop, { status: 'published' }),
      newProduct(shop, { status: 'archived' }),
    ]);
    await updateProduct(shop, a.id, { status: 'published', title: 'Cup' });
    await updateProduct(shop, b.id, { stock: 5 });
    await deleteProduct(shop, c.id);
    await createProduct(shop, { title: 'No', slug: a.slug, price: '1' }).catch(() => {});
    expect(await faults(shop, 4)).toEqual([]);
    const blocks = await shop.engine.storage.db
      .selectFrom('product_blocks')
      .select(['draft', 'published', 'archived'])
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(blocks).toEqual([{ draft: 0, published: 2, archived: 0 }]);
  });

  it('give listProducts the page that a walk would come to', async () => {
    const shop = await newShop(commerce());
    const total = 3000;
    const steps = Array.from(
      { length: total },
      (_, n): Step => ({ do: 'create', at: 1 + (n % 500), status: publishingStatuses[n % 3] as PublishingStatus }),
    );
    await perform(shop, steps, { most: 1024 });
    const { db } = shop.engine.storage;
    // What the operations count beside.
    await db.transaction().execute(async (tx) => {
      const counts = new CountChanges();
      for (const one of steps) if (one.do === 'create') counts.add('products.status', one.status, 1);
      await counts.write(tx, shop.store.id);
    });
    expect(await faults(shop, 1024)).toEqual([]);
    const all = await listed(db, shop.store.id);
    for (const of of [undefined, 'published'] as const) {
      const some = of ? all.filter((row) => row.status === of) : all;
      for (const offset of [0, 999, 1000, 1001, 1024, 1600, 2048, 2500, 2980, 2999, 3000, 10_000]) {
        const page = await listProducts(shop, { status: of, limit: 50, offset });
        expect(page.total).toBe(some.length);
        expect(page.items.map(({ id }) => id)).toEqual(some.slice(offset, offset + 50).map(({ id }) => id));
      }
    }
  });
});
