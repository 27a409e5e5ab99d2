import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createProduct, getProduct, type ProductChanges, type ProductInput, updateProduct } from '../index.ts';

const fields = (given: object) => ({ title: 'Mug', slug: 'mug', price: '1', ...given });

forEachStorage('the fields of a product', (database) => {
  const commerce = useCommerce(database);

  it.each([
    ['EUR', '10.5', '10.50'],
    ['EUR', '999999999999.99', '999999999999.99'],
    ['JPY', '999999999999', '999999999999'],
    ['KWD', '1.2', '1.200'],
    ['CLF', '1.2345', '1.2345'],
  ])('price in %s: %j is answered as %j', async (currency, price, answered) => {
    const shop = await newShop(commerce(), currency);
    const product = await newProduct(shop, { price, compareAtPrice: price });
    expect(product).toMatchObject({ price: answered, compareAtPrice: answered });
    expect(await getProduct(shop, product.id)).toEqual(product);
    expect(await updateProduct(shop, product.id, { price: answered })).toEqual(product);
  });

  it.each<[string, unknown, string]>([
    ['a number', 10, 'EUR'],
    ['a decimal comma', '10,50', 'EUR'],
    ['nothing', '', 'EUR'],
    ['three decimals', '10.505', 'EUR'],
    ['13 digits', '1234567890123', 'EUR'],
    ['a minus', '-1', 'EUR'],
    ['a list', ['10'], 'EUR'],
    ['true', true, 'EUR'],
    ['decimals in yen', '10.0', 'JPY'],
    ['four decimals in dinar', '1.2345', 'KWD'],
  ])('price: %s is refused', async (_, price, currency) => {
    const shop = await newShop(commerce(), currency);
    const create = () => createProduct(shop, fields({ price }) as ProductInput);
    await expectDenied(commerce(), create, invalid('price'));
    const compare = () => createProduct(shop, fields({ compareAtPrice: price }) as ProductInput);
    await expectDenied(commerce(), compare, invalid('compareAtPrice'));
    const product = await newProduct(shop);
    const update = () => updateProduct(shop, product.id, { price } as ProductChanges);
    await expectDenied(commerce(), update, invalid('price'));
  });

  it('says what would be right, in the currency of the store, and quotes what was wrong', async () => {
    const message = async (currency: string) => {
      const shop = await newShop(commerce(), currency);
      const create = createProduct(shop, fields({ price: '1,5' }));
      return create.then(
        () => '',
        (error: Error) => error.message,
      );
    };
    expect(await message('EUR')).toBe(
      'price: must be a decimal string such as "1050.00", with at most 12 digits before the point and at most 2 after it, not "1,5"',
    );
    expect(await message('JPY')).toBe(
      'price: must be a decimal string such as "1050", with at most 12 digits before the point and none after it, not "1,5"',
    );
  });

  const nul = 'a\0b';
  it.each<[string, unknown, string?]>([
    ['descriptionFormat', 'rtf'],
    ['descriptionFormat', null],
    ['sku', 'x'.repeat(256)],
    ['barcode', 4006381333931],
    ['variantGroupId', ''],
    ['attributes', []],
    ['attributes', 'color'],
    ['attributes', { color: 7 }, 'attributes.color'],
    ['attributes', { color: 'x'.repeat(256) }, 'attributes.color'],
    ['attributes', { color: nul }, 'attributes.color'],
    ['attributes', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`key${i}`, 'x']))],
    ['trackStock', 'true'],
    ['trackStock', 1],
    ['stock', '5'],
    ['stock', 1.5],
    ['stock', 2_147_483_648],
    ['stock', Number.NaN],
    ['allowBackorder', 'no'],
    ['lowStockThreshold', -1],
    ['categoryIds', 'x'],
    ['categoryIds', [7], 'categoryIds.0'],
    ['mediaIds', Array.from({ length: 251 }, (_, i) => `id${i}`)],
  ])('%s: %j is refused on its field', async (field, value, path = field) => {
    const shop = await newShop(commerce());
    const create = () => createProduct(shop, fields({ [field]: value }) as ProductInput);
    await expectDenied(commerce(), create, invalid(path));
  });

  it.each([
    ['an empty key', ''],
    ['a key that is too long', 'x'.repeat(65)],
    ['a key with NUL', 'a\0b'],
  ])('attributes: %s is refused', async (_, key) => {
    const shop = await newShop(commerce());
    const create = () => createProduct(shop, fields({ attributes: { [key]: 'x' } }));
    await expect(create()).rejects.toMatchObject({ kind: 'validation' });
  });

  it('come back exactly as they were given, whatever characters they are made of', async () => {
    const shop = await newShop(commerce());
    const odd = 'a\t"\\\'%_\u2028\u00a0e\u0301é\ufeff🧑‍🚀\u202e<script>$1';
    const product = await createProduct(
      shop,
      fields({ title: odd, description: odd, sku: odd, attributes: { [odd]: odd } }),
    );
    expect(await getProduct(shop, product.id)).toMatchObject({
      title: odd,
      description: odd,
      sku: odd,
      attributes: { [odd]: odd },
    });
  });

  it('take the largest stock, and name each mistake of several', async () => {
    const shop = await newShop(commerce());
    expect(await createProduct(shop, fields({ stock: 2_147_483_647 }))).toMatchObject({ stock: 2_147_483_647 });
    const create = () => createProduct(shop, { title: '', slug: 'A', price: 1, stock: 'x' } as unknown as ProductInput);
    await expectDenied(commerce(), create, {
      kind: 'validation',
      fields: ['title', 'slug', 'price', 'stock'],
      message: /\(and 3 more\)$/,
    });
  });
});
