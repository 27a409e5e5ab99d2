import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteReader } from './sqlite-reader.ts';

describe('the snapshot of reads beside another writer', () => {
  let folder: string;
  let writer: Database.Database;
  const readers: SqliteReader[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'commerce-reader-'));
    writer = new Database(join(folder, 'reader.db'));
    writer.pragma('journal_mode = WAL');
    writer.exec('create table things (name text)');
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
    writer.close();
    rmSync(folder, { recursive: true });
  });

  function open(otherWriters: boolean): SqliteReader {
    const reader = new SqliteReader(new Database(join(folder, 'reader.db')), otherWriters);
    readers.push(reader);
    return reader;
  }
  const count = (reader: SqliteReader) => reader.prepare('select count(*) from things').pluck().get();
  const write = () => writer.exec("insert into things values ('a')");
  /** Goes on where no other event has come, but all that the present one has settled is done. */
  const afterThis = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));

  it('ends with the event that began it, where others write', async () => {
    const [careful, usual] = [open(true), open(false)];
    expect([count(careful), count(usual)]).toEqual([0, 0]);
    write();
    await afterThis();
    // The control: reads of one turn share a snapshot, however many events it has.
    expect([count(careful), count(usual)]).toEqual([1, 0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([count(careful), count(usual)]).toEqual([1, 1]);
  });

  it('lasts as long as promises of one event lead to each other', async () => {
    const reader = open(true);
    expect(count(reader)).toBe(0);
    const { snapshot } = reader;
    write();
    for (let step = 0; step < 100; step++) await null;
    expect([count(reader), reader.isLatest(snapshot)]).toEqual([0, true]);
    await afterThis();
    expect([count(reader), reader.isLatest(snapshot)]).toEqual([1, false]);
  });
});
