import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey, openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { bin, commerce, commerceJson, run } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-input-cli-'));
const file = join(folder, 'shop.db');
const call = (...args: string[]) => commerce([...args, '--db', file]);
const json = (...args: string[]) => commerceJson([...args, '--db', file]);
let storeId: string;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One of each kind, so that a name that matches everything matches one. */
beforeAll(async () => {
  ({ storeId } = await initShop(file));
  await json('categories', 'create', '--name', 'Mugs', '--slug', 'mugs');
  const product = ['--title', 'Mug', '--slug', 'mug', '--sku', 'MUG', '--price', '12.50', '--stock', '3'];
  await json('products', 'create', ...product, '--attributes', 'color=blue', '--status', 'published');
  await json('pages', 'create', '--title', 'Imprint', '--slug', 'imprint');
  await json('discounts', 'create', '--code', 'TEN', '--type', 'percent', '--value', '10');
  await json('customers', 'create', '--email', 'ada@shop.test');
  await json('settings', 'update', '--manual-payments');
  await json('orders', 'create', '--items', 'MUG:1', '--customer', 'ada@shop.test');
  await json('payments', 'record', '--order', 'ORD-1001', '--method', 'cash', '--amount', '12.50');
});

const groups = ['categories', 'products', 'pages', 'discounts', 'customers', 'orders'];

describe('An empty text, such as of an unset variable', () => {
  it.each(groups.filter((group) => group !== 'orders'))(
    'names none of %s, also where there is only one',
    async (group) => {
      for (const text of ['', ' ']) {
        for (const args of [
          ['show', text],
          ['delete', text, '--yes'],
        ]) {
          expect(await call(group, ...args)).toEqual({
            code: 1,
            stdout: '',
            stderr: expect.stringMatching(/^error: no \w+ " ?" in this store\n$/),
          });
        }
      }
      expect((await json(group, 'list')).total).toBe(1);
    },
  );

  it('is no filter that lists everything', async () => {
    for (const args of [
      ['products', 'list', '--category', ''],
      ['products', 'list', '--filter', 'sku='],
      ['orders', 'list', '--customer', ''],
      ['customers', 'list', '--email', ''],
    ]) {
      expect(await call(...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: --(category|filter sku|customer|email): must not be empty\n/),
      });
    }
    expect((await json('products', 'list', '--search', '')).total).toBe(1);
  });

  it('is no reason to do without what was asked for', async () => {
    for (const args of [
      ['orders', 'refund', 'ORD-1001', '--amount', '1.00', '--refund-id', ''],
      ['orders', 'fulfil', 'ORD-1001', '--tracking-number', ''],
      ['orders', 'fulfil', 'ORD-1001', '--carrier', ' '],
      ['payments', 'record', '--order', 'ORD-1001', '--method', 'cash', '--amount', '12.50', '--reference', ''],
    ]) {
      expect(await call(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(/It must not be empty\./) });
    }
    const { item } = await json('orders', 'show', 'ORD-1001');
    expect(item).toMatchObject({ status: 'paid', refundedAmount: '0.00' });
  });
});

describe('A name', () => {
  it('of a product stands in the lines of an order, be it a SKU, a slug or an id', async () => {
    const { item: bowl } = await json('products', 'create', '--title', 'Bowl', '--slug', 'bowl', '--price', '9.00');
    // A slug that equals the SKU of another product: a line means the SKU.
    await json('products', 'create', '--title', 'Plate', '--slug', 'plate', '--sku', 'bowl-2', '--price', '1.00');
    await json('products', 'create', '--title', 'Other bowl', '--slug', 'bowl-2', '--price', '5.00');
    const { item } = await json('orders', 'create', '--items', `bowl:1,MUG:1,${bowl.id}:2,bowl-2:1`);
    expect(item).toMatchObject({
      total: '40.50',
      items: [{ titleSnapshot: 'Bowl' }, {}, {}, { titleSnapshot: 'Plate' }],
    });
    expect((await json('orders', 'list', '--number', item.orderNumber.toLowerCase())).items).toEqual([item]);
    expect(await call('orders', 'create', '--items', 'none:1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --items: no product "none" in this store\n/),
    });
    for (const slug of ['bowl', 'plate']) await json('products', 'delete', slug, '--yes');
    await json('products', 'delete', (await json('products', 'show', 'bowl-2')).item.id, '--yes');
  });

  it('finds a key however many are newer', async () => {
    const { item: old } = await json('keys', 'create', '--name', 'Leaked', '--preset', 'read');
    const opened = await openCommerce({ storage: openSqlite({ file }) });
    const shop = await opened.store(storeId, { type: 'cli', id: null });
    for (let n = 0; n < 200; n++) await createApiKey(shop, { name: `Newer ${n}`, scopes: ['product.read'] });
    await opened.close();
    expect(await json('keys', 'revoke', 'Leaked', '--yes')).toEqual({ revoked: old.id });
  });
});

