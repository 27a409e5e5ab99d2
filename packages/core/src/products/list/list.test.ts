import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { transact } from '../../engine/transaction.ts';
import {
  type Context,
  createCategory,
  createProduct,
  deleteProduct,
  type ListedProduct,
  listProducts,
  listProductsByAttributes,
  type Product,
  type ProductInput,
  type ProductQueryInput,
  type ProductSort,
  updateProduct,
} from '../../index.ts';
import { parse } from '../../kernel/parse.ts';
import { writing } from '../../storage/run.ts';
import { fakeClock } from '../../testing/index.ts';
import { filtersOf } from '../list.ts';
import { reserveStock } from '../stock.ts';
import { categoriesWithin } from './categories.ts';
import { find } from './find.ts';
import { ProductQuery } from './query.ts';
import { openReading } from './reading.ts';

/** Products as the lists should find them, computed in memory from whole products. */
interface Shelf {
  products: readonly Product[];
  /** Subcategories by their parent. */
  below: ReadonlyMap<string, readonly string[]>;
  /** Pieces that orders hold. */
  held: ReadonlyMap<string, number>;
}

const minor = (amount: string) => Math.round(Number(amount) * 100);

const canBuy = ({ held }: Shelf, { id, trackStock, allowBackorder, stock }: Product) =>
  !trackStock || allowBackorder || stock - (held.get(id) ?? 0) > 0;

