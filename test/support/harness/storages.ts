import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCommerce, type Storage } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';

/** A database of one suite, which several storages, also in other processes, may open. */
export interface TestDatabase {
  /** A file or a postgres address, as `--db` and `openStorage` take it. */
  readonly address: string;
  open(): Storage;
  /** Has it begin with the tables of this version, without any row; called while tests are collected. */
  beginMigrated?(): void;
}

/** Runs a suite on a SQLite file and on a real PostgreSQL, each with an empty database of its own; a quick run skips the second. */
export function forEachStorage(
  name: string,
  suite: (database: TestDatabase, dialect: 'sqlite' | 'postgres') => void,
): void {
  describe(`${name} (SQLite)`, () => {
    const { database, remove } = sqliteDatabase();
    afterAll(remove);
    suite(database, 'sqlite');
  });
  describe.skipIf(process.env.TEST_QUICK !== undefined)(`${name} (PostgreSQL)`, () => {
    const { database, create, remove } = postgresDatabase();
    beforeAll(create);
    afterAll(remove);
    suite(database, 'postgres');
  });
}

/** An empty database for one piece of work, removed after it. */
export async function withDatabase<T>(
  dialect: 'sqlite' | 'postgres',
  work: (database: TestDatabase) => Promise<T>,
): Promise<T> {
  if (dialect === 'sqlite') {
    const { database, remove } = sqliteDatabase();
    return work(database).finally(remove);
  }
  const { database, create, remove } = postgresDatabase();
  await create();
  return work(database).finally(remove);
}

function sqliteDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  const address = join(folder, 'commerce.db');
  return {
    database: { address, open: () => openStorage(address) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function postgresDatabase() {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const address = `${server}/${name}`;
  let isMigrated = false;
  const beginMigrated = () => {
    isMigrated = true;
  };
  return {
    database: { address, open: () => openStorage(address), beginMigrated },
    create: async () => {
      const template = isMigrated ? ` template ${await migratedTemplate(server)}` : '';
      await administer(server, (client) => client.query(`create database ${name}${template}`));
    },
    remove: () => administer(server, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** The name of a database that others are copied from, which the first that asks for it makes. */
async function migratedTemplate(server: string): Promise<string> {
  const name = 'migrated';
  await administer(server, async (client) => {
    // Ends with the connection.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount !== 0) return;
    await client.query(`create database making_${name}`);
    const commerce = await openCommerce({ storage: openPostgres({ url: `${server}/making_${name}` }), upkeep: false });
    await commerce.close();
    await client.query(`alter database making_${name} rename to ${name}`);
  });
  return name;
}

export function openStorage(address: string): Storage {
  return /^postgres(ql)?:/.test(address) ? openPostgres({ url: address }) : openSqlite({ file: address });
}

async function administer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
