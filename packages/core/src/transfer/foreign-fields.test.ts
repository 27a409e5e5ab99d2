import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  type ImportedResource,
  type ImportOptions,
  importFile,
  listCustomers,
  listProducts,
  type Product,
  updateProduct,
  updateSettings,
} from '../index.ts';

function load(shop: Context, content: string, options: ImportOptions = {}, resource: ImportedResource = 'products') {
  const source = {
    open: async function* () {
      yield Buffer.from(content);
    },
  };
  return importFile(shop, resource, source, { onError: 'skip', ...options });
}

async function productsOf(shop: Context): Promise<Map<string, Product>> {
  const { items } = await listProducts(shop, { limit: 200 });
  return new Map(items.map((product) => [product.slug, product]));
}

const told = ({ line, column, reason }: { line: number; column: string | null; reason: string }) => [
  ...[line, column, reason],
];

forEachStorage('what files of other shops say of a product', (database) => {
  const commerce = useCommerce(database);

  describe('of Shopify', () => {
    it('has its vendor as the brand, its barcode, and its metafields as metadata, but never its cost', async () => {
      const shop = await newShop(commerce());
      const head =
        'Handle,Title,Vendor,Tags,Option1 Name,Option1 Value,Variant Price,Variant Barcode,Cost per item,' +
        'Care (product.metafields.custom.care),Länge (product.metafields.my-app.Länge cm),' +
        'Cost (product.metafields.custom.unit_cost),Other (product.metafields.custom.other)';
      const rows = [
        `tee,Tee,Fell & Sons,"new, wool",Size,S,9,4006381333931,4.10,Wash cold,40,4.10,`,
        'tee,,,,,M,9,,4.10,,,,',
        `cup,Cup,${'x'.repeat(256)},,,,7,,,${'y'.repeat(501)},,,z`,
      ];
      const content = [head, ...rows].join('\n');
      const done = await load(shop, content);
      expect(done).toMatchObject({ format: 'Shopify', created: 3, refused: 0 });
      expect(done.warningsShown.map(told)).toEqual([
        [4, 'Vendor', 'is too long for a brand, which has at most 255 characters, and is ignored'],
        [
          ...[4, 'Care (product.metafields.custom.care)'],
          'is too long for metadata, which has at most 500 characters, and is ignored',
        ],
      ]);
      expect(done.unusedColumns).toEqual(['Cost per item', 'Cost (product.metafields.custom.unit_cost)']);
      const products = await productsOf(shop);
      const metadata = { 'custom.care': 'Wash cold', 'my-app.L_nge_cm': '40' };
      expect(products.get('tee-s')).toMatchObject({
        brand: 'Fell & Sons',
        barcode: '4006381333931',
        gtin: '4006381333931',
        attributes: { Size: 'S', tags: 'new, wool' },
        metadata,
      });
      expect(products.get('tee-m')).toMatchObject({ brand: 'Fell & Sons', barcode: null, metadata });
      expect(products.get('cup')).toMatchObject({ brand: null, metadata: { 'custom.other': 'z' } });
      expect(JSON.stringify([...products.values()])).not.toContain('4.10');
      expect(await load(shop, content)).toMatchObject({ unchanged: 3 });
      // Keys of other programs stay.
      const cup = products.get('cup');
      const own = Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`erp.${i}`, 'own']));
      await updateProduct(shop, cup?.id ?? '', { metadata: { ...cup?.metadata, ...own } });
      expect(await load(shop, content)).toMatchObject({ unchanged: 3 });
      const marked = 'Handle,Title,Variant Price,Mark (product.metafields.custom.mark)';
      expect(await load(shop, `${marked}\ncup,Cup,8,new\n`)).toMatchObject({
        problems: [{ column: expect.stringContaining('metadata'), reason: expect.stringContaining('at most 50 keys') }],
      });
      expect((await productsOf(shop)).get('cup')?.metadata).toEqual({ ...cup?.metadata, ...own });
      await updateProduct(shop, cup?.id ?? '', { metadata: { 'custom.other': 'z' } });
      // A file of prices leaves the rest as it is.
      await load(shop, 'Handle,Variant Price\ncup,8\n');
      expect((await productsOf(shop)).get('cup')).toMatchObject({ price: '8.00', metadata: { 'custom.other': 'z' } });
    });

    it('has the price of a unit, if its units are known here', async () => {
      const shop = await newShop(commerce());
      const head =
        'Handle,Title,Variant Price,Unit Price Total Measure,Unit Price Total Measure Unit,' +
        'Unit Price Base Measure,Unit Price Base Measure Unit';
      const rows = [
        'oil,Oil,5.99,750.0,ml,1,L',
        'nut,Nut,2,0.25,kg,100,g',
        'eggs,Eggs,3,10,item,1,item',
        'rope,Rope,3,10,ft,1,ft',
        'odd,Odd,3,10,ml,1,kg',
        'half,Half,3,10,ml,,',
        'mug,Mug,3,,,,',
      ];
      const done = await load(shop, [head, ...rows].join('\n'));
      expect(done).toMatchObject({ created: 7, refused: 0, warnings: 3, unusedColumns: [] });
      expect(done.warningsShown.map(told)).toEqual([
        [
          5,
          'Unit Price Total Measure',
          expect.stringMatching(/^10 ft for 1 ft: must both be an amount and one of mg, g/),
        ],
        [6, 'Unit Price Total Measure', '10 ml for 1 kg: do not measure the same; the price of a unit is ignored'],
        [7, 'Unit Price Total Measure', expect.stringMatching(/^10 ml for nothing: must both/)],
      ]);
      const products = await productsOf(shop);
      const of = (slug: string) => products.get(slug)?.unitPricing;
      expect(of('oil')).toEqual({ measure: '750 ml', base: '1 l', price: '7.99' });
      expect(of('nut')).toEqual({ measure: '0.25 kg', base: '100 g', price: '0.80' });
      expect(of('eggs')).toEqual({ measure: '10 piece', base: '1 piece', price: '0.30' });
      expect(['rope', 'odd', 'half', 'mug'].map(of)).toEqual([null, null, null, null]);
    });
  });

  describe('of WooCommerce', () => {
    const head = 'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Regular price,Parent,Brands,Tags';
    const meta = 'Meta: supplier no,Meta: _hidden,Meta: blob,Meta: purchase-cost,Meta: _ts_gtin';

    it('has its brands, its barcode and its own fields as metadata', async () => {
      const shop = await newShop(commerce());
      const rows = [
        '1,variable,tee,,Tee,,,"Fjord\\, Sons, Moor",wool,S-7,x,,,',
        '2,variation,tee-s,4006381333931,Tee - S,9,tee,,,,x,"a:1:{i:0;s:1:""x"";}",4,111',
        '3,variation,tee-m,,Tee - M,9,tee,Hill,,S-8,x,plain,4,4006381333931',
      ];
      const content = [`${head},${meta}`, ...rows].join('\n');
      const done = await load(shop, content);
      expect(done).toMatchObject({ format: 'WooCommerce', created: 2, refused: 0, warnings: 0 });
      expect(done.unusedColumns).toEqual(['Meta: _hidden', 'Meta: purchase-cost', 'Meta: blob']);
      const products = [...(await productsOf(shop)).values()].toSorted((a, b) =>
        (a.sku ?? '').localeCompare(b.sku ?? ''),
      );
      expect(products).toMatchObject([
        {
          sku: 'tee-m',
          brand: 'Hill',
          gtin: '4006381333931',
          attributes: { tags: 'wool' },
          metadata: { supplier_no: 'S-8', blob: 'plain' },
        },
        { sku: 'tee-s', brand: 'Fjord, Sons, Moor', gtin: '4006381333931', metadata: { supplier_no: 'S-7' } },
      ]);
      expect(products.map(({ attributes }) => attributes.brand)).toEqual([undefined, undefined]);
      expect(await load(shop, content)).toMatchObject({ unchanged: 2 });
    });

    it('says once what is too long, and leaves metadata out of files without such fields', async () => {
      const shop = await newShop(commerce());
      const long = 'x'.repeat(501);
      const rows = [
        `1,variable,tee,,Tee,,,${long},,${long},,,,`,
        '2,variation,tee-s,,Tee - S,9,tee,,,,,,,',
        '3,variation,tee-m,,Tee - M,9,tee,,,S-8,,,,',
        `4,simple,cup,,Cup,9,,,,"${'a, '.repeat(80)}b",,,,`,
      ];
      const done = await load(shop, [`${head},${meta}`, ...rows].join('\n'));
      expect(done).toMatchObject({ created: 3, warnings: 2 });
      expect(done.warningsShown.map(({ line, column }) => [line, column])).toEqual([
        [2, 'Brands'],
        [2, 'Meta: supplier no'],
      ]);
      await load(shop, 'Type,SKU,Name,Regular price\nsimple,cup,Cup,8\n', { match: 'sku' });
      const cup = [...(await productsOf(shop)).values()].find(({ sku }) => sku === 'cup');
      expect(cup).toMatchObject({ price: '8.00', metadata: { supplier_no: `${'a, '.repeat(80)}b` } });
    });

    it('has at most 50 fields', async () => {
      const shop = await newShop(commerce());
      const keys = Array.from({ length: 52 }, (_, i) => i);
      const names = keys.map((key) => `Meta: key ${key}`).join(',');
      const done = await load(shop, `Type,Name,Regular price,${names}\nsimple,Cup,9,${keys.join(',')}\n`);
      expect(done).toMatchObject({ created: 1, warnings: 2 });
      expect(done.warningsShown.map(({ column }) => column)).toEqual(['Meta: key 50', 'Meta: key 51']);
      expect(Object.keys((await productsOf(shop)).get('cup')?.metadata ?? {})).toHaveLength(50);
    });
  });

  it('has tags of customers', async () => {
    const shop = await newShop(commerce());
    const many = Array.from({ length: 51 }, (_, i) => `t${i}`).join(',');
    const content =
      `First Name,Email,Tags\nAda,ada@example.com,"vip, wholesale,vip,"\nBo,bo@example.com,"${many}"\n` +
      `Cy,cy@example.com,"${'x'.repeat(65)}, ok"\nDi,di@example.com,\n`;
    const done = await load(shop, content, {}, 'customers');
    expect(done).toMatchObject({ created: 4, refused: 0, unusedColumns: [] });
    expect(done.warningsShown.map(told)).toEqual([
      [3, 'Tags', 'has 51 tags; the first 50 are imported'],
      [4, 'Tags', 'is too long for a tag, which has at most 64 characters, and is ignored'],
    ]);
    const tags = new Map((await listCustomers(shop)).items.map((one) => [one.name, one.tags]));
    expect([tags.get('Ada'), tags.get('Bo')?.length, tags.get('Cy'), tags.get('Di')]).toEqual([
      ['vip', 'wholesale'],
      50,
      ['ok'],
      [],
    ]);
    expect(await load(shop, content, {}, 'customers')).toMatchObject({ unchanged: 4 });
    await load(shop, 'First Name,Email\nAda B,ada@example.com\n', {}, 'customers');
    const { items } = await listCustomers(shop, { email: 'ada@example.com' });
    expect(items).toMatchObject([{ name: 'Ada B', tags: ['vip', 'wholesale'] }]);
  });
});

