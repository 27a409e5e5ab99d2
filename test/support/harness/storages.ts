import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribute, openCommerce, type Storage, systemClock } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { isNightly } from './repeats.ts';

/** A database of one suite; several storages can open it, also in other processes. */
export interface TestDatabase {
  /** A file or a postgres address, in the form of `--db` and `openStorage`. */
  readonly address: string;
  open(): Storage;
  /** Makes it begin with the tables of this version, without rows; called while tests are collected. */
  beginMigrated?(): void;
}

type Dialect = 'sqlite' | 'postgres';
type Suite = (database: TestDatabase, dialect: Dialect) => void;

interface Made {
  database: TestDatabase;
  create(): Promise<void>;
  remove(): Promise<void>;
}

const isQuick = process.env.TEST_QUICK !== undefined;

/** Runs a suite on a SQLite file and on a real PostgreSQL, each with its own empty database; a quick run skips the second. */
export function forEachStorage(name: string, suite: Suite): void {
  describe(`${name} (SQLite)`, () => runWith(sqliteDatabase(), suite, 'sqlite'));
  describe.skipIf(isQuick)(`${name} (PostgreSQL)`, () => runWith(postgresDatabase(), suite, 'postgres'));
  if (citusServers.length === 0) return;
  describe(`${name} (Citus)`, () => runWith(citusDatabase(), suite, 'postgres'));
}

/**
 * Runs a suite of the user interfaces on one storage, and at night on both. Pages call the interface and commands call functions, which are
 * always tested on both.
 */
export function forOneStorage(name: string, byDay: Dialect, suite: Suite): void {
  if (isNightly) forEachStorage(name, suite);
  else if (byDay === 'sqlite') describe(name, () => runWith(sqliteDatabase(), suite, byDay));
  else describe.skipIf(isQuick)(name, () => runWith(postgresDatabase(), suite, byDay));
}

function runWith({ database, create, remove }: Made, suite: Suite, dialect: Dialect): void {
  beforeAll(create);
  afterAll(remove);
  suite(database, dialect);
}

/**
 * A database of the Citus servers that the environment names, distributed by store.
 * @param isDistributed with false, it has only the extension
 */
export function citusDatabase({ isDistributed = true } = {}): Made {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const [coordinator = '', ...workers] = citusServers;
  const address = `${coordinator}/${name}`;
  const database: TestDatabase = { address, open: () => openStorage(address) };
  return {
    database,
    create: async () => {
      for (const server of citusServers) {
        await administer(server, (client) => client.query(`create database ${name}`));
        await administer(server, (client) => client.query('create extension citus'), name);
      }
      await administer(
        coordinator,
        async (client) => {
          // Each shard of each table is a table with its own files, so only as few as show that there are several.
          await client.query(`alter database ${name} set citus.shard_count = 4`);
          const { hostname, port } = new URL(coordinator);
          await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
          for (const worker of workers) {
            const at = new URL(worker);
            await client.query('select citus_add_node($1, $2)', [at.hostname, Number(at.port)]);
          }
        },
        name,
      );
      if (!isDistributed) return;
      const storage = database.open();
      await distribute(storage, systemClock).finally(() => storage.close());
    },
    remove: async () => {
      for (const server of citusServers) {
        await administer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
      }
    },
  };
}

/** Addresses of a Citus coordinator and its workers, separated by commas, that tests additionally run on; see docs/sharding.md. */
export const citusServers = (process.env.COMMERCE_TEST_CITUS ?? '').split(',').filter((address) => address !== '');

/** An empty database for one piece of work, removed afterwards. */
export async function withDatabase<T>(dialect: Dialect, work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const { database, create, remove } = dialect === 'sqlite' ? sqliteDatabase() : postgresDatabase();
  await create();
  return work(database).finally(remove);
}

function sqliteDatabase(): Made {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  const address = join(folder, 'commerce.db');
  let isMigrated = false;
  const beginMigrated = () => {
    isMigrated = true;
  };
  return {
    database: { address, open: () => openStorage(address), beginMigrated },
    create: async () => {
      if (isMigrated) await copyFile(await migratedFile(), address);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function postgresDatabase(): Made {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address = `${server}/${name}${throughSocket()}`;
  let isMigrated = false;
  const beginMigrated = () => {
    isMigrated = true;
  };
  return {
    database: { address, open: () => openStorage(address), beginMigrated },
    create: async () => {
      // Copied as files: copying through the log takes twice as long.
      const template = isMigrated ? ` template ${await migratedTemplate(server)} strategy file_copy` : '';
      await administer(server, (client) => client.query(`create database ${name}${template}`));
    },
    remove: () => administer(server, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Suffix of an address that connects by the server's socket, which makes a query a fifth cheaper than the network. */
function throughSocket(): string {
  const folder = inject('postgresSocket');
  return folder === '' ? '' : `?host=${folder}`;
}

/** A template file; created by its first caller. */
async function migratedFile(): Promise<string> {
  // The folder of the run, shared by all its processes.
  const file = join(tmpdir(), 'migrated.db');
  if (existsSync(file)) return file;
  const making = join(tmpdir(), `migrated-${randomUUID()}.db`);
  const commerce = await openCommerce({ storage: openSqlite({ file: making }), upkeep: false });
  await commerce.close();
  await rename(making, file);
  return file;
}

/** The name of a template database; created by its first caller. */
async function migratedTemplate(server: string): Promise<string> {
  const name = 'migrated';
  await administer(server, async (client) => {
    // Released with the connection.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return;
    await client.query(`create database making_${name}`);
    const commerce = await openCommerce({
      storage: openPostgres({ url: `${server}/making_${name}${throughSocket()}` }),
      upkeep: false,
    });
    await commerce.close();
    await client.query(`alter database making_${name} rename to ${name}`);
  });
  return name;
}

export function openStorage(address: string): Storage {
  return /^postgres(ql)?:/.test(address) ? openPostgres({ url: address }) : openSqlite({ file: address });
}

async function administer(
  server: string,
  work: (client: pg.Client) => Promise<unknown>,
  name = 'postgres',
): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/${name}` });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
