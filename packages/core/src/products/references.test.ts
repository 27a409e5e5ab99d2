import { expect, it } from 'vitest';
import { expectDenied } from '../../../../test/support/denied.ts';
import { newProduct, newShop, useCommerce } from '../../../../test/support/shop.ts';
import { forEachStorage } from '../../../../test/support/storages.ts';
import { uuidV7Source } from '../ids.ts';
import { type Context, createProduct, updateProduct } from '../index.ts';

const ids = uuidV7Source();

forEachStorage('what a product refers to', (database) => {
  const commerce = useCommerce(database);

  // Categories and media have no operations yet; their rows are made by hand.
  async function addCategory(shop: Context, status = 'active'): Promise<string> {
    const id = ids.next(Date.now());
    await write(shop, (db) =>
      db
        .insertInto('categories')
        .values({
          store_id: shop.store.id,
          id,
          status,
          slug: id,
          parent_id: null,
          search: '',
          created_at: 0,
          json: '{}',
        })
        .execute(),
    );
    return id;
  }
  async function addMedia(shop: Context): Promise<string> {
    const id = ids.next(Date.now());
    await write(shop, (db) =>
      db
        .insertInto('media')
        .values({ store_id: shop.store.id, id, mime_type: 'image/png', created_at: 0, json: '{}' })
        .execute(),
    );
    return id;
  }
  function write(shop: Context, work: (db: Context['engine']['storage']['db']) => Promise<unknown>) {
    return shop.engine.storage.db.transaction().execute(work);
  }

  it('exists in its store', async () => {
    const shop = await newShop(commerce());
    const [category, other, media] = [await addCategory(shop), await addCategory(shop), await addMedia(shop)];
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
    ['of the other kind', async (_: Context, shop: Context) => addMedia(shop)],
    ['that was deleted', async (_: Context, shop: Context) => addCategory(shop, 'deleted')],
  ])('is refused on the field when it is a category %s', async (what, make) => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const good = await addCategory(shop);
    const product = await newProduct(shop);
    const id = await make(other, shop);
    // A text that no database can hold is already refused as a text, at its place in the list.
    const field = what.includes('NUL') ? 'categoryIds.1' : 'categoryIds';
    const update = () => updateProduct(shop, product.id, { categoryIds: [good, id] });
    await expectDenied(commerce(), update, { kind: 'validation', fields: [field] });
    const create = () => createProduct(shop, { title: 'X', slug: 'x', price: '1', categoryIds: [good, id] });
    await expectDenied(commerce(), create, { kind: 'validation', fields: [field] });
  });

  it('is refused on each field that names media which are not there', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const theirs = await addMedia(other);
    const unknown = ids.next(0);
    const create = () => newProduct(shop, { mediaIds: [theirs, unknown], primaryMediaId: theirs, seoImageId: unknown });
    await expectDenied(commerce(), create, {
      kind: 'validation',
      fields: ['mediaIds', 'mediaIds', 'primaryMediaId', 'seoImageId'],
      message: /there is no media/,
    });
  });

  it('may be gone since: only ids that are new have to exist', async () => {
    const shop = await newShop(commerce());
    const [media, category] = [await addMedia(shop), await addCategory(shop)];
    const before = await newProduct(shop, { mediaIds: [media], primaryMediaId: media, categoryIds: [category] });
    await write(shop, (db) => db.deleteFrom('media').where('id', '=', media).execute());
    await write(shop, (db) =>
      db.updateTable('categories').set({ status: 'deleted' }).where('id', '=', category).execute(),
    );
    const changes = { title: 'Cup', mediaIds: [media], primaryMediaId: media, categoryIds: [category] };
    expect(await updateProduct(shop, before.id, changes)).toMatchObject(changes);
    const elsewhere = () => updateProduct(shop, before.id, { seoImageId: media });
    await expectDenied(commerce(), elsewhere, { kind: 'validation', fields: ['seoImageId'] });
    await updateProduct(shop, before.id, { mediaIds: [] });
    const again = () => updateProduct(shop, before.id, { mediaIds: [media] });
    await expectDenied(commerce(), again, { kind: 'validation', fields: ['mediaIds'] });
  });
});
