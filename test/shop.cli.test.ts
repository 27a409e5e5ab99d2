import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { bin, commerce, commerceJson, root, run, words } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-shop-cli-'));
const file = join(folder, 'shop.db');
const media = ['--media-dir', join(folder, 'media'), '--cdn-url', 'https://cdn.shop.test'];
const call = (...args: string[]) => commerce([...args, '--db', file]);
const json = (...args: string[]) => commerceJson([...args, '--db', file]);
beforeAll(() => initShop(file));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A shop is run from the command line', () => {
  let mugs: { id: string };
  let mug: { id: string; title: string; attributes: object };

  it('categories and products are made, and name each other by slug', async () => {
    mugs = (await json('categories', 'create', '--name', 'Mugs', '--slug', 'mugs', '--status', 'published')).item;
    const below = await json('categories', 'create', '--name', 'Tea mugs', '--slug', 'tea-mugs', '--parent-id', 'mugs');
    expect(below.item).toMatchObject({ parentId: mugs.id });
    const flags = ['--title', 'マグカップ', '--slug', 'blue-mug', '--sku', 'MUG', '--price', '12.50', '--track-stock'];
    const more = words('--stock 3 --attributes color=blue --attributes size=L --category-ids mugs,tea-mugs');
    mug = (await json('products', 'create', ...flags, ...more)).item;
    expect(mug).toMatchObject({
      title: 'マグカップ',
      trackStock: true,
      stock: 3,
      attributes: { color: 'blue', size: 'L' },
      categoryIds: [mugs.id, below.item.id],
      status: 'draft',
    });
  });

  it('a product is found by id, the beginning of it, slug and SKU', async () => {
    for (const name of [
      mug.id,
      mug.id.toUpperCase(),
      mug.id.slice(0, 18),
      `${mug.id.slice(0, 13)}…`,
      'blue-mug',
      'MUG',
    ]) {
      expect([name, (await json('products', 'show', name)).item.id]).toEqual([name, mug.id]);
    }
    const shown = await json('products', 'show', mug.id, '--include', 'variants,media');
    expect(shown.item).toMatchObject({ id: mug.id, variants: expect.any(Array), media: expect.any(Array) });
    expect(await call('products', 'show', mug.id, '--include', 'prices')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be one or more of variants, media, separated by commas, not "prices"'),
    });
    expect(await call('products', 'show', mug.id.slice(0, 7))).toMatchObject({ code: 1, stdout: '' });
    // The first characters are the time in minutes, which the categories of this file share.
    const two = await call('categories', 'show', mugs.id.slice(0, 8));
    expect(two).toMatchObject({ code: 1, stderr: expect.stringMatching(/is ambiguous: category .*; use the id\n$/) });
  });

  it('fields come from a file, standard input and options, and options win', async () => {
    const input = join(folder, 'cup.json');
    writeFileSync(
      input,
      JSON.stringify({ title: 'Cup', slug: 'cup', price: '5.00', sku: 'CUP', categoryIds: ['mugs'] }),
    );
    const { item } = await json('products', 'create', '--file', input, '--price', '6.00');
    expect(item).toMatchObject({ title: 'Cup', price: '6.00', sku: 'CUP', categoryIds: [mugs.id] });
    const args = ['products', 'update', 'CUP', '--file', '-', '--db', file];
    const changed = await commerceJson(args, JSON.stringify({ description: 'A cup', status: 'published' }));
    expect(changed.item).toMatchObject({ id: item.id, description: 'A cup', status: 'published', price: '6.00' });
    const cleared = await json('products', 'update', 'cup', '--clear', 'description');
    expect(cleared.item).toMatchObject({ description: null, status: 'published' });
    expect((await json('products', 'stock', 'MUG', '--adjust', '-1')).item).toMatchObject({ id: mug.id, stock: 2 });
  });

  it('pages and customers, too', async () => {
    const { item: page } = await json('pages', 'create', '--title', 'Imprint', '--slug', 'imprint', '--content', '<p>');
    expect((await json('pages', 'update', 'imprint', '--status', 'published')).item).toMatchObject({
      id: page.id,
      status: 'published',
      content: '<p>',
    });
    await json('customers', 'create', '--email', 'ada@shop.test', '--name', '=HYPERLINK("x")', '--marketing-opt-in');
    const address = { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' };
    const { item } = await json('customers', 'update', 'ADA@shop.test', '--addresses', JSON.stringify([address]));
    expect(item).toMatchObject({ email: 'ada@shop.test', marketingOptIn: true, addresses: [address] });
    const { stdout } = await call('customers', 'show', 'ada@shop.test');
    expect(stdout).toMatch(/12 St James Square\nSW1Y 4JH London\nGB\n$/);
  });

  it('images are uploaded, described and deleted', async () => {
    const [one, two] = ['one.png', 'two.PNG'].map((name) => join(folder, name));
    const sharp = (await import('sharp')).default;
    const picture = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'blue' } })
      .png()
      .toBuffer();
    for (const name of [one, two]) writeFileSync(name ?? '', picture);
    const { items } = await json('media', 'upload', one ?? '', two ?? '', ...media);
    expect(items).toMatchObject([
      { mimeType: 'image/png', width: 4, height: 3, url: expect.stringMatching(/^https:\/\/cdn\.shop\.test\//) },
      { mimeType: 'image/png' },
    ]);
    const [first, second] = items as { id: string }[];
    const { item } = await json('media', 'update', first?.id ?? '', '--alt-text', 'A mug', ...media);
    expect(item).toMatchObject({ altText: 'A mug' });
    expect((await json('products', 'update', 'MUG', '--media-ids', first?.id ?? '')).item.mediaIds).toEqual([
      first?.id,
    ]);
    expect(await json('media', 'delete', second?.id ?? '', '--yes', ...media)).toEqual({ deleted: second?.id });
    expect((await json('media', 'list', ...media)).total).toBe(1);
    expect(await call('media', 'upload', join(folder, 'shop.db'), ...media)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/it is not a JPEG, PNG, WebP, GIF or AVIF image/),
    });
    const misnamed = join(folder, 'misnamed.jfif');
    writeFileSync(misnamed, await sharp(picture).webp().toBuffer());
    expect((await json('media', 'upload', misnamed, ...media)).items).toMatchObject([{ mimeType: 'image/webp' }]);
    expect(await call('media', 'upload', join(folder, 'none.png'), ...media)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot read .*none\.png/),
    });
  });

  it('orders are made from SKUs, and show all that is needed to ship them', async () => {
    const shippingAddress = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      address1: '12 St James Square',
      city: 'London',
      country: 'GB',
    };
    const input = JSON.stringify({ shippingAddress, customerNote: 'Ring twice\u001b[2J' });
    const made = await commerce(
      ['orders', 'create', '--items', 'MUG:1,CUP:2', '--customer', 'ada@shop.test', '--file', '-', '--db', file],
      input,
    );
    expect(made).toMatchObject({
      code: 0,
      stderr: 'note: the order contains unpublished products: blue-mug (draft)\n',
    });
    const { item } = await json('orders', 'update', 'ord-1001', '--merchant-note', 'Gift wrap');
    expect(item).toMatchObject({ orderNumber: 'ORD-1001', merchantNote: 'Gift wrap', total: '24.50' });
    const { stdout } = await call('orders', 'show', 'ORD-1001');
    for (const part of [
      /^order +ORD-1001$/m,
      /ada@shop\.test/,
      /^MUG +マグカップ +color=blue size=L +1 +12\.50/m,
      /^Ship to\nAda Lovelace\n12 St James Square\nLondon\nGB$/m,
      /^Customer note\nRing twice\ufffd\[2J$/m,
      /^Merchant note\nGift wrap$/m,
    ]) {
      expect(stdout).toMatch(part);
    }
    expect((await json('orders', 'list', '--customer', 'ada@shop.test')).items).toEqual([item]);
    expect((await json('orders', 'cancel', 'ORD-1001')).item).toMatchObject({ status: 'cancelled' });
  });

  it('subscriptions are changed and ended by their address', async () => {
    const url = 'https://example.com/hook';
    const { item } = await json('webhooks', 'create', '--url', url, '--events', 'order.paid');
    const { item: off } = await json(
      'webhooks',
      'update',
      url,
      '--is-active',
      'no',
      '--events',
      'order.*,product.updated',
    );
    expect(off).toMatchObject({ id: item.id, isActive: false, events: expect.arrayContaining(['order.refunded']) });
    expect(await json('webhooks', 'delete', url, '--yes')).toEqual({ deleted: item.id });
    expect((await json('webhooks', 'list')).total).toBe(0);
  });
});

