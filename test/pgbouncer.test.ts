import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Commerce,
  createProduct,
  getProduct,
  listProducts,
  openCommerce,
  openMediaFolder,
  updateProduct,
} from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { createApp } from '@commerce/server';
import {
  fixturePublicUrl,
  pathWith,
  prepareStore,
  routeFixtures,
} from '@commerce/test-support/fixtures/route-fixtures';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { freePort } from '@commerce/test-support/harness/sockets';
import { until } from '@commerce/test-support/harness/until';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { routeTable } from '../packages/server/src/routes/table.ts';

const isInstalled = await new Promise<boolean>((resolve) => {
  execFile('pgbouncer', ['--version'], (error) => resolve(error === null));
});

const reason = isInstalled ? '' : ' (skipped: the program pgbouncer is not installed)';
const isSkipped = !isInstalled || process.env.TEST_QUICK !== undefined;

describe.skipIf(isSkipped)(`behind PgBouncer that pools transactions${reason}`, () => {
  const database = `pooled_${process.pid}`;
  let folder: string;
  let bouncer: ChildProcess;
  let url: URL;
  let commerce: Commerce;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commerce-pgbouncer-'));
    await chmod(folder, 0o755);
    const server = new URL(inject('postgresUrl'));
    const client = new pg.Client({ connectionString: `${server.href}/postgres` });
    await client.connect();
    await client.query(`create database ${database}`);
    await client.end();
    const port = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    // Fewer connections to the server than clients have, so transactions switch connections.
    await writeFile(
      file,
      `[databases]
* = host=127.0.0.1 port=${server.port} user=postgres password=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
`,
    );
    await chmod(file, 0o644);
    bouncer = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
    url = new URL(`postgres://shop@127.0.0.1:${port}/${database}?pooler=transaction`);
    await until('PgBouncer lets clients in', () => connects(url.href));
    commerce = await openCommerce({
      storage: openPostgres({ url: url.href }),
      media: { files: openMediaFolder({ directory: folder }), url: 'https://cdn.example.com' },
      publicUrl: fixturePublicUrl,
    });
  });
  afterAll(async () => {
    await commerce?.close();
    if (bouncer?.exitCode === null) {
      bouncer.kill('SIGKILL');
      await once(bouncer, 'exit');
    }
    const client = new pg.Client({ connectionString: `${inject('postgresUrl')}/postgres` });
    await client.connect();
    await client.query(`drop database if exists ${database} with (force)`);
    await client.end();
    await rm(folder, { recursive: true, force: true });
  });

  it('every route answers', async () => {
    const app = createApp(commerce, { ordersApi: true });
    const shop = await newShop(commerce);
    await prepareStore(shop);
    const key = await newKey(shop);
    for (const route of routeTable({ ordersApi: true, uploads: true })) {
      const line = `${route.method} ${route.path}`;
      const { own, body, headers, query } = routeFixtures[line] ?? {};
      const params = (await own?.(shop)) ?? {};
      const path = `/stores/${shop.store.id}${pathWith(route.path, params)}${query ? `?${query}` : ''}`;
      const answer = await ask(app, `${route.method} ${path}`, {
        ...(await body?.()),
        ...(headers && { headers: await headers(shop) }),
        key,
      });
      expect([line, answer.status >= 200 && answer.status < 300 ? 'good' : answer.text]).toEqual([line, 'good']);
    }
  });

  it('reads and writes that come together, on connections that change, are all right', async () => {
    const shop = await newShop(commerce);
    const counted = await newProduct(shop, { stock: 0, trackStock: true });
    const made = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const product = await createProduct(shop, { title: `Mug ${i}`, slug: `pooled-${i}`, price: '10' });
        const changed = await updateProduct(shop, product.id, { price: '11' });
        expect((await getProduct(shop, product.id)).updatedAt).toBe(changed.updatedAt);
        await listProducts(shop, { search: `mug ${i}` });
        return product.id;
      }),
    );
    expect(new Set(made).size).toBe(30);
    expect((await listProducts(shop)).total).toBe(31);
    expect((await getProduct(shop, counted.id)).stock).toBe(0);
    const { rows } = await sql<{ n: number }>`
      select count(distinct pid) as n from pg_stat_activity where datname = ${database}`.execute(
      commerce.engine.storage.reads,
    );
    expect(rows[0]?.n).toBeGreaterThan(1);
  });

  it('a transaction waits for a row no longer than without it, and is given up when its process stands still', async () => {
    const { storage } = commerce.engine;
    const transaction = await storage.begin();
    const setting = async (name: string) =>
      (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(transaction.db)).rows[0]?.value;
    expect(await setting('lock_timeout')).toBe('10s');
    expect(await setting('idle_in_transaction_session_timeout')).toBe('5s');
    await transaction.rollback();
    // And the connection keeps nothing of it for its next client.
    const { rows } = await sql<{ value: string }>`select current_setting('lock_timeout') as value`.execute(
      storage.reads,
    );
    expect(rows).toEqual([{ value: '0' }]);
  });

  it('looks for its tables where the address says, and refuses to read where a setting of the database says otherwise', async () => {
    const { storage } = commerce.engine;
    const transaction = await storage.begin();
    const path = sql<{ value: string }>`select current_setting('search_path') as value`;
    expect((await path.execute(transaction.db)).rows).toEqual([{ value: 'public, pg_temp' }]);
    await transaction.rollback();
    const direct = new pg.Client({ connectionString: `${inject('postgresUrl')}/${database}` });
    await direct.connect();
    // Like a pooler's connection that was opened after a change of the setting.
    await direct.query('create schema other');
    await direct.query(`alter database ${database} set search_path = other`);
    await direct.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    try {
      const refused = {
        kind: 'unavailable',
        message: expect.stringMatching(/uses the schema "other" and not "public"/),
      };
      await until('the pooler has connections again', () => connects(url.href));
      await expect(openCommerce({ storage: openPostgres({ url: url.href }) })).rejects.toMatchObject(refused);
      const named = openPostgres({ url: `${url.href}&options=-c%20search_path%3Dother` });
      expect(await named.tables()).toEqual([]);
      await named.close();
    } finally {
      await direct.query(`alter database ${database} reset search_path`);
      await direct.query('drop schema other');
      await direct.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await direct.end();
      await until('the pooler has connections again', () => connects(url.href));
    }
  });

  it('an address that does not say so is refused with what to add', async () => {
    const plain = new URL(url);
    plain.search = '';
    const storage = openPostgres({ url: plain.href });
    await expect(openCommerce({ storage })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/add pooler=transaction to the address/),
    });
    expect(() => openPostgres({ url: `${plain.href}?pooler=session` })).toThrow(/use pooler=transaction or omit it/);
  });
});

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
