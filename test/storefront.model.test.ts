import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Category,
  type Context,
  createApiKey,
  createCategory,
  createMedia,
  createPage,
  createProduct,
  deleteCategory,
  deleteMedia,
  deletePage,
  deleteProduct,
  type Media,
  openMediaFolder,
  type Page,
  type Product,
  updateCategory,
  updatePage,
  updateProduct,
  versionOf,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { repeats } from '@commerce/test-support/harness/repeats';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A storefront key reads a shop with things in every state. Then everything unpublished is deleted, along with the media that nothing
// names, and a secret key reads the same. The answers must be equal, except stock and times of change.

const statuses = ['draft', 'published', 'published', 'archived'] as const;
/** The states that a thing goes through, ending with its current one. */
const life = fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 3 });
const some = (max: number) => fc.array(fc.nat(20), { maxLength: max });

/** Attributes that look like parts of the text that is rewritten. */
const attributes = fc.dictionary(
  fc.constantFrom(
    'color',
    'size',
    'id',
    'storeId',
    'trackStock',
    'stock',
    'categoryIds',
    'parentId',
    '{"id":"x"',
    '__a',
  ),
  fc.constantFrom('red', 'blue', 'true', '5', '[]', '"trackStock":true,"stock":99,"allowBackorder":false', ',{"id":"'),
  { maxKeys: 4 },
);

const catalogue = fc.record({
  categories: fc.array(fc.record({ life, parent: fc.option(fc.nat(20)), image: fc.option(fc.nat(20)) }), {
    minLength: 1,
    maxLength: 6,
  }),
  products: fc.array(
    fc.record({
      life,
      isDeleted: fc.constantFrom(false, false, false, true),
      title: fc.constantFrom('Blue mug', 'Red cup', 'Mug \\"trackStock":true', '[{"id":"', ',{'),
      group: fc.constantFrom('a', 'b', null),
      attributes,
      categories: some(3),
      media: some(3),
      image: fc.option(fc.nat(20)),
      trackStock: fc.boolean(),
      stock: fc.integer({ min: 0, max: 25 }),
      threshold: fc.option(fc.nat(5)),
      /** The number of held pieces, and the time until they expire. */
      held: fc.array(
        fc.record({ quantity: fc.integer({ min: 1, max: 12 }), until: fc.constantFrom(-1, 0, 1, 60_000) }),
        {
          maxLength: 3,
        },
      ),
    }),
    { minLength: 1, maxLength: 14 },
  ),
  pages: fc.array(fc.record({ life, image: fc.option(fc.nat(20)) }), { maxLength: 4 }),
});
type Catalogue = typeof catalogue extends fc.Arbitrary<infer T> ? T : never;

