import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { nextName, withNextMigration } from '@commerce/test-support/harness/next-version';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { openCommerce } from '../../commerce.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openPostgres } from '../postgres/postgres.ts';
import type { Storage } from '../storage.ts';
import { migrate, migrationStatus } from './index.ts';

const execute = promisify(execFile);

forEachStorage('a database that lacks tables', (database) => {
  const refused = (message: RegExp) => ({ kind: 'unavailable', message: expect.stringMatching(message) });

  it('is refused and left as it is by who may not migrate it, and used once it is up to date', async () => {
    const open = (more: object) => openCommerce({ storage: database.open(), ...more });
    const storage = database.open();
    expect(await storage.tables()).toEqual([]);
    await expect(open({ migrate: false })).rejects.toMatchObject(refused(/does not have Commerce tables yet$/));
    expect(await storage.tables()).toEqual([]);
    await migrate(storage, systemClock);
    const next = { rewritesRows: false, letsOlderServersRun: true, up: async () => {} };
    await withNextMigration(next, async () => {
      const lacking = refused(new RegExp(`lacks the migrations ${nextName}$`));
      await expect(open({ migrate: false })).rejects.toMatchObject(lacking);
      expect((await migrationStatus(storage)).pending).toEqual([nextName]);
    });
    await storage.close();
    await (await open({ migrate: false })).close();
  });
});

forEachStorage('the database of another program', (database, dialect) => {
  if (dialect === 'sqlite') {
    it('is refused as soon as it is opened', () => {
      new Database(database.address).exec('create table cats (name text)').close();
      expect(() => database.open()).toThrow(/is the database of another program/);
    });
    return;
  }
  let storage: Storage | undefined;
  afterEach(async () => {
    for (const name of ['cats', 'schema_migrations'])
      await sql`drop table if exists ${sql.table(name)}`.execute(storage?.db as never);
    await sql`drop schema if exists elsewhere cascade`.execute(storage?.db as never);
    await storage?.close();
  });
  const foreign = {
    kind: 'unavailable',
    message: expect.stringMatching(/is the database of another program, not of Commerce$/),
  };

  it.each([
    ['any table', 'create table cats (name text)'],
    ['migrations of its own under the same name', 'create table schema_migrations (version text primary key)'],
  ])('with %s is refused, and nothing is written', async (_, statement) => {
    storage = database.open();
    await sql.raw(statement).execute(storage.db);
    const before = await storage.tables();
    for (const more of [{}, { migrate: false }]) {
      await expect(openCommerce({ storage: database.open(), ...more })).rejects.toMatchObject(foreign);
    }
    await expect(migrationStatus(storage)).rejects.toMatchObject(foreign);
    expect(await storage.tables()).toEqual(before);
  });

  it('in another schema, or in an extension, is none of our business', async () => {
    storage = database.open();
    await sql`create schema elsewhere`.execute(storage.db);
    await sql`create table elsewhere.schema_migrations (version text)`.execute(storage.db);
    expect(await storage.tables()).toEqual([]);
    await (await openCommerce({ storage: database.open() })).close();
  });
});

forEachStorage('a database that is read-only', (database, dialect) => {
  const readOnly = { kind: 'unavailable', message: expect.stringMatching(/read-only/) };

  it('is not opened for serving, also where nothing is to be migrated', async () => {
    await (await openCommerce({ storage: database.open() })).close();
    if (dialect === 'sqlite') {
      // Root can write everything, so another user opens the file.
      const program = `import('${new URL('../../../dist/sqlite.js', import.meta.url)}').then(({ openSqlite }) => openSqlite({ file: process.argv[1] }))
        .then(() => console.log('opened'), (error) => console.log(error.kind, error.message))`;
      chmodSync(dirname(database.address), 0o755);
      chmodSync(database.address, 0o444);
      const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      const { stdout } = await execute(process.execPath, ['-e', program, database.address], other);
      expect(stdout).toMatch(
        /^unavailable cannot open the database .*: it is read-only; this user must be able to write/,
      );
      return;
    }
    const storage = database.open();
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(storage.db);
    await sql`alter database ${sql.id(rows[0]?.name ?? '')} set default_transaction_read_only = on`.execute(storage.db);
    await storage.close();
    await expect(openCommerce({ storage: database.open() })).rejects.toMatchObject(readOnly);
    await (await openCommerce({ storage: database.open(), migrate: false })).close();
  });
});

describe('A PostgreSQL that cannot be opened says what is wrong with its address', () => {
  const server = new URL(inject('postgresUrl'));

  it.each<[string, Partial<URL>, RegExp]>([
    [
      'its port',
      { port: '1' },
      /no PostgreSQL is listening at 127\.0\.0\.1:1; is it running, and is the port correct\?$/,
    ],
    ['its password', { password: 'hunter2' }, /the password is wrong, or the user does not exist \(.*"postgres"\)$/],
    [
      'a password that is missing',
      { password: '' },
      /requires a password for the user "postgres", and the address does not have one$/,
    ],
    ['its user', { username: 'nobody' }, /the user does not exist \(.*"nobody"\)$/],
    ['its name', { pathname: '/nowhere' }, /the database does not exist on the server \(.*"nowhere" does not exist\)$/],
    [
      'its name, which is that of a database without connections',
      { pathname: '/template0' },
      /does not allow connections at the moment \(.*"template0" is not currently accepting connections\)$/,
    ],
    [
      'its socket',
      { search: '?host=/nowhere' },
      /no PostgreSQL is listening on the socket "\/nowhere\/.s.PGSQL.\d+"; is it running, and is the folder correct\?$/,
    ],
    ['its host', { hostname: 'no-such-host.invalid' }, /the host "no-such-host\.invalid" is unknown$/],
  ])('%s', async (_, change, message) => {
    const url = Object.assign(new URL(server), { pathname: '/postgres', ...change });
    const error = await openCommerce({ storage: openPostgres({ url: url.href }) }).then(
      () => expect.fail('it was opened'),
      (error: Error) => error,
    );
    expect(error).toMatchObject({ name: 'CommerceError', kind: 'unavailable' });
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/hunter2|try again/);
  });
});
