import { auditOf, eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  createPage,
  createProduct,
  exportText,
  type ImportedResource,
  type ImportHooks,
  type ImportOptions,
  importFile,
  listCategories,
  listPages,
  listProducts,
  type Problem,
  updateStore,
} from '../index.ts';
import { Batch } from './batch.ts';
import { mapJson } from './formats/own.ts';

function load(
  shop: Context,
  content: string | AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
  resource: ImportedResource = 'products',
  hooks: ImportHooks = {},
  digest?: string,
) {
  async function* bytes() {
    if (typeof content === 'string') yield Buffer.from(content);
    else yield* content;
  }
  return importFile(shop, resource, { open: bytes, digest }, options, hooks);
}

const skip = { onError: 'skip' } as const;

async function exported(shop: Context, resource: ImportedResource): Promise<string> {
  let all = '';
  for await (const { text } of exportText(shop, resource)) all += text;
  return all;
}

forEachStorage('an import or export', (database) => {
  const commerce = useCommerce(database);

  it('takes attributes whose names every object has', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const attributes = { constructor: 'Eames', toString: '=1', valueOf: '' };
    await createProduct(shop, { title: 'Chair', slug: 'chair', price: '1', attributes });
    await createProduct(shop, { title: 'Plain', slug: 'plain', price: '1' });
    await load(other, await exported(shop, 'products'));
    const found = Object.fromEntries(
      (await listProducts(other)).items.map((product) => [product.slug, product.attributes]),
    );
    expect(found).toEqual({ chair: attributes, plain: {} });
  });

  it('takes the longest pages in, whatever their letters', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    for (const [slug, letter] of [
      ['emoji', '😀'],
      ['quotes', '"'],
    ] as const) {
      await createPage(shop, { title: 'Long', slug, content: letter.repeat(500_000) });
    }
    expect(await load(other, await exported(shop, 'pages'), {}, 'pages')).toMatchObject({ created: 2, refused: 0 });
    const contents = async (of: Context) => (await listPages(of)).items.map(({ content }) => content);
    expect((await contents(other)).toString() === (await contents(shop)).toString()).toBe(true);
  });

  it('makes no category for a row that is not written', async () => {
    const shop = await newShop(commerce());
    const rows = 'slug,title,price,categories\nok,Ok,1,Cups\nBad Slug,Bad,1,New\nlater,Later,1,"Other > Two, Cups"\n';
    const stopped = await load(shop, rows);
    expect(stopped).toMatchObject({ status: 'stopped', created: 1, refused: 1, categories: ['Cups'] });
    expect((await listCategories(shop)).items.map(({ name }) => name)).toEqual(['Cups']);
    expect(await load(shop, rows, skip)).toMatchObject({ created: 1, unchanged: 1, refused: 1 });
    expect((await listCategories(shop)).items.map(({ name }) => name).sort()).toEqual(['Cups', 'Other', 'Two']);
    expect((await eventsOf(shop)).filter(({ type }) => type === 'category.created').length).toBe(3);
    expect((await auditOf(shop)).filter(({ action }) => action === 'category.created').length).toBe(3);
  });

  it('refuses the row of a category that can have no such name', async () => {
    const shop = await newShop(commerce());
    const row = (slug: string, name: string) =>
      `${JSON.stringify({ slug, title: 'T', price: '1', categories: [name] })}\n`;
    const done = await load(shop, row('a', 'x\0y') + row('b', 'half \ud83d') + row('c', '😀'.repeat(300)), skip);
    expect(done).toMatchObject({ created: 1, refused: 2 });
    expect(done.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'must not contain NUL or half a surrogate pair, not "x\\u0000y"'],
      [2, 'must not contain NUL or half a surrogate pair, not "half \\ud83d"'],
    ]);
    expect((await listCategories(shop)).items.map(({ name }) => name)).toEqual(['😀'.repeat(255)]);
  });

  it('says in a dry run of categories what comes of those below others', async () => {
    const shop = await newShop(commerce());
    const rows = 'slug,name,parent\nkitchen,Kitchen,\ncups,Cups,kitchen\nspoons,Spoons,kitchen\nlost,Lost,nowhere\n';
    for (const batchRows of [1, 250]) {
      const dry = await load(shop, rows, { ...skip, dryRun: true }, 'categories', { batchRows });
      expect(dry).toMatchObject({ created: 3, refused: 1 });
      expect(dry.problems[0]?.line).toBe(5);
    }
    expect((await listCategories(shop)).total).toBe(0);
    expect(await load(shop, rows, skip, 'categories')).toMatchObject({ created: 3, refused: 1 });
    expect((await eventsOf(shop)).length).toBe(3);
  });

  it('moves no category with others below it in a store with two strict levels', async () => {
    const shop = await newShop(commerce());
    await load(shop, 'slug,name,parent\na,A,\nb,B,\nc,C,\na1,A1,a\n', {}, 'categories');
    await updateStore(shop, { strictCategoryDepth: true });
    const reason = 'must be null, because the category has children and there are two levels';
    for (const batchRows of [1, 250]) {
      const done = await load(
        shop,
        'slug,parent\na,b\nc,b\nb,a\n',
        { ...skip, dryRun: batchRows === 1 },
        'categories',
        {
          batchRows,
        },
      );
      expect(done.problems[0]).toEqual({ line: 2, column: 'parent', value: 'b', reason });
    }
    // The child is deleted first, so its former parent can move.
    expect(await load(shop, 'slug,parent\na1,\n', skip, 'categories')).toMatchObject({ updated: 1 });
    expect(await load(shop, 'slug,parent\na,b\n', skip, 'categories')).toMatchObject({ updated: 1, refused: 0 });
  });

  it('hands a slug from one product to another and on within a batch', async () => {
    const shop = await newShop(commerce());
    await load(shop, 'slug,title,price,sku\na,A,1,SA\nb,B,1,SB\n');
    const { items } = await listProducts(shop);
    const id = (of: string) => items.find(({ slug }) => slug === of)?.id;
    const rows = [
      { id: id('a'), slug: 'between', sku: null },
      { id: id('b'), slug: 'a', sku: 'SA' },
      { id: id('a'), slug: 'b', sku: 'SB' },
    ];
    const done = await load(shop, rows.map((row) => JSON.stringify(row)).join('\n'), { match: 'id' });
    expect(done).toMatchObject({ updated: 3, refused: 0 });
    const now = (await listProducts(shop)).items.map(({ title, slug, sku }) => [title, slug, sku]);
    expect(now.sort()).toEqual([
      ['A', 'b', 'SB'],
      ['B', 'a', 'SA'],
    ]);
  });

  it('comes back to the refused rows of a batch that could not be written', async () => {
    const shop = await newShop(commerce());
    const content = 'slug,title,price\na,A,1\nb,B,bad\nno slug!,C,1\n';
    const broken: ImportHooks = {
      onProblems: () => {
        throw new Error('no room');
      },
    };
    await expect(load(shop, content, skip, 'products', broken, 'digest')).rejects.toThrow('no room');
    const told: Problem[] = [];
    const hooks: ImportHooks = { onProblems: (problems) => void told.push(...problems) };
    expect(await load(shop, content, skip, 'products', hooks, 'digest')).toMatchObject({
      rows: 3,
      created: 1,
      refused: 2,
    });
    // In the order of the file, although the second row was refused before the first was tried.
    expect(told.map(({ line }) => line)).toEqual([3, 4]);
  });

  it('comes back to the row that it stopped at, and says so', async () => {
    const shop = await newShop(commerce());
    const resumed: number[] = [];
    const hooks: ImportHooks = { onResume: (_, line) => void resumed.push(line) };
    const content = 'slug,title,price\na,A,1\nno slug!,B,1\n';
    for (let i = 0; i < 3; i++) await load(shop, content, {}, 'products', hooks, 'digest');
    expect(resumed).toEqual([2, 2]);
  });

  it('keeps the attributes of products of which a file of another shop says nothing', async () => {
    const shop = await newShop(commerce());
    await load(shop, 'Handle,Title,Variant Price,Tags,Vendor\nmug,Mug,1,blue,Kiln\n');
    await load(shop, 'Handle,Title,Variant Price\nmug,Mug,2\n');
    await load(shop, 'Type,SKU,Name,Regular price,Tags\nsimple,,Bowl,1,red\n');
    await load(shop, 'Type,SKU,Name,Regular price\nsimple,,Bowl,2\n');
    const now = (await listProducts(shop)).items.map(({ slug, price, brand, attributes }) => [
      slug,
      price,
      brand,
      attributes,
    ]);
    expect(now.sort()).toEqual([
      ['bowl', '2.00', null, { tags: 'red' }],
      ['mug', '2.00', 'Kiln', { tags: 'blue' }],
    ]);
  });

  it('ends where it is told to while it waits for more of the file', async () => {
    const shop = await newShop(commerce());
    const stop = new AbortController();
    async function* slow() {
      yield Buffer.from('slug,title,price\na,A,1\nb,B,1\n');
      setImmediate(() => stop.abort());
      // The second row could continue.
      await new Promise(() => {});
    }
    const done = await load(shop, slow(), {}, 'products', { signal: stop.signal });
    expect(done).toMatchObject({ status: 'interrupted', created: 1 });
  });

  it('leaves the thread to others and ends also in lines that say nothing', async () => {
    const shop = await newShop(commerce());
    const stop = new AbortController();
    let read = 0;
    async function* blanks() {
      yield Buffer.from('slug,title,price\na,A,1\n');
      for (; read < 100_000; read++) {
        if (read === 20) stop.abort();
        yield Buffer.alloc(65_536, '\n');
      }
    }
    const done = await load(shop, blanks(), { format: 'csv' }, 'products', { signal: stop.signal, share: 0.2 });
    expect(done).toMatchObject({ status: 'interrupted', created: 1 });
    expect(read).toBe(20);
  });

  it('tells variants apart whose values give the same slug, in any order of them', async () => {
    const shop = await newShop(commerce());
    const rows = ['A', 'A+', 'A-', '½', '1/2'].map(
      (cup, i) => `bra,${i === 0 ? 'Bra,Cup' : ','},${cup},${i + 1},B${i}`,
    );
    const head = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant SKU';
    expect(await load(shop, [head, ...rows].join('\n'), skip)).toMatchObject({ created: 5, refused: 0 });
    const slugs = (await listProducts(shop)).items.map(({ slug }) => slug).sort();
    expect(slugs).toEqual([
      expect.stringMatching(/^bra-1-2-[0-9a-f]{10}$/),
      expect.stringMatching(/^bra-1-2-[0-9a-f]{10}$/),
      'bra-a',
      expect.stringMatching(/^bra-a-[0-9a-f]{10}$/),
      expect.stringMatching(/^bra-a-[0-9a-f]{10}$/),
    ]);
    const turned = ['bra,Bra,Cup,A-,3,B2', 'bra,,,1/2,5,B4', 'bra,,,½,4,B3', 'bra,,,A+,2,B1', 'bra,,,A,1,B0'];
    expect(await load(shop, [head, ...turned].join('\n'), skip)).toMatchObject({ unchanged: 5, refused: 0 });
    // The same value twice is one variant.
    const twice = await load(shop, [head, 'hat,Hat,Size,A+,1,', 'hat,,,a+,1,', 'hat,,,,1,X'].join('\n'), skip);
    expect(twice.problems.map(({ line, column }) => [line, column])).toEqual([
      [3, 'Handle'],
      [4, 'Option1 Value'],
    ]);
  });

  it('folds the products of WooCommerce without the column of their ids', async () => {
    const shop = await newShop(commerce());
    const rows = [
      'Type,SKU,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
      'variable,TEE,Tee,,,Size,"S, M"',
      'variation,TEE-S,Tee - S,5,TEE,Size,S',
      'variable,CAP,Cap,,,Size,S',
    ].join('\n');
    const done = await load(shop, rows, skip);
    expect(done.problems).toEqual([
      { line: 4, column: 'Type', value: 'variable', reason: 'has no variations in this file' },
    ]);
    expect(done).toMatchObject({ created: 1, refused: 1 });
  });

  it('refuses two columns that mean the same by --map, and a file that begins with blanks alone', async () => {
    const shop = await newShop(commerce());
    await expect(load(shop, 'Nome,title,slug,price\nN,T,a,1\n', { map: { Nome: 'Title' } })).rejects.toThrow(
      'map: two columns of the file would be "title": "Nome", "title"',
    );
    let chunks = 0;
    async function* blanks() {
      for (; chunks < 10_000; chunks++) yield Buffer.alloc(65_536, '\n');
    }
    await expect(load(shop, blanks())).rejects.toThrow('it begins with more than 262144 whitespace characters');
    expect(chunks).toBeLessThan(10);
  });

  it('holds no more of a product of Shopify than its rows may have', async () => {
    const shop = await newShop(commerce());
    let rows = 0;
    async function* same() {
      yield Buffer.from('Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant Price\n');
      for (; rows < 200; rows++) yield Buffer.from(`mug,Mug,${'x'.repeat(1_000_000)},Size,${rows},1\n`);
    }
    await expect(load(shop, same())).rejects.toThrow(
      'the product "mug" from line 2 on has more than 33554432 characters',
    );
    expect(rows).toBeLessThan(50);
  });
});

describe('a batch', () => {
  it('is full when its rows have a million characters, wherever in them these are', () => {
    const batch = new Batch(250);
    const value = { slug: 'a', attributes: { material: 'x'.repeat(600_000) } };
    for (const line of [1, 2]) {
      expect(batch.isFull).toBe(false);
      const mapped = mapJson('products', { value, chars: JSON.stringify(value).length, line, number: line });
      if ('row' in mapped) batch.add(mapped.row);
    }
    expect(batch.isFull).toBe(true);
  });
});
