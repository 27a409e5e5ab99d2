import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { findIdsByPrefix } from './id-prefixes.ts';

forEachStorage('ids by their beginning', (database) => {
  const commerce = useCommerce(database);

  it('are found in one store and one table, five at most', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push((await newProduct(shop)).id);
    const foreign = await newProduct(other);
    const [first = ''] = ids;
    for (const length of [23, 24, 30, 36]) {
      expect(await findIdsByPrefix(shop, 'products', first.slice(0, length))).toContain(first);
    }
    expect(await findIdsByPrefix(shop, 'products', first)).toEqual([first]);
    // Created within the same minute or two.
    expect(await findIdsByPrefix(shop, 'products', first.slice(0, 8))).toEqual(ids.slice(0, 5));
    expect(await findIdsByPrefix(shop, 'categories', first)).toEqual([]);
    expect(await findIdsByPrefix(shop, 'products', foreign.id)).toEqual([]);
  });

  it.each(['0193d3e', '', 'ffffffff-ffff-7fff-bfff-ffffffffffff0', "0193d3ef' or '1'='1", '0193D3EF'])(
    'are not looked for by %j',
    async (prefix) => {
      const shop = await newShop(commerce());
      await newProduct(shop);
      expect(await findIdsByPrefix(shop, 'products', prefix)).toEqual([]);
    },
  );
});
