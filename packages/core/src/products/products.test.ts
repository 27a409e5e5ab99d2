import { auditOf, emittedBy, eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
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

  it('emit product.created with the product as GET answers it, and one audit entry', async () => {
    const shop = await openShop();
    const product = await createProduct(shop, everything);
    expect(await eventsOf(shop)).toMatchObject([{ type: 'product.created', resourceId: product.id, data: product }]);
    expect((await auditOf(shop)).slice(1)).toMatchObject([
      { action: 'product.created', resource_type: 'product', resource_id: product.id, actor_type: 'embedder' },
    ]);
  });

  it('change what is given and keep what is absent', async () => {
    const shop = await openShop();
    const before = await createProduct(shop, everything);
    clock.advance(1000);
    const types = await emittedBy(shop, async () => {
      const after = await updateProduct(shop, before.id, { title: 'Red mug', attributes: { color: 'red' } });
      expect(after).toEqual({ ...before, title: 'Red mug', attributes: { color: 'red' }, updatedAt: now() });
      expect(await getProduct(shop, before.id)).toEqual(after);
      expect((await eventsOf(shop)).at(-1)?.data).toEqual(after);
    });
    expect(types).toEqual(['product.updated']);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'product.updated',
      changes: JSON.stringify({
        title: { from: 'Blue mug', to: 'Red mug' },
        attributes: { from: everything.attributes, to: { color: 'red' } },
      }),
    });
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
    await expectDenied(commerce(), update, {
      kind: 'validation',
      fields: [
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
      ],
    });
  });

  it('are not touched by an update that changes nothing: no event, no audit entry, the old time', async () => {
    const shop = await openShop();
    const before = await createProduct(shop, everything);
    const entries = (await auditOf(shop)).length;
    clock.advance(1000);
    const types = await emittedBy(shop, async () => {
      for (const same of [
        {},
        everything,
        before as ProductChanges,
        { price: '12.500'.slice(0, 5) },
        { title: undefined },
      ]) {
        expect(await updateProduct(shop, before.id, same as ProductChanges)).toEqual(before);
      }
    });
    expect(types).toEqual([]);
    expect(await auditOf(shop)).toHaveLength(entries);
    expect(await getProduct(shop, before.id)).toEqual(before);
  });

  it('ignore fields that the server owns and fields that nobody knows', async () => {
    const shop = await openShop();
    const forged = {
      id: '0190a5c8-0000-7000-8000-000000000001',
      storeId: '0190a5c8-0000-7000-8000-000000000002',
      createdAt: '1999-01-01T00:00:00.000Z',
      updatedAt: '1999-01-01T00:00:00.000Z',
      publishedAt: '1999-01-01T00:00:00.000Z',
      color: 'blue',
      __proto__: { admin: true },
    };
    const product = await createProduct(shop, { ...mug, ...forged });
    expect(product).toMatchObject({ storeId: shop.store.id, createdAt: now(), updatedAt: now(), publishedAt: null });
    expect(product.id).not.toBe(forged.id);
    expect(product).not.toHaveProperty('color');
    expect(await updateProduct(shop, product.id, forged as ProductChanges)).toEqual(product);
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
    await expectDenied(commerce(), () => updateProduct(shop, id, { status }), {
      kind: 'validation',
      fields: ['status'],
    });
    await expectDenied(commerce(), () => createProduct(shop, { ...mug, slug: 'x', status }), {
      kind: 'validation',
      fields: ['status'],
    });
  });

  it('are gone from everywhere when deleted; the event carries the last state', async () => {
    const shop = await openShop();
    const before = await createProduct(shop, everything);
    clock.advance(1000);
    expect(await emittedBy(shop, () => deleteProduct(shop, before.id))).toEqual(['product.deleted']);
    expect((await eventsOf(shop)).at(-1)).toMatchObject({
      resourceId: before.id,
      data: { ...before, status: 'deleted', updatedAt: now() },
    });
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'product.deleted', resource_id: before.id });
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
    const gone = [
      () => getProduct(shop, before.id),
      () => updateProduct(shop, before.id, { title: 'x' }),
      () => updateProduct(shop, before.id, {}),
      () => deleteProduct(shop, before.id),
    ];
    for (const work of gone) await expectDenied(commerce(), work, { kind: 'notFound' });
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
    await expectDenied(commerce(), () => createProduct(shop, { ...mug, stock: -1 }), {
      kind: 'validation',
      fields: ['stock'],
    });
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
      await expectDenied(commerce(), () => updateProduct(shop, id, { stock }), {
        kind: 'validation',
        fields: ['stock'],
      });
    }
    expect(await updateProduct(shop, id, { stock: 0 })).toMatchObject({ stock: 0 });
  });

  it('of another store, and ids of any other shape, are not found and nothing is done to them', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const { id } = await createProduct(shop, mug);
    const ids: [Context, string][] = [
      [other, id],
      [shop, id.toUpperCase()],
      [shop, id.replaceAll('-', '')],
      [shop, `${id} `],
      [shop, ''],
      [shop, 'x'],
      [shop, '\0'],
      [shop, '../mug'],
      [shop, "' or '1'='1"],
      [shop, '0190a5c8-0000-7000-8000-000000000000'],
      [shop, 'x'.repeat(100_000)],
    ];
    for (const [ctx, wrong] of ids) {
      await expectDenied(commerce(), () => getProduct(ctx, wrong), { kind: 'notFound' });
      await expectDenied(commerce(), () => updateProduct(ctx, wrong, { title: 'x' }), { kind: 'notFound' });
      await expectDenied(commerce(), () => deleteProduct(ctx, wrong), { kind: 'notFound' });
    }
  });
});
