import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations, type Storage } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { readVersion, type Version } from '@commerce/test-support/fixtures/versions';
import { commerce, commerceJson, startServer } from '@commerce/test-support/harness/processes';
import { loadRows } from '@commerce/test-support/harness/schemas';
import { canMount, withDisk } from '@commerce/test-support/harness/small-disk';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { afterAll, describe, expect, it } from 'vitest';
import { migrationSettings } from '../packages/cli/src/migration-backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'commerce-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withStorage<T>(storage: Storage, work: (storage: Storage) => Promise<T>): Promise<T> {
  return work(storage).finally(() => storage.close());
}

const load = (storage: Storage, version: Version) =>
  withStorage(storage, (open) => loadRows(open, version.migration, version.rows, version.at));

/** A file with the database of a version, alone in a folder of its own. */
async function oldFile(number: string, place?: string): Promise<{ db: string; names: () => string[] }> {
  const own = place ?? mkdtempSync(join(folder, 'shop-'));
  const db = join(own, 'shop.db');
  await load(openSqlite({ file: db }), readVersion(number));
  return { db, names: () => readdirSync(own).sort() };
}

const pendingOf = async (db: string) => (await commerceJson(['migrate', 'status', '--db', db])).pending as string[];

/** The newest version before a migration of the given kind. */
function before(which: (migration: (typeof migrations)[number]) => boolean): { number: string; next: string } {
  const at = migrations.findLastIndex((one) => which(one));
  const number = (one = 0) => migrations[one]?.name.slice(0, 4) ?? '';
  return { number: number(at - 1), next: number(at) };
}
const rewriting = before((one) => one.rewritesRows);

