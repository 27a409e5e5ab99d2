import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import {
  type Context,
  deleteProduct,
  importRows,
  listCategories,
  listCustomers,
  listPages,
  listProducts,
} from '../index.ts';
import { maxSearch } from '../kernel/limits.ts';

forEachStorage('the search for products', (database) => {
  const commerce = useCommerce(database);
  let shop: Context;

  const products: Record<string, { title: string; description?: string; sku?: string }> = {
    mug: { title: 'Blue Coffee Mug', description: 'Holds 100% of your tea', sku: 'MUG_1-A' },
    cup: { title: 'Red cup', description: 'The \\"quoted\\" cup, 5 € and AND OR NOT', sku: 'CUP*' },
    near: { title: 'NEAR the sea (a "poster")', description: "It's a poster; --drop" },
    shirt: { title: '👕 T-Shirt', description: 'Größe ÜBERGROSS, ﬁne' },
    greek: { title: 'ΟΔΟΣ ΣΟΦΟΣ', description: 'Ένα βιβλίο' },
    turkish: { title: 'İstanbul ISPARTA', description: 'ılık' },
    composed: { title: 'Cafe\u0301 cre\u0300me', description: '日本語の本 and 東京' },
    long: { title: 'Long one', description: `${'lorem ipsum '.repeat(2000)}the end` },
  };

  beforeAll(async () => {
    shop = await newShop(commerce());
    for (const [slug, fields] of Object.entries(products)) await newProduct(shop, { slug, ...fields });
    const other = await newShop(commerce());
    for (const [slug, fields] of Object.entries(products)) await newProduct(other, { slug, ...fields });
    const gone = await newProduct(shop, { title: 'Blue Coffee Mug, gone' });
    await deleteProduct(shop, gone.id);
  });

  async function found(search: string): Promise<string> {
    const { items, total } = await listProducts(shop, { search });
    expect(total).toBe(items.length);
    return items
      .map((product) => product.slug)
      .sort()
      .join(' ');
  }

  it.each([
    ['mug', 'mug'],
    ['MUG', 'mug'],
    ['ue cof', 'mug'],
    ['coffee  mug', 'mug'],
    [' mug', 'mug'],
    ['mug ', 'mug'],
    ['tea', 'mug'],
    ['mug_1', 'mug'],
    ['_1-', 'mug'],
    ['mug 1', 'mug'],
    ['100%', 'mug'],
    ['%', 'mug'],
    ['0%', 'mug'],
    ['1_0', ''],
    ['c%p', ''],
    ['c_p', ''],
    ['_', 'mug'],
    ['\\', 'cup'],
    ['\\"', 'cup'],
    ['\\"quoted\\"', 'cup'],
    ['"', 'cup near'],
    ['""', ''],
    ['"poster"', 'near'],
    ["'", 'near'],
    ["it's", 'near'],
    ["' or 1=1 --", ''],
    ['--drop', 'near'],
    ['AND', 'composed cup'],
    ['and or not', 'cup'],
    ['OR NOT', 'cup'],
    ['mug OR cup', ''],
    ['mug AND tea', ''],
    ['NOT cup', 'cup'],
    ['near', 'near'],
    ['NEAR(', ''],
    ['NEAR the', 'near'],
    ['(a', 'near'],
    ['text:mug', ''],
    ['^blue', ''],
    ['*', 'cup'],
    ['p*', 'cup'],
    ['mug*', ''],
    ['cup*', 'cup'],
    ['+', ''],
    ['-', 'mug near shirt'],
    ['€', 'cup'],
    ['👕', 'shirt'],
    ['👕 t', 'shirt'],
    ['👕 t-shirt', 'shirt'],
    ['🎽', ''],
    ['größe', 'shirt'],
    ['GRÖSSE', 'shirt'],
    ['übergross', 'shirt'],
    ['Ü', 'cup long mug shirt turkish'],
    ['grosse', 'shirt'],
    ['οδος', 'greek'],
    ['ΟΔΟΣ', 'greek'],
    ['οδοσ', 'greek'],
    ['σοφος', 'greek'],
    ['ος σοφ', 'greek'],
    ['οσ', 'greek'],
    ['ς', 'greek'],
    ['βιβλίο', 'greek'],
    ['istanbul', 'turkish'],
    ['İstanbul', 'turkish'],
    ['isparta', 'turkish'],
    ['ılık', 'turkish'],
    ['café', 'composed'],
    ['cafe\u0301', 'composed'],
    ['CRÈME', 'composed'],
    ['cafe', 'composed'],
    ['日本語', 'composed'],
    ['日本', 'composed'],
    ['京', 'composed'],
    ['ug', 'mug'],
    ['q', 'cup'],
    ['z', ''],
    ['the end', 'long'],
    ['"ipsum lorem"', 'long'],
    ['mugholds', ''],
    ['<b>', ''],
    ['$1', ''],
    ['?', ''],
  ])('%j finds %j', async (search, expected) => {
    expect(await found(search)).toBe(expected);
  });

  it('takes a term of 200 characters, and finds it where it is', async () => {
    expect(await found('lorem ipsum '.repeat(16))).toBe('long');
    expect(await found('👕'.repeat(200))).toBe('');
    expect(await found('x'.repeat(200))).toBe('');
    expect(await found('%_"\\'.repeat(50))).toBe('');
    expect(await found('lorem ipsum '.repeat(17).slice(0, 200))).toBe('long');
  });

  it.each([
    ['products', listProducts],
    ['categories', listCategories],
    ['pages', listPages],
    ['customers', listCustomers],
  ] as const)('refuses a longer term, also for %s', async (_, list) => {
    expect(await list(shop, { search: 'é'.repeat(maxSearch) })).toEqual({ items: [], total: 0 });
    for (const length of [maxSearch + 1, 3000, 20_000]) {
      await expectDenied(commerce(), () => list(shop, { search: 'a'.repeat(length) }), {
        kind: 'validation',
        fields: ['search'],
        message: /at most 200 characters/,
      });
    }
  });

  it.each([
    'a'.repeat(200),
    'ab'.repeat(100),
    'abcdefg'.repeat(28),
    'banana',
    'aaa',
    'aaaa',

    '👕'.repeat(9),
  ])('compares no part of %j with the same places of a text twice', async (term) => {
    const filler = await newProduct(shop, { title: 'Filler', description: `${term.repeat(3)}!` });
    const statements = await statementsOf(async () =>
      expect((await listProducts(shop, { search: term })).total).toBe(1),
    );
    for (const { values } of statements) {
      for (const value of values) {
        if (typeof value !== 'string' || !/^".*"$/.test(value)) continue;
        const parts = value.slice(1, -1).split('" AND "');
        const points = parts.map((part) => [...part.replaceAll('""', '"')]);
        const trigrams = points.flatMap((part) => part.slice(2).map((last, i) => `${part[i]}${part[i + 1]}${last}`));
        expect(new Set(trigrams).size).toBe(trigrams.length);
      }
    }
    await deleteProduct(shop, filler.id);
  });

  it('finds what an import has dated before 1970, also among the variants of a group', async () => {
    const old = await newShop(commerce());
    const named = { sku: 'OLD-1', barcode: '4006381333931', variantGroupId: 'chairs' };
    const id = '0193d3f5-03d0-76bd-8f90-a5273846e517';
    const row = { id, slug: 'chair', title: 'Chair', price: '1', createdAt: '1960-01-01T00:00:00.000Z', ...named };
    expect(await importRows(old, 'products', [row])).toMatchObject({ created: 1 });
    for (const filter of [{ slug: 'chair' }, ...Object.entries(named).map(([name, value]) => ({ [name]: value }))]) {
      const { items, total } = await listProducts(old, { search: 'chair', ...filter });
      expect([filter, total, items[0]?.createdAt]).toEqual([filter, 1, row.createdAt]);
    }
  });
});
