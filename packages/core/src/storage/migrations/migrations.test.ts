import { readdirSync, readFileSync } from 'node:fs';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type Commerce, getProduct, migrations, openCommerce } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { migrate, migrationNames, migrationStatus } from './index.ts';

const names = [...migrationNames];

describe('a migration', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^\d{4}_.*\.ts$/.test(name));

  it('is loaded for each name that a start asks for, in their order', () => {
    expect(migrations.map(({ name }) => name)).toEqual(names);
  });

  it.each(files)('stands alone: %s imports no code but Kysely and its own parts', (file) => {
    const source = readFileSync(new URL(file, folder), 'utf8');
    const imports = [...source.matchAll(/^import (type )?[^;]*? from '([^']+)';/gm)];
    expect(imports.length).toBe(source.match(/^import /gm)?.length ?? 0);
    const own = `./${file.slice(0, 4)}_`;
    // Resources change, their types too: only the types of the seam and of migrations themselves are stable enough.
    const allowed = ([, isType, from = '']: RegExpMatchArray) =>
      from === 'kysely' || from.startsWith(own) || (isType && ['./index.ts', '../storage.ts'].includes(from));
    expect(imports.filter((one) => !allowed(one)).map(([statement]) => statement)).toEqual([]);
  });
});

forEachStorage('migrations', (database, dialect) => {
  const closing: Commerce[] = [];
  afterEach(async () => {
    for (const commerce of closing.splice(0)) await commerce.close();
  });
  async function open(options: { clock?: ReturnType<typeof fakeClock> } = {}): Promise<Commerce> {
    const commerce = await openCommerce({ ...options, storage: database.open() });
    closing.push(commerce);
    return commerce;
  }

  it('run once when two open an empty database at once', async () => {
    const [one, two] = await Promise.all([open(), open(), open(), open()]);
    expect(await one.migrationStatus()).toEqual({ applied: names, pending: [] });
    expect(await two.migrationStatus()).toEqual({ applied: names, pending: [] });
    const product = await newProduct(await newShop(one));
    expect(await getProduct(await two.store(product.storeId), product.id)).toEqual(product);
  });

  it('leave a database that is up to date as it is', async () => {
    const first = await open();
    await newProduct(await newShop(first));
    const before = await snapshot(first);
    const second = await open({ clock: fakeClock('2030-01-01') });
    expect(await second.migrationStatus()).toEqual({ applied: names, pending: [] });
    expect(await snapshot(second)).toEqual(before);
  });

  it('are reported as applied or pending', async () => {
    const { engine } = await open();
    const rows = await engine.storage.db.selectFrom('schema_migrations').selectAll().orderBy('name').execute();
    expect(rows.map((row) => row.name)).toEqual(names);
    expect(rows.every((row) => Number.isSafeInteger(row.applied_at))).toBe(true);
  });

  it('of a newer program cause a refusal in one clear line, and the database stays as it is', async () => {
    const current = await open();
    const write = (statement: ReturnType<typeof sql>) =>
      current.engine.storage.db.transaction().execute((tx) => statement.execute(tx));
    await write(sql`insert into schema_migrations (name, applied_at) values ('9999_future', 1)`);
    const before = await snapshot(current);
    const error = await openCommerce({ storage: database.open() }).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'CommerceError', kind: 'unavailable' });
    const { message } = error as Error;
    expect(message).toMatch(
      /^the database \S+ was changed by a newer version of Commerce \(migration 9999_future\); install/,
    );
    expect(message).not.toMatch(/\n|postgres:postgres/);
    // A newer program has made sure at PostgreSQL that those which use the database may go on; of a file it cannot know them.
    const status = current.migrationStatus();
    if (dialect === 'postgres') expect(await status).toEqual({ applied: [...names, '9999_future'], pending: [] });
    else await expect(status).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await snapshot(current)).toEqual(before);
    await write(sql`delete from schema_migrations where name = '9999_future'`);
  });

  it('wait for servers of an older version that could not go on, and are refused when these stay', async () => {
    if (dialect === 'sqlite') return;
    const current = await open();
    await newProduct(await newShop(current));
    const breaking = migrations.findLast((one) => !one.letsOlderServersRun)?.name ?? '';
    const { storage } = current.engine;
    const write = (statement: ReturnType<typeof sql>) =>
      storage.db.transaction().execute((tx) => statement.execute(tx));
    const url = new URL(database.address);
    const older = new pg.Client({ connectionString: url.href, application_name: 'commerce 0001' });
    const others = ['commerce 9999', 'psql', 'commerce-report'].map(
      (application_name) => new pg.Client({ connectionString: url.href, application_name }),
    );
    for (const client of [older, ...others]) await client.connect();
    await write(sql`delete from schema_migrations where name = ${breaking}`);
    const asked: unknown[] = [];
    const beforeMigrating = async (coming: unknown) => {
      asked.push(coming);
      throw new Error('enough');
    };
    try {
      await expect(migrate(storage, fakeClock())).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(`\\(1 connections\\) and could not go on after the migration ${breaking}: stop`),
      });
      expect((await migrationStatus(storage)).pending).toEqual([breaking]);
      const ignoring = migrate(storage, fakeClock(), { beforeMigrating, ignoreOlderServers: true });
      await expect(ignoring).rejects.toThrow('enough');
      // One that is just being stopped is waited for.
      const ending = setTimeout(() => void older.end(), 500);
      await expect(migrate(storage, fakeClock(), { beforeMigrating })).rejects.toThrow('enough');
      clearTimeout(ending);
      const { rewritesRows } = migrations.find(({ name }) => name === breaking) as { rewritesRows: boolean };
      expect(asked).toEqual([1, 2].map(() => ({ pending: [breaking], rewritesRows })));
      expect((await migrationStatus(storage)).pending).toEqual([breaking]);
    } finally {
      await write(sql`insert into schema_migrations (name, applied_at) values (${breaking}, 1)`);
      for (const client of [older, ...others]) await client.end().catch(() => {});
    }
  });

  it('leave nothing behind when they fail half way', async () => {
    const { engine } = await open();
    const { storage } = engine;
    const tables = async () => (await storage.db.introspection.getTables()).map((table) => table.name).sort();
    const before = await tables();
    const half = storage.db.transaction().execute(async (tx) => {
      await sql`create table half_done (id text primary key)`.execute(tx);
      await sql`alter table products add column half_done text`.execute(tx);
      throw new Error('killed');
    });
    await expect(half).rejects.toThrow('killed');
    expect(await tables()).toEqual(before);
    await expect(sql`select half_done from products`.execute(storage.db)).rejects.toThrow(/half_done/);
  });
});