forEachStorage('prices of files', (database) => {
  const commerce = useCommerce(database);
  const files: [format: string, content: (price: string, before: string) => string, columns: string[]][] = [
    ['CSV', (price, before) => `title,price,compareAtPrice\nMug,"${price}","${before}"\n`, ['price', 'compareAtPrice']],
    [
      'Shopify',
      (price, before) => `Handle,Title,Variant Price,Variant Compare At Price\nmug,Mug,"${price}","${before}"\n`,
      ['Variant Price', 'Variant Compare At Price'],
    ],
    [
      'WooCommerce',
      (price, before) => `Type,Name,Regular price,Sale price\nsimple,Mug,"${before}","${price}"\n`,
      ['Regular price', 'Sale price'],
    ],
  ];

  it.each(files)('of %s can name the currency of the store, and no other', async (format, content, columns) => {
    const shop = await newShop(commerce(), 'USD');
    const refused = await load(shop, content('12.00 EUR', '€ 15'));
    expect(refused).toMatchObject({ format, created: 0, refused: 1 });
    const problems = refused.problems.toSorted(
      (a, b) => columns.indexOf(a.column ?? '') - columns.indexOf(b.column ?? ''),
    );
    const shown = format === 'WooCommerce' ? ['€ 15', '12.00 EUR'] : ['12.00 EUR', '€ 15'];
    expect(problems).toEqual(
      columns.map((column, i) => ({
        ...{ line: 2, column, value: shown[i] },
        reason: `must be in USD, the currency of the store, not "${shown[i]}"`,
      })),
    );
    expect(await load(shop, content('12.00 USD', '$15'))).toMatchObject({ created: 1 });
    expect((await productsOf(shop)).get('mug')).toMatchObject({ price: '12.00', compareAtPrice: '15.00' });
  });

  it('of Etsy name the currency of the store in a column of their own or beside the price', async () => {
    const shop = await newShop(commerce(), 'USD');
    const head = 'TITLE,PRICE,CURRENCY_CODE,QUANTITY';
    const done = await load(shop, `${head}\nMug,12.00 USD,USD,1\nCup,12,EUR,1\nPot,12.00 EUR,,1\n`);
    expect(done).toMatchObject({ format: 'Etsy', created: 1, refused: 2 });
    expect(done.problems).toMatchObject([
      { line: 3, column: 'CURRENCY_CODE', value: 'EUR', reason: expect.stringContaining('USD') },
      { line: 4, column: 'PRICE', value: '12.00 EUR', reason: expect.stringContaining('must be in USD') },
    ]);
  });

  it('that are ambiguous are read by the language of Excel, which must be one', async () => {
    const shop = await newShop(commerce());
    const content = 'title;price;stock;weight\nMug;1.800;1.200;2.500\nCup;1,5;7;\n';
    expect(await load(shop, content)).toMatchObject({ created: 1, refused: 1 });
    expect(await load(shop, content, { excel: 'de' })).toMatchObject({ created: 1, unchanged: 1, refused: 0 });
    const products = await productsOf(shop);
    expect(products.get('mug')).toMatchObject({ price: '1800.00', stock: 1200, weight: 2500 });
    expect(products.get('cup')?.price).toBe('1.50');
    const woo = 'Type,Name,Regular price,Weight (kg),Stock\nsimple,Pan,"1,800","1,250","1,200"\n';
    expect(await load(shop, woo, { excel: 'en' })).toMatchObject({ created: 1, warnings: 0 });
    expect((await productsOf(shop)).get('pan')).toMatchObject({ price: '1800.00', stock: 1200, weight: 1_250_000 });
    for (const excel of ['xx', 'no language', '', 'german']) {
      await expect(load(shop, content, { excel })).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'excel', reason: expect.stringMatching(/^must be a language such as de or en-GB, not "/) }],
      });
    }
  });
});

forEachStorage('parties of imported products', (database) => {
  const commerce = useCommerce(database);

  it('are those of the settings, and others are left out with a warning', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { parties: [{ id: 'maker', name: 'M', address: 'A', url: 'https://maker.example' }] });
    const csv = 'title,price,manufacturerId,responsiblePersonId\nMug,9,maker,nobody\nCup,9,,\n';
    const jsonl = '{"title":"Pot","price":"9","manufacturerId":"nobody","responsiblePersonId":"maker"}\n';
    const reason = 'no party "nobody" among the parties of the settings; it is imported without one';
    const first = await load(shop, csv);
    expect(first).toMatchObject({ created: 2, refused: 0, warnings: 1 });
    expect(first.warningsShown).toEqual([{ line: 2, column: 'responsiblePersonId', value: 'nobody', reason }]);
    const second = await load(shop, jsonl);
    expect(second.warningsShown).toEqual([{ line: 1, column: 'manufacturerId', value: 'nobody', reason }]);
    const products = await productsOf(shop);
    expect(products.get('mug')).toMatchObject({ manufacturerId: 'maker', responsiblePersonId: null });
    expect(products.get('pot')).toMatchObject({ manufacturerId: null, responsiblePersonId: 'maker' });
  });
});
