import { createReadStream } from 'node:fs';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  type ImportedResource,
  type ImportOptions,
  importFile,
  listCategories,
  listCustomers,
  listProducts,
  type Product,
  updateProduct,
  updateSettings,
} from '../index.ts';

const own = (name: string) => new URL(`../../../../test/support/fixtures/transfer/${name}`, import.meta.url);
function load(shop: Context, file: URL, resource: ImportedResource = 'products', options: ImportOptions = {}) {
  return importFile(shop, resource, { open: () => createReadStream(file) }, { onError: 'skip', ...options });
}

async function productsOf(shop: Context): Promise<Map<string, Product>> {
  const { items } = await listProducts(shop, { limit: 200 });
  return new Map(items.map((product) => [product.slug, product]));
}

async function categoryNames(shop: Context, product: Product | undefined): Promise<string[]> {
  const { items } = await listCategories(shop, { limit: 200 });
  return (product?.categoryIds ?? []).map((id) => {
    const category = items.find((one) => one.id === id);
    const parent = items.find((one) => one.id === category?.parentId);
    return [parent?.name, category?.name].filter(Boolean).join(' > ');
  });
}

const loadText = (shop: Context, content: string) =>
  importFile(shop, 'products', {
    open: () =>
      (async function* () {
        yield Buffer.from(content);
      })(),
  });

