import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Context,
  createCategory,
  createCustomer,
  createOrder,
  createProduct,
  deleteProduct,
  getSettings,
  listProducts,
  openCommerce,
  updateSettings,
} from '@commerce/core';
import { bin, commerce, commerceJson, root, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-first-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `shop-${++files}.db`);

describe('The first start of a service', () => {
  it('takes name and currency of its store from options, which later starts ignore', async () => {
    const file = newFile();
    const flags = ['--name', 'Tea & Co', '--currency', 'eur'];
    for (const more of [flags, flags, ['--name', 'Other'], []]) {
      expect(await (await startServer(file, more)).stop()).toBe(0);
      const { items } = await commerceJson(['stores', 'list', '--db', file]);
      expect(items).toMatchObject([{ name: 'Tea & Co', currency: 'EUR' }]);
    }
  });

  it('takes My shop and USD where nobody can be asked, and refuses a currency that is none', async () => {
    const file = newFile();
    const refused = await commerce(['serve', '--db', file, '--port', '0', '--currency', 'EURO']);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: --currency: must be .*"EURO"/),
    });
    expect(await (await startServer(file)).stop()).toBe(0);
    expect((await commerceJson(['stores', 'list', '--db', file])).items).toMatchObject([
      { name: 'My shop', currency: 'USD' },
    ]);
  });

  it('makes nothing where backups could not be written, so that its key is not lost', async () => {
    const [file, place] = [newFile(), newFile()];
    writeFileSync(place, 'a file');
    for (const workers of ['1', '2']) {
      const flags = ['--port', '0', '--workers', workers, '--backup', place];
      const refused = await commerce(['serve', '--db', file, ...flags]);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr.split('\n')[0]).toBe(
        `error: --backup: cannot write backups to ${JSON.stringify(place)}: it is not a folder (EEXIST)`,
      );
      expect(existsSync(file)).toBe(false);
    }
  });

  it.each([
    ['one process', '1'],
    ['several', '2'],
  ])('makes no key without a terminal, since a log would keep it: %s', async (_, workers) => {
    for (const more of [[], ['--json'], ['--no-dashboard']]) {
      const file = newFile();
      const child = spawn(
        process.execPath,
        [bin, 'serve', '--db', file, '--port', '0', '--workers', workers, ...more],
        {
          cwd: root,
        },
      );
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      await until('it is announced', () => /keys create|^\{.*\n$/.test(text));
      child.kill();
      await once(child, 'exit');
      expect(text).not.toMatch(/ck_live_|apiKey/);
      if (more[0] === '--json') {
        expect(JSON.parse(text)).toEqual({
          url: expect.any(String),
          store: expect.objectContaining({ name: 'My shop' }),
          signInCode: expect.any(String),
        });
      } else {
        expect(text).toContain("  commerce keys create --name 'first key' --preset full\n");
        expect(text.includes('/dashboard#code=')).toBe(more.length === 0);
      }
      expect(await commerceJson(['keys', 'list', '--db', file])).toMatchObject({ total: 0 });
      const made = await commerceJson(['keys', 'create', '--name', 'first key', '--preset', 'full', '--db', file]);
      expect(made.item.key).toMatch(/^ck_live_/);
    }
  });

  it('takes each variable from the file that its name with _FILE names', async () => {
    const [db, key] = [join(folder, 'db.txt'), join(folder, 'key.txt')];
    const file = newFile();
    writeFileSync(db, `${file}\n`);
    writeFileSync(key, 'a key of sixteen characters and more\n');
    const set = (environment: Record<string, string>, ...args: string[]) => commerce(args, '', environment);
    const files = { COMMERCE_DB_FILE: db, COMMERCE_SECRET_KEY_FILE: key };
    const made = await set(files, 'init', '--name', 'Tea', '--currency', 'EUR');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(existsSync(file)).toBe(true);
    const configured = await set(
      files,
      'payments',
      'configure',
      '--provider',
      'stripe',
      '--webhook-secret',
      'whsec_x_0123456789',
    );
    expect([configured.code, configured.stderr]).toEqual([0, '']);
    // Encrypted with the text of the file, without its newline.
    const same = { COMMERCE_DB: file, COMMERCE_SECRET_KEY: 'a key of sixteen characters and more' };
    expect(JSON.parse((await set(same, 'secrets', 'rotate', '--json')).stdout)).toMatchObject({
      paymentProviders: { total: 1, sealed: 0 },
    });
    expect(await set({ ...files, COMMERCE_DB: file }, 'stores', 'list')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: COMMERCE_DB_FILE and COMMERCE_DB are both set; unset one of them\n/),
    });
    expect(await set({ COMMERCE_SECRET_KEY_FILE: join(folder, 'none') }, 'stores', 'list')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: COMMERCE_SECRET_KEY_FILE: the file ".*none" cannot be read \(ENOENT\)\n/),
    });
  });

  // `script` gives a program a terminal.
  const script = ['/usr/bin/script', '/bin/script'].find((path) => process.platform === 'linux' && existsSync(path));
  it.runIf(script)('asks on a terminal, prints where things are, and logs lines that are read by people', async () => {
    const file = newFile();
    const line = `exec "${process.execPath}" "${bin}" serve --db "${file}" --port 0`;
    const child = spawn(script ?? '', ['-qec', line, '/dev/null'], {
      cwd: root,
      env: { ...process.env, COMMERCE_LOG: 'on' },
    });
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      screen += chunk;
    });
    const answer = async (question: string, text: string) => {
      await until(`it asks: ${question}`, () => screen.includes(question));
      screen = screen.replace(question, '');
      child.stdin.write(`${text}\n`);
    };
    await answer('What is it called? [My shop]', 'Tea & Co');
    await answer('What is its currency?', 'euro');
    await until('it says what is wrong', () => screen.includes('"euro" is not a currency'));
    await answer('What is its currency?', 'eur');
    await until('it serves', () => screen.includes('/products'));
    expect(screen).toMatch(/key {4}ck_live_/);
    const url = /listens on (http:\S+)/.exec(screen)?.[1] ?? '';
    expect(screen).toContain(`docs       ${url}/docs`);
    expect(screen).toContain('(Tea & Co, EUR;');
    await fetch(`${url}/healthz`);
    await until('it logs', () => /\d\d:\d\d:\d\d GET \/healthz 200 in [\d.]+ ms/.test(screen));
    child.stdin.write('\u0003');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each<[string[], RegExp | '']>([
    [['--log', 'off'], ''],
    [['--log', 'json'], /^\{"time":.*"route":"\/healthz","status":200/],
    [['--log', 'on'], /^\{"time":/],
    [['--log', 'on', '--log-format', 'text'], /^\d\d:\d\d:\d\d GET \/healthz 200 in /],
  ])('logs with %j what that says', async (flags, line) => {
    const server = await startServer(newFile(), flags);
    await (await fetch(`${server.url}/healthz`)).text();
    expect(await server.stop()).toBe(0);
    if (line === '') expect(server.stderr()).toBe('');
    else expect(server.stderr()).toMatch(line);
  });
});

