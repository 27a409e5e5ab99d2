import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listProducts, type Product } from '../index.ts';
import { foldText, searchWords, strippedCode } from '../kernel/fold.ts';

const letters = [
  'a',
  'B',
  'ß',
  'é',
  'e\u0301',
  'Ł',
  '"',
  '-',
  ' ',
  '  ',
  '👕',
  '本',
  'か',
  'が',
  'ς',
  '%',
  '_',
  '*',
  "'",
];

const text = (maxLength: number) => fc.array(fc.constantFrom(...letters), { maxLength }).map((all) => all.join(''));

/** Whether a product has every word, by the rule alone. */
function has({ title, description, sku, barcode, attributes }: Product, search: string): boolean {
  const texts = [title, description, sku, barcode, ...Object.values(attributes)].map((one) => foldText(one ?? ''));
  const codes = [sku, barcode].map((one) => strippedCode(one ?? ''));
  return searchWords(search).every((word) => {
    const code = strippedCode(word);
    return (
      texts.some((one) => one.includes(word)) ||
      codes.some((one) => one.includes(word) || (code !== '' && one.includes(code)))
    );
  });
}

forEachStorage('words of a search', (database) => {
  const commerce = useCommerce(database);

  it('find what a look at every text finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ title: text(8), description: text(12), sku: text(6), barcode: text(5), color: text(4) }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.array(text(9), { minLength: 6, maxLength: 6 }),
        async (rows, searches) => {
          const shop = await newShop(commerce());
          const products: Product[] = [];
          for (const [i, { title, color, sku, ...row }] of rows.entries()) {
            const fields = { title: `${title}x`, sku: `${sku}${i}`, attributes: { color }, ...row };
            products.push(await newProduct(shop, fields));
          }
          const parts = products.map(({ title, sku, barcode }) =>
            [title, sku, barcode].map((one) => [...(one ?? '')].slice(1, 6).join('')),
          );
          for (const search of [...searches, ...parts.flat()]) {
            const { items, total } = await listProducts(shop, { search });
            const found = items.map(({ id }) => id).sort();
            const expected = products.filter((product) => has(product, search)).map(({ id }) => id);
            expect({ search, total, found }).toEqual({ search, total: expected.length, found: expected.sort() });
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  it.each<[string, string]>([
    ['zolty', 'yellow'],
    ['KUBEK żółty', 'yellow'],
    ['gross', 'german'],
    ['4-006-381', 'yellow'],
    ['4006381', 'yellow'],
    ['mug1a', 'yellow'],
    ['MUG-1', 'yellow'],
    ['"żółty kubek"', 'yellow'],
    ['"kubek żółty"', ''],
    ['sage', 'german'],
    ['sage yellow', ''],
    ['5"', 'german'],
    ['a b c d e f g h nothing', 'letters'],
  ])('%j finds %j', async (search, expected) => {
    const shop = await newShop(commerce());
    await newProduct(shop, { slug: 'yellow', title: 'Żółty kubek', sku: 'MUG-1 A', barcode: '400 6381-33' });
    await newProduct(shop, { slug: 'german', title: 'Größe 5" Rohr', attributes: { color: 'Sage' } });
    await newProduct(shop, { slug: 'letters', title: 'a b c d e f g h' });
    const { items } = await listProducts(shop, { search });
    expect(items.map(({ slug }) => slug).join(' ')).toBe(expected);
  });
});