forEachStorage('files of other shops', (database) => {
  const commerce = useCommerce(database);

  it('of Etsy become a product for each choice of values', async () => {
    const shop = await newShop(commerce());
    const done = await load(shop, own('etsy.csv'));
    expect(done).toMatchObject({
      format: 'Etsy',
      status: 'completed',
      created: 7,
      refused: 2,
      warnings: 3,
      imagesLeft: 2,
    });
    expect(done.problems).toEqual([
      { line: 6, column: 'CURRENCY_CODE', value: 'USD', reason: 'must be EUR, the currency of the store' },
      { line: 7, column: 'PRICE', value: '', reason: 'must not be blank' },
    ]);
    expect(done.warningsShown.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [4, 'QUANTITY', 'is shared by 4 products: each gets 0'],
      [5, 'SKU', 'has 1 SKUs for 2 products, and is ignored'],
      [5, 'QUANTITY', 'is shared by 2 products: each gets 0'],
    ]);
    const products = await productsOf(shop);
    expect([...products.keys()].sort()).toEqual([
      ...['beeswax-candle-honey', 'beeswax-candle-plain'],
      ...['linen-apron-m-blue', 'linen-apron-m-grey', 'linen-apron-s-blue', 'linen-apron-s-grey'],
      'oak-spoon',
    ]);
    expect(products.get('oak-spoon')).toMatchObject({
      title: 'Oak spoon',
      description: 'Carved by hand.\nOiled twice.',
      price: '18.50',
      sku: 'SPOON-1',
      status: 'draft',
      trackStock: true,
      stock: 7,
      variantGroupId: null,
      attributes: { materials: 'Oak,Linseed oil', tags: 'spoon,kitchen' },
    });
    expect(products.get('linen-apron-m-blue')).toMatchObject({
      sku: 'AP-MB',
      stock: 0,
      variantGroupId: 'linen-apron',
      attributes: { Size: 'M', Colour: 'Blue', materials: 'Linen', tags: 'apron' },
    });
    expect(products.get('beeswax-candle-honey')).toMatchObject({ sku: null, attributes: { Scent: 'Honey' } });
    expect(await load(shop, own('etsy.csv'))).toMatchObject({ created: 0, unchanged: 7, refused: 2 });
  });

  it('of Shopify become products, refusals and warnings', async () => {
    const shop = await newShop(commerce());
    const done = await load(shop, own('shopify.csv'));
    expect(done).toMatchObject({ format: 'Shopify', status: 'completed', created: 5, refused: 3, rows: 8 });
    expect(done.problems).toEqual([
      { line: 8, column: 'Variant Price', value: '', reason: 'must not be blank' },
      { line: 10, column: 'Handle', value: 'plain-cap', reason: expect.stringMatching(/is repeated.*line 2/) },
      { line: 11, column: 'Handle', value: '', reason: expect.stringMatching(/must not be blank/) },
    ]);
    expect(done.warningsShown.map(({ line, value }) => [line, value])).toEqual([
      [5, '-3'],
      [6, '4.00638E+12'],
      [7, 'شال'],
      [9, 'unlisted'],
      [9, 'CAP-1'],
    ]);
    expect(done.unusedColumns).toEqual([]);
    const products = await productsOf(shop);
    expect([...products.keys()].sort()).toEqual(
      'hill-shirt-m-red-dark hill-shirt-s-blue plain-cap shal sock'.split(' '),
    );
    expect(products.get('sock')?.sku).toBeNull();
    expect(products.get('plain-cap')).toMatchObject({
      title: 'Cap "North"',
      description: 'Soft.\n\nWarm.',
      descriptionFormat: 'text',
      status: 'published',
      price: '29.90',
      compareAtPrice: '39.90',
      sku: 'CAP-1',
      barcode: '0036000291452',
      variantGroupId: 'plain-cap',
      brand: 'Fell & Sons',
      attributes: { tags: 'new, =wool' },
      metadata: { 'custom.fabric': 'linen' },
      trackStock: true,
      stock: 12,
      allowBackorder: false,
      seoTitle: 'A cap',
      weight: 86,
      requiresShipping: true,
      taxClass: 'standard',
      seoDescription: 'Warm.',
    });
    expect(products.get('hill-shirt-s-blue')).toMatchObject({
      title: 'Hill Shirt',
      compareAtPrice: null,
      brand: 'Fell & Sons',
      attributes: { Size: 'S', Color: 'Blue' },
      stock: 0,
      allowBackorder: true,
    });
    expect(products.get('hill-shirt-m-red-dark')).toMatchObject({
      price: '27.00',
      barcode: null,
      trackStock: false,
      variantGroupId: 'hill-shirt',
      attributes: { Color: 'Red, dark' },
    });
    expect(products.get('shal')).toMatchObject({ status: 'draft', categoryIds: [], price: '1290.00' });
    expect(await categoryNames(shop, products.get('plain-cap'))).toEqual(['Caps']);
    expect(await categoryNames(shop, products.get('hill-shirt-s-blue'))).toEqual(['B > Shirts']);
    expect(await load(shop, own('shopify.csv'))).toMatchObject({ created: 0, updated: 0, unchanged: 5, refused: 3 });
  });

  it('of Shopify tell what weighs how much, what is shipped and what is not taxed', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { country: 'DE', taxes: { scope: 'origin', rates: [{ country: 'DE', rate: '0.19' }] } });
    const content =
      'URL handle,Title,Price,Weight value (grams),Requires shipping,Charge tax\n' +
      'mug,Mug,12.50,350,TRUE,TRUE\nfile,File,5,,false,FALSE\ncloth,Cloth,5,heavy,,\n';
    const done = await loadText(shop, content);
    expect(done.warningsShown.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [3, 'Charge tax', expect.stringMatching(/^has no rate in DE.*imported as "standard"/)],
      [4, 'Weight value (grams)', expect.stringMatching(/number.*the weight is ignored/)],
    ]);
    const facts = async () =>
      [...(await productsOf(shop)).values()].map(({ slug, weight, requiresShipping, taxClass }) => [
        ...[slug, weight, requiresShipping, taxClass],
      ]);
    expect((await facts()).toSorted()).toEqual([
      ['cloth', null, true, 'standard'],
      ['file', null, false, 'standard'],
      ['mug', 350, true, 'standard'],
    ]);
    const zero = { country: 'DE', class: 'zero', rate: '0' };
    await updateSettings(shop, { taxes: { scope: 'origin', rates: [{ country: 'DE', rate: '0.19' }, zero] } });
    const mug = (await productsOf(shop)).get('mug');
    await updateProduct(shop, mug?.id ?? '', { taxClass: 'zero' });
    expect(await loadText(shop, content)).toMatchObject({ updated: 1, unchanged: 2, warnings: 1 });
    expect((await facts()).map(([slug, , , taxClass]) => [slug, taxClass]).toSorted()).toEqual([
      ['cloth', 'standard'],
      ['file', 'zero'],
      ['mug', 'zero'],
    ]);
  });

  it('of WooCommerce tell what weighs how much, what is shipped, and the tax class', async () => {
    const shop = await newShop(commerce());
    const classes = ['standard', 'reduced', 'zero', 'books'];
    const rates = classes.map((name) => ({ country: 'DE', class: name, rate: '0.07' }));
    await updateSettings(shop, { country: 'DE', taxes: { scope: 'origin', rates } });
    const done = await loadText(
      shop,
      'ID,Type,Name,Regular price,Weight (lbs),Tax status,Tax class,Parent,Attribute 1 name,Attribute 1 value(s)\n' +
        '1,simple,Mug,5,1,taxable,,,,\n' +
        '2,variable,Tee,,0.5,taxable,reduced-rate,,Size,"S, M"\n' +
        '3,variation,Tee - S,5,,taxable,parent,id:2,Size,S\n' +
        '4,"variation, virtual",Tee - M,5,2,taxable,books,id:2,Size,M\n' +
        '5,"simple, downloadable, virtual",File,5,,none,,,,\n' +
        '6,simple,Tin,5,"1,800",taxable,zero-rate,,,\n' +
        '7,simple,Odd,5,,taxable,kids-rate,,,\n' +
        '8,simple,Worse,5,,taxable,none,,,\n',
    );
    expect(done).toMatchObject({ created: 7, refused: 0, unusedColumns: [] });
    expect(done.warningsShown.map(({ line, column, value }) => [line, column, value])).toEqual([
      [7, 'Weight (lbs)', '1,800'],
      [8, 'Tax class', 'kids-rate'],
      [9, 'Tax class', 'none'],
    ]);
    const { items } = await listProducts(shop);
    expect(
      items
        .map(({ slug, weight, requiresShipping, taxClass }) => [slug, weight, requiresShipping, taxClass])
        .toSorted(),
    ).toEqual([
      ['file', null, false, 'zero'],
      ['mug', 454, true, 'standard'],
      ['odd', null, true, 'standard'],
      ['tee-m', 907, false, 'books'],
      ['tee-s', 227, true, 'reduced'],
      ['tin', null, true, 'zero'],
      ['worse', null, true, 'standard'],
    ]);
  });

  it('of WooCommerce fold parents into their variations, wherever these stand', async () => {
    const shop = await newShop(commerce());
    const done = await load(shop, own('woocommerce.csv'));
    expect(done).toMatchObject({ format: 'WooCommerce', created: 4, refused: 4 });
    expect(done.problems.map(({ line, column }) => [line, column])).toEqual([
      [7, 'Type'],
      [8, 'Parent'],
      [9, 'Type'],
      [10, 'Regular price'],
    ]);
    expect(done.problems[3]).toMatchObject({ value: '1,800', reason: expect.stringMatching(/ambiguous/) });
    expect(done.warningsShown.map(({ line, column }) => [line, column])).toEqual([
      [4, 'Visibility in catalog'],
      [2, 'Stock'],
      [4, 'Categories'],
      [3, 'Stock'],
    ]);
    const products = await productsOf(shop);
    expect([...products.keys()].sort()).toEqual(['1-1-cap', '1-1-cap-6', 'shirt-blue', 'shirt-red-dark']);
    expect(products.get('shirt-red-dark')).toMatchObject({
      title: 'Shirt',
      price: '27.50',
      attributes: { Color: 'Red, dark' },
      description: 'Long.\nNew line, \\n stays.',
      variantGroupId: 'woo-2',
      stock: 0,
      trackStock: true,
    });
    expect(products.get('1-1-cap')).toMatchObject({
      title: '=1+1 cap',
      sku: '-77',
      // The sale is over.
      price: '12.00',
      compareAtPrice: null,
      description: 'Short.',
      brand: '@home',
      attributes: { tags: 'wool' },
      allowBackorder: true,
      seoTitle: 'Cap title',
    });
    expect(products.get('1-1-cap-6')).toMatchObject({
      status: 'draft',
      price: '9.00',
      compareAtPrice: '12.00',
      trackStock: true,
      stock: 0,
    });
    expect(await categoryNames(shop, products.get('shirt-blue'))).toEqual(['Clothes > Tops']);
    expect(await categoryNames(shop, products.get('1-1-cap'))).toEqual(['Hats', 'Sale, new']);
    expect(await load(shop, own('woocommerce.csv'))).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  });

  it('with the headers of another language are read as --map says, and refused without it', async () => {
    const shop = await newShop(commerce());
    const content = 'Nome;Prezzo;Codice;Colore\nTazza;9,50;T-1;blu\n';
    await expect(loadText(shop, content)).rejects.toThrow(/none of its columns is known: it has "Nome", "Prezzo"/);
    const source = {
      open: () =>
        (async function* () {
          yield Buffer.from(content);
        })(),
    };
    const map = { nome: 'title', Prezzo: 'price', Codice: 'slug', Colore: 'attribute.Colore' };
    const done = await importFile(shop, 'products', source, { map, onError: 'skip' });
    expect(done.problems).toEqual([]);
    const [tazza] = (await listProducts(shop)).items;
    expect(tazza).toMatchObject({ title: 'Tazza', price: '9.50', slug: 't-1', attributes: { Colore: 'blu' } });
    await expect(importFile(shop, 'products', source, { map: { Nome: 'colour' } })).rejects.toThrow(
      /unknown column "colour"/,
    );
    await expect(importFile(shop, 'products', source, { map: { Name: 'title' } })).rejects.toThrow(
      /does not have a column "Name"/,
    );
  });

  it('of Shopify with customers become customers with their default address', async () => {
    const shop = await newShop(commerce());
    const done = await load(shop, own('shopify-customers.csv'), 'customers');
    expect(done).toMatchObject({ format: 'Shopify', created: 3, refused: 0, warnings: 2 });
    expect(done.warningsShown).toMatchObject([
      { line: 3, column: 'Default Address Zip' },
      { line: 4, column: 'Email', reason: expect.stringMatching(/^a customer without an e-mail/) },
    ]);
    const byEmail = new Map((await listCustomers(shop)).items.map((one) => [one.email, one]));
    expect(byEmail.get('Ada@example.com')).toMatchObject({
      name: 'Ada Lovelace',
      phone: '+44 20 1',
      marketingOptIn: true,
      addresses: [{ address1: "12 St James's Square", city: 'London', country: 'GB', isDefault: true }],
    });
    expect(byEmail.get('grace@example.com')).toMatchObject({ phone: '+1 555', addresses: [], marketingOptIn: false });
    expect(await load(shop, own('shopify-customers.csv'), 'customers')).toMatchObject({ unchanged: 3, updated: 0 });
  });
});
