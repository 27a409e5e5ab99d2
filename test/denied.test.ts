import { type Context, createPage, deletePage, updatePage } from '@commerce/core';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

// Hundreds of tests rely on equal snapshots as proof that a refusal has changed nothing.
forEachStorage('two snapshots', (database) => {
  const commerce = useCommerce(database, { upkeep: false });
  let shop: Context;
  let id = '';
  beforeAll(async () => {
    shop = await newShop(commerce());
    ({ id } = await createPage(shop, { title: 'One', slug: 'one' }));
  });
  const changes: [what: string, work: () => Promise<unknown>][] = [
    ['a row was added', () => createPage(shop, { title: 'Two', slug: 'two' })],
    ['a row was changed', () => updatePage(shop, id, { title: 'Other' })],
    [
      'one column of one row was changed, and nothing else',
      () =>
        commerce()
          .engine.storage.db.transaction()
          .execute((tx) =>
            tx
              .updateTable('pages')
              .set({ slug: 'x' })
              .where('store_id', '=', shop.store.id)
              .where('id', '=', id)
              .execute(),
          ),
    ],
    ['a row was removed', () => deletePage(shop, id)],
  ];

  it.each(changes)('differ when %s', async (_, work) => {
    const before = await snapshot(commerce());
    expect(await snapshot(commerce())).toEqual(before);
    await work();
    expect(await snapshot(commerce())).not.toEqual(before);
  });

  it('are equal when all that was written was taken back', async () => {
    const before = await snapshot(commerce());
    await expect(createPage(shop, { title: 'Two', slug: 'two' })).rejects.toThrow(/two/);
    expect(await snapshot(commerce())).toEqual(before);
  });
});
