import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
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
import { isId } from '../kernel/ids.ts';
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

  it('have defaults for everything but title, slug and price', async () => {
    const shop = await openShop();
    const product = await createProduct(shop, mug);
    expect(isId(product.id)).toBe(true);
    expect(product).toEqual({
      id: product.id,
      storeId: shop.store.id,
      title: 'Mug',
      slug: 'mug',
      status: 'draft',
      publishedAt: null,
      description: null,
      price: '10.00',
      compareAtPrice: null,
      sku: null,
      barcode: null,
      variantGroupId: null,
      attributes: {},
      trackStock: false,
      stock: 0,
      allowBackorder: false,
      lowStockThreshold: null,
      categoryIds: [],
      primaryMediaId: null,
      mediaIds: [],
      seoTitle: null,
      seoDescription: null,
      seoKeywords: null,
      seoImageId: null,
      createdAt: now(),
      updatedAt: now(),
      descriptionFormat: 'text',
    });
    expect(await getProduct(shop, product.id)).toEqual(product);
    expect(await listProducts(shop)).toEqual({ items: [product], total: 1 });
  });

  it('keep every field as it was given', async () => {
    const shop = await openShop();
    const product = await createProduct(shop, everything);
    expect(product).toMatchObject({ ...everything, price: '12.50', compareAtPrice: '15.00', publishedAt: now() });
    expect(await getProduct(shop, product.id)).toEqual(product);
  });

  it('clear an optional field by null and keep it when it is undefined', async () => {
    const shop = await openShop();
    const { id } = await createProduct(shop, everything);
    const optional = [
      'description',
      'compareAtPrice',
      'sku',
      'barcode',
      'variantGroupId',
      'lowStockThreshold',
      'primaryMediaId',
      'seoTitle',
      'seoDescription',
      'seoKeywords',
      'seoImageId',
    ] as const;
    const all = (value: unknown) => Object.fromEntries(optional.map((field) => [field, value])) as ProductChanges;
    const before = await getProduct(shop, id);
    expect(await updateProduct(shop, id, all(undefined))).toEqual(before);
    expect(await updateProduct(shop, id, all(null))).toEqual({ ...before, ...all(null), updatedAt: now() });
  });

  it('do not take null for a field that is never empty', async () => {
    const shop = await openShop();
    const { id } = await createProduct(shop, everything);
    const required = [
      'title',
      'slug',
      'price',
      'status',
      'attributes',
      'trackStock',
      'stock',
      'allowBackorder',
      'categoryIds',
      'mediaIds',
    ];
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

  it('go from any status to any other, and keep the time when they were first published', async () => {
    const shop = await openShop();
    const { id } = await createProduct(shop, mug);
    const statuses = ['published', 'archived', 'draft', 'published', 'draft', 'archived', 'published'] as const;
    let first: string | null = null;
    for (const status of statuses) {
      clock.advance(1000);
      first ??= now();
      expect(await updateProduct(shop, id, { status })).toMatchObject({ status, publishedAt: first, updatedAt: now() });
      expect(await listProducts(shop, { status })).toMatchObject({ total: 1, items: [{ id }] });
    }
  });

  it('are published at once when they are made so, and archived ones never were', async () => {
    const shop = await openShop();
    expect((await createProduct(shop, { ...mug, status: 'published' })).publishedAt).toBe(now());
    expect((await createProduct(shop, { ...mug, slug: 'old', status: 'archived' })).publishedAt).toBeNull();
  });

  it('are deleted by deleting alone: a status "deleted" is refused', async () => {
    const shop = await openShop();
    const { id } = await createProduct(shop, mug);
    const status = 'deleted' as never;
    await expectDenied(commerce(), () => updateProduct(shop, id, { status }), invalid('status'));
    await expectDenied(commerce(), () => createProduct(shop, { ...mug, slug: 'x', status }), invalid('status'));
  });

  it('are gone from every list when deleted', async () => {
    const shop = await openShop();
    const { id } = await createProduct(shop, everything);
    await deleteProduct(shop, id);
    for (const query of [
      {},
      { status: 'published' },
      { slug: 'blue-mug' },
      { sku: 'MUG-1' },
      { variantGroupId: 'mugs' },
      { search: 'mug' },
    ] as const) {
      expect(await listProducts(shop, query)).toEqual({ items: [], total: 0 });
    }
  });

  it.each<['slug' | 'sku', string]>([
    ['slug', 'taken'],
    ['sku', 'TAKEN'],
  ])('have a %s of their own among those that live', async (field, value) => {
    const [shop, other] = [await openShop(), await openShop()];
    const fields = (slug: string) => ({ ...mug, slug, [field]: value });
    const first = await createProduct(shop, fields('first'));
    const second = await createProduct(shop, { ...mug, slug: 'second', sku: 'SECOND' });
    const expected = {
      kind: 'conflict',
      fields: [field],
      message: `${field} "${value}" already exists on another product`,
    } as const;
    await expectDenied(commerce(), () => createProduct(shop, fields('third')), expected);
    await expectDenied(commerce(), () => updateProduct(shop, second.id, { [field]: value }), expected);
    expect(await updateProduct(shop, first.id, { [field]: value })).toEqual(first);
    expect(await createProduct(other, fields('first'))).toMatchObject({ [field]: value });
    await deleteProduct(shop, first.id);
    expect(await updateProduct(shop, second.id, { [field]: value })).toMatchObject({ [field]: value });
    await deleteProduct(shop, second.id);
    await deleteProduct(shop, (await createProduct(shop, fields('fourth'))).id);
    expect(await createProduct(shop, fields('fifth'))).toMatchObject({ [field]: value });
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
