import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transact } from '../engine/transaction.ts';
import {
  type Commerce,
  type Context,
  createCategory,
  createProduct,
  deleteCategory,
  deleteProduct,
  listProducts,
  listProductsByAttributes,
  openCommerce,
  type Product,
  updateProduct,
} from '../index.ts';
import { TotalCache } from '../resources/remembered-totals.ts';
import { takeStock } from './stock.ts';

/** Queries that count lists, with the matching products of each. */
const queries: readonly [
  read: (shop: Context, category: string) => ReturnType<typeof listProducts>,
  matches: (product: Product, category: string) => boolean,
][] = [
  [(shop) => listProducts(shop, { search: 'mug' }), ({ title }) => /mug/i.test(title)],
  [(shop) => listProducts(shop, { search: 'ug' }), ({ title }) => /ug/i.test(title)],
  [
    (shop) => listProducts(shop, { search: 'mug', status: 'published' }),
    ({ title, status }) => /mug/i.test(title) && status === 'published',
  ],
  [
    (shop, categoryId) => listProducts(shop, { search: 'mug', categoryId }),
    ({ title, categoryIds }, category) => /mug/i.test(title) && categoryIds.includes(category),
  ],
  [
    (shop, categoryId) => listProducts(shop, { status: 'published', categoryId }),
    ({ status, categoryIds }, category) => status === 'published' && categoryIds.includes(category),
  ],
  [
    (shop) => listProductsByAttributes(shop, { attributes: { size: 's', color: 'red' } }),
    ({ attributes }) => attributes.size === 's' && attributes.color === 'red',
  ],
  [
    (shop) => listProductsByAttributes(shop, { attributes: { size: 's' }, status: 'published' }),
    ({ attributes, status }) => attributes.size === 's' && status === 'published',
  ],
];

