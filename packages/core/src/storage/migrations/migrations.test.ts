import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { nextName, withNextMigration } from '@commerce/test-support/harness/next-version';
import { schemaOf } from '@commerce/test-support/harness/schemas';
import { forEachStorage, withDatabase } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type Commerce, getProduct, migrations, openCommerce } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { initial } from './0001_initial.ts';
import { migrate, migrationStatus } from './index.ts';

const names = migrations.map(({ name }) => name);

describe('a migration', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^\d{4}_.*\.ts$/.test(name));

  it('is listed for each file, in their order', () => {
    const numbers = names.map((name) => name.slice(0, 4));
    expect(numbers).toEqual(files.map((name) => name.slice(0, 4)).sort());
  });

  it('that comes first has another name when it makes other tables', async () => {
    const schema = await withDatabase('sqlite', async (database) => {
      const storage = database.open();
      await migrate(storage, fakeClock());
      return schemaOf(storage, 'sqlite').finally(() => storage.close());
    });
    // The tables inside a search index belong to SQLite, and can differ between its versions.
    const ours = Object.entries(schema).filter(([table]) => !/_search_/.test(table));
    const sum = createHash('sha256').update(JSON.stringify(ours)).digest('hex').slice(0, 16);
    expect({ [initial.name]: sum }).toEqual({ '0001_initial_11': 'b0867dc457f7768b' });
  });

  it.each(files)('imports no code but Kysely: %s', (file) => {
    const source = readFileSync(new URL(file, folder), 'utf8');
    const imports = [...source.matchAll(/^import (type )?[^;]*? from '([^']+)';/gm)];
    expect(imports.length).toBe(source.match(/^import /gm)?.length ?? 0);
    // Types of resources change too; types of the storage and of migrations are stable enough.
    const allowed = ([, isType, from = '']: RegExpMatchArray) =>
      from === 'kysely' || (isType && ['./migration.ts', '../storage.ts'].includes(from));
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
    // On PostgreSQL, a newer program has checked that its users can continue; it cannot know the users of a file.
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
    const { storage } = current.engine;
    const url = new URL(database.address);
    const client = (application_name: string) => new pg.Client({ connectionString: url.href, application_name });
    const older = client('commerce 0000');
    const others = ['commerce 9999', 'psql', 'commerce-report'].map(client);
    for (const one of [older, ...others]) await one.connect();
    const asked: unknown[] = [];
    const beforeMigrating = async (coming: unknown) => {
      asked.push(coming);
      throw new Error('enough');
    };
    const breaking = { rewritesRows: true, letsOlderServersRun: false, up: async () => {} };
    try {
      await withNextMigration(breaking, async () => {
        await expect(migrate(storage, fakeClock())).rejects.toMatchObject({
          kind: 'unavailable',
          message: expect.stringMatching(
            `\\(1 connections\\) and could not continue after the migration ${nextName}: stop`,
          ),
        });
        expect((await migrationStatus(storage)).pending).toEqual([nextName]);
        const ignoring = migrate(storage, fakeClock(), { beforeMigrating, ignoreOlderServers: true });
        await expect(ignoring).rejects.toThrow('enough');
        // The migration waits for a server that is just being stopped.
        const ending = setTimeout(() => void older.end(), 500);
        await expect(migrate(storage, fakeClock(), { beforeMigrating })).rejects.toThrow('enough');
        clearTimeout(ending);
        expect(asked).toEqual([1, 2].map(() => ({ pending: [nextName], rewritesRows: true })));
        expect((await migrationStatus(storage)).pending).toEqual([nextName]);
      });
    } finally {
      for (const one of [older, ...others]) await one.end().catch(() => {});
    }
  });

  it('leave nothing behind when they fail half way', async () => {
    const { engine } = await open();
    const { storage } = engine;
    const before = await schemaOf(storage, dialect);
    const failing = {
      rewritesRows: false,
      letsOlderServersRun: true,
      async up(db: typeof storage.db) {
        await sql`create table half_done (id text primary key)`.execute(db);
        await sql`alter table products add column half_done text`.execute(db);
        throw new Error('killed');
      },
    };
    await withNextMigration(failing, async () => {
      await expect(migrate(storage, fakeClock())).rejects.toThrow('killed');
      expect(await migrationStatus(storage)).toEqual({ applied: names, pending: [nextName] });
    });
    expect(await schemaOf(storage, dialect)).toEqual(before);
  });

  it('run once when several bring the same database up to date at once', async () => {
    const { storage } = (await open()).engine;
    const adding = {
      rewritesRows: false,
      letsOlderServersRun: true,
      up: async (db: typeof storage.db) => {
        await sql`create table next_notes (id text primary key)`.execute(db);
      },
    };
    const others = [1, 2, 3].map(() => database.open());
    await withNextMigration(adding, async () => {
      const statuses = await Promise.all([storage, ...others].map((one) => migrate(one, fakeClock())));
      expect(statuses.flatMap(({ applied }) => applied)).toEqual([nextName]);
      expect(await migrationStatus(storage)).toEqual({ applied: [...names, nextName], pending: [] });
    });
    await Promise.all(others.map((one) => one.close()));
    await storage.db.transaction().execute(async (db) => {
      await sql`drop table next_notes`.execute(db);
      await sql`delete from schema_migrations where name = ${nextName}`.execute(db);
    });
  });

  it.each([
    ['its first version, which had one migration', ['0001_initial']],
    ['its last version', ['0001_initial', '0002_catalogue', '0022_max_quantity']],
    ['a copy into one that was not finished', ['0001_initial', 'unfinished copy']],
  ])('of an unreleased program cause a refusal that says how to move: %s', async (_, recorded) => {
    const { storage } = (await open()).engine;
    const record = (all: readonly string[]) =>
      storage.db.transaction().execute(async (db) => {
        await sql`delete from schema_migrations`.execute(db);
        for (const name of all) await sql`insert into schema_migrations values (${name}, 1)`.execute(db);
      });
    await record(recorded);
    const before = await schemaOf(storage, dialect);
    const refused = {
      kind: 'unavailable',
      message: `the database ${storage.location} was created by an unreleased version of Commerce: export its products, categories, customers and pages with that version and import them into a new database; other data cannot be moved`,
    };
    for (const more of [{}, { migrate: false }]) {
      await expect(openCommerce({ storage: database.open(), ...more })).rejects.toMatchObject(refused);
    }
    await expect(migrationStatus(storage, { isInUse: true })).rejects.toMatchObject(refused);
    await expect(migrate(storage, fakeClock(), { isCopied: true })).rejects.toMatchObject(refused);
    expect(await schemaOf(storage, dialect)).toEqual(before);
    await record(names);
  });
});
