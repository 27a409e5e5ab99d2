// Tests of the migration, on a store of their own: `node --test`.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listCategories, listProducts } from '@commerce/core';
import { openTestCommerce } from '@commerce/core/testing';
import { type Foreign, migrate } from './app.ts';

const mug: Foreign = {
  code: 'M1',
  name: 'Blåer Mug',
  cents: 1205,
  inStock: 7,
  group: 'mugs',
  photos: [],
  online: true,
};

it('moves every page, can run again, and names what it could not move', async () => {
  const { shop, close } = await openTestCommerce();
  try {
    const pages: Foreign[][] = [
      [mug, { ...mug, code: 'M2', cents: 900, inStock: null, online: false }],
      [{ ...mug, code: 'M3', name: '' }],
    ];
    const read = async (page: number) => pages[page - 1] ?? [];
    assert.deepEqual(await migrate(shop, read), {
      ...{ created: 2, updated: 0, unchanged: 0 },
      refused: ['M3: title must be a text of 1 to 255 characters, not ""'],
    });
    const { items } = await listProducts(shop, { sort: '-price' });
    assert.deepEqual(
      items.map(({ slug, price, stock, status }) => ({ slug, price, stock, status })),
      [
        { slug: 'blaer-mug-m1', price: '12.05', stock: 7, status: 'published' },
        { slug: 'blaer-mug-m2', price: '9.00', stock: 0, status: 'draft' },
      ],
    );
    assert.equal((await listCategories(shop)).items[0]?.slug, 'mugs');
    mug.cents = 1300;
    pages[0] = [{ ...mug }, pages[0]?.[1] as Foreign];
    assert.deepEqual(await migrate(shop, read).then(({ updated, unchanged }) => ({ updated, unchanged })), {
      updated: 1,
      unchanged: 1,
    });
  } finally {
    await close();
  }
});