forEachStorage('totals that were counted for filters', (database) => {
  const commerce = useCommerce(database);
  let other: Commerce;
  beforeAll(async () => {
    other = await openCommerce({ storage: database.open() });
  });
  afterAll(() => other.close());

  const fields = (category: string) =>
    fc.record(
      {
        title: fc.constantFrom('Blue mug', 'Cup', 'Jug'),
        status: fc.constantFrom('draft' as const, 'published' as const, 'archived' as const),
        attributes: fc.constantFrom<Record<string, string>>(
          {},
          { size: 's' },
          { size: 's', color: 'red' },
          { size: 'm', color: 'red' },
        ),
        categoryIds: fc.constantFrom<string[]>([], [category]),
        stock: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: [] },
    );

  it('is never out of date, in the process that changes a product and in another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 3, maxLength: 10 }), fc.nat(), async (choices, seed) => {
        const shop = await newShop(commerce());
        const elsewhere = await other.store(shop.store.id);
        const { id: category } = await createCategory(shop, { name: 'Tea', slug: 'tea' });
        const inputs = fc.sample(fields(category), { numRuns: choices.length, seed });
        const products = new Map<string, Product>();
        for (const [i, choice] of choices.entries()) {
          const known = [...products.keys()];
          const id = known[choice % (known.length + 1)];
          if (id === undefined) {
            const made = await newProduct(shop, inputs[i]);
            products.set(made.id, made);
          } else if (choice % 5 === 0) {
            await deleteProduct(shop, id);
            products.delete(id);
          } else products.set(id, await updateProduct(shop, id, inputs[i] ?? {}));
          for (const [read, matches] of queries) {
            const expected = [...products.values()].filter((product) => matches(product, category)).reverse();
            for (const reader of [shop, elsewhere]) {
              const { items, total } = await read(reader, category);
              expect([total, items]).toEqual([expected.length, sortedNewest(expected)]);
            }
          }
        }
        await deleteCategory(shop, category);
        for (const reader of [shop, elsewhere]) {
          for (const query of [{ search: 'mug' }, { status: 'published' as const }]) {
            expect((await listProducts(reader, { ...query, categoryId: category })).total).toBe(0);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  const sortedNewest = (products: readonly Product[]) =>
    [...products].sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1));

  describe('is counted again', () => {
    const version = async ({ engine, store }: Context) => {
      const row = await engine.storage.db
        .selectFrom('list_totals')
        .select('n')
        .where('store_id', '=', store.id)
        .where('list', '=', 'products.version')
        .executeTakeFirst();
      return row?.n ?? 0;
    };

    it.each<[string, boolean, (shop: Context, id: string) => Promise<unknown>]>([
      ['a new product', true, (shop) => newProduct(shop)],
      ['another title', true, (shop, id) => updateProduct(shop, id, { title: 'Cup' })],
      ['another status', true, (shop, id) => updateProduct(shop, id, { status: 'archived' })],
      ['another attribute', true, (shop, id) => updateProduct(shop, id, { attributes: { size: 'm' } })],
      ['no product any more', true, (shop, id) => deleteProduct(shop, id)],
      ['another price', true, (shop, id) => updateProduct(shop, id, { price: '99' })],
      ['another stock', false, (shop, id) => updateProduct(shop, id, { stock: 7 })],
      ['the same once more', false, (shop, id) => updateProduct(shop, id, { title: 'Mug' })],
      [
        'a sale',
        false,
        (shop, productId) => transact(shop, (tx) => takeStock(tx, productId, [{ productId, quantity: 1 }])),
      ],
      [
        'a product that is refused',
        false,
        (shop) => createProduct(shop, { title: 'Mug', slug: 'taken', price: '1' }).catch(() => {}),
      ],
    ])('after %s: %s', async (_, again, change) => {
      const shop = await newShop(commerce());
      const { id } = await newProduct(shop, { slug: 'taken', trackStock: true, stock: 5, attributes: { size: 's' } });
      const before = await version(shop);
      await change(shop, id);
      expect((await version(shop)) > before).toBe(again);
    });
  });

  it('is the whole list in pages, whether few match or many, and whether they are walked or fetched', async () => {
    const shop = await newShop(commerce());
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        newProduct(shop, {
          title: n % 10 < 7 ? `Mug ${n}` : 'Cup',
          description: 'With a linen bag',
          status: n % 3 === 0 ? 'draft' : 'published',
          attributes: { kind: n % 10 < 8 ? 'a' : 'b', every: 'x' },
        }),
      ),
    );
    const [first, second] = [
      await listProducts(shop, { limit: 200 }),
      await listProducts(shop, { limit: 200, offset: 200 }),
    ];
    const all = [...first.items, ...second.items];
    const isMug = ({ title }: Product) => title.startsWith('Mug');
    const searches: [object, (product: Product) => boolean][] = [
      [{ search: 'mug' }, isMug],
      [{ search: 'mu' }, isMug],
      [{ search: 'mug', status: 'published' }, (product) => isMug(product) && product.status === 'published'],
      [{ search: 'mug', slug: all[7]?.slug }, (product) => isMug(product) && product.slug === all[7]?.slug],
      [{ search: 'cup' }, (product) => !isMug(product)],
      [{ search: 'linen' }, () => true],
    ];
    const windows = [
      { limit: 50, offset: 0 },
      { limit: 200, offset: 0 },
      { limit: 200, offset: 7 },
      { limit: 50, offset: 190 },
      { limit: 50, offset: 300 },
    ];
    for (const window of windows) {
      for (const [query, matches] of searches) {
        const expected = all.filter(matches);
        expect(await listProducts(shop, { ...query, ...window })).toEqual({
          items: expected.slice(window.offset, window.offset + window.limit),
          total: expected.length,
        });
      }
      const expected = all.filter(({ attributes }) => attributes.kind === 'a');
      expect(await listProductsByAttributes(shop, { attributes: { kind: 'a', every: 'x' }, ...window })).toEqual({
        items: expected.slice(window.offset, window.offset + window.limit),
        total: expected.length,
      });
    }
  });
});

describe('the totals a process has counted', () => {
  const some = { total: 1, took: 0.5 };

  it('are of one version', () => {
    const cache = new TotalCache();
    cache.set('mug', 3, some);
    expect([cache.get('mug', 3), cache.get('mug', 2), cache.get('mug', 4), cache.get('cup', 3)]).toEqual([
      expect.objectContaining(some),
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are bounded in number, and those in use stay', () => {
    const cache = new TotalCache();
    for (let n = 0; n < 2000; n++) {
      cache.set(`search ${n}`, 1, some);
      expect(cache.get('search 0', 1)).toMatchObject(some);
    }
    const kept = Array.from({ length: 2000 }, (_, n) => cache.get(`search ${n}`, 1)).filter(Boolean);
    expect(kept).toHaveLength(500);
  });

  it('are not kept under very long names', () => {
    const cache = new TotalCache();
    cache.set('x'.repeat(1001), 1, some);
    expect(cache.get('x'.repeat(1001), 1)).toBeUndefined();
  });
});