describe('A list', () => {
  it('is filtered, sorted, and cut by options that the interface has, too', async () => {
    const slugs = async (...args: string[]) =>
      (await json('products', 'list', ...args)).items.map(({ slug }: { slug: string }) => slug);
    expect(await slugs()).toEqual(['cup', 'blue-mug']);
    expect(await slugs('--sort', 'slug')).toEqual(['blue-mug', 'cup']);
    expect(await slugs('--sort', '-price')).toEqual(['blue-mug', 'cup']);
    expect(await slugs('--limit', '1', '--offset', '1')).toEqual(['blue-mug']);
    expect(await slugs('--filter', 'status=published')).toEqual(['cup']);
    expect(await slugs('--filter', 'categoryId=tea-mugs')).toEqual(['blue-mug']);
    expect(await slugs('--category', 'mugs', '--status', 'draft')).toEqual(['blue-mug']);
    expect(await slugs('--filter', 'attr.color=blue', '--filter', 'attr.size=L')).toEqual(['blue-mug']);
    expect(await slugs('--filter', 'attr.color=red')).toEqual([]);
  });

  it('is printed as a table, as lines of JSON, and as CSV that a spreadsheet does not run', async () => {
    const { stdout: table } = await call('products', 'list', '--columns', 'slug,title,price', '--sort', 'slug');
    expect(table).toBe('slug      title       price\nblue-mug  マグカップ  12.50\ncup       Cup          6.00\n');
    const { stdout: lines } = await call('products', 'list', '--jsonl');
    const items = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(items).toEqual((await json('products', 'list')).items);
    const { stdout: csv } = await call('customers', 'list', '--csv', '--columns', 'email,name,marketingOptIn');
    expect(csv).toBe('email,name,marketingOptIn\r\nada@shop.test,"\'=HYPERLINK(""x"")",true\r\n');
    const { stdout: whole } = await call('products', 'list', '--csv');
    expect(whole.split('\r\n')[0]).toMatch(/^id,storeId,title,.*,createdAt,updatedAt,descriptionFormat$/);
  });
});