forOneStorage('commerce demo', 'sqlite', (database) => {
  const media = join(folder, `media-${++files}`);
  const options = ['--db', database.address, '--media-dir', media];

  /** Everything that the interface returns about a store, except times. */
  const all = async () => {
    const seen: Record<string, unknown> = {};
    for (const resource of ['products', 'categories', 'customers', 'orders', 'payments', 'pages']) {
      seen[resource] = await commerceJson([resource, 'list', '--limit', '200', '--db', database.address]);
    }
    return seen;
  };
  const inShop = async (work: (shop: Context) => Promise<unknown>) => {
    const opened = await openCommerce({ storage: openStorage(database.address) });
    const { id } = await opened.engine.storage.db.selectFrom('stores').select('id').executeTakeFirstOrThrow();
    await work(await opened.store(id));
    await opened.close();
  };

  it('fills a new database, once, and removes exactly what it made', async () => {
    const first = await commerceJson(['demo', ...options]);
    expect(first).toMatchObject({ made: { categories: 8, orders: 60, pages: 5 }, store: { name: 'Demo shop' } });
    const shown = async () => (await commerceJson(['settings', 'show', '--db', database.address])).item;
    const { pages, orderUrl } = await shown();
    expect(Object.values(pages).every((id) => typeof id === 'string')).toBe(true);
    expect(orderUrl).toMatch(/order\.html#\{token\}$/);
    expect(first.apiKey.key).toMatch(/^ck_live_/);
    const filled = (await all()) as Record<string, { total: number; items: Record<string, unknown>[] }>;
    expect(filled.products?.total).toBe(first.made.products);
    expect(new Set(filled.orders?.items.map(({ status }) => status))).toEqual(
      new Set(['pending', 'paid', 'fulfilled', 'cancelled']),
    );
    expect(filled.orders?.items.some(({ paymentStatus }) => paymentStatus === 'partially_refunded')).toBe(true);
    const ages = filled.orders?.items.map(({ createdAt }) => Date.now() - Date.parse(String(createdAt))) ?? [];
    expect(Math.max(...ages)).toBeGreaterThan(26 * 86_400_000);
    expect([...ages].sort((a, b) => a - b)).toEqual(ages);
    const texts = filled.pages?.items.map(({ content }) => String(content)) ?? [];
    expect(texts.every((text) => text.includes('This is a sample text'))).toBe(true);
    expect(filled.products?.items.some(({ withdrawalExempt }) => withdrawalExempt !== null)).toBe(true);
    expect(filled.products?.items.every(({ primaryMediaId }) => typeof primaryMediaId === 'string')).toBe(true);
    // What an offer must say in the European Union.
    const goods = filled.products?.items ?? [];
    const { parties } = await shown();
    const ids = parties.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['demo-pottery', 'demo-apiary', 'demo-importer']);
    expect(goods.every(({ brand, manufacturerId }) => brand !== null && ids.includes(manufacturerId))).toBe(true);
    for (const field of ['priorPrice', 'unitPricing', 'safetyNotes', 'responsiblePersonId'])
      expect(goods.filter((one) => one[field] !== null).length, field).toBeGreaterThan(0);
    expect(goods.every(({ compareAtPrice, priorPrice }) => compareAtPrice === priorPrice)).toBe(true);
    const images = readdirSync(media, { recursive: true }).filter((name) => String(name).endsWith('.jpg'));
    expect(images).toHaveLength(first.made.images);
    expect((await commerceJson(['stores', 'list', '--db', database.address])).items[0].manualPayments).toBe(false);

    const again = await commerceJson(['demo', ...options]);
    expect(again).toEqual({ made: { categories: 0, products: 0, images: 0, customers: 0, orders: 0, pages: 0 } });
    expect(await all()).toEqual(filled);

    expect(await commerce(['demo', '--remove', ...options])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--yes/),
    });
    expect(await commerceJson(['demo', '--remove', '--yes', ...options])).toEqual({ removed: first.made, kept: [] });
    for (const list of Object.values(await all())) expect(list).toEqual({ items: [], total: 0 });
    const none = { terms: null, privacy: null, imprint: null, withdrawal: null, shipping: null };
    expect(await shown()).toMatchObject({ pages: none, orderUrl: null, parties: [] });
    expect(readdirSync(media, { recursive: true }).filter((name) => String(name).endsWith('.jpg'))).toEqual([]);
  });

  it('goes round what a shop has, and leaves it when it goes', async () => {
    await inShop(async (shop) => {
      const mugs = await createCategory(shop, { name: 'Our mugs', slug: 'mugs' });
      const mug = await createProduct(shop, {
        title: 'Mug',
        slug: 'morning-mug-indigo',
        sku: 'MUG',
        price: '5',
        categoryIds: [mugs.id],
      });
      const own = { id: 'own', name: 'Own', address: 'Here', email: 'own@shop.test', url: null };
      await updateSettings(shop, { parties: [own] });
      const ada = await createCustomer(shop, { email: 'ada@shop.test' });
      await createOrder(shop, {
        customerId: ada.id,
        items: [{ productId: mug.id, quantity: 1 }],
        customerNote: 'demo 1',
      });
    });
    const before = await all();
    const { made } = await commerceJson(['demo', ...options]);
    // A product that a demo customer has really bought, and one of the shop that names a maker of the demo.
    await inShop(async (shop) => {
      await createOrder(shop, {
        customer: { email: 'ada.lovelace@demo.example' },
        items: [{ sku: 'MUG', quantity: 1 }],
      });
      await createProduct(shop, { title: 'Ours', slug: 'ours', price: '5', manufacturerId: 'demo-pottery' });
    });
    const { removed, kept } = await commerceJson(['demo', '--remove', '--yes', ...options]);
    expect({ removed, kept }).toEqual({
      removed: { ...made, customers: made.customers - 1 },
      kept: ['ada.lovelace@demo.example'],
    });
    await inShop(async (shop) => {
      expect((await getSettings(shop)).parties.map(({ id }) => id)).toEqual(['own', 'demo-pottery']);
      const [ours] = (await listProducts(shop, { slug: 'ours' })).items;
      await deleteProduct(shop, ours?.id ?? '');
    });
    const after = (await all()) as Record<
      string,
      { total: number; items: { customerId?: string; email?: string; id: string }[] }
    >;
    for (const resource of ['products', 'categories', 'payments', 'pages'])
      expect(after[resource]).toEqual(before[resource]);
    expect(after.orders).toMatchObject({ total: 2 });
    expect(after.customers?.items.map(({ email }) => email).sort()).toEqual([
      'ada.lovelace@demo.example',
      'ada@shop.test',
    ]);
  });
});
