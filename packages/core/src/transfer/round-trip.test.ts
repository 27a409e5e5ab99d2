import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createCustomer,
  createMedia,
  createOrder,
  createPage,
  createProduct,
  type ExportedResource,
  exportText,
  type ImportedResource,
  importFile,
  listCategories,
  listCustomers,
  listPages,
  listProducts,
  openMediaFolder,
  updateProduct,
  updateSettings,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const resources: readonly ImportedResource[] = ['categories', 'products', 'customers', 'pages'];

async function exported(
  shop: Context,
  resource: ExportedResource,
  options: { format?: 'csv' | 'jsonl'; excel?: boolean | string },
): Promise<string> {
  let all = '';
  for await (const { text } of exportText(shop, resource, options)) all += text;
  return all;
}

function load(shop: Context, resource: ImportedResource, content: string) {
  async function* open() {
    yield Buffer.from(content);
  }
  return importFile(shop, resource, { open });
}

/** Every answer about the store's resources, without the id of the store. */
async function answers(shop: Context): Promise<unknown> {
  const limit = { limit: 200 };
  const all = {
    products: await listProducts(shop, limit),
    drafts: await listProducts(shop, { ...limit, status: 'draft' }),
    found: await listProducts(shop, { ...limit, search: 'mug' }),
    categories: await listCategories(shop, limit),
    customers: await listCustomers(shop, limit),
    pages: await listPages(shop, limit),
  };
  return JSON.parse(JSON.stringify(all).replaceAll(shop.store.id, 'the store'));
}

