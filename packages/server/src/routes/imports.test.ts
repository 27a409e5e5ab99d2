import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Commerce,
  type Context,
  createCategory,
  createCustomer,
  type Import,
  listApiKeys,
  listCategories,
  listCustomers,
  listProducts,
  openCommerce,
  revokeApiKey,
  scopes,
} from '@commerce/core';
import { createServer } from '@commerce/server';
import { eventTypesOf, newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `p-${from + i},Mug ${from + i},${i + 1}\n`).join('');
const header = 'slug,title,price\n';

forEachStorage('imports and exports over HTTP', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'commerce-imports-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let commerce: Commerce;
  let server: ReturnType<typeof createServer>;
  let url: string;
  let shop: Context;
  let key: string;

  async function start(): Promise<void> {
    commerce = await openCommerce({ storage: database.open(), imports: { directory, maxBytes: 2_000_000 } });
    server = createServer(commerce, {});
    ({ url } = await server.listen({ host: '127.0.0.1', port: 0 }));
  }
  async function stop(): Promise<void> {
    await server.stop();
    await commerce.close();
  }
  beforeEach(async () => {
    await start();
    shop = await newShop(commerce);
    key = await newKey(shop);
  });
  afterEach(stop);

  const at = (path: string) => `${url}/stores/${shop.store.id}${path}`;
  const auth = () => ({ authorization: `Bearer ${key}` });

  async function post(
    body: string | FormData,
    { query = '', type, ...more }: { query?: string; type?: string; [header: string]: string | undefined } = {},
  ): Promise<{ status: number; item: Import; error: { code: string; message: string } }> {
    const headers = { ...auth(), ...(type === undefined ? {} : { 'content-type': type }), ...more } as Record<
      string,
      string
    >;
    const answer = await fetch(at(`/imports${query}`), { method: 'POST', body, headers });
    return { status: answer.status, ...((await answer.json()) as { item: Import; error: never }) };
  }
  async function done(id: string, query = ''): Promise<Import> {
    await commerce.importsIdle();
    const answer = await fetch(at(`/imports/${id}${query}`), { headers: auth() });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { item: Import }).item;
  }

  it('take CSV, JSON Lines and a form, and say how far they have come and what was refused', async () => {
    const sent = await post(`${header}${rows(60)}bad,,1\n`, { type: 'text/csv', query: '?onError=skip' });
    expect(sent).toMatchObject({ status: 202, item: { status: 'waiting', resource: 'products', rows: 0 } });
    const finished = await done(sent.item.id);
    expect(finished).toMatchObject({ status: 'completed', created: 60, refused: 1, rows: 61, format: 'CSV' });
    expect(finished.problems).toEqual([{ line: 62, column: 'title', value: '', reason: 'must not be blank' }]);
    expect((await eventTypesOf(shop)).filter((type) => type === 'product.created').length).toBe(60);

    const lines = '{"slug":"p-1","title":"Cup"}\n{"slug":"new","title":"New","price":"1"}\n';
    const second = await post(lines, { type: 'application/x-ndjson', query: '?events=false' });
    expect(await done(second.item.id)).toMatchObject({ updated: 1, created: 1, format: 'JSON Lines' });

    const form = new FormData();
    form.append('files', new Blob(['email;name\nada@example.com;Ada\n']), 'customers.csv');
    const third = await post(form, { query: '?resource=customers' });
    expect(third.item.fileName).toBe('customers.csv');
    expect(third.status).toBe(202);
    expect(await done(third.item.id, '?resource=customers')).toMatchObject({ created: 1, resource: 'customers' });
    expect((await listCustomers(shop)).total).toBe(1);

    const list = (await (await fetch(at('/imports'), { headers: auth() })).json()) as {
      items: Import[];
      total: number;
    };
    expect([list.total, list.items.map(({ id }) => id)]).toEqual([2, [second.item.id, sent.item.id]]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('refuse what cannot be taken, and keep nothing of it', async () => {
    const refused = async (
      body: string | FormData,
      options: Parameters<typeof post>[1],
      status: number,
      message: RegExp,
    ): Promise<void> => {
      const answer = await post(body, options);
      expect([answer.status, answer.error.message]).toEqual([status, expect.stringMatching(message)]);
    };
    await refused('{}', { type: 'application/json' }, 415, /must be sent as text\/csv/);
    await refused('x', { type: 'text/csv', query: '?resource=orders' }, 400, /resource: must be one of/);
    await refused('x', { type: 'text/csv', query: '?match=email' }, 400, /match: must be one of slug, sku, id/);
    await refused('x', { type: 'text/csv', query: '?map=x' }, 400, /map must be a JSON object/);
    await refused('x'.repeat(2_000_001), { type: 'text/csv' }, 413, /at most 2000000 bytes/);
    const form = new FormData();
    form.append('other', new Blob(['x']), 'x.csv');
    await refused(form, {}, 400, /the field "files"/);
    key = await newKey(shop, ...scopes.filter((scope) => scope !== 'customer.write'));
    await refused('email\n', { type: 'text/csv', query: '?resource=customers' }, 403, /scope customer\.write$/);
    expect(readdirSync(directory)).toEqual([]);
    // A file with another format than declared fails in the background, with its reason.
    key = await newKey(shop);
    const sent = await post('a,b\n1,2\n', { type: 'text/csv' });
    expect(await done(sent.item.id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/none of its columns is known/),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('are carried out once for one Idempotency-Key', async () => {
    const options = { type: 'text/csv', 'idempotency-key': 'once' };
    const first = await post(header + rows(5), options);
    const second = await post(header + rows(5), options);
    expect(second).toEqual(first);
    expect((await post(header + rows(6), options)).status).toBe(409);
    await commerce.importsIdle();
    expect((await listProducts(shop)).total).toBe(5);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('go on after a restart where they were, and do nothing twice', async () => {
    const { item } = await post(header + rows(3000), { type: 'text/csv' });
    while ((await listProducts(shop)).total === 0) await sleep(5);
    await stop();
    await start();
    const { store } = shop;
    shop = await commerce.store(store.id);
    const before = (await listProducts(shop)).total;
    expect(before).toBeLessThan(3000);
    commerce.startImports();
    const finished = async () =>
      ((await (await fetch(at(`/imports/${item.id}`), { headers: auth() })).json()) as { item: Import }).item;
    while ((await finished()).status !== 'completed') await sleep(20);
    expect(await finished()).toMatchObject({ created: 3000, unchanged: 0, rows: 3000 });
    expect((await listProducts(shop)).total).toBe(3000);
    expect((await eventTypesOf(shop)).filter((type) => type === 'product.created').length).toBe(3000);
  });

  it('need every scope that the file and its images need', async () => {
    key = await newKey(shop, 'product.write', 'product.read');
    await createCategory(shop, { name: 'Mugs', slug: 'mugs' });
    const before = await listCategories(shop);
    const named = `slug,title,price,categories\n${'p-1,Mug,1,mugs\n'.repeat(1)}`;
    const made = await post(`${named}p-2,Cup,1,Secret > Cups\n`, { type: 'text/csv' });
    expect([made.status, made.error.message]).toEqual([
      403,
      'the API key does not have the scope category.write: the category "Secret" does not exist and would be created',
    ]);
    const images = await post(header + rows(1), { type: 'text/csv', query: '?images=true' });
    expect([images.status, images.error.message]).toEqual([403, 'the API key does not have the scope media.write']);
    expect(readdirSync(directory)).toEqual([]);
    expect((await listProducts(shop)).total).toBe(0);
    // Existing categories need no further scope; a new category in a late row ends the import.
    const known = await post(named, { type: 'text/csv' });
    expect(await done(known.item.id)).toMatchObject({ status: 'completed', created: 1 });
    const late = await post(`${header.trim()},categories\n${rows(300).replaceAll('\n', ',mugs\n')}z,Cup,1,Late\n`, {
      type: 'text/csv',
    });
    expect(late.status).toBe(202);
    expect(await done(late.item.id)).toMatchObject({
      status: 'stopped',
      error: expect.stringMatching(/scope category\.write: the category "Late"/),
    });
    expect(await listCategories(shop)).toEqual(before);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each(['revoked', 'expired', 'stopped'])('end before the next batch when they are %s', async (how) => {
    const keys = await listApiKeys(shop);
    expect(keys.total).toBe(1);
    const id = keys.items[0]?.id ?? '';
    const { item } = await post(header + rows(3000), { type: 'text/csv' });
    while ((await listProducts(shop)).total === 0) await sleep(5);
    const second = await post(header + rows(1, 9000), { type: 'text/csv' });
    const other = await newKey(shop);
    if (how === 'revoked') await revokeApiKey(shop, id);
    else if (how === 'expired') {
      await shop.engine.storage.db
        .transaction()
        .execute((tx) => tx.updateTable('api_keys').set({ expires_at: 1 }).where('id', '=', id).execute());
    } else {
      for (const one of [item.id, second.item.id, item.id]) {
        const answer = await fetch(at(`/imports/${one}`), { method: 'DELETE', headers: auth() });
        expect(answer.status).toBe(204);
      }
    }
    key = other;
    for (const one of [item.id, second.item.id]) {
      const ended = await done(one);
      expect(ended.status).toBe('stopped');
      expect(ended.error).toMatch(how === 'stopped' ? /by a request/ : new RegExp(`API key .* ${how}`));
      expect(ended.finishedAt).not.toBe(null);
    }
    const { total } = await listProducts(shop);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(3000);
    expect(readdirSync(directory)).toEqual([]);
    // It keeps that state.
    const completed = await post(header + rows(1, 9500), { type: 'text/csv' });
    await done(completed.item.id);
    const nothing = await fetch(at(`/imports/${completed.item.id}`), { method: 'DELETE', headers: auth() });
    expect(nothing.status).toBe(204);
    expect((await done(completed.item.id)).status).toBe('completed');
    expect((await done(item.id)).status).toBe('stopped');
  });

  it('read and remove no file but their own, whatever the database says', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'commerce-outside-'));
    const secret = join(outside, 'secret.csv');
    writeFileSync(secret, `${header}${rows(3)}`);
    const { item } = await post(header + rows(3000), { type: 'text/csv' });
    while ((await listProducts(shop)).total === 0) await sleep(5);
    await stop();
    await start();
    shop = await commerce.store(shop.store.id);
    const { total } = await listProducts(shop);
    // Like a file in another user's backup.
    rmSync(join(directory, item.id));
    symlinkSync(secret, join(directory, item.id));
    await shop.engine.storage.db
      .transaction()
      .execute((tx) => tx.updateTable('imports').set({ file: secret }).where('id', '=', item.id).execute());
    commerce.startImports();
    while ((await done(item.id)).status === 'interrupted') await sleep(20);
    expect(await done(item.id)).toMatchObject({ status: 'failed', error: 'its file no longer exists: send it again' });
    expect((await listProducts(shop)).total).toBe(total);
    expect(readFileSync(secret, 'utf8')).toBe(`${header}${rows(3)}`);
    rmSync(outside, { recursive: true });
    rmSync(join(directory, item.id), { force: true });
  });

  it('end as failed where the file is gone after a restart', async () => {
    const { item } = await post(header + rows(3000), { type: 'text/csv' });
    while ((await listProducts(shop)).total === 0) await sleep(5);
    await stop();
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
    await start();
    shop = await commerce.store(shop.store.id);
    const { total } = await listProducts(shop);
    commerce.startImports();
    while ((await done(item.id)).status === 'interrupted') await sleep(20);
    const ended = await done(item.id);
    expect(ended).toMatchObject({
      status: 'failed',
      error: 'its file no longer exists: send it again',
      created: total,
    });
    expect(Date.parse(ended.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(ended.createdAt));
    expect((await listProducts(shop)).total).toBe(total);
  });

  it('send every item of a resource, as a file of its name', async () => {
    for (let i = 0; i < 120; i++) await newProduct(shop, { slug: `mug-${i}` });
    await createCustomer(shop, { email: 'ada@example.com', name: '=Ada' });
    const csv = await fetch(at('/exports/products.csv'), { headers: auth() });
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="products.csv"');
    const lines = (await csv.text()).trimEnd().split('\n');
    expect([lines.length, lines[0]?.startsWith('id,title,slug'), lines[1]?.includes(',mug-0,')]).toEqual([
      121,
      true,
      true,
    ]);
    const jsonl = await (await fetch(at('/exports/customers.jsonl'), { headers: auth() })).text();
    expect(JSON.parse(jsonl)).toMatchObject({ email: 'ada@example.com', name: '=Ada' });
    expect(await (await fetch(at('/exports/pages.csv'), { headers: auth() })).text()).toMatch(/^id,title,slug,.*\n$/);
    const some = await (await fetch(at('/exports/products.jsonl?slug=mug-7&limit=1'), { headers: auth() })).text();
    expect(JSON.parse(some).slug).toBe('mug-7');
    expect((await fetch(at('/exports/orders.csv?status=lost'), { headers: auth() })).status).toBe(400);
    const items = await (await fetch(at('/exports/orders.csv?lines=items'), { headers: auth() })).text();
    expect(items).toContain(',item.skuSnapshot,');
    expect((await fetch(at('/exports/products.csv'), { method: 'HEAD', headers: auth() })).status).toBe(200);
    key = await newKey(shop, 'product.read');
    expect((await fetch(at('/exports/orders.csv'), { headers: auth() })).status).toBe(403);
  });

  it('read no further than the client takes, and stop when it leaves', async () => {
    const description = 'x'.repeat(20_000);
    for (let i = 0; i < 1000; i++) await newProduct(shop, { slug: `big-${i}`, description });
    let read = 0;
    const { storage } = shop.engine;
    const { reads } = storage;
    const counted = new Proxy(reads, {
      get(target, name) {
        if (name === 'selectFrom') read++;
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    Object.defineProperty(storage, 'reads', { value: counted, configurable: true, writable: true });
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `GET /stores/${shop.store.id}/exports/products.jsonl HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await once(socket, 'readable');
    socket.pause();
    let before = -1;
    while (before !== read) {
      before = read;
      await sleep(200);
    }
    // The whole would be ten pages.
    expect(read).toBeLessThan(10);
    socket.destroy();
    await sleep(300);
    expect(read).toBeLessThan(10);
    Object.defineProperty(storage, 'reads', { value: reads, configurable: true, writable: true });
    expect((await fetch(at('/products'), { headers: auth() })).status).toBe(200);
  });
});