describe('a SQLite file, before a migration that rewrites what is stored', () => {
  it('is kept beside it, whole, by migrate', async () => {
    const { db, names } = await oldFile(rewriting.number);
    const { stdout } = await commerce(['migrate', '--db', db]);
    const kept = `${db}.before-${rewriting.next}.backup`;
    expect(stdout).toMatch(/^the database as it was is kept as (\S+) \(\d+\.\d MB, checked\)\napplied 00/);
    expect(/kept as (\S+)/.exec(stdout)?.[1]).toBe(kept);
    expect(names()).toEqual(['shop.db', `shop.db.before-${rewriting.next}.backup`]);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect((await pendingOf(kept))[0]).toMatch(rewriting.next);
    await withStorage(openSqlite({ file: kept }), async (storage) => {
      const orders = await storage.reads.selectFrom('orders').select('json').execute();
      const { rows } = readVersion(rewriting.number);
      expect(orders.map(({ json }) => json).sort()).toEqual(rows.tables.orders?.map(({ json }) => json).sort());
    });
    // The second time there is nothing to do, and nothing is kept.
    expect(await commerceJson(['migrate', '--db', db])).toEqual({ applied: [] });
    expect(names()).toHaveLength(2);
  });

  it('is kept by serve, which says so in one line, and answers then', async () => {
    const { db, names } = await oldFile(rewriting.number);
    const { storeId, key } = readVersion(rewriting.number);
    const server = await startServer(db, ['--log', 'json']);
    const { status } = await fetch(`${server.url}/stores/${storeId}/orders`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await server.stop();
    expect(status).toBe(200);
    const lines = server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('migration.backup'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'migration.backup', file: `${db}.before-${rewriting.next}.backup` }),
    ]);
    expect(names()).toContain(`shop.db.before-${rewriting.next}.backup`);
  });

  it('is not kept where that was not wanted, or where no migration rewrites', async () => {
    const { db, names } = await oldFile(rewriting.number);
    expect(await commerceJson(['migrate', '--no-migration-backup', '--db', db])).not.toHaveProperty('backup');
    expect(names()).toEqual(['shop.db']);
    // Where the newest migration rewrites, none comes after it, and nothing is left to do.
    if (rewriting.next === migrations.at(-1)?.name.slice(0, 4)) return;
    const adding = await oldFile(rewriting.next);
    expect((await commerceJson(['migrate', '--db', adding.db])).applied.length).toBeGreaterThan(0);
    expect(adding.names()).toEqual(['shop.db']);
  });

  it('is not kept where there is no store', async () => {
    const own = mkdtempSync(join(folder, 'empty-'));
    const db = join(own, 'shop.db');
    await load(openSqlite({ file: db }), { ...readVersion('0006'), rows: { tables: {}, search: {} } });
    expect((await commerceJson(['migrate', '--db', db])).applied.length).toBeGreaterThan(5);
    await commerceJson(['migrate', '--db', join(own, 'new.db')]);
    expect(readdirSync(own).sort()).toEqual(['new.db', 'shop.db']);
  });

  it('never replaces another copy, and takes one that an earlier attempt has left of the same rows', async () => {
    const { db, names } = await oldFile(rewriting.number);
    const kept = `${db}.before-${rewriting.next}.backup`;
    writeFileSync(kept, 'precious');
    const whole = readFileSync(db);
    const { backup } = await commerceJson(['migrate', '--db', db]);
    expect(backup.file).toBe(`${db}.before-${rewriting.next}-2.backup`);
    expect(readFileSync(kept, 'utf8')).toBe('precious');
    // As after an attempt that failed once the copy was there.
    writeFileSync(db, whole);
    expect((await commerceJson(['migrate', '--db', db])).backup.file).toBe(backup.file);
    expect(names()).toHaveLength(3);
  });

  it('is kept once by two that start at once', async () => {
    const { db, names } = await oldFile(rewriting.number);
    const ended = await Promise.all([1, 2].map(() => commerce(['migrate', '--db', db])));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(names().filter((name) => name.includes('backup'))).toEqual([`shop.db.before-${rewriting.next}.backup`]);
  });

  it('is kept once also where the other takes the name in the last moment', async () => {
    const { db, names } = await oldFile(rewriting.number);
    const kept = `${db}.before-${rewriting.next}.backup`;
    const other = join(folder, 'other.cjs');
    writeFileSync(
      other,
      `const fs = require('node:fs'), { linkSync } = fs;
       fs.linkSync = (file, name) => {
         if (name === ${JSON.stringify(kept)}) fs.copyFileSync(file, name);
         linkSync(file, name);
       };`,
    );
    const { stdout } = await commerce(['migrate', '--db', db], '', { NODE_OPTIONS: `--require ${other}` });
    expect(/kept as (\S+)/.exec(stdout)?.[1]).toBe(kept);
    expect(names()).toEqual(['shop.db', `shop.db.before-${rewriting.next}.backup`]);
  });

  it('is not kept under that name once another process has migrated it', async () => {
    const { db, names } = await oldFile(rewriting.number);
    const pending = await pendingOf(db);
    expect((await commerce(['migrate', '--no-migration-backup', '--db', db])).code).toBe(0);
    const told: unknown[] = [];
    await withStorage(openSqlite({ file: db }), async (storage) => {
      const options = { migrationBackup: true, ignoreOlderServers: false };
      const { beforeMigrating } = migrationSettings(storage, options, (backup) => told.push(backup));
      await beforeMigrating?.({ pending, rewritesRows: true });
      expect(names().filter((name) => name.includes('backup') || name.includes('partial'))).toEqual([]);
    });
    expect(told).toEqual([]);
  });

  it.skipIf(!canMount)('stays as it is where the disk has no room for a copy (needs the right to mount)', async () => {
    const disk = join(folder, 'disk');
    await withDisk(disk, 'size=64m', async (remount) => {
      const { db, names } = await oldFile(rewriting.number, disk);
      const pending = await pendingOf(db);
      const { size } = statSync(db);
      // Room for the migration, and for half of a copy.
      await remount(`size=${Math.ceil((size * 1.5) / 4096) * 4096}`);
      const { code, stdout, stderr } = await commerce(['migrate', '--db', db]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error: there is no room for the copy of \S+shop\.db that is kept before a migration: it takes \d+\.\d MB, and \d+\.\d MB are free\. Nothing was changed; --no-migration-backup migrates without a copy\n$/,
      );
      expect(names()).toEqual(['shop.db']);
      expect(await pendingOf(db)).toEqual(pending);
      await remount('size=64m');
      expect((await commerceJson(['migrate', '--no-migration-backup', '--db', db])).applied).toEqual(pending);
      expect(names()).toEqual(['shop.db']);
    });
  });
});

describe('a PostgreSQL database', () => {
  it('is migrated without a copy beside it', () =>
    withDatabase('postgres', async (database) => {
      await load(database.open(), readVersion(rewriting.number));
      const { applied, backup } = await commerceJson(['migrate', '--db', database.address]);
      expect([applied[0].slice(0, 4), backup]).toEqual([rewriting.next, undefined]);
    }));
});
