import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '@commerce/core';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { bin, commerce, commerceJson, root, run, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `shop-${++files}.db`);

forEachStorage('the command line', (database) => {
  const db = ['--db', database.address];

  it('writes no tables for a command that reads, and says what would', async () => {
    if (database.address.startsWith('postgres')) {
      const storage = database.open();
      for (const args of [
        ['orders', 'list'],
        ['stores', 'create', '--name', 'x', '--currency', 'EUR'],
      ]) {
        expect(await commerce([...args, ...db])).toEqual({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(
            / does not have Commerce tables yet; run `commerce init` or `commerce serve` to create them\n$/,
          ),
        });
      }
      expect(await storage.tables()).toEqual([]);
      await storage.close();
    } else {
      const { code, stderr } = await commerce(['stores', 'create', '--name', 'x', '--currency', 'EUR', ...db]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/the file does not exist; run `commerce init` or `commerce serve` to create one/),
      });
      expect(existsSync(database.address)).toBe(false);
    }
  });

  it('makes a store, keys and orders, and shows them again', async () => {
    const applied = migrations.map(({ name }) => name);
    expect(await commerceJson(['migrate', ...db])).toEqual({ applied });
    expect(await commerceJson(['migrate', 'status', ...db])).toEqual({
      version: applied.at(-1),
      applied,
      pending: [],
      placement: { extension: null, isDistributed: false, servers: 1, tables: [] },
    });
    const made = await commerceJson(['init', ...db, '--name', 'Shop', '--currency', 'jpy']);
    expect(made.store).toMatchObject({ name: 'Shop', currency: 'JPY' });
    expect(made.apiKey).toMatchObject({
      storeId: made.store.id,
      key: expect.stringMatching(/^ck_live_[0-9A-Za-z]{43}$/),
    });
    expect(made.apiKey.prefix).toBe(made.apiKey.key.slice(0, 12));
    expect(await commerceJson(['stores', 'list', ...db])).toEqual({ items: [made.store], total: 1 });
    expect(await commerceJson(['stores', 'show', made.store.id, ...db])).toEqual({ item: made.store });

    const scopes = ['--scopes', 'products:write,order.read'];
    const { item: key } = await commerceJson(['keys', 'create', ...db, '--name', 'feed', ...scopes]);
    expect(key.scopes).toEqual(['product.write', 'order.read']);
    const listed = await commerceJson(['keys', 'list', ...db]);
    expect(listed.total).toBe(2);
    expect(JSON.stringify(listed)).not.toContain(key.key);
    expect(await commerceJson(['keys', 'revoke', key.id, '--yes', ...db])).toEqual({ revoked: key.id });
    expect((await commerceJson(['keys', 'list', ...db])).total).toBe(1);
    const page = ['keys', 'create', ...db, '--name', 'page', '--preset', 'storefront'];
    const { item: storefront } = await commerceJson(page);
    expect(storefront).toMatchObject({
      kind: 'storefront',
      key: expect.stringMatching(/^ck_pub_[0-9A-Za-z]{43}$/),
      scopes: ['product.read', 'category.read', 'page.read', 'media.read', 'checkout.read', 'checkout.write'],
    });
    const table = (await commerce(['keys', 'list', ...db])).stdout.split('\n');
    expect(table[0]).toMatch(/^id +prefix +kind +name /);
    expect(table.find((line) => line.includes(storefront.prefix))).toMatch(/ storefront +page /);
    expect(await commerceJson(['keys', 'revoke', storefront.prefix, '--yes', ...db])).toEqual({
      revoked: storefront.id,
    });
    expect(await commerce(['keys', 'revoke', key.id, '--yes', ...db])).toMatchObject({
      code: 1,
      stderr: `error: no API key "${key.id}" in this store\n`,
    });

    const server = await startServer(database.address);
    const products = `${server.url}/stores/${made.store.id}/products`;
    const headers = { authorization: `Bearer ${made.apiKey.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ title: 'Tea', slug: 'tea', sku: 'TEA', price: '500' });
    expect((await fetch(products, { method: 'POST', headers, body })).status).toBe(201);
    expect(await server.stop()).toBe(0);

    const input = JSON.stringify({ items: [{ sku: 'TEA', quantity: 3 }] });
    const { item: order } = await commerceJson(['orders', 'create', '--file', '-', ...db], input);
    expect(order).toMatchObject({ orderNumber: 'ORD-1001', total: '1500', currency: 'JPY', status: 'pending' });
    expect(await commerceJson(['orders', 'show', order.id, ...db])).toEqual({ item: order });
    expect(await commerceJson(['orders', 'list', '--status', 'pending', ...db])).toEqual({ items: [order], total: 1 });
    expect(await commerceJson(['orders', 'list', '--status', 'paid', ...db])).toEqual({ items: [], total: 0 });
    const shown = await commerce(['orders', 'list', ...db]);
    expect(shown.stdout).toContain('ORD-1001');
  });

  it('wants a store to be named once there are several', async () => {
    await commerceJson(['stores', 'create', '--name', 'Second', '--currency', 'EUR', ...db]);
    const { code, stderr } = await commerce(['keys', 'list', ...db]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: --store: is required, because the database has several stores; run `commerce stores list` to see them\n(run --help to see the options)\n',
    });
  });
});

describe('commerce serve', () => {
  it('takes its settings from the environment as well', async () => {
    const file = newFile();
    await initShop(file);
    const refused = await commerce(['serve', '--db', file], '', { COMMERCE_PORT: '70000' });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/'70000' from env 'COMMERCE_PORT' is invalid/);
    const unclear = await commerce(['serve', '--db', file], '', { COMMERCE_ORDERS_API: 'perhaps' });
    expect(unclear).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/'perhaps' from env 'COMMERCE_ORDERS_API' is invalid/),
    });
  });

  it('finishes a request that is under way when it is asked to stop', async () => {
    const file = newFile();
    const { storeId, key } = await initShop(file);
    const server = await startServer(file);
    let send: (rest: string) => void = () => {};
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('{"title":"Late","slug":"late",'));
        send = (rest) => {
          controller.enqueue(Buffer.from(rest));
          controller.close();
        };
      },
    });
    const answer = fetch(`${server.url}/stores/${storeId}/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    await fetch(`${server.url}/healthz`);
    const stopped = server.stop();
    send('"price":"1"}');
    expect((await answer).status).toBe(201);
    expect(await stopped).toBe(0);
  });
});

