import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runTransaction } from './run.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import type { Storage } from './storage.ts';

describe('the log of a SQLite file', () => {
  let folder: string;
  let file: string;
  let storage: Storage;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
    file = join(folder, 'shop.db');
    storage = openSqlite({ file });
    await runTransaction(storage, (db) => sql`create table t (id integer primary key, text text)`.execute(db));
  });

  afterEach(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  /** Writes rows that take a page each. */
  async function write(rows: number): Promise<void> {
    const text = 'x'.repeat(3900);
    for (let done = 0; done < rows; done += 50)
      await runTransaction(storage, async (db) => {
        for (let i = 0; i < 50; i++) await sql`insert into t (text) values (${text})`.execute(db);
      });
  }

  const size = (path: string) => statSync(path).size;
  const pages = (n: number) => n * 4096;

  test('is copied into the file beside the writes, long before SQLite would stop them for it', async () => {
    await write(4050);
    expect(size(`${file}-wal`)).toBeLessThan(pages(16_000));
    await vi.waitFor(() => expect(size(file)).toBeGreaterThan(pages(3900)), 10_000);
  });

  test('begins anew after each copy', async () => {
    for (let round = 0; round < 6; round++) {
      await write(4050);
      await vi.waitFor(() => expect(size(file)).toBeGreaterThan(pages(3900 * (round + 1))), 10_000);
    }
    expect(size(`${file}-wal`)).toBeLessThan(pages(3 * 4500));
    const { rows } = await sql<{ n: number }>`select count(*) as n from t`.execute(storage.reads);
    expect(rows).toEqual([{ n: 6 * 4050 }]);
  });

  test('is copied by the writer where the thread cannot be started, and everything stays', async () => {
    const moved = join(folder, 'moved.db');
    // The thread opens the file by its name, which no longer exists.
    renameSync(file, moved);
    await write(17_000);
    renameSync(moved, file);
    expect(size(file)).toBeGreaterThan(pages(15_000));
    const { rows } = await sql<{ n: number }>`select count(*) as n from t`.execute(storage.reads);
    expect(rows).toEqual([{ n: 17_000 }]);
  });
});