forEachStorage('what was exported', (database) => {
  const clock = fakeClock('2026-11-20T10:00:00Z');
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const media = { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' };
  const commerce = useCommerce(database, { clock, media });

  const parties = [
    { id: 'maker', name: 'M', address: 'A', email: 'a@maker.example' },
    { id: 'agent', name: 'B', address: 'C', url: 'https://agent.example' },
  ];

  async function fullShop(): Promise<Context> {
    const shop = await newShop(commerce());
    await updateSettings(shop, { parties });
    const root = await createCategory(shop, { name: '=Mugs', slug: 'mugs', status: 'published', seoTitle: '+1' });
    clock.advance(1000);
    const child = await createCategory(shop, {
      name: 'Small',
      slug: 'small',
      parentId: root.id,
      description: 'a\r\nb',
    });
    const { id } = await createProduct(shop, {
      title: '=SUM(A1) "mug", blue',
      slug: 'hard',
      price: '12.5',
      compareAtPrice: '15',
      status: 'published',
      description: ' -soy\n\t=1\r\n',
      descriptionFormat: 'markdown',
      sku: '-0042',
      barcode: '0036000291452',
      variantGroupId: '@group',
      attributes: { Color: '=red', color: 'blue', 'odd "key"': 'x, y', empty: '', size: "'L" },
      trackStock: true,
      stock: 3,
      allowBackorder: true,
      lowStockThreshold: 2,
      categoryIds: [child.id, root.id],
      seoKeywords: 'a;b',
      brand: '=Brand, "Sons"',
      manufacturerId: 'maker',
      responsiblePersonId: 'agent',
      safetyNotes: '- not for\nchildren; under 3',
      unitPricing: { measure: '750 ml', base: '1 l' },
      metadata: { 'erp.id': '=4711', note: 'a "b"; c,\n d', empty: '' },
    });
    await newProduct(shop, { slug: 'coded', status: 'published', barcode: '4006381333931', brand: '0' });
    clock.advance(1000);
    await updateProduct(shop, id, { status: 'archived' });
    for (let i = 0; i < 230; i++) {
      if (i % 50 === 0) clock.advance(1000);
      await newProduct(shop, { slug: `mug-${i}`, sku: i % 3 ? `M-${i}` : null, status: i % 2 ? 'draft' : 'published' });
    }
    await createCustomer(shop, {
      email: 'Ada@Example.com',
      name: '=Ada',
      phone: '+44 1',
      marketingOptIn: true,
      tags: ['=vip', 'a, b', 'c;d'],
      metadata: { 'crm.id': '-1' },
      addresses: [
        { address1: '1 "Main" St', city: 'X', postalCode: '01234', country: 'GB' },
        { address1: '2', city: 'Y', postalCode: '1', country: 'DE', isDefault: true },
      ],
    });
    await createCustomer(shop, { email: 'b@example.com' });
    await createPage(shop, { title: 'About', slug: 'about', content: '<p>\n=x', status: 'published' });
    clock.advance(60_000);
    return shop;
  }

  it.each([
    ['JSON Lines', { format: 'jsonl' }],
    ['CSV', { format: 'csv' }],
    ['CSV for Excel', { format: 'csv', excel: true }],
    ['CSV for Excel in German', { format: 'csv', excel: 'de' }],
  ] as const)('as %s makes the same of an empty store, and changes nothing in its own', async (_, options) => {
    const shop = await fullShop();
    const empty = await newShop(commerce());
    await updateSettings(empty, { parties });
    for (const resource of resources) {
      const text = await exported(shop, resource, options);
      const own = await load(shop, resource, text);
      expect([resource, own.created, own.updated, own.refused]).toEqual([resource, 0, 0, 0]);
      const moved = await load(empty, resource, text);
      expect([resource, moved.refused, moved.problems]).toEqual([resource, 0, []]);
    }
    expect(await answers(empty)).toEqual(await answers(shop));
  });

  it('leaves the prior price out of CSV, and an import ignores it, with the GTIN and the price of a unit', async () => {
    const shop = await newShop(commerce());
    const unitPricing = { measure: '750 ml', base: '1 l' };
    const { id } = await newProduct(shop, { slug: 'tea', price: '10', barcode: '4006381333931', unitPricing });
    clock.advance(31 * 24 * 3_600_000);
    await updateProduct(shop, id, { price: '7.50', compareAtPrice: '10' });
    expect((await exported(shop, 'products', { format: 'csv' })).split('\n')[0]).not.toMatch(/priorPrice|gtin/);
    const text = await exported(shop, 'products', { format: 'jsonl' });
    const item = JSON.parse(text);
    expect(item).toMatchObject({ priorPrice: '10.00', gtin: '4006381333931', unitPricing: { price: '10.00' } });
    const other = await newShop(commerce());
    const lies = { ...item, priorPrice: '99.00', gtin: '1', unitPricing: { ...unitPricing, price: '99.00' } };
    for (const shopThere of [shop, other]) await load(shopThere, 'products', `${JSON.stringify(lies)}\n`);
    const [here] = (await listProducts(shop)).items;
    expect(here).toMatchObject({ priorPrice: '10.00', gtin: '4006381333931', unitPricing: { price: '10.00' } });
    // It is new there.
    const [there] = (await listProducts(other)).items;
    expect(there).toMatchObject({ priorPrice: null, gtin: '4006381333931', unitPricing: { price: '10.00' } });
  });

  it('names images by their address, which finds them again in their own store', async () => {
    const shop = await newShop(commerce());
    const [one, two] = await createMedia(shop, [
      uploadOf('png', await picture('png')),
      uploadOf('jpeg', await picture('jpeg')),
    ]);
    const ids = [two?.id ?? '', one?.id ?? ''];
    await newProduct(shop, { slug: 'mug', mediaIds: ids, primaryMediaId: ids[1] ?? null, seoImageId: ids[0] ?? null });
    for (const format of ['csv', 'jsonl'] as const) {
      const text = await exported(shop, 'products', { format });
      expect(text).toContain(`https://cdn.example.com/${shop.store.id}/${ids[0]}.jpg`);
      expect(await load(shop, 'products', text)).toMatchObject({ unchanged: 1, imagesLeft: 0 });
      const other = await newShop(commerce());
      // Its images are missing, which does not block it.
      expect(await load(other, 'products', text)).toMatchObject({ created: 1, imagesLeft: 2 });
      expect((await listProducts(other)).items).toMatchObject([{ slug: 'mug', mediaIds: [], primaryMediaId: null }]);
      // A row without images of its store does not clear existing ones either.
      await updateProduct(shop, (await listProducts(shop)).items[0]?.id ?? '', { title: 'Cup' });
      const foreign = 'slug,title,images\nmug,Mug,https://img.example.com/x.jpg\n';
      expect(await load(shop, 'products', foreign)).toMatchObject({ updated: 1, imagesLeft: 1 });
      expect((await listProducts(shop)).items).toMatchObject([{ title: 'Mug', mediaIds: ids }]);
    }
  });

  it('of orders has a row for each', async () => {
    const shop = await newShop(commerce());
    const { id: productId } = await newProduct(shop, { title: '=Mug' });
    const order = await createOrder(shop, {
      items: [{ productId, quantity: 2 }],
      customer: { email: 'ada@shop.test', name: '=Ada' },
      customerNote: '+1 please',
      shippingAddress: { city: 'Bath' },
    });
    const [head, row] = (await exported(shop, 'orders', { format: 'csv' })).split('\n');
    expect(head).toMatch(/^id,orderNumber,status,.*shippingAddress\.city/);
    expect(row).toMatch(new RegExp(`^${order.id},ORD-1001,pending,.*,Bath,.*,'\\+1 please,`));
    const cells = new Map(head?.split(',').map((name, i) => [name, row?.split(',')[i]]));
    expect(cells.get('taxIncluded')).toBe('false');
    expect([cells.get('customer.name'), cells.get('customer.email')]).toEqual(["'=Ada", 'ada@shop.test']);
    expect(JSON.parse(await exported(shop, 'orders', { format: 'jsonl' }))).toEqual(order);
  });
});