function matches(shelf: Shelf, product: Product, query: ProductQueryInput): boolean {
  const { status, categoryId, attributes = {}, minPrice, maxPrice, inStock, onSale, variantGroupId, search } = query;
  const text = [product.title, product.description, product.sku, product.barcode, ...Object.values(product.attributes)]
    .join(' ')
    .toLowerCase();
  const categories = [categoryId ?? []].flat().flatMap((id) => [id, ...(shelf.below.get(id) ?? [])]);
  return (
    (!status || product.status === status) &&
    (!variantGroupId || product.variantGroupId === variantGroupId) &&
    (categoryId === undefined || product.categoryIds.some((id) => categories.includes(id))) &&
    Object.entries(attributes).every(([name, values]) => [values].flat().includes(product.attributes[name] ?? '\0')) &&
    (minPrice === undefined || minor(product.price) >= minor(minPrice)) &&
    (maxPrice === undefined || minor(product.price) <= minor(maxPrice)) &&
    (!inStock || canBuy(shelf, product)) &&
    (!onSale || (product.compareAtPrice !== null && minor(product.compareAtPrice) > minor(product.price))) &&
    (search ?? '')
      .toLowerCase()
      .split(' ')
      .every((word) => text.includes(word))
  );
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a sort; ids decide, the newest first. */
const orders: Partial<Record<ProductSort, (a: Product, b: Product) => number>> = {
  newest: (a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id),
  oldest: (a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id),
  price: (a, b) => compare(minor(a.price), minor(b.price)) || compare(b.id, a.id),
  '-price': (a, b) => compare(minor(b.price), minor(a.price)) || compare(b.id, a.id),
  title: (a, b) => compare(a.title.toLowerCase(), b.title.toLowerCase()) || compare(b.id, a.id),
  '-title': (a, b) => compare(b.title.toLowerCase(), a.title.toLowerCase()) || compare(b.id, a.id),
};

function expected(shelf: Shelf, query: ProductQueryInput): Product[] {
  const found = shelf.products.filter((product) => matches(shelf, product, query));
  const sorted = found.sort(orders[query.sort ?? 'newest']);
  if (!query.group) return sorted;
  const seen = new Set<string>();
  return sorted.filter(({ variantGroupId: group }) => group === null || (!seen.has(group) && seen.add(group)));
}

/** Counts distinct groups, or products. */
function countOf(products: readonly Product[], isGrouped: boolean): number {
  return isGrouped ? new Set(products.map(({ id, variantGroupId }) => variantGroupId ?? id)).size : products.length;
}

function ranked(products: readonly Product[], isGrouped: boolean, valuesOf: (product: Product) => Iterable<string>) {
  const byValue = new Map<string, Product[]>();
  for (const product of products)
    for (const value of new Set(valuesOf(product))) byValue.set(value, [...(byValue.get(value) ?? []), product]);
  return [...byValue]
    .map(([value, found]) => ({ value, count: countOf(found, isGrouped) }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value));
}

function expectedFacets(shelf: Shelf, query: ProductQueryInput) {
  const isGrouped = query.group !== undefined;
  const without = (own: Partial<ProductQueryInput>) =>
    shelf.products.filter((product) => matches(shelf, product, { ...query, ...own }));
  const { color: _color, ...otherThanColor } = query.attributes ?? {};
  const { size: _size, ...otherThanSize } = query.attributes ?? {};
  const prices = without({ minPrice: undefined, maxPrice: undefined }).map(({ price }) => minor(price));
  const amount = (all: number[], choose: (...all: number[]) => number) =>
    all.length === 0 ? null : (choose(...all) / 100).toFixed(2);
  const parentOf = new Map([...shelf.below].flatMap(([parent, below]) => below.map((id) => [id, parent] as const)));
  return {
    attributes: {
      color: ranked(without({ attributes: otherThanColor }), isGrouped, (one) => [one.attributes.color ?? []].flat()),
      size: ranked(without({ attributes: otherThanSize }), isGrouped, (one) => [one.attributes.size ?? []].flat()),
      none: [],
    },
    price: { min: amount(prices, Math.min), max: amount(prices, Math.max) },
    categories: ranked(without({ categoryId: undefined }), isGrouped, (one) =>
      one.categoryIds.flatMap((id) => [id, parentOf.get(id) ?? id]),
    ).map(({ value, count }) => ({ id: value, count })),
    inStock: {
      count: countOf(
        without({ inStock: undefined }).filter((one) => canBuy(shelf, one)),
        isGrouped,
      ),
    },
  };
}

function expectedGroup(shelf: Shelf, query: ProductQueryInput, product: Product) {
  const members = shelf.products
    .filter(
      (one) => one.id === product.id || (one.variantGroupId !== null && one.variantGroupId === product.variantGroupId),
    )
    .filter((one) => matches(shelf, one, query))
    .sort(orders.oldest);
  const attributes: Record<string, string[]> = {};
  for (const member of members) {
    for (const [name, value] of Object.entries(member.attributes)) {
      const known = attributes[name] ?? [];
      attributes[name] = known.includes(value) ? known : [...known, value];
    }
  }
  const prices = members.map(({ price }) => minor(price));
  return {
    count: members.length,
    minPrice: (Math.min(...prices) / 100).toFixed(2),
    maxPrice: (Math.max(...prices) / 100).toFixed(2),
    attributes,
    inStock: members.some((one) => canBuy(shelf, one)),
  };
}

/** The product as it is alone. */
function plain({ group: _, ...product }: ListedProduct): Product {
  return product;
}

forEachStorage('one list of products', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  const inputs = fc.record({
    title: fc.constantFrom('Blue mug', 'Red mug', 'Cup', 'cup', 'Jug of oak'),
    price: fc.constantFrom('5.00', '7.50', '7.51', '100.00'),
    compareAtPrice: fc.constantFrom(null, '7.50', '200.00'),
    status: fc.constantFrom('published' as const, 'published' as const, 'draft' as const),
    variantGroupId: fc.constantFrom(null, 'a', 'b', 'c'),
    attributes: fc.constantFrom<Record<string, string>>(
      {},
      { color: 'red' },
      { color: 'blue', size: 'M' },
      { size: 'L' },
      { color: 'red', size: 'M' },
    ),
    categories: fc.subarray([0, 1, 2]),
    trackStock: fc.boolean(),
    stock: fc.integer({ min: 0, max: 2 }),
    allowBackorder: fc.constantFrom(false, false, true),
    isHeld: fc.boolean(),
  });

  const queries = fc.record(
    {
      status: fc.constantFrom('published' as const, 'draft' as const),
      categories: fc.subarray([0, 1, 2], { minLength: 1 }),
      attributes: fc.constantFrom<Record<string, string | string[]>>(
        { color: 'red' },
        { color: ['red', 'blue'] },
        { color: ['red', 'green'], size: ['M', 'L'] },
      ),
      minPrice: fc.constantFrom('0', '7.5', '7.51'),
      maxPrice: fc.constantFrom('7.50', '99.99', '100'),
      inStock: fc.constant(true),
      onSale: fc.constant(true),
      search: fc.constantFrom('mug', 'mug red', 'u'),
      variantGroupId: fc.constantFrom('a', 'b'),
      sort: fc.constantFrom(
        'newest' as const,
        'oldest' as const,
        'price' as const,
        '-price' as const,
        'title' as const,
        '-title' as const,
      ),
      group: fc.constant('variants' as const),
      limit: fc.integer({ min: 1, max: 20 }),
      offset: fc.integer({ min: 0, max: 8 }),
    },
    { requiredKeys: [] },
  );

  async function shelfOf(shop: Context, rows: readonly (typeof inputs extends fc.Arbitrary<infer T> ? T : never)[]) {
    const root = await createCategory(shop, { name: 'Root', slug: 'root', status: 'published' });
    const child = await createCategory(shop, { name: 'Child', slug: 'child', parentId: root.id, status: 'published' });
    const other = await createCategory(shop, { name: 'Other', slug: 'other', status: 'published' });
    const categories = [root.id, child.id, other.id];
    const products: Product[] = [];
    const held = new Map<string, number>();
    for (const [i, { categories: chosen, isHeld, ...row }] of rows.entries()) {
      if (i % 3 !== 0) clock.advance(1);
      const categoryIds = chosen.map((at) => categories[at] as string);
      const product = await createProduct(shop, { ...row, slug: `p-${i}`, sku: `S-${i}`, categoryIds } as ProductInput);
      products.push(product);
      const isLimited = product.trackStock && !product.allowBackorder && product.stock > 0;
      if (!isHeld || !isLimited) continue;
      await transact(shop, (tx) =>
        reserveStock(tx, tx.engine.ids.next(tx.now), [{ productId: product.id, quantity: 1 }], tx.now + 60_000),
      );
      held.set(product.id, 1);
    }
    const below = new Map([[root.id, [child.id]]]);
    return { shelf: { products, below, held } satisfies Shelf, categories };
  }

  /** The same page whatever a read may look at and keep: fetched, walked, or left for a scan. */
  async function expectAnyWay(shop: Context, query: ProductQueryInput, all: readonly Product[]) {
    const { limit = 50, offset = 0, sort = 'newest', group } = query;
    const filters = filtersOf(shop, parse(ProductQuery, query));
    for (const maxRows of [1, 4, 1000, Number.POSITIVE_INFINITY]) {
      for (const maxEntries of [0, 3, 20_000]) {
        // Nothing is remembered of another way.
        const { id } = await createProduct(shop, { title: 'x', slug: 'x', price: '1' });
        await deleteProduct(shop, id);
        await shop.engine.storage.snapshot(async (db) => {
          const { categoryId } = query;
          const categoryIds =
            categoryId === undefined ? undefined : await categoriesWithin(shop, db, [categoryId].flat());
          const reading = { ...(await openReading(shop, db, maxRows, query.inStock === true)), maxEntries };
          const wanted = { filters: { ...filters, categoryIds }, sort, text: '', isGrouped: group !== undefined };
          const found = await find(reading, {
            ...wanted,
            limit: Number(limit),
            offset: Number(offset),
            start: undefined,
          });
          const way = { query, maxRows, maxEntries };
          if (!found && Number.isFinite(maxRows)) return;
          expect({ ...way, ...found }).toEqual({
            ...way,
            total: all.length,
            ids: all.slice(Number(offset), Number(offset) + Number(limit)).map(({ id }) => id),
          });
        });
      }
    }
  }

  it('is what a count in memory says, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(inputs, { minLength: 1, maxLength: 14 }),
        fc.array(queries, { minLength: 8, maxLength: 8 }),
        async (rows, asked) => {
          const shop = await newShop(commerce());
          const { shelf, categories } = await shelfOf(shop, rows);
          for (const { categories: chosen, ...rest } of asked) {
            const query: ProductQueryInput = {
              ...rest,
              ...(chosen && { categoryId: chosen.map((at) => categories[at] as string) }),
            };
            const all = expected(shelf, query);
            const { limit = 50, offset = 0 } = rest;
            const answer = await listProducts(shop, { ...query, facets: 'color,size,none,price,category,inStock' });
            expect({ query, total: answer.total, items: answer.items.map(plain) }).toEqual({
              query,
              total: all.length,
              items: all.slice(offset, offset + limit),
            });
            await expectAnyWay(shop, query, all);
            expect({ query, facets: answer.facets }).toEqual({ query, facets: expectedFacets(shelf, query) });
            if (!query.group) continue;
            for (const item of answer.items) {
              expect({ query, group: item.group }).toEqual({ query, group: expectedGroup(shelf, query, plain(item)) });
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  it('goes on behind a product in every order that has an index', async () => {
    const shop = await newShop(commerce());
    for (const [i, price] of ['5', '7', '5', '5', '9', '7'].entries()) {
      if (i % 2 === 0) clock.advance(1);
      await createProduct(shop, {
        title: i < 3 ? 'Same' : `T${i}`,
        slug: `p-${i}`,
        price,
        status: i === 4 ? 'draft' : 'published',
      });
    }
    for (const sort of ['newest', 'oldest', 'price', '-price', 'title', '-title'] as const) {
      for (const filter of [{}, { status: 'published' as const }, { maxPrice: '7' }]) {
        const whole = await listProducts(shop, { sort, ...filter });
        const walked: string[] = [];
        for (let after = ''; ; ) {
          const { items, total } = await listProducts(shop, { sort, ...filter, limit: 2, after });
          expect(total).toBe(whole.total);
          walked.push(...items.map(({ id }) => id));
          after = items.at(-1)?.id ?? '';
          if (items.length < 2) break;
        }
        expect({ sort, filter, walked }).toEqual({ sort, filter, walked: whole.items.map(({ id }) => id) });
      }
    }
    const { items } = await listProducts(shop, { sort: 'price', maxPrice: '7' });
    const [first, second, ...rest] = items;
    await deleteProduct(shop, second?.id ?? '');
    const behind = await listProducts(shop, { sort: 'price', maxPrice: '7', after: second?.id ?? '' });
    expect([first?.id, ...behind.items.map(({ id }) => id)]).toEqual([first?.id, ...rest.map(({ id }) => id)]);
  });

  it('sorts by relevance: a code, the beginning of a title, a title, the rest', async () => {
    const shop = await newShop(commerce());
    const made: Record<string, string> = {};
    for (const [slug, fields] of Object.entries({
      rest: { title: 'Cup', description: 'Not a red mug' },
      title: { title: 'The mug, red' },
      begins: { title: 'Red mug with a lid' },
      older: { title: 'Red mug' },
      code: { title: 'Lid', sku: 'RED-MUG' },
      none: { title: 'Red cup' },
    })) {
      clock.advance(1);
      made[slug] = (await createProduct(shop, { slug, price: '1', status: 'published', ...fields })).id;
    }
    const slugs = async (search: string) =>
      (await listProducts(shop, { search, sort: 'relevance' })).items.map(({ slug }) => slug);
    expect(await slugs('red mug')).toEqual(['code', 'older', 'begins', 'title', 'rest']);
    expect(await slugs('RED-MUG')).toEqual(['code']);
    expect(await slugs(' red   "mug" ')).toEqual(['code', 'older', 'begins', 'title', 'rest']);
    for (const title of ['5" pipe', 'A 5" pipe']) {
      clock.advance(1);
      await createProduct(shop, {
        slug: title[0] === '5' ? 'begins-5' : 'has-5',
        title,
        price: '1',
        status: 'published',
      });
    }
    expect(await slugs('5" pipe')).toEqual(['begins-5', 'has-5']);
  });

  it('begins with the best-selling products that match, and has the others newest first', async () => {
    const shop = await newShop(commerce());
    const made: string[] = [];
    for (const i of [0, 1, 2, 3, 4, 5]) {
      clock.advance(1);
      const group = { variantGroupId: i < 4 ? `g${i % 2}` : null };
      made.push((await createProduct(shop, { title: `P${i}`, slug: `p-${i}`, price: String(i), ...group })).id);
    }
    const ids = [made[1], made[4], made[0]];
    await writing(shop.engine.storage, (db) =>
      db
        .insertInto('best_sellers')
        .values({ store_id: shop.store.id, ids: JSON.stringify(ids), reckoned_at: 0 })
        .execute(),
    );
    const slugs = async (query: ProductQueryInput) => {
      const walked: string[] = [];
      for (let offset = 0; ; offset += 2) {
        const { items, total } = await listProducts(shop, { sort: 'bestselling', limit: 2, offset, ...query });
        walked.push(...items.map(({ slug }) => slug.slice(2)));
        if (items.length === 0) return [total, walked.join('')];
      }
    };
    expect(await slugs({})).toEqual([6, '140532']);
    expect(await slugs({ minPrice: '1' })).toEqual([5, '14532']);
    expect(await slugs({ maxPrice: '3', minPrice: '2' })).toEqual([2, '32']);
    expect(await slugs({ group: 'variants' })).toEqual([4, '1405']);
    expect(await slugs({ group: 'variants', minPrice: '1' })).toEqual([4, '1452']);
  });

  it.each<[ProductQueryInput, string]>([
    [{ sort: 'relevance' }, 'sort'],
    [{ sort: 'relevance', search: ' ' }, 'sort'],
    [{ sort: 'cheapest' as never }, 'sort'],
    [{ minPrice: '1.234' }, 'minPrice'],
    [{ maxPrice: '-1' }, 'maxPrice'],
    [{ maxPrice: 'ten' }, 'maxPrice'],
    [{ group: 'categories' as never }, 'group'],
    [{ facets: Array.from({ length: 11 }, (_, i) => `f${i}`) }, 'facets'],
    [{ facets: 'attr.' }, 'facets'],
    [{ attributes: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, 'x'])) }, 'attributes'],
    [{ attributes: { color: Array(21).fill('red') } }, 'attributes.color'],
    [{ inStock: 'yes' as never }, 'inStock'],
  ])('refuses %j, naming the field', async (query, field) => {
    const shop = await newShop(commerce());
    await expect(listProducts(shop, query)).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
  });

  it.each([{ group: 'variants' }, { sort: 'relevance', search: 'mug' }, { sort: 'bestselling' }] as const)(
    'does not go on behind a product with %j',
    async (query) => {
      const shop = await newShop(commerce());
      const { id: after } = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1' });
      await expect(listProducts(shop, { ...query, after })).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'after', code: 'CONFLICTING' }],
      });
    },
  );

  it('takes names of attributes that mean something else elsewhere', async () => {
    const shop = await newShop(commerce());
    const attributes = { price: 'low', constructor: 'x', search: 'y' };
    await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1', attributes });
    const { facets } = await listProducts(shop, { facets: ['attr.price', 'constructor', 'search'] });
    expect(facets).toEqual({
      attributes: {
        price: [{ value: 'low', count: 1 }],
        constructor: [{ value: 'x', count: 1 }],
        search: [{ value: 'y', count: 1 }],
      },
    });
    expect((await listProducts(shop, { 'attr.search': 'y' } as ProductQueryInput)).total).toBe(1);
    expect((await listProductsByAttributes(shop, { attributes: { search: 'y' }, search: 'mug' })).total).toBe(1);
    expect((await listProductsByAttributes(shop, { attributes: { search: 'y' }, search: 'cup' })).total).toBe(0);
  });

  it('follows what sales and reservations leave', async () => {
    const shop = await newShop(commerce());
    const { id } = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1', trackStock: true, stock: 2 });
    const total = async () => (await listProducts(shop, { inStock: true })).total;
    expect(await total()).toBe(1);
    await transact(shop, (tx) =>
      reserveStock(tx, tx.engine.ids.next(tx.now), [{ productId: id, quantity: 2 }], tx.now + 1000),
    );
    expect(await total()).toBe(0);
    clock.advance(1001);
    expect(await total()).toBe(1);
    await updateProduct(shop, id, { stock: 0 });
    expect(await total()).toBe(0);
  });
});
