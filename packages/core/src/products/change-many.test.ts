import { auditOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  changeProducts,
  createCategory,
  deleteProduct,
  getProduct,
  getProductAttributes,
  listProducts,
} from '../index.ts';

forEachStorage('many products at once', (database) => {
  const commerce = useCommerce(database);
  const makeProducts = (shop: Context, ...prices: string[]) =>
    Promise.all(prices.map(async (price) => (await newProduct(shop, { price })).id));

  it('change alike, each with its entry and its event, and in lists', async () => {
    const shop = await newShop(commerce());
    const ids = await makeProducts(shop, '10', '20', '30');
    const { items, total } = await changeProducts(shop, {
      ids,
      changes: { status: 'published', lowStockThreshold: 3 },
    });
    expect(total).toBe(3);
    expect(items.map(({ id, status, lowStockThreshold }) => [id, status, lowStockThreshold])).toEqual(
      ids.map((id) => [id, 'published', 3]),
    );
    expect(items.every(({ publishedAt }) => publishedAt !== null)).toBe(true);
    expect((await listProducts(shop, { status: 'published' })).total).toBe(3);
    expect((await auditOf(shop)).filter(({ action }) => action === 'product.updated')).toHaveLength(3);
    const events = await shop.engine.storage.db
      .selectFrom('events')
      .select('type')
      .where('store_id', '=', shop.store.id)
      .where('type', '=', 'product.updated')
      .execute();
    expect(events).toHaveLength(3);
    // A change without effect leaves no trace.
    await changeProducts(shop, { ids, changes: { status: 'published' } });
    expect((await auditOf(shop)).filter(({ action }) => action === 'product.updated')).toHaveLength(3);
  });

  it.each([
    ['EUR', '-10', ['9.99', '0.05', '0.00'], ['8.99', '0.05', '0.00']],
    ['EUR', '2.5', ['10.20', '0.20'], ['10.46', '0.21']],
    ['EUR', '-7.5', ['10.00', '0.20', '19.99'], ['9.25', '0.19', '18.49']],
    ['EUR', '-100', ['10.20'], ['0.00']],
    ['JPY', '10', ['5', '15'], ['6', '17']],
    ['KWD', '33.33', ['1.000'], ['1.333']],
  ])('move prices in %s by %s per cent, rounded half up', async (currency, pricePercent, from, to) => {
    const shop = await newShop(commerce(), currency);
    const ids = await makeProducts(shop, ...from);
    const { items } = await changeProducts(shop, { ids, changes: { pricePercent } });
    expect(items.map(({ price }) => price)).toEqual(to);
  });

  it('go into categories and out of them, and stay in the others', async () => {
    const shop = await newShop(commerce());
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map(async (slug) => (await createCategory(shop, { name: slug, slug })).id),
    );
    const ids = [
      (await newProduct(shop, { categoryIds: [a as string] })).id,
      (await newProduct(shop, { categoryIds: [b as string] })).id,
    ];
    const changes = { addCategoryIds: [c as string], removeCategoryIds: [b as string] };
    const { items } = await changeProducts(shop, { ids, changes });
    expect(items.map(({ categoryIds }) => categoryIds)).toEqual([[a, c], [c]]);
    const whole = await changeProducts(shop, { ids, changes: { categoryIds: [] } });
    expect(whole.items.map(({ categoryIds }) => categoryIds)).toEqual([[], []]);
    expect((await listProducts(shop, { categoryId: c as string })).total).toBe(0);
  });

  it('show the price before a reduction, where the price falls', async () => {
    const shop = await newShop(commerce());
    const ids = await makeProducts(shop, '10', '0', '20');
    const prices = async (changes: Parameters<typeof changeProducts>[1]['changes']) =>
      (await changeProducts(shop, { ids, changes })).items.map(({ price, compareAtPrice }) => [price, compareAtPrice]);
    expect(await prices({ pricePercent: '-7.5', comparePreviousPrice: true })).toEqual([
      ['9.25', '10.00'],
      ['0.00', null],
      ['18.50', '20.00'],
    ]);
    expect(await prices({ price: '10', comparePreviousPrice: true })).toEqual([
      ['10.00', '10.00'],
      ['10.00', null],
      ['10.00', '18.50'],
    ]);
    expect((await prices({ compareAtPrice: null })).map(([, compared]) => compared)).toEqual([null, null, null]);
  });

  it('get attributes and lose them, and keep the others', async () => {
    const shop = await newShop(commerce());
    const ids = [
      (await newProduct(shop, { attributes: { color: 'red', size: 'L' } })).id,
      (await newProduct(shop, { attributes: { fit: 'slim' } })).id,
    ];
    const { items } = await changeProducts(shop, {
      ids,
      changes: { setAttributes: { color: 'blue' }, removeAttributes: ['size', 'toString'] },
    });
    expect(items.map(({ attributes }) => attributes)).toEqual([{ color: 'blue' }, { fit: 'slim', color: 'blue' }]);
    expect((await getProductAttributes(shop)).keys).toEqual(['color', 'fit']);
    const full = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, 'x']));
    const many = (await newProduct(shop, { attributes: full })).id;
    const refusal = await changeProducts(shop, {
      ids: [...ids, many],
      changes: { setAttributes: { more: 'y' } },
    }).catch((error) => error);
    expect(refusal).toMatchObject({ kind: 'validation', details: [{ field: 'ids.2' }] });
    expect(refusal.details[0].reason).toContain(many);
  });

  it('change all or none, and a refusal names the ids in the way', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const [one, gone] = await makeProducts(shop, '10', '20');
    const [foreign] = await makeProducts(other, '30');
    await deleteProduct(shop, gone as string);
    const ids = [one, gone, foreign, 'x'] as string[];
    await expectDenied(
      commerce(),
      () => changeProducts(shop, { ids, changes: { price: '5' } }),
      invalid('ids.1', 'ids.2', 'ids.3'),
    );
    const dear = (await newProduct(shop, { price: '90000000000' })).id;
    await expectDenied(
      commerce(),
      () => changeProducts(shop, { ids: [one as string, dear], changes: { pricePercent: '9999' } }),
      invalid('ids.1'),
    );
    expect((await getProduct(shop, one as string)).price).toBe('10.00');
  });

  it('refuse what is none of it', async () => {
    const shop = await newShop(commerce());
    const ids = await makeProducts(shop, '10');
    const refused = (changes: object, field: string) =>
      expectDenied(commerce(), () => changeProducts(shop, { ids, changes }), invalid(field));
    await refused({}, 'changes');
    await refused({ stock: 5 }, 'changes.stock');
    await refused({ slug: 'x' }, 'changes.slug');
    await refused({ price: '5', pricePercent: '5' }, 'changes.pricePercent');
    await refused({ pricePercent: '-100.01' }, 'changes.pricePercent');
    await refused(
      { pricePercent: '-5', compareAtPrice: '9', comparePreviousPrice: true },
      'changes.comparePreviousPrice',
    );
    await refused({ status: 'draft', comparePreviousPrice: true }, 'changes.comparePreviousPrice');
    await refused({ setAttributes: { color: 5 } }, 'changes.setAttributes.color');
    await refused({ pricePercent: 'ten' }, 'changes.pricePercent');
    await refused({ categoryIds: [], addCategoryIds: [] }, 'changes.categoryIds');
    await refused({ addCategoryIds: ['0190a5c8-0000-7000-8000-000000000000'] }, 'ids.0');
    for (const list of [[], Array.from({ length: 201 }, (_, i) => String(i))]) {
      await expectDenied(
        commerce(),
        () => changeProducts(shop, { ids: list, changes: { price: '1' } }),
        invalid('ids'),
      );
    }
  });

  it('lose no change that is made at the same time', async () => {
    const shop = await newShop(commerce());
    const ids = await makeProducts(shop, ...Array.from({ length: 20 }, () => '100'));
    await Promise.all([
      ...Array.from({ length: 4 }, () => changeProducts(shop, { ids, changes: { pricePercent: '100' } })),
      ...Array.from({ length: 4 }, () =>
        changeProducts(shop, { ids: [...ids].reverse(), changes: { pricePercent: '-50' } }),
      ),
    ]);
    const { items } = await listProducts(shop, { limit: 50 });
    expect(new Set(items.map(({ price }) => price))).toEqual(new Set(['100.00']));
  });
});