describe('The command line among other programs', () => {
  it('says nothing when its reader has read enough', async () => {
    const child = spawn(
      'sh',
      ['-c', `"$0" "$1" openapi | head -c 10; "$0" "$1" products list --db "$2" | true`, process.execPath, bin, file],
      {
        cwd: root,
      },
    );
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    await once(child, 'close');
    expect(stderr).toBe('');
  });

  it.runIf(process.platform === 'linux')('says that its output cannot be written', async () => {
    const { stderr, code } = await run('sh', ['-c', `"$0" "$1" openapi > /dev/full`, process.execPath, bin]);
    expect({ stderr, code }).toEqual({
      stderr: expect.stringMatching(/^error: cannot write the output: .*ENOSPC/),
      code: 1,
    });
  });

  it('completes commands and options in bash', async () => {
    const { stdout: script } = await commerce(['completion', 'bash']);
    const complete = async (...words: string[]) => {
      const line = `${script}\nCOMP_WORDS=(commerce "$@"); COMP_CWORD=$#; _commerce; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = await run('bash', ['-c', line, 'bash', ...words]);
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
    expect(await complete('prod')).toEqual(['products']);
    expect(await complete('products', 'c')).toEqual(['create']);
    expect(await complete('products', 'create', '--track')).toEqual(['--track-stock']);
    expect(await complete('orders', 'list', '--db', 'x', '--pay')).toEqual(['--payment-status']);
    expect(await complete('products', 'create', '--status', '')).toEqual(['draft', 'published', 'archived']);
    expect(await complete('completion', 'f')).toEqual(['fish']);
    // Files, whose names can contain blanks, are left to the shell.
    expect(await complete('media', 'upload', 'packages')).toEqual(['']);
    expect(await complete('products', 'list', '--db', '')).toEqual(['']);
    expect(script).toMatch(/^complete -o default -F _commerce commerce$/m);
  });

  it.each(['zsh', 'fish'])('has a script for %s with every command', async (shell) => {
    const { stdout, code } = await commerce(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['products', 'rotate-secret', 'compare-at-price']) expect(stdout).toContain(word);
    expect(await commerce(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});

describe('A person', () => {
  it('is forgotten on request: the orders stay, and again is no error', async () => {
    const { item: ada } = await json('customers', 'show', 'ada@shop.test');
    const first = await json('customers', 'anonymise', ada.id, '--yes');
    const { item } = first;
    expect(item).toMatchObject({ email: `anonymised-${ada.id}@customer.invalid`, name: null, addresses: [] });
    expect(first).toEqual({ item, kept: { invoices: 0, until: null } });
    expect(await json('customers', 'anonymise', ada.id, '--yes')).toEqual(first);
    expect((await json('orders', 'list', '--customer', ada.id)).items).toMatchObject([{ customerNote: null }]);
  });
});
