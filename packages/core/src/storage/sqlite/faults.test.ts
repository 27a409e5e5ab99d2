import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCategory, getProduct, listCategories, listProducts, openCommerce } from '../../index.ts';
import { openSqlite } from './sqlite.ts';
import { LostBatchError, SqliteWriter } from './writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-faults-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a damaged page of a SQLite file', () => {
  it('fails the requests that read it and nothing else: the process and its other reads and writes go on', async () => {
    const file = join(folder, 'shop.db');
    const before = await openCommerce({ storage: openSqlite({ file }) });
    const made = await newShop(before);
    const damaged = await newProduct(made);
    await createCategory(made, { name: 'Tea', slug: 'tea' });
    await before.close();

    // The head of the first page of the products: neither a leaf nor any other type.
    const plain = new Database(file);
    const page = plain.prepare("select rootpage from sqlite_master where name = 'products'").pluck().get() as number;
    const size = plain.pragma('page_size', { simple: true }) as number;
    plain.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (page - 1) * size, (page - 1) * size + 12);
    writeFileSync(file, bytes);

    const commerce = await openCommerce({ storage: openSqlite({ file }) });
    try {
      const shop = await commerce.store(made.store.id);
      for (let round = 0; round < 5; round++) {
        const reads = await Promise.allSettled([
          getProduct(shop, damaged.id),
          listCategories(shop),
          listProducts(shop),
          listCategories(shop),
        ]);
        expect(reads.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
        // The turn that would end a snapshot which the failure has already ended.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await createCategory(shop, { name: 'Cups', slug: 'cups' });
      expect((await listCategories(shop)).total).toBe(2);
    } finally {
      await commerce.close();
    }
  });
});

describe('a SQLite writer', () => {
  let connection: Database.Database;
  let writer: SqliteWriter;
  beforeEach(() => {
    connection = new Database(join(folder, 'writer.db'));
    connection.pragma('journal_mode = WAL');
    connection.exec('create table things (name text)');
    writer = new SqliteWriter(connection, 1000, () => {});
  });
  afterEach(async () => {
    await writer.close();
    connection.close();
  });

  /** One transaction, as Kysely runs it with this dialect. */
  async function write(name: string, fault: () => void = () => {}): Promise<void> {
    await writer.begin();
    try {
      connection.prepare('insert into things values (?)').run(name);
      fault();
    } catch (error) {
      await writer.rollback();
      throw error;
    }
    await writer.commit();
  }
  const names = () => connection.prepare('select name from things order by name').pluck().all();
  const another = () => {
    const other = new Database(join(folder, 'writer.db'), { timeout: 10 });
    try {
      other.exec('begin immediate');
      other.exec('rollback');
    } finally {
      other.close();
    }
  };

  const faults: [string, () => void][] = [
    ['release', () => connection.exec('release member')],
    ['the whole transaction', () => connection.exec('rollback')],
    [
      'rollback to',
      () => {
        connection.exec('release member');
        throw new Error('its own');
      },
    ],
  ];
  it.each(faults)('lets its waiters and the lock go where %s fails', async (_, fault) => {
    const results = await Promise.allSettled([write('a'), write('b', fault), write('c'), write('d')]);
    expect(results[1]?.status).toBe('rejected');
    // Transactions that wait behind it are served. Transactions that were ready before it are told to run again, or are committed.
    expect(results.slice(2).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    if (results[0]?.status === 'rejected') expect(results[0].reason).toBeInstanceOf(LostBatchError);
    const kept = results.flatMap(({ status }, i) => (status === 'fulfilled' ? ['abcd'[i]] : []));
    expect(names()).toEqual(kept);
    expect(connection.inTransaction).toBe(false);
    another();
    await write('e');
    expect(names()).toEqual([...kept, 'e']);
  });

  it('lets its waiters and the lock go where a savepoint cannot be made', async () => {
    const failing = new Database(join(folder, 'writer.db'));
    let fails = 0;
    const real = failing.prepare.bind(failing);
    failing.prepare = ((text: string) => {
      const statement = real(text);
      if (text !== 'savepoint member') return statement;
      const run = statement.run.bind(statement);
      statement.run = (() => {
        if (fails-- > 0) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
        return run();
      }) as typeof statement.run;
      return statement;
    }) as typeof failing.prepare;
    const own = new SqliteWriter(failing, 1000, () => {});
    const attempt = async (name: string) => {
      await own.begin();
      failing.exec(`insert into things values ('${name}')`);
      await own.commit();
    };
    fails = 1;
    await expect(attempt('a')).rejects.toThrow('disk I/O error');
    await new Promise((resolve) => setImmediate(resolve));
    another();
    const first = attempt('b');
    fails = 1;
    const results = await Promise.allSettled([first, attempt('c'), attempt('d')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(names()).toHaveLength(2);
    another();
    await own.close();
    failing.close();
  });
});