describe('Filters', () => {
  it('by attributes have an option, and are combined with the others', async () => {
    const total = async (...args: string[]) => (await json('products', 'list', ...args)).total;
    expect(await total('--attr', 'color=blue')).toBe(1);
    expect(await total('--attr', 'color=blue', '--attr', 'size=L')).toBe(0);
    expect(await total('--attr', 'color=blue', '--status', 'draft')).toBe(0);
    expect(await call('products', 'list', '--attr', 'color')).toMatchObject({ code: 2 });
    // Any of the values of one name.
    expect(await total('--attr', 'color=blue', '--attr', 'color=red')).toBe(1);
    expect(await total('--filter', 'attr.color=blue', '--category', 'mugs')).toBe(0);
    expect(await total('--filter', 'attr.color=blue', '--sku', 'MUG', '--min-price', '12.50')).toBe(1);
    expect(await total('--filter', 'attr.color=blue', '--filter', 'sku=OTHER')).toBe(0);
  });

  it('by metadata and tags have an option in each list that has them', async () => {
    await json('customers', 'create', '--email', 'meta@shop.test', '--metadata', 'erp.id=4711', '--tags', 'vip');
    for (const [list, n] of [
      ['customers', 1],
      ['products', 0],
      ['orders', 0],
    ] as const) {
      expect((await json(list, 'list', '--metadata', 'erp.id=4711')).total).toBe(n);
      expect((await json(list, 'list', '--filter', 'metadata.erp.id=4711')).total).toBe(n);
    }
    expect((await json('customers', 'list', '--metadata', 'erp.id=4711', '--tag', 'vip')).total).toBe(1);
    expect((await json('customers', 'list', '--metadata', 'erp.id=4711', '--tag', 'other')).total).toBe(0);
    expect(await call('orders', 'list', '--metadata', 'a b=1')).toMatchObject({
      stderr: expect.stringContaining('metadata.a b'),
    });
  });

  it('by a name that names nothing say so, instead of listing nothing', async () => {
    for (const [args, what] of [
      [['products', 'list', '--category', 'mugz'], '--category: no category "mugz"'],
      [['orders', 'list', '--filter', 'customerId=bob@shop.test'], '--filter customerId: no customer "bob@shop.test"'],
      [['payments', 'list', '--order', 'ORD-9'], '--order: no order "ORD-9"'],
    ] as const) {
      expect(await call(...args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^error: ${what} in this store\n`)),
      });
    }
    expect((await json('categories', 'list', '--parent', 'null')).total).toBe(1);
    const unknown = '0193d3ef-c080-7057-a93a-4fc162809ebd';
    expect((await json('orders', 'list', '--customer', unknown)).items).toEqual([]);
  });

  it('of the inbox take true and false', async () => {
    expect((await json('payments', 'inbox', '--filter', 'unmatched=false')).items).toEqual([]);
    expect(await call('payments', 'inbox', '--filter', 'unmatched=no')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --filter unmatched: must be true or false, not "no"/),
    });
  });
});

describe('A file of fields', () => {
  const create = async (content: Buffer | string) => {
    const input = join(folder, 'input.json');
    writeFileSync(input, content);
    return call('pages', 'create', '--file', input);
  };
  const page = (slug: string) => JSON.stringify({ title: 'Über uns', slug });

  it('may begin with the mark of UTF-8', async () => {
    expect(await create(`\ufeff${page('marked')}`)).toMatchObject({ code: 0 });
    expect((await json('pages', 'show', 'marked')).item.title).toBe('Über uns');
  });

  it('in another encoding is refused: its letters would be stored as others', async () => {
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const { code, stderr } = await create(Buffer.from(page('latin'), encoding));
      expect([code, stderr]).toEqual([1, expect.stringMatching(/input\.json is not (UTF-8|JSON)/)]);
    }
    expect((await json('pages', 'list', '--slug', 'latin')).total).toBe(0);
  });

  it('is read up to a bound', async () => {
    expect(await create(' '.repeat(2 ** 20 + 1))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is longer than 1 MiB\n$/),
    });
  });

  it('controls no terminal where it is quoted', async () => {
    const { stderr } = await create('\u001b[31m{');
    expect(stderr).toMatch(/^error: .*is not JSON: .*\ufffd\[31m/);
    expect(stderr).not.toContain('\u001b');
  });
});

describe('A file that is written', () => {
  it('is never the database, nor what is read', async () => {
    const link = join(folder, 'link.db');
    symlinkSync(file, link);
    const input = join(folder, 'pages.csv');
    const rows = 'title,slug\n,nameless\n';
    writeFileSync(input, rows);
    for (const args of [
      ['products', 'export', file],
      ['products', 'export', link],
      ['products', 'export', `${file}-wal`],
      ['backup', link],
      ['pages', 'import', input, '--report', file],
    ]) {
      // While the database is open, its additional files exist.
      const opened = await openCommerce({ storage: openSqlite({ file }) });
      const { code, stderr } = await call(...args);
      await opened.close();
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(/^error: .* is the database itself; use/)]);
    }
    expect(await call('pages', 'import', input, '--report', input)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --report: .*pages\.csv is the imported file; use another one\n/),
    });
    expect(readFileSync(input, 'utf8')).toBe(rows);
    expect((await json('products', 'list')).total).toBe(1);
  });

  it('may be a pipe, which stays one; a folder is none', async () => {
    const pipe = join(folder, 'pipe');
    const lines = 'mkfifo "$3"; cat "$3" & "$0" "$1" categories export "$3" --db "$2" > /dev/null; wait; test -p "$3"';
    const { code, stdout } = await run('bash', ['-c', lines, process.execPath, bin, file, pipe]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('mugs')]);
    expect(await call('categories', 'export', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/it is a folder\n$/),
    });
  });
});

describe('What is printed', () => {
  it('shows a note line by line, none of which looks like a heading', async () => {
    const customerNote = 'Ring twice\r\nShip to\nMallory';
    const made = await commerceJson(
      ['orders', 'create', '--items', 'MUG:1', '--file', '-', '--db', file],
      JSON.stringify({ customerNote }),
    );
    const { stdout } = await call('orders', 'show', made.item.orderNumber);
    expect(stdout).toMatch(/\nCustomer note\nRing twice\n {2}Ship to\n {2}Mallory\n$/);
  });
});