forEachStorage('a storefront key', (database) => {
  const clock = fakeClock();
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const commerce = useCommerce(database, {
    clock,
    media: { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' },
  });
  let app: App;
  let images: Buffer[];
  beforeAll(async () => {
    app = createApp(commerce(), { storefrontLimits: { reads: 999_999, writes: 999_999 } });
    images = [await picture('png'), await picture('webp')];
  });

  interface Made {
    categories: Category[];
    products: Product[];
    pages: Page[];
    media: Media[];
    /** The currently held pieces of each product. */
    held: Map<string, number>;
  }

  async function make(shop: Context, given: Catalogue): Promise<Made> {
    const types = ['png', 'webp'] as const;
    const uploads = [0, 1, 0, 1, 0, 1].map((i) => uploadOf(types[i] as 'png', images[i] as Buffer));
    const media = await createMedia(shop, uploads);
    const imageOf = (n: number | null) => (n === null ? null : (media[n % media.length]?.id ?? null));
    const made: Made = { categories: [], products: [], pages: [], media, held: new Map() };
    for (const [i, { life, parent, image }] of given.categories.entries()) {
      clock.advance(1);
      const roots = made.categories.filter(({ parentId }) => parentId === null);
      const parentId = parent === null || roots.length === 0 ? null : (roots[parent % roots.length]?.id ?? null);
      let one = await createCategory(shop, {
        name: `Mugs ${i}`,
        slug: `c-${i}`,
        parentId,
        seoImageId: imageOf(image),
        status: life[0] ?? 'draft',
      });
      for (const status of life.slice(1)) one = await updateCategory(shop, one.id, { status });
      made.categories.push(one);
    }
    for (const [i, given1] of given.products.entries()) {
      clock.advance(1);
      const { life, held } = given1;
      let one = await createProduct(shop, {
        title: given1.title,
        slug: `p-${i}`,
        sku: `SKU-${i}`,
        price: '5',
        status: life[0] ?? 'draft',
        variantGroupId: given1.group,
        attributes: given1.attributes,
        categoryIds: given1.categories.map((n) => made.categories[n % made.categories.length]?.id ?? ''),
        mediaIds: given1.media.map((n) => imageOf(n) ?? ''),
        primaryMediaId: imageOf(given1.image),
        trackStock: given1.trackStock,
        stock: given1.stock,
        lowStockThreshold: given1.threshold,
      });
      for (const status of life.slice(1)) one = await updateProduct(shop, one.id, { status });
      for (const [n, { quantity, until }] of held.entries()) {
        const row = {
          store_id: shop.store.id,
          order_id: `order ${n}`,
          product_id: one.id,
          quantity,
          // The time at which the last product is created, which is also the time of the requests.
          expires_at: clock.now() + (given.products.length - 1 - i) + given.pages.length + until,
        };
        await shop.engine.storage.db.transaction().execute((tx) => tx.insertInto('reservations').values(row).execute());
        if (until > 0) made.held.set(one.id, (made.held.get(one.id) ?? 0) + quantity);
      }
      made.products.push(one);
    }
    for (const [i, { life, image }] of given.pages.entries()) {
      clock.advance(1);
      let one = await createPage(shop, {
        title: `About ${i}`,
        slug: `a-${i}`,
        content: 'x',
        seoImageId: imageOf(image),
        status: life[0] ?? 'draft',
      });
      for (const status of life.slice(1)) one = await updatePage(shop, one.id, { status });
      made.pages.push(one);
    }
    for (const [i, { isDeleted }] of given.products.entries()) {
      const id = made.products[i]?.id ?? '';
      if (isDeleted) await deleteProduct(shop, id);
    }
    return made;
  }

  /** Deletes the remaining things that a storefront key must not see. */
  async function deleteHidden(shop: Context, given: Catalogue, made: Made): Promise<void> {
    const living = made.products.filter((_, i) => !given.products[i]?.isDeleted);
    for (const { id, status } of living) if (status !== 'published') await deleteProduct(shop, id);
    for (const { id, status } of made.categories) if (status !== 'published') await deleteCategory(shop, id);
    for (const { id, status } of made.pages) if (status !== 'published') await deletePage(shop, id);
    const shown = [...living, ...made.categories, ...made.pages].filter(({ status }) => status === 'published');
    const named = new Set(
      shown.flatMap((one) => [one.seoImageId, ...('mediaIds' in one ? [...one.mediaIds, one.primaryMediaId] : [])]),
    );
    for (const { id } of made.media) if (!named.has(id)) await deleteMedia(shop, id);
  }

  function questions({ products, categories, pages, media }: Made): string[] {
    const seen = products.filter(({ publishedAt }) => publishedAt !== null);
    const after = seen.flatMap(({ id }, i) => (i % 3 === 0 ? [`after=${id}`, `after=${id}&search=mug`] : []));
    const ofCategory = categories.flatMap(({ id }) => [
      `categoryId=${id}`,
      `categoryId=${id}&limit=1&offset=1`,
      `categoryId=${id}&search=mug`,
      `categoryId=${id}&variantGroupId=a`,
      `categoryId=${id}&status=published`,
    ]);
    const lists = [
      '',
      'limit=2',
      'limit=2&offset=1',
      'status=published',
      'status=draft',
      'status=archived',
      'offset=500',
    ];
    return [
      ...[
        ...lists,
        ...after,
        ...ofCategory,
        'search=mug',
        'search=cup&limit=1',
        'search=%22trackStock%22',
        'slug=p-0',
        'slug=p-1',
        'sku=SKU-0',
        'sku=SKU-2',
        'variantGroupId=a',
        'variantGroupId=b&limit=1',
        'variantGroupId=a&search=mug',
      ].map((query) => `/products?${query}`),
      '/products/attributes',
      ...[
        'color=red',
        'size=blue',
        'color=red&size=red',
        'attr.id=true',
        'attr.status=x',
        'color=red&status=draft',
        'stock=5&limit=1',
        'color=blue&limit=1&offset=1',
      ].map((query) => `/products/by-attributes?${query}`),
      '/products/by-variant-group?variantGroupId=a',
      '/products/by-variant-group?variantGroupId=b&limit=1',
      ...[
        ...lists,
        'parentId=null',
        'parentId=null&limit=1',
        'search=mugs',
        'search=1',
        'slug=c-0',
        'parentId=null&search=0',
        ...categories.map(({ id }) => `parentId=${id}`),
      ].map((query) => `/categories?${query}`),
      ...[...lists, 'search=about', 'slug=a-0', 'search=1&status=published'].map((query) => `/pages?${query}`),
      ...[
        '',
        'limit=1',
        'limit=2&offset=1',
        'mimeType=image/png',
        'mimeType=image/',
        'mimeType=image/webp&limit=1',
        'mimeType=text/',
      ].map((query) => `/media?${query}`),
      ...products.map(({ id }) => `/products/${id}`),
      ...categories.map(({ id }) => `/categories/${id}`),
      ...pages.map(({ id }) => `/pages/${id}`),
      ...media.map(({ id }) => `/media/${id}`),
    ];
  }

  /** The parts of an answer that both must share. */
  function comparable(json: unknown, stockOf: (product: Product) => Partial<Product>): unknown {
    return JSON.parse(JSON.stringify(json), (_, value) => {
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
      const { updatedAt, ...rest } = value;
      return typeof rest.trackStock === 'boolean' ? { ...rest, ...stockOf(rest) } : rest;
    });
  }

  it('is answered as in a shop that holds published things alone', {
    timeout: repeats({ suite: 300_000, nightly: 7_200_000 }),
  }, async () => {
    let different = 0;
    await fc.assert(
      fc.asyncProperty(catalogue, async (given) => {
        const shop = await newShop(commerce());
        const made = await make(shop, given);
        const { key } = await createApiKey(shop, { kind: 'storefront', name: 'Page' });
        const secret = await newKey(shop);
        const of = (path: string, by: string, headers = {}) =>
          ask(app, `GET /stores/${shop.store.id}${path}`, { key: by, headers });
        const asked = questions(made);
        const answers = new Map<string, { status: number; json: unknown }>();
        for (const path of asked) {
          const answer = await of(path, key);
          const { status, json, headers, text } = answer;
          answers.set(path, { status, json: comparable(json, (product) => product) });
          const { ETag } = headers;
          if (ETag !== undefined) {
            expect(ETag).toBe(`"${versionOf(text.slice('{"item":'.length, -1))}"`);
            expect(await of(path, key, { 'if-none-match': ETag })).toMatchObject({ status: 304, text: '' });
          }
          if ((await of(path, secret)).text !== text) different++;
        }
        await deleteHidden(shop, given, made);
        const seen = ({ id, trackStock, stock }: Product) => ({
          stock: Math.max(0, Math.min(10, stock - (trackStock ? (made.held.get(id) ?? 0) : 0))),
          lowStockThreshold: null,
        });
        for (const path of asked) {
          const { status, json } = await of(path, secret);
          expect([path, answers.get(path)]).toEqual([path, { status, json: comparable(json, seen) }]);
        }
      }),
      { numRuns: repeats({ suite: database.address.startsWith('postgres') ? 3 : 8, nightly: 200 }) },
    );
    // Otherwise nothing was visible or hidden.
    expect(different).toBeGreaterThan(50);
  });
});
