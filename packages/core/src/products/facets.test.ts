import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AttributeQueryInput,
  type Category,
  type Context,
  createCategory,
  createProduct,
  deleteProduct,
  getProductAttributes,
  listProducts,
  listProductsByAttributes,
  listVariantGroup,
  type Product,
  type ProductQueryInput,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('products by what they have', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let other: Context;
  let tea: Category;
  let cups: Category;
  let foreign: Category;
  /** Newest first. */
  const made: Product[] = [];

  const windows = [
    [50, 0],
    [1, 0],
    [2, 1],
    [200, 3],
    [1, 99],
    [1, Number.MAX_SAFE_INTEGER],
  ] as const;

  beforeAll(async () => {
    [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    [tea, cups] = [
      await createCategory(shop, { name: 'Tea', slug: 'tea' }),
      await createCategory(shop, { name: 'Cups', slug: 'cups' }),
    ];
    foreign = await createCategory(other, { name: 'Tea', slug: 'tea' });
    const rows = [
      { attributes: { colour: 'red', size: 'L' }, categoryIds: [tea.id], status: 'published', variantGroupId: 'g' },
      {
        attributes: { colour: 'red', size: 'M' },
        categoryIds: [tea.id, cups.id],
        status: 'draft',
        variantGroupId: 'g',
      },
      { attributes: { colour: 'blue', size: 'L', note: '' }, categoryIds: [cups.id], status: 'published' },
      { attributes: { Colour: 'red', constructor: 'Object' }, status: 'archived', variantGroupId: 'G' },
      { attributes: {}, categoryIds: [cups.id, tea.id], status: 'published', variantGroupId: 'g' },
      { attributes: { größe: 'Über"\\%_\'', limit: '5', status: 'new', 'attr.size': 'L' }, status: 'published' },
      { attributes: { colour: 'red', size: 'L' }, categoryIds: [tea.id], status: 'published', title: 'Cup' },
    ] as const;
    for (const [i, row] of rows.entries()) {
      if (i % 2 === 0) clock.advance(1);
      made.unshift(await newProduct(shop, { slug: `p-${i}`, title: `Mug ${i}`, ...structuredClone(row as object) }));
    }
    const gone = { attributes: { colour: 'red', gone: 'yes' }, categoryIds: [tea.id], variantGroupId: 'g' };
    await deleteProduct(shop, (await newProduct(shop, gone)).id);
    await newProduct(other, { ...gone, categoryIds: [foreign.id] });
  });

  describe('attributes', () => {
    const filters: Record<string, string>[] = [
      { colour: 'red' },
      { size: 'L' },
      { colour: 'red', size: 'L' },
      { size: 'L', colour: 'red' },
      { colour: 'red', size: 'M' },
      { colour: 'blue', size: 'M' },
      { note: '' },
      { colour: '' },
      { colour: 'Red' },
      { Colour: 'red' },
      { constructor: 'Object' },
      { toString: 'x' },
      { größe: 'Über"\\%_\'' },
      { limit: '5' },
      { status: 'new', limit: '5' },
      { 'attr.size': 'L' },
      { gone: 'yes' },
      { unknown: 'x' },
      { "' or 1=1 --": 'x' },
      { colour: 'red%' },
    ];
    it.each(filters)('%j are found with every status and window, newest first', async (attributes) => {
      const wanted = Object.entries(attributes);
      for (const status of [undefined, 'draft', 'published', 'archived'] as const) {
        for (const [limit, offset] of windows) {
          const matching = made.filter(
            (product) =>
              wanted.every(
                ([name, value]) => Object.hasOwn(product.attributes, name) && product.attributes[name] === value,
              ) &&
              (!status || product.status === status),
          );
          const query = { attributes, status, limit, offset };
          const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
          expect({ query, answer: await listProductsByAttributes(shop, query) }).toEqual({ query, answer: expected });
        }
      }
    });

    it.each<[string, unknown, string]>([
      ['none', { attributes: {} }, 'attributes'],
      ['nothing', {}, 'attributes'],
      ['null', { attributes: null }, 'attributes'],
      ['a list', { attributes: ['red'] }, 'attributes'],
      ['a value that is a number', { attributes: { size: 7 } }, 'attributes.size'],
      [
        'more than twenty',
        { attributes: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'x'])) },
        'attributes',
      ],
      ['a key that is too long', { attributes: { ['x'.repeat(65)]: 'y' } }, `attributes.${'x'.repeat(65)}`],
      ['a value that is too long', { attributes: { x: 'y'.repeat(256) } }, 'attributes.x'],
      ['a NUL', { attributes: { x: '\0' } }, 'attributes.x'],
      ['a key that no product can have', { attributes: JSON.parse('{"__proto__":"x","colour":"red"}') }, 'attributes'],
      ['a status that is none', { attributes: { x: 'y' }, status: 'deleted' }, 'status'],
      ['a limit of nothing', { attributes: { x: 'y' }, limit: 0 }, 'limit'],
    ])('are refused when they are %s', async (_, query, field) => {
      const list = listProductsByAttributes(shop, query as AttributeQueryInput);
      await expect(list).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
    });

    it('can be twenty at once', async () => {
      const attributes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 'x']));
      const own = await newShop(commerce());
      const product = await newProduct(own, { attributes: { ...attributes, more: 'y' } });
      await newProduct(own, { attributes: { ...attributes, k7: 'other' } });
      expect(await listProductsByAttributes(own, { attributes })).toEqual({ items: [product], total: 1 });
    });

    it('are listed with every key and value of the products that live, both sorted', async () => {
      expect(await getProductAttributes(shop)).toEqual({
        keys: ['Colour', 'attr.size', 'colour', 'constructor', 'größe', 'limit', 'note', 'size', 'status'],
        values: {
          Colour: ['red'],
          'attr.size': ['L'],
          colour: ['blue', 'red'],
          constructor: ['Object'],
          größe: ['Über"\\%_\''],
          limit: ['5'],
          note: [''],
          size: ['L', 'M'],
          status: ['new'],
        },
      });
      expect(await getProductAttributes(await newShop(commerce()))).toEqual({ keys: [], values: {} });
    });

    it('never have the key __proto__', async () => {
      const attributes = JSON.parse('{"__proto__":"x","colour":"red"}');
      const create = createProduct(shop, { title: 'X', slug: 'x', price: '1', attributes });
      await expect(create).rejects.toMatchObject({ kind: 'validation', details: [{ field: 'attributes' }] });
    });
  });

  describe('categories', () => {
    it('are found together with every other filter, newest first', async () => {
      let tried = 0;
      for (const categoryId of [tea.id, cups.id, foreign.id, 'shoes', '', undefined]) {
        for (const status of [undefined, 'draft', 'published', 'archived'] as const) {
          for (const search of [undefined, 'cup', 'u']) {
            for (const slug of [undefined, 'p-1', 'gone']) {
              for (const variantGroupId of [undefined, 'g']) {
                for (const [limit, offset] of windows.slice(1, 3)) {
                  const matching = made.filter(
                    (product) =>
                      (!categoryId || product.categoryIds.includes(categoryId)) &&
                      (!status || product.status === status) &&
                      (!search || product.title.toLowerCase().includes(search)) &&
                      (!slug || product.slug === slug) &&
                      (!variantGroupId || product.variantGroupId === variantGroupId),
                  );
                  const query = { categoryId, status, search, slug, variantGroupId, limit, offset };
                  const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
                  expect({ query, answer: await listProducts(shop, query) }).toEqual({ query, answer: expected });
                  tried++;
                }
              }
            }
          }
        }
      }
      expect(tried).toBe(6 * 4 * 3 * 3 * 2 * 2);
    });

    it.each([
      [{ categoryId: '\0' }, 'categoryId'],
      [{ categoryId: [1] }, 'categoryId'],
      [{ categoryId: Array(21).fill('a') }, 'categoryId'],
      [{ categoryId: 'x'.repeat(256) }, 'categoryId'],
    ])('are refused as %j', async (query, field) => {
      const list = listProducts(shop, query as ProductQueryInput);
      await expect(list).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
    });
  });

  describe('variant groups', () => {
    it.each(['g', 'G', 'h', "' or 1=1 --"])(
      '%j is found with its exact total, newest first',
      async (variantGroupId) => {
        for (const [limit, offset] of windows) {
          const matching = made.filter((product) => product.variantGroupId === variantGroupId);
          const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
          expect(await listVariantGroup(shop, { variantGroupId, limit, offset })).toEqual(expected);
        }
      },
    );

    it.each([
      [{}, /variantGroupId: is required/],
      [{ variantGroupId: '' }, /must be a text of 1 to 255/],
      [{ variantGroupId: 'x'.repeat(256) }, /must be a text of 1 to 255/],
      [{ variantGroupId: null }, /must be a text/],
    ])('are refused as %j', async (query, message) => {
      const list = listVariantGroup(shop, query as never);
      await expect(list).rejects.toMatchObject({ kind: 'validation', details: [{ field: 'variantGroupId' }] });
      await expect(list).rejects.toThrow(message);
    });
  });
});
