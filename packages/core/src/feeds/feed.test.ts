import { hostileText } from '@commerce/test-support/fixtures/hostile';
import { addMediaRow } from '@commerce/test-support/fixtures/media-rows';
import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { faultsOf, type ReadRow, readFeedXml, readTsv, sameForm } from '@commerce/test-support/harness/feed-rules';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  adjustStock,
  type Context,
  cancelCheckout,
  createCategory,
  createCheckout,
  deleteCategory,
  deleteMedia,
  exportFeed,
  type FeedFormat,
  openFeed,
  type ProductInput,
  rotateFeedToken,
  type SettingsChanges,
  updateCategory,
  updateProduct,
  updateSettings,
} from '../index.ts';
import { listCounts } from '../resources/counts.ts';
import { writing } from '../storage/run.ts';

const productUrl = 'https://shop.example/p/{slug}';

const methods: SettingsChanges['shippingMethods'] = [
  { id: 'post', name: 'Post: small, fast', price: '4.90', freeFrom: '50', countries: ['DE', 'AT'] },
  { id: 'world', name: 'World', rates: [{ upToWeight: 1000, price: '9' }], countries: null },
  { id: 'island', name: 'Island', price: '1', countries: ['DE'], postalPrefixes: { include: ['25'] } },
  { id: 'large', name: 'Large orders', price: '0', minSubtotal: '500', countries: ['DE'] },
  { id: 'shop', name: 'At the shop', kind: 'pickup', price: '0', countries: null },
  { id: 'old', name: 'Old', price: '0', countries: ['FR'], active: false },
];

