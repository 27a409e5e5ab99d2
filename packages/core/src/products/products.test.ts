import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { testPublished } from '@commerce/test-support/suites/published';
import { expect, it } from 'vitest';
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  type Product,
  type ProductChanges,
  updateProduct,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const start = '2026-02-03T04:05:06.789Z';
const mug = { title: 'Mug', slug: 'mug', price: '10' };
const everything = {
  title: 'Blue mug',
  slug: 'blue-mug',
  status: 'published',
  description: 'Holds tea.\nAlso “coffee” ☕',
  price: '12.5',
  compareAtPrice: '15',
  sku: 'MUG-1',
  barcode: '4006381333931',
  variantGroupId: 'mugs',
  attributes: { color: 'blue', größe: 'L' },
  trackStock: true,
  stock: 7,
  allowBackorder: true,
  lowStockThreshold: 2,
  seoTitle: 'Mug',
  seoDescription: 'A mug',
  seoKeywords: 'mug, tea',
} as const;

forEachStorage('products', (database) => {
  const clock = fakeClock(start);
  const commerce = useCommerce(database, { clock });

  const now = () => new Date(clock.now()).toISOString();
  const openShop = () => newShop(commerce());

  testPublished(
    {
      noun: 'product',
      naming: 'title',
      text: 'description',
      longestText: 100_000,
      needed: { price: '10.00' },
      own: {
        compareAtPrice: null,
        sku: null,
        barcode: null,
        variantGroupId: null,
        attributes: {},
        trackStock: false,
        stock: 0,
        allowBackorder: false,
        lowStockThreshold: null,
        priorPrice: null,
        gtin: null,
        brand: null,
        manufacturerId: null,
        responsiblePersonId: null,
        safetyNotes: null,
        unitPricing: null,
        withdrawalExempt: null,
        taxClass: 'standard',
        weight: null,
        requiresShipping: true,
        categoryIds: [],
        primaryMediaId: null,
        mediaIds: [],
        descriptionFormat: 'text',
        metadata: {},
      },
      create: createProduct,
      update: updateProduct,
      remove: deleteProduct,
      get: getProduct,
      list: listProducts,
    },
    commerce,
    clock,
  );

  it('keep every field as it was given', async () => {
    const shop = await openShop();
    const product = await createProduct(shop, everything);
    expect(product).toMatchObject({ ...everything, price: '12.50', compareAtPrice: '15.00', publishedAt: now() });
    expect(await getProduct(shop, product.id)).toEqual(product);
  });

  it('do not take null for a field that is never empty', async () => {
    const shop = await openShop();
    const { id } = await createProduct(shop, everything);
    const required = 'title slug price status attributes trackStock stock allowBackorder categoryIds mediaIds'.split(
      ' ',
    );
    const nulls = Object.fromEntries(required.map((field) => [field, null]));
    const update = () => updateProduct(shop, id, nulls as ProductChanges);
    await expectDenied(
      commerce(),
      update,
      invalid(
        'title',
        'slug',
        'status',
        'price',
        'attributes',
        'trackStock',
        'stock',
        'allowBackorder',
        'categoryIds',
        'mediaIds',
      ),
    );
  });

  it('have a SKU of their own among those that live', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const sku = 'TAKEN';
    const first = await createProduct(shop, { ...mug, slug: 'first', sku });
    const second = await createProduct(shop, { ...mug, slug: 'second', sku: 'SECOND' });
    const taken = `sku "${sku}" already exists on another product`;
    const expected = { kind: 'conflict', fields: ['sku'], message: taken } as const;
    await expectDenied(commerce(), () => createProduct(shop, { ...mug, slug: 'third', sku }), expected);
    await expectDenied(commerce(), () => updateProduct(shop, second.id, { sku }), expected);
    expect(await updateProduct(shop, first.id, { sku })).toEqual(first);
    expect(await createProduct(other, { ...mug, sku })).toMatchObject({ sku });
    await deleteProduct(shop, first.id);
    expect(await updateProduct(shop, second.id, { sku })).toMatchObject({ sku });
  });

  it('may be many without a SKU, and SKUs differ by case', async () => {
    const shop = await openShop();
    for (const [slug, sku] of [
      ['a', null],
      ['b', null],
      ['c', 'x'],
      ['d', 'X'],
    ] as const) {
      await createProduct(shop, { ...mug, slug, sku });
    }
    expect((await listProducts(shop)).total).toBe(4);
    expect(await listProducts(shop, { sku: 'X' })).toMatchObject({ total: 1, items: [{ slug: 'd' }] });
  });

  it('refuse a negative stock, but take back one that back-orders have made', async () => {
    const shop = await openShop();
    await expectDenied(commerce(), () => createProduct(shop, { ...mug, stock: -1 }), invalid('stock'));
    const { id } = await createProduct(shop, { ...mug, trackStock: true, allowBackorder: true });
    const sold: Product = { ...(await getProduct(shop, id)), stock: -3 };
    await shop.engine.storage.db.transaction().execute((tx) =>
      tx
        .updateTable('products')
        .set({ stock: -3, json: JSON.stringify(sold) })
        .where('id', '=', id)
        .execute(),
    );
    expect(await updateProduct(shop, id, { stock: -3, title: 'Cup' })).toMatchObject({ stock: -3, title: 'Cup' });
    for (const stock of [-4, -2]) {
      await expectDenied(commerce(), () => updateProduct(shop, id, { stock }), invalid('stock'));
    }
    expect(await updateProduct(shop, id, { stock: 0 })).toMatchObject({ stock: 0 });
  });
});
