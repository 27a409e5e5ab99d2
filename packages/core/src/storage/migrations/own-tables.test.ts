import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { forEachStorage, withDatabase } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { findMissingIndexes, findMissingTables } from '../../doctor/schema.ts';
import { backupDatabase, checkBackup, copyDatabase, listProducts, openCommerce } from '../../index.ts';
import { openPostgres } from '../postgres/postgres.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import type { Db, Storage } from '../storage.ts';

forEachStorage('a database with tables of the application', (_, dialect) => {
  const own = (address: string): Storage =>
    dialect === 'sqlite'
      ? openSqlite({ file: address, ownTables: true })
      : openPostgres({ url: address, ownTables: true });
  /** Runs statements as a program does that knows nothing of Commerce. */
  const run = async (address: string, ...statements: string[]) => {
    if (dialect === 'sqlite') {
      new Database(address).exec(statements.join(';')).close();
      return;
    }
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const made = ['create table notes (text text)', "insert into notes values ('kept')"];
  const notes = async (db: Db) => (await sql`select text from notes`.execute(db)).rows;
  const kept = [{ text: 'kept' }];

  it('is accepted if the application says so, and keeps them', () =>
    withDatabase(dialect, async ({ address, open }) => {
      await run(address, ...made);
      const foreign = { kind: 'unavailable', message: expect.stringMatching(/is the database of another program/) };
      const opened = async () => openCommerce({ storage: open() });
      await expect(opened()).rejects.toMatchObject(foreign);
      await expect(openCommerce({ storage: own(address), migrate: false })).rejects.toMatchObject({
        kind: 'unavailable',
        reason: 'noTables',
      });
      const commerce = await openCommerce({ storage: own(address) });
      const shop = await newShop(commerce);
      const product = await newProduct(shop);
      expect(await notes(commerce.engine.storage.reads)).toEqual(kept);
      expect(await findMissingTables(commerce.engine.storage)).toEqual([]);
      expect(await findMissingIndexes(commerce.engine.storage)).toEqual([]);
      await commerce.close();
      // From then on it is also opened without that, such as by the command line.
      const again = await openCommerce({ storage: open(), migrate: false });
      expect((await listProducts(await again.store(shop.store.id))).items).toEqual([product]);
      expect(await notes(again.engine.storage.reads)).toEqual(kept);
      await again.close();
    }));

  it('may get them later', () =>
    withDatabase(dialect, async ({ address, open }) => {
      await (await openCommerce({ storage: open() })).close();
      await run(address, ...made);
      for (const storage of [open(), own(address)]) {
        const commerce = await openCommerce({ storage });
        expect(await notes(commerce.engine.storage.reads)).toEqual(kept);
        await commerce.close();
      }
    }));

  it.each([
    ['tables', 'create table products (sku text)', /names that Commerce uses: products;/],
    ['migrations', 'create table schema_migrations (version text)', /names that Commerce uses: schema_migrations;/],
    ['indexes', 'create index products__slug on notes (text)', /products__slug.*already exists.*nothing was changed/],
  ])('is refused if its %s have names of ours, and nothing is changed', (_name, statement, message) =>
    withDatabase(dialect, async ({ address }) => {
      await run(address, ...made, statement);
      const storage = own(address);
      const before = await storage.tables();
      await expect(openCommerce({ storage: own(address) })).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(message),
      });
      expect(await storage.tables()).toEqual(before);
      await storage.close();
    }),
  );

  it('is backed up: a SQLite file as a whole, otherwise only the store; a copy has only the store', () =>
    withDatabase(dialect, async ({ address }) => {
      await run(address, ...made);
      const commerce = await openCommerce({ storage: own(address) });
      const shop = await newShop(commerce);
      const product = await newProduct(shop);
      const folder = mkdtempSync(join(tmpdir(), 'commerce-own-'));
      const file = join(folder, 'backup.db');
      await backupDatabase(commerce.engine.storage, file, (at) => openSqlite({ file: at }));
      const backup = openSqlite({ file, mustExist: true });
      expect(await checkBackup(backup)).toEqual({ stores: 1 });
      expect((await backup.tables()).includes('notes')).toBe(dialect === 'sqlite');
      if (dialect === 'sqlite') expect(await notes(backup.reads)).toEqual(kept);
      await backup.close();
      await rm(folder, { recursive: true });
      await withDatabase(dialect, async (other) => {
        await run(other.address, 'create table cats (name text)');
        const target = own(other.address);
        await copyDatabase(commerce.engine.storage, target);
        expect(await target.tables()).toContain('cats');
        expect(await target.tables()).not.toContain('notes');
        const copied = await openCommerce({ storage: target });
        expect((await listProducts(await copied.store(shop.store.id))).items).toEqual([product]);
        await copied.close();
      });
      await commerce.close();
    }));

  if (dialect === 'postgres') return;
  it('keeps the mark of its application, and has ours otherwise', () =>
    withDatabase(dialect, async ({ address, open }) => {
      const markOf = (file: string) => {
        const connection = new Database(file);
        const mark = connection.pragma('application_id', { simple: true });
        connection.close();
        return mark;
      };
      await run(address, ...made, 'pragma application_id = 42');
      await (await openCommerce({ storage: own(address) })).close();
      expect(markOf(address)).toBe(42);
      await (await openCommerce({ storage: open(), migrate: false })).close();
      await withDatabase(dialect, async (other) => {
        await run(other.address, ...made);
        await own(other.address).close();
        expect(markOf(other.address)).toBe(0x436f6d6d);
      });
    }));
});