forEachStorage('product feeds', (database) => {
  const { openShop, clock } = useSelling(database);

  /** A shop with feeds, and a product that is in them. */
  async function openFeedShop({ currency = 'EUR', more = {} }: { currency?: string; more?: SettingsChanges } = {}) {
    const { shop, input } = await openShop(['stripe'], { currency, more: { status: 'draft', price: '12' } });
    const { feed } = await updateSettings(shop, { productUrl, country: 'DE', feed: { enabled: true }, ...more });
    const image = await addMediaRow(shop);
    const add = (fields: Partial<ProductInput> = {}) =>
      newProduct(shop, { brand: 'Morning Cups', primaryMediaId: image, ...fields });
    return { shop, input, image, add, token: feed.token ?? '' };
  }

  async function textOf(shop: Context, format: FeedFormat = 'tsv'): Promise<string> {
    let text = '';
    for await (const part of await exportFeed(shop, format)) text += part;
    return text;
  }

  /** The rows of both forms of the feed, which say the same and keep all rules. */
  async function rowsOf(shop: Context): Promise<Record<string, string>[]> {
    const rows = readTsv(await textOf(shop));
    const items = readFeedXml(await textOf(shop, 'xml'));
    expect(items.map(sameForm)).toEqual(rows.map((row) => sameForm(row)));
    const given: ReadRow[] = [...items];
    expect(given.flatMap(faultsOf)).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    return rows;
  }

  const rowOf = async (shop: Context) => (await rowsOf(shop))[0] ?? {};

  it('show what is known of a product', async () => {
    const { shop, add, image } = await openFeedShop({ more: { shippingMethods: methods } });
    const kitchen = await createCategory(shop, { name: 'Kitchen & more', slug: 'kitchen', status: 'published' });
    const mugs = await createCategory(shop, {
      name: 'Mugs > cups',
      slug: 'mugs',
      status: 'published',
      parentId: kitchen.id,
    });
    const hidden = await createCategory(shop, { name: 'Hidden', slug: 'hidden' });
    const second = await addMediaRow(shop);
    const { id } = await add({
      title: 'Blue mug',
      slug: 'blue-mug',
      description: '<p>Tea &amp; milk</p>',
      descriptionFormat: 'html',
      price: '12.50',
      compareAtPrice: '15',
      barcode: '4006381333931',
      weight: 350,
      unitPricing: { measure: '750 ml', base: '1 l' },
      attributes: { color: 'blue', mpn: 'M-1', condition: 'USED', Größe: 'L', gender: 'Unisex' },
      categoryIds: [hidden.id, mugs.id],
      mediaIds: [image, second],
    });
    await updateSettings(shop, { feed: { enabled: true, columns: { size: 'Größe' } } });
    expect(await rowOf(shop)).toMatchObject({
      id,
      title: 'Blue mug',
      description: 'Tea & milk',
      link: 'https://shop.example/p/blue-mug',
      image_link: expect.stringMatching(/^https:\/\/api\.example\/media\/.*\.png$/),
      additional_image_link: expect.stringMatching(new RegExp(`^https://[^,]*${second}\\.png$`)),
      availability: 'in_stock',
      availability_date: '',
      price: '15.00 EUR',
      sale_price: '12.50 EUR',
      brand: 'Morning Cups',
      gtin: '4006381333931',
      mpn: 'M-1',
      identifier_exists: 'yes',
      item_group_id: '',
      condition: 'used',
      color: 'blue',
      size: 'L',
      gender: 'unisex',
      product_type: 'Kitchen & more > Mugs cups',
      shipping: 'DE::Post small fast:4.90 EUR,DE::World:9.00 EUR,AT::Post small fast:4.90 EUR,AT::World:9.00 EUR',
      shipping_weight: '350 g',
      unit_pricing_measure: '750 ml',
      unit_pricing_base_measure: '1 l',
      target_countries: 'DE,AT',
      store_country: 'DE',
      is_eligible_search: 'true',
      is_eligible_checkout: 'false',
    });
  });

  it('ship at the price of one piece', async () => {
    const { shop, add } = await openFeedShop({ more: { shippingMethods: methods } });
    await updateSettings(shop, { feed: { enabled: true, targetCountries: ['DE', 'US'] } });
    const shippingOf = async (fields: Partial<ProductInput>) => {
      const { id } = await add(fields);
      return (await rowsOf(shop)).find((row) => row.id === id)?.shipping;
    };
    expect(await shippingOf({ price: '49.99', weight: 1000 })).toBe(
      'DE::Post small fast:4.90 EUR,DE::World:9.00 EUR,US::World:9.00 EUR',
    );
    expect(await shippingOf({ price: '50', weight: 1001 })).toBe('DE::Post small fast:0.00 EUR');
    expect(await shippingOf({ price: '500', weight: 1001 })).toBe(
      'DE::Post small fast:0.00 EUR,DE::Large orders:0.00 EUR',
    );
    expect(await shippingOf({ price: '5', requiresShipping: false })).toBe('DE:::0.00 EUR,US:::0.00 EUR');
  });

  it('have at most 100 prices of shipping, then the lowest of each country', async () => {
    const many = ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE', 'LU', 'DK'];
    const shippingMethods = Array.from({ length: 10 }, (_, i) => ({
      name: `M${i}`,
      price: String(9 - i),
      countries: many,
    }));
    const { shop, add } = await openFeedShop({ more: { shippingMethods } });
    await add();
    const { shipping = '' } = await rowOf(shop);
    expect(shipping.split(',')).toEqual(many.map((country) => `${country}::M9:0.00 EUR`));
  });

  it('name the attributes in which variants differ', async () => {
    const { shop, add } = await openFeedShop();
    const group = 'g'.repeat(60);
    const variant = (title: string, attributes: Record<string, string>, more = {}) =>
      add({ title, attributes, variantGroupId: group, ...more });
    await variant('Mug', { size: 'S', color: 'blue', material: 'clay' });
    await variant('Mug, size L', { size: 'L', color: 'blue', material: 'clay' });
    await variant(`Mug ${'very '.repeat(30)}long`, { size: 'L', color: 'red', material: 'clay' });
    await variant('Draft', { size: 'XL', material: 'steel' }, { status: 'draft' });
    await add({ title: 'Alone', attributes: { size: 'M' }, variantGroupId: 'other' });
    // A value within a word names nothing.
    for (const [title, size] of [
      ['Shirt', 'S'],
      ['Shirt (M)', 'm'],
      ['Shirt 4XL', 'XL'],
      ['Shirt +', '+'],
      ['Shirt x-large', 'X-Large'],
    ] as const) {
      await variant(title, { size }, { variantGroupId: 'shirts' });
    }
    const rows = await rowsOf(shop);
    expect(rows.map(({ title }) => title)).toEqual([
      'Mug, S, blue',
      'Mug, size L, blue',
      expect.stringMatching(/^Mug very .*very, L, red$/),
      'Alone',
      'Shirt, S',
      'Shirt (M)',
      'Shirt 4XL, XL',
      'Shirt +',
      'Shirt x-large',
    ]);
    expect(rows.map((row) => row.item_group_id)).toEqual([
      ...Array(3).fill(expect.stringMatching(/^[0-9a-f]{40}$/)),
      'other',
      ...Array(5).fill('shirts'),
    ]);
  });

  it('say how available a product is', async () => {
    const { shop, add, input } = await openFeedShop();
    const stocked = { trackStock: true, stock: 0 };
    const ids = [
      await add({ title: 'untracked' }),
      await add({ title: 'some', ...stocked, stock: 1 }),
      await add({ title: 'none', ...stocked }),
      await add({ title: 'backorder', ...stocked, allowBackorder: true }),
      await add({ title: 'dated', ...stocked, allowBackorder: true, attributes: { availability_date: '2026-12-24' } }),
      await add({
        title: 'timed',
        ...stocked,
        allowBackorder: true,
        attributes: { availability_date: '2026-12-24T10:00:00+01:00' },
      }),
      await add({ title: 'wrong', ...stocked, allowBackorder: true, attributes: { availability_date: '2026-02-30' } }),
      await add({ title: 'held', ...stocked, stock: 2 }),
    ].map(({ id }) => id);
    const held = ids.at(-1) ?? '';
    await createCheckout(shop, input({ items: [{ productId: held, quantity: 2 }] }));
    const rows = await rowsOf(shop);
    expect(rows.map((row) => [row.title, row.availability, row.availability_date])).toEqual([
      ['untracked', 'in_stock', ''],
      ['some', 'in_stock', ''],
      ['none', 'out_of_stock', ''],
      ['backorder', 'in_stock', ''],
      ['dated', 'backorder', '2026-12-24T00:00Z'],
      ['timed', 'backorder', '2026-12-24T09:00Z'],
      ['wrong', 'in_stock', ''],
      ['held', 'out_of_stock', ''],
    ]);
  });

  it.each([
    ['JPY', '1500', '1500 JPY'],
    ['KWD', '1.5', '1.500 KWD'],
  ])('have prices in %s', async (currency, price, shown) => {
    const { shop, add } = await openFeedShop({ currency });
    await add({ price });
    expect(await rowOf(shop)).toMatchObject({ price: shown });
  });

  it('keep the rules whatever the texts contain', async () => {
    const { shop, add } = await openFeedShop({ more: { name: 'Tea & <Co>', shippingMethods: methods } });
    const titles = [
      'a\tb "quoted"\nline ]]> <b>&amp; \u0001\u202e',
      '"',
      `${'👩‍👩‍👧'.repeat(30)}`,
      'شاي أسود',
      `${'word '.repeat(50)}`,
      ...fc.sample(
        hostileText.filter((text) => text.trim() !== '' && text.length <= 255),
        60,
      ),
    ];
    for (const title of titles) {
      await add({
        title,
        description: title.repeat(3),
        brand: title,
        attributes: { color: title.slice(0, 255), pattern: '"', mpn: 'x'.repeat(100) },
        variantGroupId: title,
      }).catch((error) => {
        // Some texts are refused, such as one with a zero.
        if (error.kind !== 'validation') throw error;
      });
    }
    const rows = await rowsOf(shop);
    expect(rows.length).toBeGreaterThan(20);
    const text = await textOf(shop);
    expect(text.split('\n')).toHaveLength(rows.length + 2);
  });

  it('have the same tag until something changes that they show', async () => {
    const { shop, add, token, image, input } = await openFeedShop({ more: { shippingMethods: methods } });
    const other = await addMediaRow(shop);
    const mugs = await createCategory(shop, { name: 'Mugs', slug: 'mugs', status: 'published' });
    const stocked = { trackStock: true, stock: 3 };
    const { id } = await add({ ...stocked, categoryIds: [mugs.id], description: 'x' });
    const back = await add({ ...stocked, allowBackorder: true, attributes: { availability_date: '2027-01-01' } });
    const draft = await add({ status: 'draft' });
    const seen = new Set<string>();
    const tag = async () => (await openFeed(shop.engine, shop.store.id, token, 'tsv')).tag;
    const xml = (await openFeed(shop.engine, shop.store.id, token, 'xml')).tag;
    let last = await tag();
    expect(xml).not.toBe(last);
    seen.add(last);
    const changes = async (work: () => Promise<unknown>) => {
      const before = await textOf(shop);
      await work();
      const now = await tag();
      expect(now).not.toBe(last);
      expect(await textOf(shop)).not.toBe(before);
      expect(seen.has(now)).toBe(false);
      seen.add(now);
      last = now;
      expect(await tag()).toBe(last);
    };
    const keeps = async (work: () => Promise<unknown>) => {
      await work();
      expect(await tag()).toBe(last);
    };
    await changes(() => updateProduct(shop, id, { price: '11' }));
    await changes(() => updateProduct(shop, id, { compareAtPrice: '20' }));
    await changes(() => updateProduct(shop, id, { title: 'Cup', description: 'y' }));
    await changes(() => updateProduct(shop, id, { weight: 5 }));
    await changes(() => updateProduct(shop, id, { primaryMediaId: other }));
    await changes(() => updateCategory(shop, mugs.id, { name: 'Cups' }));
    await keeps(() => adjustStock(shop, id, { adjustment: -1 }));
    await changes(() => adjustStock(shop, id, { adjustment: -2 }));
    await changes(() => adjustStock(shop, id, { adjustment: 2 }));
    await changes(() => adjustStock(shop, back.id, { adjustment: -3 }));
    await changes(() => adjustStock(shop, back.id, { adjustment: 3 }));
    await keeps(() =>
      createCheckout(shop, input({ items: [{ productId: id, quantity: 1 }], shippingMethodId: 'world' })),
    );
    const held = await createCheckout(
      shop,
      input({
        items: [{ productId: id, quantity: 1 }],
        shippingMethodId: 'world',
        successUrl: 'https://shop.example/b',
      }),
    );
    const gone = await tag();
    expect(gone).not.toBe(last);
    expect((await rowOf(shop)).availability).toBe('out_of_stock');
    await cancelCheckout(shop, held.id, {});
    // A hold that ends gives the pieces back, and the feed is what it was.
    expect(await tag()).toBe(last);
    await changes(() => updateSettings(shop, { shippingMethods: [{ id: 'post', name: 'Post', price: '5' }] }));
    await changes(() => updateSettings(shop, { country: 'AT' }));
    await changes(() => updateSettings(shop, { productUrl: 'https://shop.example/{id}' }));
    await changes(() => updateSettings(shop, { feed: { enabled: true, targetCountries: ['FR'] } }));
    await keeps(() => updateSettings(shop, { reservationMinutes: 60 }));
    await keeps(() => updateProduct(shop, draft.id, { price: '3' }));
    await changes(() => updateProduct(shop, draft.id, { status: 'published' }));
    await changes(() => updateProduct(shop, draft.id, { status: 'archived' }));
    await changes(() => deleteCategory(shop, mugs.id));
    expect(image).not.toBe(other);
  });

  it('notice an image that is deleted, and a hold that ends by itself', async () => {
    const { shop, add, token, input } = await openFeedShop();
    const second = await addMediaRow(shop);
    const { id } = await add({ trackStock: true, stock: 1, mediaIds: [second] });
    const tag = async () => (await openFeed(shop.engine, shop.store.id, token, 'tsv')).tag;
    const before = await tag();
    await createCheckout(shop, input({ items: [{ productId: id, quantity: 1 }] }));
    expect(await tag()).not.toBe(before);
    clock.advance(2 * 86_400_000);
    expect(await tag()).toBe(before);
    const { availability, additional_image_link } = await rowOf(shop);
    expect([availability, additional_image_link]).toEqual(['in_stock', expect.stringContaining(second)]);
    await deleteMedia(shop, second);
    expect(await tag()).not.toBe(before);
    expect((await rowOf(shop)).additional_image_link).toBe('');
  });

  it('have another tag after other images are deleted from a restored backup', async () => {
    const { shop, add, token } = await openFeedShop();
    const [one, two] = [await addMediaRow(shop), await addMediaRow(shop)];
    await add({ mediaIds: [one, two] });
    const { db } = shop.engine.storage;
    const version = async () => (await listCounts(db, shop.store.id, 'media.version')).get('') ?? 0;
    const ofBackup = await version();
    const row = await db.selectFrom('media').selectAll().where('id', '=', one).executeTakeFirstOrThrow();
    await deleteMedia(shop, one);
    const { tag } = await openFeed(shop.engine, shop.store.id, token, 'tsv');
    // As a backup has them: the image, and the version.
    const back = {
      list: 'media.version',
      value: '',
      n: ofBackup - (await version()),
      isDroppedAtZero: false,
    } as const;
    await writing(shop.engine.storage, async (writable) => {
      await writable.insertInto('media').values(row).execute();
      await shop.engine.storage.counts.add(writable, shop.store.id, [back]);
    });
    await deleteMedia(shop, two);
    expect((await openFeed(shop.engine, shop.store.id, token, 'tsv')).tag).not.toBe(tag);
  });

  it('open with the right token of their store alone, while they are on', async () => {
    const { shop, add, token } = await openFeedShop();
    const elsewhere = await openFeedShop();
    await add();
    const open = (given: string, storeId = shop.store.id) => openFeed(shop.engine, storeId, given, 'tsv');
    expect(token).toMatch(/^[\w-]{43}$/);
    let text = '';
    for await (const part of (await open(token)).text()) text += part;
    expect(readTsv(text)).toHaveLength(1);
    const refused = { kind: 'notFound', message: 'there is no feed at this address' };
    for (const wrong of ['', 'null', token.slice(1), `${token}x`, elsewhere.token]) {
      await expect(open(wrong)).rejects.toMatchObject(refused);
    }
    await expect(open(token, elsewhere.shop.store.id)).rejects.toMatchObject(refused);
    await expect(open(token, 'x')).rejects.toMatchObject(refused);
    await expect(open(token, token)).rejects.toMatchObject(refused);
    const next = (await rotateFeedToken(shop)).feed.token ?? '';
    await expect(open(token)).rejects.toMatchObject(refused);
    await open(next);
    await updateSettings(shop, { feed: { enabled: false } });
    await expect(open(next)).rejects.toMatchObject(refused);
    // Switched on again, it has the same address.
    await updateSettings(shop, { feed: { enabled: true } });
    await open(next);
  });
});
