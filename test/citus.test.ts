import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Commerce,
  type Context,
  copyDatabase,
  distribute,
  examine,
  listOrders,
  listProducts,
  migrate,
  openCommerce,
  openMediaFolder,
  placementReport,
  type Storage,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { nextName, withNextMigration } from '@commerce/test-support/harness/next-version';
import { bin, commerceJson, run, startServer } from '@commerce/test-support/harness/processes';
import { connectTo, serversAsked } from '@commerce/test-support/harness/shards';
import { citusDatabase, citusServers, withDatabase } from '@commerce/test-support/harness/storages';
import { statementsOfRoutes } from '@commerce/test-support/suites/route-statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writing } from '../packages/core/src/storage/run.ts';

const hasServers = citusServers.length > 1;

it.skipIf(hasServers)('on Citus: skipped, for COMMERCE_TEST_CITUS names no coordinator and workers', () => {
  expect(citusServers.length).toBeLessThan(2);
});

describe.skipIf(!hasServers)('a database that is distributed by Citus', { timeout: 600_000 }, () => {
  const { database, create, remove } = citusDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  const media = { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' };
  const clock = fakeClock();
  let commerce: Commerce;

  beforeAll(async () => {
    await create();
    commerce = await openCommerce({
      ...{ storage: database.open(), clock, media, upkeep: false },
      ...{ allowInsecureWebhooks: true, random: () => 0.5 },
    });
  }, 600_000);
  afterAll(async () => {
    await commerce?.close();
    await remove();
    rmSync(directory, { recursive: true, force: true });
  }, 120_000);

  const faultsOf = async (storage: Storage) =>
    (await placementReport(storage)).tables.flatMap(({ table, fault }) =>
      fault === null ? [] : [`${table} ${fault}`],
    );

  it('has every table where it belongs', async () => {
    const report = await placementReport(commerce.engine.storage);
    expect(report).toMatchObject({ isDistributed: true, extension: expect.stringMatching(/^Citus \d/) });
    expect(report.servers).toBe(citusServers.length - 1);
    expect(report.tables.filter(({ fault }) => fault !== null)).toEqual([]);
    expect(report.tables.filter(({ placement }) => placement === 'store').length).toBeGreaterThan(25);
  });

  it('takes as many bytes as all servers have of it', async () => {
    const { storage } = commerce.engine;
    const { pathname } = new URL(database.address);
    let bytes = 0;
    for (const server of citusServers) {
      const client = await connectTo(`${server}${pathname}`);
      const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
      bytes += rows[0].bytes;
      await client.end();
    }
    // Other clients write at the same time.
    expect((await storage.size()) / bytes).toBeCloseTo(1, 1);
  });

  it('is made, looked at and served by the command line', async () => {
    const other = citusDatabase({ isDistributed: false });
    await other.create();
    const { address } = other.database;
    try {
      const { applied, distributed } = await commerceJson(['migrate', '--db', address, '--distribute']);
      expect(applied.length).toBeGreaterThan(17);
      expect(distributed.length).toBeGreaterThan(30);
      expect(await commerceJson(['migrate', '--db', address, '--distribute'])).toMatchObject({ distributed: [] });
      const text = (await run(process.execPath, [bin, 'migrate', 'status', '--db', address])).stdout;
      expect(text).toMatch(/products.*store/);
      const { store, apiKey } = await commerceJson(['init', '--db', address, '--name', 'Shop', '--currency', 'EUR']);
      const server = await startServer(address);
      try {
        const send = (method: string, path: string, body?: object) =>
          fetch(`${server.url}/stores/${store.id}${path}`, {
            method,
            headers: { authorization: `Bearer ${apiKey.key}`, 'content-type': 'application/json' },
            ...(body ? { body: JSON.stringify(body) } : {}),
          });
        const mug = { title: 'Mug', slug: 'mug', price: '10' };
        expect((await send('POST', '/products', mug)).status).toBe(201);
        expect((await send('POST', '/products', mug)).status).toBe(409);
        expect(((await (await send('GET', '/products?search=mug')).json()) as { total: number }).total).toBe(1);
        expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      } finally {
        expect(await server.stop()).toBe(0);
      }
      const { findings } = await commerceJson(['doctor', '--db', address]);
      expect(findings.filter(({ status }: { status: string }) => status === 'problem')).toEqual([]);
    } finally {
      await other.remove();
    }
  });

  it('asks one server for each statement of a request', async () => {
    const recorded = await statementsOfRoutes(commerce);
    const client = await connectTo(database.address);
    const several: string[] = [];
    const seen = new Set<string>();
    for (const { line, statements } of recorded) {
      for (const statement of statements) {
        if (seen.has(statement.text)) continue;
        seen.add(statement.text);
        const asked = await serversAsked(client, statement).catch((error: Error) => error.message);
        if (asked !== 1 && asked !== 0) several.push(`${line} asks ${asked}: ${statement.text}`);
      }
    }
    await client.end();
    expect(several).toEqual([]);
    expect(seen.size).toBeGreaterThan(200);
  });

  it('is whole, and says so; a table that lies elsewhere is found and brought back', async () => {
    const { storage } = commerce.engine;
    const placement = async () => (await examine(commerce.engine)).filter(({ status }) => status === 'problem');
    clock.advance(-60_000);
    expect(await placement()).toEqual([]);
    await writing(storage, async (db) => {
      await sql`select undistribute_table('pages')`.execute(db);
      await sql`select undistribute_table('import_images')`.execute(db);
      await sql`select create_distributed_table('import_images', 'address', colocate_with => 'none')`.execute(db);
    });
    expect((await placement()).map(({ check, message }) => [check, message])).toEqual([
      [
        'placement',
        expect.stringMatching(/^2 tables.*import_images is distributed by address.*pages is only on the coordinator/),
      ],
    ]);
    expect((await distribute(storage, clock)).distributed.sort()).toEqual(['import_images', 'pages']);
    expect(await placement()).toEqual([]);
    expect((await distribute(storage, clock)).distributed).toEqual([]);
  });

  it('has what a later migration creates distributed by it', async () => {
    const { storage } = commerce.engine;
    const remaking = {
      rewritesRows: true,
      letsOlderServersRun: false,
      up: async (db: typeof storage.db) => {
        await sql`drop table import_images`.execute(db);
        await sql`create table import_images (store_id text not null, address text not null, media_id text not null,
          constraint import_images_pkey primary key (store_id, address))`.execute(db);
      },
    };
    await withNextMigration(remaking, async () => {
      expect(await migrate(storage, clock)).toEqual({ applied: [nextName], pending: [] });
      expect(await faultsOf(storage)).toEqual([]);
    });
    await writing(storage, (db) => db.deleteFrom('schema_migrations').where('name', '=', nextName).execute());
  });

  it('is copied out of and into, and holds the same', async () => {
    const orders = async (shop: Context) => listOrders(shop, { limit: 200 });
    const { rows } = await sql<{ id: string }>`select id from stores order by id limit 3`.execute(
      commerce.engine.storage.reads,
    );
    await withDatabase('sqlite', async (file) => {
      const out = file.open();
      expect((await copyDatabase(commerce.engine.storage, out)).isResumed).toBe(false);
      const other = citusDatabase();
      await other.create();
      const back = other.database.open();
      const controller = new AbortController();
      const ended = copyDatabase(out, back, {
        signal: controller.signal,
        onProgress: ({ table }) => table === 'orders' && controller.abort(),
      });
      await expect(ended).rejects.toThrow();
      const { tables, isResumed } = await copyDatabase(out, back);
      expect(isResumed).toBe(true);
      expect(tables.find(({ table }) => table === 'products')?.rows).toBeGreaterThan(10);
      expect(await faultsOf(back)).toEqual([]);
      const copied = await openCommerce({ storage: back, clock, upkeep: false });
      for (const { id } of rows) {
        const [from, to] = [await commerce.store(id), await copied.store(id)];
        expect(await orders(to)).toEqual(await orders(from));
        expect(await listProducts(to, { search: 'mug' })).toEqual(await listProducts(from, { search: 'mug' }));
      }
      await copied.close();
      await out.close();
      await other.remove();
    });
  });
});
