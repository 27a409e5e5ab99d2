import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommitNumber } from './sqlite-commits.ts';
import { SqliteReader } from './sqlite-reader.ts';

describe('the snapshot of reads beside another writer', () => {
  let folder: string;
  let file: string;
  let writer: Database.Database;
  const readers: SqliteReader[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'commerce-reader-'));
    file = join(folder, 'reader.db');
    writer = new Database(file);
    writer.pragma('journal_mode = WAL');
    writer.exec('create table things (name text)');
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
    writer.close();
    rmSync(folder, { recursive: true });
  });

  function open(otherWriters: boolean): SqliteReader {
    const reader = new SqliteReader(new Database(file), otherWriters ? new CommitNumber(file) : undefined);
    readers.push(reader);
    return reader;
  }
  const count = (reader: SqliteReader) => reader.prepare('select count(*) from things').pluck().get();
  const write = () => writer.exec("insert into things values ('a')");

  it('ends with the commit of another, also within one turn of the event loop', () => {
    const [careful, usual] = [open(true), open(false)];
    for (let n = 0; n < 1000; n++) {
      // The control sees one moment the whole turn.
      expect([count(careful), count(usual)]).toEqual([n, 0]);
      write();
      if (n % 100 === 50) writer.pragma('wal_checkpoint(passive)');
    }
    const { snapshot } = careful;
    expect([count(careful), count(careful)]).toEqual([1000, 1000]);
    expect(careful.snapshot).toBe(snapshot + 1);
    expect(count(careful)).toBe(1000);
    expect(careful.snapshot).toBe(snapshot + 1);
  });

  it('sees a commit after the log was begun anew, and none where it was only rolled back', async () => {
    const reader = open(true);
    expect(count(reader)).toBe(0);
    reader.release();
    write();
    expect(writer.pragma('wal_checkpoint(truncate)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    expect(count(reader)).toBe(1);
    const { snapshot } = reader;
    writer.exec('begin immediate');
    write();
    writer.exec('rollback');
    expect([count(reader), reader.snapshot]).toEqual([1, snapshot]);
    write();
    expect([count(reader), reader.snapshot]).toEqual([2, snapshot + 1]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(reader.connection.inTransaction).toBe(false);
  });

  it('is held while one work wants to see one moment', async () => {
    const reader = open(true);
    expect(count(reader)).toBe(0);
    write();
    const seen = await reader.hold(async () => {
      const first = count(reader);
      write();
      await null;
      return [first, count(reader)];
    });
    expect([seen, count(reader)]).toEqual([[1, 1], 2]);
    await expect(reader.hold(() => Promise.reject(new Error('as ever')))).rejects.toThrow('as ever');
    write();
    expect(count(reader)).toBe(3);
  });
});
