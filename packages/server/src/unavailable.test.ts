import { type Commerce, CommerceError, type Context, openCommerce } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import { createApp } from '@commerce/server';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { ask, expectEnvelope, newKey, type TestResponse } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';

forEachStorage('a service that cannot answer at present', (database, dialect) => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function open(): Promise<{ commerce: Commerce; shop: Context; key: string; path: string }> {
    const lockTimeout = 100;
    const storage =
      dialect === 'sqlite'
        ? openSqlite({ file: database.address, lockTimeout })
        : openPostgres({ url: database.address, lockTimeout });
    const commerce = await openCommerce({ storage });
    ends.push(() => commerce.close());
    const shop = await newShop(commerce);
    return { commerce, shop, key: await newKey(shop), path: `/stores/${shop.store.id}` };
  }

  function expectRetryAfter(answer: TestResponse): void {
    expectEnvelope(answer, { status: 503, code: 'UNAVAILABLE' });
    expect(answer.headers['Retry-After']).toMatch(/^[1-9]\d*$/);
  }

  /** Another program takes the lock that a write of this product needs. */
  async function lock(productId: string): Promise<void> {
    if (dialect === 'sqlite') {
      const other = new Database(database.address);
      ends.push(() => other.close());
      other.exec('begin immediate');
      return;
    }
    const other = new pg.Client({ connectionString: database.address });
    await other.connect();
    ends.push(() => other.end());
    await other.query('begin');
    await other.query('select 1 from products where id = $1 for update', [productId]);
  }

  it('says when to try again while it stops, and on any path', async () => {
    const { commerce, key, path } = await open();
    const app = createApp(commerce);
    app.refuse();
    for (const line of [`GET ${path}/products`, `POST ${path}/products`, 'GET /readyz', 'GET /docs', 'GET /nothing']) {
      expectRetryAfter(await ask(app, line, { key, body: {} }));
    }
  });

  it('says when to try again while it has too much to do', async () => {
    const { commerce, key, path } = await open();
    const overload = new CommerceError('unavailable', 'too many requests are under way; try again');
    const app = createApp(commerce);
    const request = { method: 'GET', url: `${path}/products`, headers: { authorization: `Bearer ${key}` } };
    const { status, headers } = await app.handle(
      { ...request, readBody: async () => Buffer.alloc(0) },
      'id',
      undefined,
      overload,
    );
    expect({ status, headers }).toEqual({ status: 503, headers: { 'Retry-After': '1' } });
  });

  it('says when to try again while the database stays locked', async () => {
    const { commerce, shop, key, path } = await open();
    const { id } = await newProduct(shop);
    const app = createApp(commerce, { onError: () => {} });
    await lock(id);
    expectRetryAfter(await ask(app, `PUT ${path}/products/${id}`, { key, body: { title: 'Cup' } }));
    expect((await ask(app, `GET ${path}/products/${id}`, { key })).json).toMatchObject({ item: { title: 'Mug' } });
  });

  it('says when to try again while too many scans of the store wait', async () => {
    const { commerce, shop, key, path } = await open();
    const { storage } = commerce.engine;
    // More customers than the main thread reads in one request.
    await storage.db
      .transaction()
      .execute((tx) =>
        sql`insert into list_counts (store_id, list, value, n) values (${shop.store.id}, 'customers', '', 5000)`.execute(
          tx,
        ),
      );
    const app = createApp(commerce);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // A slow machine refuses waiting scans before it answers the request.
    const scans = Promise.allSettled(Array.from({ length: 22 }, () => storage.scan(shop.store.id, () => held)));
    ends.push(() => release());
    expectRetryAfter(await ask(app, `GET ${path}/customers?search=tea`, { key }));
    release();
    await scans;
    expect((await ask(app, `GET ${path}/customers?search=tea`, { key })).status).toBe(200);
  });

  it('answers 503 after close(), also to reads whose answers it has kept', async () => {
    const { commerce, shop, key, path } = await open();
    const { id } = await newProduct(shop);
    const app = createApp(commerce);
    const reads = ['/products', `/products/${id}`, '/products?search=mug', '/orders', '/subscribers'];
    for (let n = 0; n < 3; n++) {
      for (const read of reads) expect((await ask(app, `GET ${path}${read}`, { key })).status).toBe(200);
    }
    await commerce.close();
    for (const read of reads) expectRetryAfter(await ask(app, `GET ${path}${read}`, { key }));
  });
});
