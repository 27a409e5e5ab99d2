import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, expectTypeOf, it } from 'vitest';
import {
  type ImportRow,
  importRows,
  listCategories,
  listCustomers,
  listPages,
  listProducts,
  type ProductInput,
} from '../index.ts';

forEachStorage('rows of an application', (database) => {
  const commerce = useCommerce(database);

  it('become products, with the categories that they name, and change what they match', async () => {
    const shop = await newShop(commerce());
    const old = await newProduct(shop, { slug: 'old', title: 'Old', price: '5' });
    const rows: ImportRow<'products'>[] = [
      {
        title: 'Mug',
        slug: 'mug',
        price: '12.50',
        status: 'published',
        categories: ['kitchen>mugs'],
        attributes: { color: 'blue' },
      },
      { slug: old.slug, price: '6' },
    ];
    expect(await importRows(shop, 'products', rows)).toMatchObject({
      ...{ status: 'completed', rows: 2, created: 1, updated: 1, refused: 0, categories: ['kitchen', 'mugs'] },
    });
    const { items } = await listProducts(shop, { sort: 'title' });
    expect(items).toMatchObject([
      { slug: 'mug', price: '12.50', attributes: { color: 'blue' }, categoryIds: [expect.any(String)] },
      { slug: 'old', title: 'Old', price: '6.00' },
    ]);
    expect(await importRows(shop, 'products', rows)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  it('can come one by one, more than a transaction takes, and are read as they are written', async () => {
    const shop = await newShop(commerce());
    let given = 0;
    async function* people(): AsyncGenerator<ImportRow<'customers'>> {
      for (; given < 1200; given++) yield { email: `buyer${given}@shop.test`, name: 'Ada' };
    }
    const progress: number[] = [];
    const onProgress = ({ rows }: { rows: number }) => progress.push(given - rows);
    const result = await importRows(shop, 'customers', people(), {}, { batchRows: 100, onProgress });
    expect(result).toMatchObject({ status: 'completed', rows: 1200, created: 1200 });
    expect((await listCustomers(shop, { limit: 1 })).total).toBe(1200);
    // Never far ahead of what is written.
    expect(Math.max(...progress)).toBeLessThan(200);
  });

  it('are refused by their number, and stop or skip', async () => {
    const shop = await newShop(commerce());
    const rows = [
      { title: 'A', slug: 'a', price: '1' },
      { title: 'B', slug: 'b', price: 'cheap' },
      undefined as never,
      { title: 'C', slug: 'c', price: '3' },
    ];
    const stopped = await importRows(shop, 'products', rows);
    expect(stopped).toMatchObject({ status: 'stopped', created: 1, problems: [{ line: 2, column: 'price' }] });
    const skipped = await importRows(shop, 'products', rows, { onError: 'skip' });
    expect(skipped).toMatchObject({ status: 'completed', created: 1, unchanged: 1, refused: 2 });
    expect(skipped.problems.map(({ line }) => line)).toEqual([2, 3]);
    const dry = await importRows(shop, 'products', [{ title: 'D', slug: 'd', price: '4' }], { dryRun: true });
    expect(dry).toMatchObject({ created: 1, dryRun: true });
    expect((await listProducts(shop)).total).toBe(2);
  });

  it('that are no plain data, or end with an error, leave what was written before', async () => {
    const shop = await newShop(commerce());
    const big = { title: 'B', slug: 'b', price: 1n as never };
    await expect(importRows(shop, 'pages', [{ title: 'A', slug: 'a' }, big as never])).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: 'rows', reason: expect.stringContaining('row 2') }],
    });
    async function* broken(): AsyncGenerator<ImportRow<'categories'>> {
      yield { name: 'Mugs', slug: 'mugs' };
      throw new Error('the other shop hung up');
    }
    await expect(importRows(shop, 'categories', broken(), {}, { batchRows: 1 })).rejects.toThrow('hung up');
    expect((await listCategories(shop)).items).toMatchObject([{ slug: 'mugs' }]);
    expect((await listPages(shop)).total).toBe(0);
  });

  it('have the types of their resource', () => {
    expectTypeOf<ImportRow<'products'>['price']>().toEqualTypeOf<ProductInput['price'] | undefined>();
    expectTypeOf<ImportRow<'customers'>>().not.toHaveProperty('price');
    expectTypeOf<ImportRow<'categories'>['parent']>().toEqualTypeOf<string | null | undefined>();
    // @ts-expect-error No resource has orders.
    expectTypeOf<ImportRow<'orders'>>();
  });
});
