import { addMediaRow, removeMediaRow } from '@commerce/test-support/fixtures/media-rows';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createCustomer,
  createPage,
  createProduct,
  deleteCategory,
  type ProductChanges,
  updateCategory,
  updateCustomer,
  updatePage,
  updateProduct,
} from '../index.ts';
import { uuidV7Source } from '../kernel/ids.ts';

const ids = uuidV7Source();
let made = 0;

forEachStorage('what a product refers to', (database) => {
  const commerce = useCommerce(database);

  async function addCategory(shop: Context): Promise<string> {
    return (await createCategory(shop, { name: 'Category', slug: `category-${++made}` })).id;
  }

  it('exists in its store', async () => {
    const shop = await newShop(commerce());
    const [category, other, media] = [await addCategory(shop), await addCategory(shop), await addMediaRow(shop)];
    const product = await newProduct(shop, {
      categoryIds: [category, other, category],
      mediaIds: [media],
      primaryMediaId: media,
      seoImageId: media,
    });
    expect(product).toMatchObject({
      categoryIds: [category, other],
      mediaIds: [media],
      primaryMediaId: media,
      seoImageId: media,
    });
  });

  it.each([
    ['that never existed', async () => ids.next(0)],
    ['that is no id', async () => 'shoes'],
    ['that has a NUL in it', async () => '\0'],
    ['of another store', async (other: Context) => addCategory(other)],
    ['of the other kind', async (_: Context, shop: Context) => addMediaRow(shop)],
    [
      'that was deleted',
      async (_: Context, shop: Context) => {
        const id = await addCategory(shop);
        await deleteCategory(shop, id);
        return id;
      },
    ],
  ])('is refused on the field when it is a category %s', async (what, make) => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const good = await addCategory(shop);
    const product = await newProduct(shop);
    const id = await make(other, shop);
    // A text that no database accepts is already refused as a text, at its place in the list.
    const field = what.includes('NUL') ? 'categoryIds.1' : 'categoryIds';
    const update = () => updateProduct(shop, product.id, { categoryIds: [good, id] });
    await expectDenied(commerce(), update, invalid(field));
    const create = () => createProduct(shop, { title: 'X', slug: 'x', price: '1', categoryIds: [good, id] });
    await expectDenied(commerce(), create, invalid(field));
  });

  it('is refused on each field that names media which are not there', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const theirs = await addMediaRow(other);
    const unknown = ids.next(0);
    const create = () => newProduct(shop, { mediaIds: [theirs, unknown], primaryMediaId: theirs, seoImageId: unknown });
    await expectDenied(commerce(), create, {
      kind: 'validation',
      fields: ['primaryMediaId', 'mediaIds', 'mediaIds', 'seoImageId'],
      message: /no media/,
    });
  });

  it('may be gone since: only ids that are new have to exist', async () => {
    const shop = await newShop(commerce());
    const media = await addMediaRow(shop);
    const before = await newProduct(shop, { mediaIds: [media], primaryMediaId: media });
    await removeMediaRow(shop, media);
    const changes = { title: 'Cup', mediaIds: [media], primaryMediaId: media };
    expect(await updateProduct(shop, before.id, changes)).toMatchObject(changes);
    const elsewhere = () => updateProduct(shop, before.id, { seoImageId: media });
    await expectDenied(commerce(), elsewhere, invalid('seoImageId'));
    await updateProduct(shop, before.id, { mediaIds: [] });
    const again = () => updateProduct(shop, before.id, { mediaIds: [media] });
    await expectDenied(commerce(), again, invalid('mediaIds'));
  });

  it('cannot be a category that was deleted, not even by sending back what was read before', async () => {
    const shop = await newShop(commerce());
    const [gone, stays] = [await addCategory(shop), await addCategory(shop)];
    const before = await newProduct(shop, { categoryIds: [gone, stays] });
    await deleteCategory(shop, gone);
    const back = () => updateProduct(shop, before.id, { ...(before as ProductChanges), title: 'Cup' });
    await expectDenied(commerce(), back, invalid('categoryIds'));
    expect(await updateProduct(shop, before.id, { title: 'Cup' })).toMatchObject({ categoryIds: [stays] });
  });
});

forEachStorage('what belongs to another store', (database) => {
  const commerce = useCommerce(database);

  it('can be named nowhere, is stored nowhere, and nothing of it is told but the id that was sent', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const secret = 'Unreleased collection';
    const category = await createCategory(other, { name: secret, slug: 'unreleased', description: secret });
    const media = await addMediaRow(other);
    const home = { address1: secret, city: secret, postalCode: '1', country: 'GB', isDefault: true };
    const customer = await createCustomer(other, { email: 'ada@example.org', name: secret, addresses: [home] });
    const address = customer.addresses[0]?.id ?? '';
    const own = {
      product: await newProduct(shop),
      category: await createCategory(shop, { name: 'Mugs', slug: 'mugs' }),
      page: await createPage(shop, { title: 'Imprint', slug: 'imprint' }),
      customer: await createCustomer(shop, { email: 'ada@example.org' }),
    };
    const rows: [string, string, () => Promise<unknown>][] = [
      ['categoryIds', category.id, () => updateProduct(shop, own.product.id, { categoryIds: [category.id] })],
      ['mediaIds', media, () => updateProduct(shop, own.product.id, { mediaIds: [media] })],
      ['primaryMediaId', media, () => updateProduct(shop, own.product.id, { primaryMediaId: media })],
      ['seoImageId', media, () => updateProduct(shop, own.product.id, { seoImageId: media })],
      ['parentId', category.id, () => updateCategory(shop, own.category.id, { parentId: category.id })],
      ['parentId', category.id, () => createCategory(shop, { name: 'X', slug: 'x', parentId: category.id })],
      ['seoImageId', media, () => updateCategory(shop, own.category.id, { seoImageId: media })],
      ['seoImageId', media, () => updatePage(shop, own.page.id, { seoImageId: media })],
      ['addresses', address, () => updateCustomer(shop, own.customer.id, { addresses: [{ id: address }] })],
      ['defaultAddressId', address, () => updateCustomer(shop, own.customer.id, { defaultAddressId: address })],
    ];
    for (const [field, id, work] of rows) {
      await expectDenied(commerce(), work, { kind: 'validation', fields: [field], message: id });
      const message = await work().catch(String);
      expect(message).not.toContain(secret);
      // The message is the same for an id that does not exist.
      const unknown = '0190a5c8-0000-7000-8000-000000000000';
      expect(String(message).replaceAll(id, unknown)).toContain(`"${unknown}"`);
    }
    const stored = Object.values(await snapshot(commerce())).flat();
    for (const row of stored.filter((text) => text.includes(shop.store.id))) {
      for (const id of [category.id, media, address, customer.id]) expect(row).not.toContain(id);
    }
  });
});
