import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createOrder,
  createProduct,
  deleteProduct,
  getProduct,
  getProductAttributes,
  type ImportedResource,
  type ImportHooks,
  type ImportOptions,
  importFile,
  listCategories,
  listCustomers,
  listPages,
  listProducts,
  listProductsByAttributes,
  type Problem,
} from '../index.ts';

async function* bytesOf(content: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

function load(
  shop: Context,
  content: string,
  options: ImportOptions = {},
  hooks: ImportHooks = {},
  resource: ImportedResource = 'products',
  digest?: string,
) {
  return importFile(shop, resource, { open: () => bytesOf(content, 1000), digest }, options, hooks);
}

const skip = { onError: 'skip' } as const;
const header = 'slug,title,price,sku,stock,attribute.color,categories\n';
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => {
    const n = from + i;
    return `p-${n},Mug ${n},${n + 1}.50,S-${n},${n},${n % 2 ? 'red' : 'blue'},mugs\n`;
  }).join('');

forEachStorage('an import', (database) => {
  const commerce = useCommerce(database);

  /** Rows, index and counts agree about the store's products. */
  async function expectConsistent(shop: Context, count: number): Promise<void> {
    const { db } = shop.engine.storage;
    const rows = await db.selectFrom('products').selectAll().where('store_id', '=', shop.store.id).execute();
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
    expect((await listProducts(shop)).total).toBe(count);
    expect((await listProducts(shop, { search: 'mug' })).total).toBe(count);
    const red = rows.filter(({ json }) => JSON.parse(json).attributes.color === 'red').length;
    expect((await listProductsByAttributes(shop, { attributes: { color: 'red' } })).total).toBe(red);
    const { items: categories } = await listCategories(shop);
    for (const { id } of categories) {
      const inside = rows.filter(({ json }) => JSON.parse(json).categoryIds.includes(id)).length;
      expect((await listProducts(shop, { categoryId: id })).total).toBe(inside);
    }
  }

  it('passes slugs on from product to product, whose other columns stay as they are', async () => {
    const shop = await newShop(commerce());
    const codes = (slug: string) => ({ slug, sku: slug.toUpperCase(), barcode: `0${slug}` });
    for (const slug of ['a', 'b', 'c']) await newProduct(shop, { ...codes(slug), trackStock: true, stock: 2 });
    const done = await load(shop, 'sku,slug,price\nA,z,11\nB,a,10\nC,b,10\n', { match: 'sku' });
    expect(done).toMatchObject({ status: 'completed', updated: 3 });
    const { db } = shop.engine.storage;
    const rows = await db
      .selectFrom('products')
      .select(['slug', 'sku', 'barcode', 'price', 'stock', 'status', 'can_buy'])
      .where('store_id', '=', shop.store.id)
      .orderBy('sku')
      .execute();
    const kept = { stock: 2, status: 'published', can_buy: 1 };
    expect(rows).toEqual([
      { slug: 'z', sku: 'A', barcode: '0a', price: 1100, ...kept },
      { slug: 'a', sku: 'B', barcode: '0b', price: 1000, ...kept },
      { slug: 'b', sku: 'C', barcode: '0c', price: 1000, ...kept },
    ]);
    expect((await listProducts(shop, { sku: 'C' })).items).toMatchObject([{ slug: 'b' }]);
    await expect(newProduct(shop, { slug: 'd', sku: 'A' })).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('makes products with their events, audit entries, facets and counts, as if each was created', async () => {
    const shop = await newShop(commerce());
    const done = await load(shop, header + lines(620), {}, { batchRows: 100 });
    expect(done).toMatchObject({ status: 'completed', rows: 620, created: 620, refused: 0, categories: ['mugs'] });
    await expectConsistent(shop, 620);
    const { items } = await listProducts(shop, { sku: 'S-17' });
    expect(items).toEqual([await getProduct(shop, items[0]?.id ?? '')]);
    expect(items[0]).toMatchObject({ slug: 'p-17', price: '18.50', stock: 17, attributes: { color: 'red' } });
    const events = await eventsOf(shop);
    expect(events.filter(({ type }) => type === 'product.created').length).toBe(620);
    expect(events.filter(({ type }) => type === 'category.created').length).toBe(1);
    expect(events.find(({ resourceId }) => resourceId === items[0]?.id)?.data).toEqual(items[0]);
    expect((await auditOf(shop)).filter(({ action }) => action === 'product.created').length).toBe(620);
    // A product created the usual way gets the next number.
    await newProduct(shop, { title: 'Mug' });
    await expectConsistent(shop, 621);
  });

  it('changes what is there, keeps what has no column, clears what is blank and leaves what is the same', async () => {
    const shop = await newShop(commerce());
    await load(shop, header + lines(40));
    const before = await listProducts(shop, { limit: 200 });
    expect(await load(shop, header + lines(40))).toMatchObject({ created: 0, updated: 0, unchanged: 40 });
    const emitted = await emittedBy(shop, async () => {
      const changes = 'slug,title,sku,attribute.color\np-1,Mug one,,green\np-2,Mug 2,S-2,blue\nnew,Mug new,,\n';
      const done = await load(shop, changes, skip);
      expect(done).toMatchObject({ created: 0, updated: 1, unchanged: 1, refused: 1 });
      expect(done.problems).toEqual([{ line: 4, column: 'price', value: null, reason: 'is required' }]);
    });
    expect(emitted).toEqual(['product.updated']);
    const [changed] = (await listProducts(shop, { slug: 'p-1' })).items;
    const was = before.items.find(({ slug }) => slug === 'p-1');
    expect(changed).toEqual({
      ...was,
      title: 'Mug one',
      sku: null,
      attributes: { color: 'green' },
      updatedAt: changed?.updatedAt,
    });
    expect((await getProductAttributes(shop)).values.color).toEqual(['blue', 'green', 'red']);
    await expectConsistent(shop, 40);
  });

  it('finds products by SKU or id, and gives up a slug before another takes it', async () => {
    const shop = await newShop(commerce());
    await load(shop, header + lines(3));
    const by = (match: 'sku' | 'id', content: string) => load(shop, content, { ...skip, match });
    expect(await by('sku', 'sku,slug\nS-0,free\nS-1,p-0\nS-2,p-0\n')).toMatchObject({ updated: 2, refused: 1 });
    const slugs = async () => (await listProducts(shop)).items.map(({ sku, slug }) => [sku, slug]);
    expect(await slugs()).toEqual([
      ['S-2', 'p-2'],
      ['S-1', 'p-0'],
      ['S-0', 'free'],
    ]);
    const [{ id } = { id: '' }] = (await listProducts(shop, { sku: 'S-2' })).items;
    expect(await by('id', `id,slug,title,price\n${id},by-id,Mug,1\n101,other,Mug,1\n`)).toMatchObject({
      updated: 1,
      created: 1,
    });
    expect(await slugs()).toContainEqual(['S-2', 'by-id']);
    await expect(load(shop, header, { match: 'email' })).rejects.toThrow(/match: must be one of slug, sku, id/);
  });

  it('refuses rows with line, column, value and reason, and changes nothing by them', async () => {
    const shop = await newShop(commerce());
    const taken = await newProduct(shop, { title: 'Mug', sku: 'TAKEN' });
    const told: (Problem & { kind: string })[] = [];
    const content = [
      'slug,title,price,sku,stock,status,categories',
      'good,Mug,1,,,,',
      'Bad slug!,Mug,1,,,,',
      'no-price,Mug,,,,,',
      'odd-price,Mug,"1,800",,,,',
      'bad-stock,Mug,1,,-1,,',
      'bad-status,Mug,1,,,payed,',
      'sku-of-other,Mug,1,TAKEN,,,',
      'good,Mug again,1,,,,',
      'few,Mug',
      '"two\nlines",Mug,1,,,,',
      'last,Mug,1,LAST,,,',
      'sku-twice,Mug,1,LAST,,,',
    ];
    const done = await load(shop, `${content.join('\n')}\n`, skip, {
      onProblems: (problems, kind) => void told.push(...problems.map((one) => ({ ...one, kind }))),
    });
    expect(done).toMatchObject({ created: 2, refused: 10, rows: 12 });
    expect(done.problems.map(({ line, column, value }) => [line, column, value]).sort()).toEqual(
      [
        [3, 'slug', 'Bad slug!'],
        [4, 'price', ''],
        [5, 'price', '1,800'],
        [6, 'stock', '-1'],
        [7, 'status', 'payed'],
        [8, 'sku', 'TAKEN'],
        [9, 'slug', 'good'],
        [10, null, null],
        [11, 'slug', 'two\nlines'],
        [14, 'sku', 'LAST'],
      ].sort(),
    );
    expect(told.map(({ kind: _, ...one }) => one).sort(byLine)).toEqual([...done.problems].sort(byLine));
    expect(done.problems.find(({ line }) => line === 14)?.reason).toBe('is already on line 13');
    expect(await getProduct(shop, taken.id)).toEqual(taken);
    await expectConsistent(shop, 3);
  });

  it('stops at the first refused row with everything before it, and goes on when the file is right', async () => {
    const shop = await newShop(commerce());
    const bad = `${header}${lines(130)}x,,1,,,,\n${lines(10, 130)}`;
    const done = await load(shop, bad, {}, { batchRows: 50 });
    expect(done).toMatchObject({ status: 'stopped', created: 130, refused: 1, rows: 131 });
    expect(done.problems).toMatchObject([{ line: 132, column: 'title' }]);
    await expectConsistent(shop, 130);
    expect(await load(shop, header + lines(140))).toMatchObject({ status: 'completed', created: 10, unchanged: 130 });
    // A value that the fields refuse, not the cells.
    const long = `${header}q,Mug,1,,,,\nr,${'x'.repeat(256)},1,,,,\ns,Mug,1,,,,\n`;
    expect(await load(shop, long)).toMatchObject({ status: 'stopped', created: 1, refused: 1 });
  });

  it('writes nothing in a dry run and says the same, and tells nobody without events', async () => {
    const shop = await newShop(commerce());
    await load(shop, header + lines(5));
    const before = await snapshot(commerce());
    const dry = await load(shop, `${header}${lines(60)}x,,1,,,,\n`, { ...skip, dryRun: true }, { batchRows: 20 });
    expect(dry).toMatchObject({ dryRun: true, created: 55, unchanged: 5, refused: 1 });
    expect(await snapshot(commerce())).toEqual(before);
    const emitted = await emittedBy(shop, () => load(shop, header + lines(60), { events: false }));
    expect(emitted).toEqual([]);
    await expectConsistent(shop, 60);
    expect((await auditOf(shop)).filter(({ action }) => action === 'product.created').length).toBe(60);
  });

  it('goes on behind the last batch that is in, and does nothing twice', async () => {
    const shop = await newShop(commerce());
    const content = `${header}${lines(130)}bad,,1,,,,\n${lines(170, 130)}p-3,Mug again,1,,,,\n`;
    let at: number | undefined;
    const interrupted = async (after: number) => {
      const stop = new AbortController();
      return load(
        shop,
        content,
        skip,
        {
          batchRows: 50,
          signal: stop.signal,
          onResume(_, lastLine) {
            at = lastLine;
          },
          onProgress: ({ rows }) => void (rows >= after && stop.abort()),
        },
        'products',
        'same file',
      );
    };
    const first = await interrupted(100);
    expect(first).toMatchObject({ status: 'interrupted', finishedAt: null });
    expect(first.created).toBeLessThan(300);
    const second = await interrupted(200);
    expect([second.id, second.status]).toEqual([first.id, 'interrupted']);
    expect(at).toBe(first.rows + 1);
    const last = await interrupted(1e9);
    expect(last).toMatchObject({
      id: first.id,
      status: 'completed',
      rows: 302,
      created: 300,
      refused: 2,
      unchanged: 0,
    });
    expect(last.problems.map(({ line }) => line)).toEqual([132, 303]);
    const created = (await eventsOf(shop)).filter(({ type }) => type === 'product.created');
    expect([created.length, new Set(created.map(({ resourceId }) => resourceId)).size]).toEqual([300, 300]);
    await expectConsistent(shop, 300);
    // After a finished import, the same command checks every row again.
    const again = await interrupted(1e9);
    expect(again).toMatchObject({ status: 'completed', created: 0, unchanged: 300, refused: 2 });
    expect(again.id).not.toBe(first.id);
  });

  it('leaves stock alone that orders have moved, unless the row has seen it or is to overwrite it', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const mug = await createProduct(shop, { title: 'Mug', slug: 'mug', price: '10', trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 2 }] });
    await send(shop, payment(order.id, 2000).intentSucceeded());
    const refused = await load(shop, 'slug,stock\nmug,5\n', skip);
    expect(refused).toMatchObject({ refused: 1 });
    expect(refused.problems[0]?.reason).toMatch(/orders have moved it to 3/);
    const { updatedAt } = await getProduct(shop, mug.id);
    expect(await load(shop, `slug,stock,updatedAt\nmug,7,${updatedAt}\n`)).toMatchObject({ updated: 1 });
    const second = await createOrder(shop, { items: [{ productId: mug.id, quantity: 2 }] });
    await send(shop, payment(second.id, 2000).intentSucceeded());
    expect(await load(shop, 'slug,stock\nmug,9\n', { overwriteStock: true })).toMatchObject({ updated: 1 });
    expect((await getProduct(shop, mug.id)).stock).toBe(9);
  });

  it('beside others that write the same products ends with each of them once', async () => {
    const shop = await newShop(commerce());
    const content = header + lines(300);
    const others = Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        createProduct(shop, { title: 'Mug', slug: `p-${i * 5}`, price: '1', sku: `S-${i * 5}` }).then(({ id }) =>
          i % 3 === 0 ? deleteProduct(shop, id) : undefined,
        ),
      ),
    );
    const done = await Promise.all([
      load(shop, content, skip, { batchRows: 40 }),
      load(shop, content, skip, { batchRows: 30 }),
    ]);
    await others;
    for (const one of done) expect(one).toMatchObject({ status: 'completed', refused: 0, rows: 300 });
    const { rows } = await sql<{ slug: string; n: number }>`select slug, count(*) as n from products
      where store_id = ${shop.store.id} and status <> 'deleted' group by slug`.execute(shop.engine.storage.db);
    expect(rows.every(({ n }) => Number(n) === 1)).toBe(true);
    expect((await listProducts(shop)).total).toBe(rows.length);
  });

  it('takes categories with their parents, customers and pages by the same rules', async () => {
    const shop = await newShop(commerce());
    const of = (resource: ImportedResource, content: string) => load(shop, content, skip, {}, resource);
    const categories =
      'slug,name,parent,status\nmugs,Mugs,,published\nsmall,Small,mugs,draft\nodd,Odd,nowhere,draft\ndeep,Deep,small,draft\n';
    expect(await of('categories', categories)).toMatchObject({ created: 2, refused: 2, format: 'CSV' });
    expect(await of('categories', categories)).toMatchObject({ unchanged: 2, refused: 2 });
    const [small, mugs] = (await listCategories(shop)).items;
    expect([mugs?.slug, small?.slug, small?.parentId]).toEqual(['mugs', 'small', mugs?.id]);
    expect((await listCategories(shop, { status: 'draft' })).total).toBe(1);
    const addresses = JSON.stringify([
      { address1: '1 St', city: 'X', postalCode: '1', country: 'GB', isDefault: true },
    ]);
    const customers = `email,name,marketingOptIn,addresses\nA@x.example,Ada,yes,"${addresses.replaceAll('"', '""')}"\na@X.example,Other,,\nnone,None,,\n`;
    expect(await of('customers', customers)).toMatchObject({ created: 1, refused: 2 });
    expect(await of('customers', customers)).toMatchObject({ unchanged: 1, refused: 2 });
    expect(await listCustomers(shop)).toMatchObject({ total: 1, items: [{ name: 'Ada', addresses: [{ city: 'X' }] }] });
    const pages =
      '{"slug":"about","title":"About","content":"=1"}\n{"slug":"imprint","title":"Imprint","status":"published"}\n[]\n';
    expect(await of('pages', pages)).toMatchObject({ created: 2, refused: 1, format: 'JSON Lines' });
    expect(await listPages(shop, { status: 'published' })).toMatchObject({ total: 1, items: [{ slug: 'imprint' }] });
    expect((await listPages(shop)).total).toBe(2);
  });

  describe('finds categories', () => {
    it('by slug and by names, and makes those that are not there', async () => {
      const shop = await newShop(commerce());
      const root = await createCategory(shop, { name: 'Kitchen & Bar', slug: 'kitchen-bar' });
      const child = await createCategory(shop, { name: 'Mugs', slug: 'mugs', parentId: root.id });
      const content =
        'slug,title,price,categories\na,Mug,1,mugs\nb,Mug,1,Kitchen & Bar > Mugs\nc,Mug,1,"Garden > Mugs, kitchen-bar"\nd,Mug,1,\n';
      expect(await load(shop, content)).toMatchObject({ created: 4, categories: ['Garden', 'Mugs'] });
      const of = async (slug: string) => (await listProducts(shop, { slug })).items[0]?.categoryIds;
      expect([await of('a'), await of('b'), await of('d')]).toEqual([[child.id], [child.id], []]);
      const { items } = await listCategories(shop);
      expect(items.find(({ slug }) => slug === 'garden-mugs')?.name).toBe('Mugs');
      expect(await of('c')).toEqual([items.find(({ slug }) => slug === 'garden-mugs')?.id, root.id]);
      expect(await load(shop, content)).toMatchObject({ unchanged: 4, categories: [] });
    });
  });
});

function byLine(one: Problem, other: Problem): number {
  return one.line - other.line;
}
