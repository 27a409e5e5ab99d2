import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommitNumber } from './commits.ts';
import { SqliteReader } from './reader.ts';

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

  function open(commits: Pick<CommitNumber, 'read'> = new CommitNumber(file)): SqliteReader {
    const reader = new SqliteReader(new Database(file), commits);
    readers.push(reader);
    return reader;
  }
  const count = (reader: SqliteReader) => reader.prepare('select count(*) from things').pluck().get();
  const write = () => writer.exec("insert into things values ('a')");

  const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('does not last into the next look of the event loop at what has arrived', async () => {
    const [careful, blind] = [open(), open({ read: () => 0 })];
    for (let n = 0; n < 100; n++) {
      await immediate();
      // Queued before the end of a snapshot that begins here, so it comes before that end, but after the next read.
      const later = immediate();
      const { snapshot } = careful;
      expect([count(careful), count(blind)]).toEqual([n, n]);
      expect([count(careful), careful.snapshot]).toEqual([n, snapshot]);
      write();
      if (n % 10 === 5) writer.pragma('wal_checkpoint(passive)');
      await later;
      // The control misses it.
      expect([count(careful), count(blind)]).toEqual([n + 1, n]);
    }
  });

  it('ends with the commit of another in one long turn, too, and goes on without one', () => {
    const reader = open();
    const wait = () => {
      for (const start = performance.now(); performance.now() - start < 3; );
    };
    const { snapshot } = reader;
    expect(count(reader)).toBe(0);
    wait();
    expect([count(reader), reader.snapshot]).toEqual([0, snapshot]);
    write();
    wait();
    expect([count(reader), reader.snapshot]).toEqual([1, snapshot + 1]);
  });

  it('sees a commit after the log was begun anew, and none where it was only rolled back', async () => {
    const reader = open();
    expect(count(reader)).toBe(0);
    reader.release();
    write();
    expect(writer.pragma('wal_checkpoint(truncate)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
    expect(count(reader)).toBe(1);
    await immediate();
    await immediate();
    expect(reader.connection.inTransaction).toBe(false);
    const later = immediate();
    const { snapshot } = reader;
    expect(count(reader)).toBe(1);
    writer.exec('begin immediate');
    write();
    writer.exec('rollback');
    await later;
    expect([count(reader), reader.snapshot]).toEqual([1, snapshot]);
  });

  it('has the number of the last commit that a read sees', async () => {
    const reader = open();
    for (let n = 0; n < 20; n++) {
      const before = reader.lastCommit;
      expect([count(reader), reader.lastCommit]).toEqual([n, before]);
      const held = await reader.hold(async () => {
        const seen = [count(reader), reader.lastCommit];
        write();
        for (const start = performance.now(); performance.now() - start < 3; );
        // The number of what this work sees, not of what has been written meanwhile.
        expect([count(reader), reader.lastCommit]).toEqual(seen);
        return seen;
      });
      expect(held).toEqual([n, before]);
      await immediate();
      expect(reader.lastCommit).not.toBe(before);
      expect(count(reader)).toBe(n + 1);
    }
  });

  it('has another number after a commit of its own process, even at once', () => {
    const reader = open();
    for (let n = 0; n < 20; n++) {
      const before = reader.lastCommit;
      write();
      reader.committed();
      expect(reader.lastCommit).not.toBe(before);
      expect(count(reader)).toBe(n + 1);
    }
  });

  it('is held while one work wants to see one moment', async () => {
    const reader = open();
    write();
    const seen = await reader.hold(async () => {
      const first = count(reader);
      write();
      for (const start = performance.now(); performance.now() - start < 3; );
      await null;
      return [first, count(reader)];
    });
    expect([seen, count(reader)]).toEqual([[1, 1], 2]);
    await expect(reader.hold(() => Promise.reject(new Error('as ever')))).rejects.toThrow('as ever');
    await immediate();
    write();
    await immediate();
    expect(count(reader)).toBe(3);
  });
});
