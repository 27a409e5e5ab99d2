import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { createCategory, listProducts, type ProductQueryInput } from '../../index.ts';

// SQLite has no statistics, so its plans are the same in a shop of a thousand products and in one of a million.

forOneStorage('a list of products with few matches', 'sqlite', (database, dialect) => {
  const commerce = useCommerce(database);

  it.skipIf(dialect !== 'sqlite')('is read by the index of its filter, in every order', async () => {
    const shop = await newShop(commerce());
    const { id: categoryId } = await createCategory(shop, { name: 'Mugs', slug: 'mugs' });
    const few = { trackStock: true, stock: 1, lowStockThreshold: 2, compareAtPrice: '20', variantGroupId: 'mugs' };
    await newProduct(shop, {
      ...few,
      attributes: { color: 'red' },
      categoryIds: [categoryId],
      metadata: { shelf: '1' },
    });
    // A list of fewer products is read as a whole.
    await Promise.all(Array.from({ length: 1010 }, () => newProduct(shop, { title: 'Plate' })));
    const filters: ProductQueryInput[] = [
      { lowStock: true },
      { lowStock: true, status: 'published' },
      { onSale: true },
      { attributes: { color: 'red' } },
      { variantGroupId: 'mugs' },
      { categoryId },
      { metadata: { shelf: '1' } },
    ];
    const { db } = shop.engine.storage;
    for (const sort of ['newest', 'oldest', 'price', '-price', 'title', '-title'] as const) {
      for (const filter of filters) {
        const name = JSON.stringify({ sort, ...filter });
        const statements = await statementsOf(() => listProducts(shop, { sort, ...filter }));
        const lists = statements.filter(({ text }) => /^select p\.id, .* from products as p/s.test(text));
        expect([name, lists.length]).toEqual([name, 1]);
        const counts = statements.filter(({ text }) => /^select count.* from products as p/s.test(text));
        for (const { text, values } of [...lists, ...counts]) {
          const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${text}`, [...values]));
          const steps = rows
            .map((row) => (row as { detail: string }).detail)
            .filter((step) => /^(SEARCH|SCAN) p\b/.test(step));
          const isWalk = (step: string) =>
            /^SCAN|INDEX products_\w+ \(store_id=\?\)/.test(step) && !/(low|on_sale)_newest/.test(step);
          expect([name, steps.length, steps.filter(isWalk)]).toEqual([name, 1, []]);
        }
      }
    }
  });
});
