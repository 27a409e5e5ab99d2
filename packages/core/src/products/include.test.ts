import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createMedia,
  createOrder,
  deleteMedia,
  deleteProduct,
  getMedia,
  getProduct,
  getProductJson,
  type Media,
  type MediaFiles,
  type Product,
  type ProductDetails,
  type ProductInput,
  updateProduct,
  versionOf,
} from '../index.ts';
import { maxListBytes } from '../kernel/limits.ts';
import { fakeClock } from '../testing/index.ts';
import { included } from './include.ts';

const both = { variants: true, media: true };

forEachStorage('what an answer about products includes', (database) => {
  const clock = fakeClock();
  const place = folderPlace();
  const files: MediaFiles = {
    staging: place.files().staging,
    put: (...args) => place.files().put(...args),
    open: (name) => place.files().open(name),
    remove: (names) => place.files().remove(names),
    list: (storeId) => place.files().list(storeId),
  };
  const commerce = useCommerce(database, { clock, media: { files, url: 'https://cdn.example.com' } });
  const asPublic = (shop: Context): Context => ({ ...shop, actor: { ...shop.actor, isPublic: true } });

  const newVariant = (shop: Context, more: Partial<ProductInput> = {}) => {
    clock.advance(1000);
    return newProduct(shop, { variantGroupId: 'mugs', status: 'published', price: '10', ...more });
  };

  it('are the other published members of its group, oldest first', async () => {
    const shop = await newShop(commerce());
    const red = await newVariant(shop, { attributes: { color: 'red' }, compareAtPrice: '12' });
    const draft = await newVariant(shop, { status: 'draft' });
    const blue = await newVariant(shop, { trackStock: true, stock: 30 });
    await deleteProduct(shop, (await newVariant(shop)).id);
    const late = await newVariant(shop, { trackStock: true, stock: 2, allowBackorder: true });
    await newVariant(await newShop(commerce()));
    await newVariant(shop, { variantGroupId: 'plates' });
    await createOrder(shop, { items: [{ productId: blue.id, quantity: 4 }] });
    const of = (one: Product, available: number | null) => ({
      id: one.id,
      slug: one.slug,
      attributes: one.attributes,
      price: one.price,
      compareAtPrice: one.compareAtPrice,
      priorPrice: null,
      primaryMediaId: null,
      available,
    });
    const { variants, ...plain } = await getProduct(shop, red.id, { include: 'variants' });
    expect(plain).toEqual(red);
    expect(variants).toEqual([of(blue, (await getProduct(shop, blue.id)).stock), of(late, null)]);
    // A draft has the published members, and is not one itself.
    expect((await getProduct(shop, draft.id, { include: ['variants'] })).variants?.map(({ id }) => id)).toEqual([
      red.id,
      blue.id,
      late.id,
    ]);
    // A storefront key sees no more than it does of stock.
    expect((await getProduct(asPublic(shop), late.id, { include: 'variants' })).variants).toEqual([
      of(red, null),
      of(blue, 10),
    ]);
    const lone = await newProduct(shop);
    expect(await getProduct(shop, lone.id, { include: 'media , variants' })).toEqual({
      ...lone,
      variants: [],
      media: [],
    });
    expect(await getProduct(shop, lone.id)).toEqual(lone);
  });

  it('are at most 250 variants, and another version of the answer when one of them changes', async () => {
    const shop = await newShop(commerce());
    const members: Product[] = [];
    for (let i = 0; i < 252; i++) members.push(await newVariant(shop));
    const [first, second] = members as [Product, Product];
    const { variants } = await getProduct(shop, first.id, { include: 'variants' });
    expect(variants?.map(({ id }) => id)).toEqual(members.slice(1, 251).map(({ id }) => id));
    const newest = members.at(-1) as Product;
    expect((await getProduct(shop, newest.id, { include: 'variants' })).variants).toHaveLength(250);
    const version = async (include?: string) => versionOf(await getProductJson(shop, first.id, { include }));
    const before = [await version(), await version('variants')];
    await updateProduct(shop, second.id, { price: '11' });
    expect(await version()).toBe(before[0]);
    expect(await version('variants')).not.toBe(before[1]);
    // Changes take the version of the plain product.
    const expecting = (versions: string[]) => ({ ...shop, expected: { id: first.id, versions } });
    await expect(updateProduct(expecting([await version('variants')]), first.id, { price: '9' })).rejects.toMatchObject(
      { kind: 'conflict' },
    );
    expect(await updateProduct(expecting([await version()]), first.id, { price: '9' })).toMatchObject({
      price: '9.00',
    });
  });

  it('are read together for a page of products, which ends at the limit of a list', async () => {
    const shop = await newShop(commerce());
    const items: Product[] = [];
    for (let i = 0; i < 40; i++) items.push(await newVariant(shop, { variantGroupId: `group ${i % 20}` }));
    let details: ProductDetails[] = [];
    const statements = await statementsOf(async () => {
      details = await included(shop, items, both);
    });
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.length).toBeLessThanOrEqual(8);
    expect(details.map(({ variants, media }) => [variants?.length, media])).toEqual(items.map(() => [1, []]));
    const long = { ...(items[0] as Product), description: 'x'.repeat(maxListBytes / 2) };
    expect(await included(shop, [long, long, long, long], both)).toHaveLength(2);
    expect(await included(shop, [], both)).toEqual([]);
  });

  it('are its images in order, the main one first if it is not among them, without deleted ones', async () => {
    const shop = await newShop(commerce());
    const images: Media[] = [];
    for (const format of ['png', 'jpeg', 'webp', 'png'] as const) {
      images.push(...(await createMedia(shop, [uploadOf(format, await picture(format))])));
    }
    const [first, second, third, main] = images as [Media, Media, Media, Media];
    const { id } = await newVariant(shop, { mediaIds: [third.id, first.id, second.id], primaryMediaId: main.id });
    expect((await getProduct(shop, id, { include: 'media' })).media).toEqual([main, third, first, second]);
    await deleteMedia(shop, first.id);
    await updateProduct(shop, id, { primaryMediaId: second.id });
    expect((await getProduct(shop, id, { include: 'media' })).media).toEqual([third, second]);
    const { media } = await getProduct(asPublic(shop), id, { include: 'media' });
    expect(media).toEqual([await getMedia(asPublic(shop), third.id), await getMedia(asPublic(shop), second.id)]);
    const other = await newVariant(shop);
    const { variants } = await getProduct(shop, other.id, { include: 'variants' });
    expect(variants).toMatchObject([{ id, primaryMediaId: second.id }]);
  });

  it('are named by words, and another word is refused with it', async () => {
    const shop = await newShop(commerce());
    const { id } = await newProduct(shop);
    for (const [include, word] of [
      ['variants,prices', '"prices"'],
      ['', '""'],
      [['media', 'x'], '"x"'],
    ] as const) {
      await expect(getProduct(shop, id, { include: include as string })).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'include', code: 'NOT_OFFERED' }],
        message: `include: must be one or more of variants, media, separated by commas, not ${word}`,
      });
    }
    await expect(getProduct(shop, id, { include: 'x'.repeat(101) })).rejects.toMatchObject({ kind: 'validation' });
    await expect(getProduct(shop, 'unknown', { include: 'media' })).rejects.toMatchObject({ kind: 'notFound' });
  });
});
