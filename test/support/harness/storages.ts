import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject } from 'vitest';

/** A database of one suite, which several storages, also in other processes, may open. */
export interface TestDatabase {
  /** A file or a postgres address, as `--db` and `openStorage` take it. */
  readonly address: string;
  open(): Storage;
}

/** Runs a suite on a SQLite file and on a real PostgreSQL, each with an empty database of its own. */
export function forEachStorage(
  name: string,
  suite: (database: TestDatabase, dialect: 'sqlite' | 'postgres') => void,
): void {
  describe(`${name} (SQLite)`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const address = join(folder, 'commerce.db');
    suite({ address, open: () => openStorage(address) }, 'sqlite');
  });
  describe(`${name} (PostgreSQL)`, () => {
    const server = inject('postgresUrl');
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    beforeAll(() => administer(server, `create database ${database}`));
    afterAll(() => administer(server, `drop database if exists ${database} with (force)`));
    const address = `${server}/${database}`;
    suite({ address, open: () => openStorage(address) }, 'postgres');
  });
}

/** An empty database for one piece of work, removed after it. */
export async function withDatabase<T>(
  dialect: 'sqlite' | 'postgres',
  work: (database: TestDatabase) => Promise<T>,
): Promise<T> {
  if (dialect === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
    const address = join(folder, 'commerce.db');
    return work({ address, open: () => openStorage(address) }).finally(() =>
      rm(folder, { recursive: true, force: true }),
    );
  }
  const server = inject('postgresUrl');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${database}`);
  const address = `${server}/${database}`;
  return work({ address, open: () => openStorage(address) }).finally(() =>
    administer(server, `drop database if exists ${database} with (force)`),
  );
}

export function openStorage(address: string): Storage {
  return /^postgres(ql)?:/.test(address) ? openPostgres({ url: address }) : openSqlite({ file: address });
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
