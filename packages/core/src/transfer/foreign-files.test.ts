import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  createProduct,
  exportText,
  type ImportedResource,
  type ImportHooks,
  type ImportOptions,
  importFile,
  listCategories,
  listCustomers,
  listPages,
  listProducts,
  type Product,
} from '../index.ts';

function load(
  shop: Context,
  content: string,
  options: ImportOptions = {},
  resource: ImportedResource = 'products',
  hooks: ImportHooks = {},
) {
  const source = {
    open: async function* () {
      yield Buffer.from(content);
    },
    digest: content,
  };
  return importFile(shop, resource, source, { onError: 'skip', ...options }, hooks);
}

async function productsOf(shop: Context): Promise<Map<string, Product>> {
  const { items } = await listProducts(shop, { limit: 200 });
  return new Map(items.map((product) => [product.slug, product]));
}

async function exported(shop: Context, excel: string): Promise<string> {
  let all = '';
  for await (const { text } of exportText(shop, 'products', { excel })) all += text;
  return all;
}

const mug = { title: 'Mug', slug: 'mug', price: '9.50' };
const shopify = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Price';

forEachStorage('files that people bring', (database) => {
  const commerce = useCommerce(database);

  describe('of Shopify without quantities', () => {
    const rows = 'mug,Mug,Title,Default Title,M-1,shopify,9.50\ncup,Cup,Title,Default Title,C-1,,7\n';

    it('make products that do not track their stock, with one warning', async () => {
      const shop = await newShop(commerce());
      const done = await load(shop, `${shopify}\n${rows}`);
      expect(done).toMatchObject({ status: 'completed', rows: 2, created: 2, warnings: 1 });
      expect(done.warningsShown).toEqual([
        {
          line: 1,
          column: 'variant inventory qty',
          value: null,
          reason: expect.stringMatching(/does not contain quantities.*new products do not track/),
        },
      ]);
      const products = await productsOf(shop);
      expect(products.get('mug')).toMatchObject({ trackStock: false, stock: 0 });
    });

    it('leave the stock of products as it is', async () => {
      const shop = await newShop(commerce());
      await load(shop, 'slug,title,price,trackStock,stock\nmug,Mug,9.50,true,4\ncup,Cup,7,true,3\n');
      await load(shop, `${shopify}\n${rows}`);
      const products = await productsOf(shop);
      expect(products.get('mug')).toMatchObject({ sku: 'M-1', trackStock: true, stock: 4 });
      expect(products.get('cup')).toMatchObject({ sku: 'C-1', trackStock: true, stock: 3 });
    });

    it('are gone on with behind a refused row, and warn once', async () => {
      const shop = await newShop(commerce());
      const told: string[] = [];
      const hooks: ImportHooks = {
        batchRows: 1,
        onProblems: (problems, kind) => void told.push(...problems.map(({ line }) => `${kind} ${line}`)),
      };
      const content = `${shopify}\n${rows}pot,Pot,Title,Default Title,P-1,,\njug,Jug,Title,Default Title,J-1,,8\n`;
      const first = await load(shop, content, { onError: 'stop' }, 'products', hooks);
      expect(first).toMatchObject({ status: 'stopped', created: 2, refused: 1, warnings: 1 });
      const again = await load(shop, content, { onError: 'stop' }, 'products', hooks);
      expect(again).toMatchObject({ status: 'stopped', created: 2, refused: 1, warnings: 1 });
      expect(told).toEqual(['warning 1', 'refused 4', 'refused 4']);
    });

    it('say of a blank quantity that it is 0', async () => {
      const shop = await newShop(commerce());
      const content = 'Handle,Title,Variant Inventory Tracker,Variant Inventory Qty,Variant Price\n';
      const done = await load(shop, `${content}mug,Mug,shopify,,9\ncup,Cup,,,9\n`);
      expect(done.warningsShown).toMatchObject([{ line: 2, value: '', reason: 'is blank and imported as 0' }]);
    });
  });

  describe('with a SKU twice', () => {
    const rows = 'mug,Mug,Title,Default Title,X-1,,9.50,\ncup,Cup,Title,Default Title, X-1,,7,\n';
    const counted = `${shopify},Variant Inventory Qty`;
    const own = 'slug,title,price,sku\nmug,Mug,9.50,X-1\ncup,Cup,7,X-1\n';

    it('of another shop lose it on the later row, also when they are imported again', async () => {
      const shop = await newShop(commerce());
      const done = await load(shop, `${counted}\n${rows}`);
      expect(done).toMatchObject({ created: 2, refused: 0, warnings: 1 });
      expect(done.warningsShown).toMatchObject([
        { line: 3, column: 'Variant SKU', reason: expect.stringMatching(/already on line 2.*without a SKU/) },
      ]);
      const products = await productsOf(shop);
      expect([products.get('mug')?.sku, products.get('cup')?.sku]).toEqual(['X-1', null]);
      expect(await load(shop, `${counted}\n${rows}`)).toMatchObject({ unchanged: 2, warnings: 1 });
    });

    it('of another shop are refused when that is asked for, and ours cleared', async () => {
      const shop = await newShop(commerce());
      const refused = await load(shop, `${counted}\n${rows}`, { repeatedSku: 'refuse' });
      expect(refused).toMatchObject({ created: 1, refused: 1, warnings: 0 });
      const other = await newShop(commerce());
      expect(await load(other, own)).toMatchObject({ created: 1, refused: 1 });
      expect(await load(other, own, { repeatedSku: 'clear' })).toMatchObject({ created: 1, unchanged: 1, warnings: 1 });
      expect((await productsOf(other)).get('cup')?.sku).toBeNull();
    });

    it('are refused when rows are found by it', async () => {
      const shop = await newShop(commerce());
      expect(await load(shop, `${counted}\n${rows}`, { match: 'sku' })).toMatchObject({ created: 1, refused: 1 });
      await expect(load(shop, own, { match: 'sku', repeatedSku: 'clear' })).rejects.toThrow(/repeatedSku: must be/);
    });
  });

  it('SKUs and barcodes are the same with blanks around them, and blank ones are none', async () => {
    const shop = await newShop(commerce());
    const made = await createProduct(shop, { ...mug, sku: ' A-1\t', barcode: ' 4006381333931 ' });
    expect(made).toMatchObject({ sku: 'A-1', barcode: '4006381333931' });
    await expect(createProduct(shop, { ...mug, slug: 'cup', sku: 'A-1 ' })).rejects.toMatchObject({ kind: 'conflict' });
    expect(await createProduct(shop, { ...mug, slug: 'cup', sku: '  ', barcode: '' })).toMatchObject({
      sku: null,
      barcode: null,
    });
    expect((await listProducts(shop, { sku: ' A-1 ' })).total).toBe(1);
    const order = await createOrder(shop, { items: [{ sku: ' A-1 ', quantity: 1 }] });
    expect(order).toMatchObject({ items: [{ skuSnapshot: 'A-1' }] });
    const json = [
      { slug: 'mug', sku: 'A-1 ', barcode: '\t4006381333931' },
      { slug: 'pot', title: 'Pot', price: '1', sku: ' A-1' },
    ];
    const done = await load(shop, json.map((item) => JSON.stringify(item)).join('\n'));
    expect(done).toMatchObject({ unchanged: 1, refused: 1 });
    const csv = 'slug,title,price,sku\nmug,Mug,9.50," A-1 "\n';
    expect(await load(shop, csv, { match: 'sku' })).toMatchObject({ unchanged: 1 });
  });

  describe('without slugs', () => {
    const etsy = 'TITLE,PRICE,CURRENCY_CODE,QUANTITY,VARIATION 1 NAME,VARIATION 1 VALUES,SKU';

    it('of Etsy with the same title have slugs with their SKU, then numbers', async () => {
      const shop = await newShop(commerce());
      const rows = [
        'Mug,9,EUR,1,,,M-1',
        'Mug,8,EUR,1,,,M-2',
        'Mug,7,EUR,1,,,',
        'Mug,6,EUR,1,,,',
        'Mug,5,EUR,0,Size,"S,L",',
      ];
      const content = [etsy, ...rows, 'Mug S,4,EUR,1,,,', 'Mug 4 S,3,EUR,1,,,'].join('\n');
      expect(await load(shop, content)).toMatchObject({ created: 8, refused: 0 });
      expect([...(await productsOf(shop)).keys()].sort()).toEqual(
        ['mug', 'mug-m-2', 'mug-2', 'mug-3', 'mug-4-s', 'mug-4-l', 'mug-s', 'mug-4-s-2'].sort(),
      );
      expect(await load(shop, content)).toMatchObject({ unchanged: 8, refused: 0 });
    });

    it('of our own columns have slugs of their titles, and find their products by them', async () => {
      const shop = await newShop(commerce());
      const rows = 'Mug,9,M-1\nMug,8,M-2\nMug,7,\n"Чашка «Йога»",6,\n日本のお茶,5,TEA-1\n日本,4,\n';
      const done = await load(shop, `title,price,sku\n${rows}`);
      expect(done).toMatchObject({ created: 6, refused: 0, format: 'CSV' });
      const slugs = [...(await productsOf(shop)).keys()].sort();
      const digest = expect.stringMatching(/^product-[0-9a-f]{10}$/);
      expect(slugs).toEqual(['chashka-yoga', 'mug', 'mug-2', 'mug-m-2', digest, 'tea-1']);
      expect(await load(shop, `title,price,sku,slug\n${rows.replaceAll('\n', ',\n')}`)).toMatchObject({ unchanged: 6 });
      const id = '0193d3f7-1990-78df-ab12-c7495a684739';
      const json = [
        { title: 'Mug', price: '1' },
        { title: '緑茶', price: '2', id },
      ];
      await load(shop, json.map((one) => JSON.stringify(one)).join('\n'));
      const products = await productsOf(shop);
      expect(products.get('mug')?.price).toBe('1.00');
      expect(products.get(`product-${id}`)).toMatchObject({ id, title: '緑茶' });
    });

    it('that are found by their SKU keep the slug that is stored', async () => {
      const shop = await newShop(commerce());
      await createProduct(shop, { ...mug, slug: 'best-mug', sku: 'M-1' });
      const done = await load(shop, 'title,price,sku\nMug,8,M-1\nCup,7,C-1\n', { match: 'sku' });
      expect(done).toMatchObject({ created: 1, updated: 1 });
      expect([...(await productsOf(shop)).keys()].sort()).toEqual(['best-mug', 'cup']);
    });

    it('of categories and pages take their names', async () => {
      const shop = await newShop(commerce());
      expect(await load(shop, 'name\nTea & Co\nTea & Co\n', {}, 'categories')).toMatchObject({ created: 2 });
      expect(await load(shop, 'title,content\nImprint,x\n', {}, 'pages')).toMatchObject({ created: 1 });
      expect((await listCategories(shop)).items.map(({ slug }) => slug).sort()).toEqual(['tea-co', 'tea-co-2']);
      expect((await listPages(shop)).items).toMatchObject([{ slug: 'imprint' }]);
    });

    it('name the cell of the file in messages, and not what was made of it', async () => {
      const shop = await newShop(commerce());
      const content =
        'Handle,Title,Option1 Name,Option1 Value,Variant Price\nTee One,Tee,Size,M,"1,50"\nTee One,,,m,1\n';
      const done = await load(shop, content);
      expect(done.problems).toMatchObject([{ line: 3, column: 'Handle', value: 'Tee One' }]);
      const long = await load(shop, `slug,title,price\nMUG,Mug,"12,345,678,901,234.50"\n MUG ,Cup,1\n`);
      expect(long.problems).toMatchObject([
        { line: 2, column: 'price', value: '12,345,678,901,234.50' },
        { line: 3, column: 'slug', value: 'MUG' },
      ]);
    });
  });

  it('handles of Shopify that meet the variants of another product have slugs of their own', async () => {
    const shop = await newShop(commerce());
    const rows = ['tee,Tee,Size,S,T-S,,9', 'tee,,,M,T-M,,9', 'tee-s,Tea towel,Title,Default Title,TT,,5'];
    const content = [shopify, ...rows].join('\n');
    expect(await load(shop, content)).toMatchObject({ created: 3, refused: 0 });
    const slugs = [...(await productsOf(shop)).keys()].sort();
    expect(slugs).toEqual(['tee-m', 'tee-s', expect.stringMatching(/^tee-s-[0-9a-f]{10}$/)]);
    expect(await load(shop, content)).toMatchObject({ unchanged: 3 });
  });

  describe('of WooCommerce', () => {
    const head =
      'ID,Type,SKU,Name,Short description,Description,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)';
    const more = 'Attribute 2 name,Attribute 2 value(s),Attribute 3 name,Attribute 3 value(s)';

    it('give every variation what its parent has beside the variations', async () => {
      const shop = await newShop(commerce());
      const rows = [
        '1,variable,tee,Tee,Soft and warm.,Long.,,,Size,"S, M",Material,Cotton,Color,"Red, Blue"',
        '2,variation,tee-s,Tee - S,,,9,tee,Size,S,,,Color,',
        '3,variation,tee-m,Tee - M,,,9,tee,Size,M,,,Color,Blue',
      ];
      expect(await load(shop, [`${head},${more}`, ...rows].join('\n'))).toMatchObject({ created: 2, warnings: 0 });
      const products = await productsOf(shop);
      expect(products.get('tee-s')).toMatchObject({
        attributes: { Size: 'S', Material: 'Cotton', Color: 'Red, Blue' },
        description: 'Long.',
        seoDescription: 'Soft and warm.',
      });
      expect(products.get('tee-m-blue')?.attributes).toEqual({ Size: 'M', Material: 'Cotton', Color: 'Blue' });
    });

    it('say once what is too long for an attribute', async () => {
      const shop = await newShop(commerce());
      const rows = [
        `1,variable,tee,Tee,,,,,Size,"S, M",Care,${'x'.repeat(256)},,`,
        '2,variation,,Tee,,,9,tee,Size,S,,,,',
        '3,variation,,Tee,,,9,tee,Size,M,,,,',
      ];
      const done = await load(shop, [`${head},${more}`, ...rows].join('\n'));
      expect(done).toMatchObject({ created: 2, warnings: 1 });
      expect(done.warningsShown).toMatchObject([{ line: 2, column: 'Attribute 2 value(s)' }]);
    });

    it('name the short description among what was left out when the file has another text for search engines', async () => {
      const shop = await newShop(commerce());
      const file = 'Type,Name,Regular price,Short description,Description,Meta: _yoast_wpseo_metadesc\n';
      const done = await load(shop, `${file}simple,Mug,9,Short.,Long.,For engines.\n`);
      expect(done).toMatchObject({ created: 1, unusedColumns: ['Short description'] });
      expect((await productsOf(shop)).get('mug')).toMatchObject({
        description: 'Long.',
        seoDescription: 'For engines.',
      });
      const other = await load(shop, `${file}simple,Cup,9,Short.,Long.,\nsimple,Pot,9,Short.,,\n`);
      expect(other).toMatchObject({ created: 2, unusedColumns: [] });
      const products = await productsOf(shop);
      expect(products.get('cup')).toMatchObject({ description: 'Long.', seoDescription: 'Short.' });
      expect(products.get('pot')).toMatchObject({ description: 'Short.', seoDescription: null });
    });

    it('say of a variable product that it occurs twice', async () => {
      const shop = await newShop(commerce());
      const rows = [
        '1,variable,tee,Tee,,,,,Size,"S, M"',
        '2,variation,,Tee,,,9,tee,Size,S',
        '7,variable,tee,Tee again,,,,,Size,"S, M"',
        '1,variable,other,Tee again,,,,,Size,"S, M"',
        '3,variation,,Tee,,,9,id:1,Size,M',
      ];
      const done = await load(shop, [head, ...rows].join('\n'));
      expect(done).toMatchObject({ created: 2, refused: 2 });
      const reason = 'the product is already on line 2, with its variations';
      expect(done.problems).toEqual([
        { line: 4, column: 'SKU', value: 'tee', reason },
        { line: 5, column: 'SKU', value: 'other', reason },
      ]);
      expect([...(await productsOf(shop)).keys()].sort()).toEqual(['tee-m', 'tee-s']);
    });
  });

  it('with headers of another language are refused once, with their columns', async () => {
    const shop = await newShop(commerce());
    const woo = 'ID,Tipo,SKU,Nome,Pubblicato,"Prezzo di listino"\n1,simple,A,Tazza,1,"9,50"\n2,simple,B,Vaso,1,8\n';
    await expect(load(shop, woo)).rejects.toThrow(
      /says which of the products a row is: it has "ID", "Tipo", .*needs "slug" or "title".*--map/,
    );
    await expect(load(shop, 'Name,Telefon,phone\nAda,1,2\n', {}, 'customers')).rejects.toThrow(/needs "email".*--map/);
    await expect(load(shop, 'slug,title,price\na,b,1\n', { match: 'sku' })).rejects.toThrow(/needs "sku"/);
    expect((await listProducts(shop)).total).toBe(0);
    const map = { Tipo: 'type', Nome: 'name', Pubblicato: 'published', 'Prezzo di listino': 'regular price' };
    expect(await load(shop, woo, { map })).toMatchObject({ format: 'WooCommerce', created: 2 });
  });

  it('have prices with the currency of the store, and no other', async () => {
    const shop = await newShop(commerce());
    const done = await load(shop, 'title,price\nMug,"€ 12,50"\nCup,12.00 USD\nPot,58.120000000000005\n');
    expect(done).toMatchObject({ created: 2, refused: 1 });
    expect(done.problems).toMatchObject([
      { line: 3, column: 'price', value: '12.00 USD', reason: expect.stringMatching(/must be in EUR/) },
    ]);
    const products = await productsOf(shop);
    expect([products.get('mug')?.price, products.get('pot')?.price]).toEqual(['12.50', '58.12']);
  });

  it('go out as Excel of a country opens them, and come back', async () => {
    const shop = await newShop(commerce());
    await createProduct(shop, { ...mug, price: '1234.50', sku: '1.5', description: 'a;b, c' });
    const text = await exported(shop, 'de');
    expect(text).toMatch(/^\ufeffid;title;slug;/);
    expect(text).toContain(';"1234,50";;1.5;');
    expect(await load(shop, text)).toMatchObject({ unchanged: 1 });
    expect(await exported(shop, 'en-GB')).toContain(',1234.50,,1.5,');
    // The point is the decimal sign of Switzerland, but its Excel separates cells by semicolons.
    expect(await exported(shop, 'de-CH')).toContain(';1234.50;;1.5;');
    for (const wrong of ['no language', 'xx', 'german']) {
      await expect(exported(shop, wrong)).rejects.toThrow(/excel: must be a language such as de/);
    }
  });

  describe('of Shopify with customers', () => {
    const head = 'First Name,Email,Country,Province,Address1,City,Zip,Province Code,Country Code';

    it('take the code of the country, and its name when there is none', async () => {
      const shop = await newShop(commerce());
      const rows = [
        'Ada,ada@example.com,Germany,Bavaria,Street 1,Munich,80331,BY,DE',
        'Bo,bo@example.com,Denmark,,Street 2,Odense,5000,,',
        'Chan,chan@example.com,Hong Kong SAR,,Nathan Road 3,Kowloon,,,HK',
        'Dana,dana@example.com,Qatar,,Street 4,Doha,,,',
        'Eve,eve@example.com,France,,Rue 5,Paris,,,FR',
      ];
      const done = await load(shop, [head, ...rows].join('\n'), {}, 'customers');
      expect(done).toMatchObject({ created: 5, refused: 0, warnings: 1 });
      expect(done.warningsShown).toMatchObject([{ line: 6, column: 'Zip' }]);
      const { items } = await listCustomers(shop);
      const byName = new Map(items.map(({ name, addresses }) => [name, addresses[0]]));
      expect(byName.get('Ada')).toMatchObject({ country: 'DE', region: 'BY', postalCode: '80331' });
      expect(byName.get('Bo')).toMatchObject({ country: 'Denmark', postalCode: '5000' });
      expect(byName.get('Chan')).toMatchObject({ country: 'HK', postalCode: null });
      expect(byName.get('Dana')).toMatchObject({ country: 'Qatar', postalCode: null });
      expect(byName.get('Eve')).toBeUndefined();
    });

    it('count those without an e-mail and name them once, and go on', async () => {
      const shop = await newShop(commerce());
      const rows = 'A,,,,,,,,\nB,b@example.com,,,,,,,\nC, ,,,,,,,\nD,d@example.com,,,,,,,\nE,,,,,,,,\n';
      const done = await load(shop, `${head}\n${rows}`, { onError: 'stop' }, 'customers');
      expect(done).toMatchObject({ status: 'completed', created: 2, refused: 0, warnings: 1 });
      expect(done.warningsShown).toMatchObject([
        { line: 2, column: 'Email', reason: expect.stringMatching(/^3 customers without an e-mail are left out/) },
      ]);
    });

    it('or of WooCommerce, do so too, but a file with ids refuses a blank e-mail', async () => {
      const shop = await newShop(commerce());
      const head = 'Name,Username,Last active,Email,Orders,Country / Region';
      const rows = 'Ada,ada,2026-01-01,ada@example.com,2,GB\nGuest,,,,1,GB\nBo,bo,,bo@example.com,0,\n';
      const done = await load(shop, `${head}\n${rows}`, { onError: 'stop' }, 'customers');
      expect(done).toMatchObject({ status: 'completed', created: 2, refused: 0, warnings: 1 });
      expect(done.warningsShown).toMatchObject([
        { line: 3, column: 'Email', reason: expect.stringMatching(/^a customer without an e-mail is left out/) },
      ]);
      const own = await load(shop, `id,name,email\n${done.id},Cy,\n`, {}, 'customers');
      expect(own.problems).toMatchObject([{ line: 2, column: 'email', reason: 'must not be blank' }]);
    });
  });

  describe('with descriptions in HTML', () => {
    const html = '<p>Soft &amp; warm.</p><ul><li>Wool</li></ul>';
    const rows = `Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant Price\nmug,Mug,"${html}",Size,S,9\nmug,,,,L,9\n`;

    it('of another shop become text, or stay as they are when that is asked for', async () => {
      const shop = await newShop(commerce());
      await load(shop, rows);
      const text = { description: 'Soft & warm.\n\n- Wool', descriptionFormat: 'text' };
      const products = await productsOf(shop);
      expect([products.get('mug-s'), products.get('mug-l')]).toMatchObject([text, text]);
      expect(await load(shop, rows, { descriptions: 'html' })).toMatchObject({ updated: 2 });
      expect((await productsOf(shop)).get('mug-l')).toMatchObject({ description: html, descriptionFormat: 'html' });
      expect(await load(shop, rows)).toMatchObject({ updated: 2 });
      expect((await productsOf(shop)).get('mug-l')).toMatchObject(text);
    });

    it('of ours stay as they are unless text is asked for', async () => {
      const shop = await newShop(commerce());
      const own = `slug,title,price,description,descriptionFormat\nmug,Mug,9,"${html}",html\ncup,Cup,9,"${html}",\n`;
      expect(await load(shop, own)).toMatchObject({ created: 2 });
      const products = await productsOf(shop);
      expect(products.get('mug')).toMatchObject({ description: html, descriptionFormat: 'html' });
      expect(products.get('cup')).toMatchObject({ description: html, descriptionFormat: 'text' });
      await load(shop, own.replace(',descriptionFormat', '').replaceAll(/,(?:html)?\n/g, '\n'), {
        descriptions: 'text',
      });
      expect((await productsOf(shop)).get('mug')).toMatchObject({
        description: 'Soft & warm.\n\n- Wool',
        descriptionFormat: 'text',
      });
      const wrong = await load(shop, 'slug,descriptionFormat\nmug,rtf\n');
      expect(wrong.problems).toMatchObject([{ column: 'descriptionFormat', value: 'rtf' }]);
    });
  });
});
