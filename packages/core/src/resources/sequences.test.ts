import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expect, it } from 'vitest';
import { openCommerce } from '../index.ts';
import { takeNumber } from './sequences.ts';

forEachStorage('numbers that are taken in blocks', (database) => {
  const commerce = useCommerce(database);

  const blocksTakenBy = async (work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter(({ text }) => /insert into "sequences"/.test(text)).length;

  it('are given to one each, in several processes', async () => {
    const shop = await newShop(commerce());
    const other = await openCommerce({ storage: database.open() });
    const same = await other.store(shop.store.id);
    const numbers = await Promise.all(
      Array.from({ length: 3000 }, (_, i) => takeNumber(i % 2 ? shop : same, 'products')),
    );
    await other.close();
    expect(new Set(numbers).size).toBe(3000);
  });

  it('are taken ahead, so that nobody waits for the commit of a block but the first', async () => {
    const shop = await newShop(commerce());
    const { storage } = shop.engine;
    expect(await blocksTakenBy(() => takeNumber(shop, 'products'))).toBe(1);
    let taken = 1;
    const ahead = await blocksTakenBy(async () => {
      for (; taken < 200; taken++) await takeNumber(shop, 'products');
      await until('the next block is there', async () => {
        const { last } = await storage.db
          .selectFrom('sequences')
          .select('last')
          .where('store_id', '=', shop.store.id)
          .where('name', '=', 'products')
          .executeTakeFirstOrThrow();
        return last === 512;
      });
    });
    expect(ahead).toBe(1);
    // No transaction can begin any longer, but numbers are still given out.
    const { takeTurn } = storage;
    const numbers: number[] = [];
    Object.assign(storage, { takeTurn: () => new Promise(() => {}) });
    for (; taken < 500; taken++) numbers.push(await takeNumber(shop, 'products'));
    Object.assign(storage, { takeTurn });
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, i) => i + 201));
  });

  it('are asked for again where taking them ahead has failed', async () => {
    const shop = await newShop(commerce());
    await takeNumber(shop, 'products');
    const { storage } = shop.engine;
    const { takeTurn } = storage;
    let failed = 0;
    Object.assign(storage, {
      takeTurn: async () => {
        failed++;
        throw Object.assign(new Error('the disk is gone'), { code: 'SQLITE_IOERR' });
      },
    });
    for (let i = 0; i < 200; i++) await takeNumber(shop, 'products');
    expect(failed).toBeGreaterThan(1);
    Object.assign(storage, { takeTurn });
    const numbers = new Set<number>();
    for (let i = 0; i < 400; i++) numbers.add(await takeNumber(shop, 'products'));
    expect(numbers.size).toBe(400);
    expect(await newProduct(shop)).toMatchObject({ title: 'Mug' });
  });
});