describe('what is wrong with a call', () => {
  const text = join(folder, 'notes.db');
  writeFileSync(text, 'these are notes, not a database, and long enough to be looked at as one');

  const wrong: [string, string[], number, RegExp][] = [
    [
      'a currency that is none',
      ['init', '--db', newFile(), '--name', 'x', '--currency', 'EURO'],
      2,
      /--currency: must be .*"EUR".*"EURO"/,
    ],
    ['a blank name', ['init', '--db', newFile(), '--name', ' ', '--currency', 'EUR'], 2, /--name: must not be blank/],
    [
      'a database that is not there',
      ['stores', 'list', '--db', join(folder, 'typo.db')],
      1,
      /typo\.db: the file does not exist/,
    ],
    ['an address that is none', ['serve', '--db', 'postgres://'], 1, /postgres:\/\/user@host:5432\/name/],
    [
      'a server that does not answer',
      ['stores', 'list', '--db', 'postgres://u:hunter2@127.0.0.1:1/x'],
      1,
      /cannot open the database postgres:\/\/127\.0\.0\.1:1\/x: no PostgreSQL is listening at 127\.0\.0\.1:1; is it running/,
    ],
    [
      'a file that cannot be read',
      ['orders', 'create', '--file', join(folder, 'none.json')],
      1,
      /cannot read .*none\.json/,
    ],
    ['a file that is not JSON', ['orders', 'create', '--file', text], 1, /notes\.db is not JSON/],
  ];
  it.each(wrong)('%s', async (_, args, code, message) => {
    const result = await commerce(args);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ {4}at |hunter2/m);
    // One clear line; after wrong usage, a second line refers to the help.
    expect(result.stderr.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(code === 2 ? 2 : 1);
  });

  it('made no database out of a mistyped name', () => {
    expect(existsSync(join(folder, 'typo.db'))).toBe(false);
  });

  it('a port in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const file = newFile();
    const result = await commerce(['serve', '--db', file, '--port', String(port)]);
    taken.close();
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: port ${port} on 127.0.0.1 is in use; choose another with --port\n`,
    });
    // No key was created without being shown.
    expect(await commerceJson(['stores', 'list', '--db', file])).toEqual({ items: [], total: 0 });
  });

  it('a Node.js that is too old', async () => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); import(${JSON.stringify(bin)});`;
    expect(await run(process.execPath, ['-e', pretend])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Commerce needs Node.js 22.19 or newer; this is 18.20.4\n',
    });
  });
});

describe('the example', () => {
  it('runs: an order made and paid inside a plain application', async () => {
    const result = await run(process.execPath, [join(root, 'examples/embedded/main.js'), newFile()]);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(
      /ORD-1001 is pending: 34\.65 EUR\nnotification: paid; ORD-1001 is paid.*; 8 mugs left\n/,
    );
  });
});
