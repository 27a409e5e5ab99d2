import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrder, openCommerce, type Storage } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { buildOfNext, nextName, withNextMigration } from '@commerce/test-support/harness/next-version';
import { commerce, commerceJson, type Finished, run, startServer } from '@commerce/test-support/harness/processes';
import { newKey } from '@commerce/test-support/harness/requests';
import { canMount, withDisk } from '@commerce/test-support/harness/small-disk';
import { withDatabase } from '@commerce/test-support/harness/storages';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationSettings } from '../packages/cli/src/migration-backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'commerce-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withStorage<T>(storage: Storage, work: (storage: Storage) => Promise<T>): Promise<T> {
  return work(storage).finally(() => storage.close());
}

/** Programs of the next version, by the effect of their migration. */
const next = { adding: '', rewriting: '' };
beforeAll(async () => {
  next.adding = await buildOfNext('adding');
  next.rewriting = await buildOfNext('rewriting');
}, 600_000);

const nextDoes = (args: string[], env: Record<string, string> = {}, program = next.rewriting): Promise<Finished> =>
  run(process.execPath, [program, ...args], '', env);

/** Runs a command of the next version that must succeed, and returns its printed JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the test says which JSON it expects
async function nextJson(args: string[], program = next.rewriting): Promise<any> {
  const { code, stdout, stderr } = await nextDoes([...args, '--json'], {}, program);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const pendingOf = async (db: string) => (await nextJson(['migrate', 'status', '--db', db])).pending as string[];

/** Fills a database of this version with a store that has sold something. */
async function fill(storage: Storage): Promise<{ storeId: string; key: string }> {
  const shop = await openCommerce({ storage, upkeep: false });
  try {
    const { id: storeId } = await shop.createStore({ name: 'Shop', currency: 'EUR' });
    const context = await shop.store(storeId);
    const { id: productId } = await newProduct(context);
    for (const quantity of [1, 2, 3]) await createOrder(context, { items: [{ productId, quantity }] });
    return { storeId, key: await newKey(context) };
  } finally {
    await shop.close();
  }
}

const filled = join(folder, 'filled.db');
let shop: Awaited<ReturnType<typeof fill>>;
beforeAll(async () => {
  shop = await fill(openSqlite({ file: filled }));
});

/** A file with a database of this version, in its own folder. */
function oldFile(place = mkdtempSync(join(folder, 'shop-'))): { db: string; names: () => string[] } {
  const db = join(place, 'shop.db');
  copyFileSync(filled, db);
  return { db, names: () => readdirSync(place).sort() };
}

const ordersIn = (storage: Storage) =>
  storage.reads.selectFrom('orders').select(['id', 'json']).orderBy('id').execute();
const kept = 'shop.db.before-0002.backup';

describe('a SQLite file, before a migration that rewrites what is stored', () => {
  it('is kept beside it, whole, by migrate', async () => {
    const { db, names } = oldFile();
    const { stdout } = await nextDoes(['migrate', '--db', db]);
    expect(stdout).toMatch(/^the previous database is kept as (\S+) \(\d+\.\d MB, checked\)\napplied 0002_next\n$/);
    const copy = `${db}.before-0002.backup`;
    expect(/kept as (\S+)/.exec(stdout)?.[1]).toBe(copy);
    expect(names()).toEqual(['shop.db', kept]);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(await pendingOf(copy)).toEqual([nextName]);
    const orders = await withStorage(openSqlite({ file: filled }), ordersIn);
    expect(orders).toHaveLength(3);
    expect(await withStorage(openSqlite({ file: copy }), ordersIn)).toEqual(orders);
    // The second time nothing is pending, and no copy is kept.
    expect(await nextJson(['migrate', '--db', db])).toEqual({ applied: [] });
    expect(names()).toHaveLength(2);
  });

  it('is kept by serve, which says so in one line, and answers then', async () => {
    const { db, names } = oldFile();
    const server = await startServer(db, ['--log', 'json'], false, next.rewriting);
    const answer = await fetch(`${server.url}/stores/${shop.storeId}/orders`, {
      headers: { authorization: `Bearer ${shop.key}` },
    });
    expect([answer.status, ((await answer.json()) as { total: number }).total]).toEqual([200, 3]);
    await server.stop();
    const lines = server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('migration.backup'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: 'migration.backup', file: `${db}.before-0002.backup` }),
    ]);
    expect(names()).toContain(kept);
  });

  it('is not kept where that was not wanted, or where no migration rewrites', async () => {
    const { db, names } = oldFile();
    expect(await nextJson(['migrate', '--no-migration-backup', '--db', db])).not.toHaveProperty('backup');
    expect(names()).toEqual(['shop.db']);
    const other = oldFile();
    expect((await nextJson(['migrate', '--db', other.db], next.adding)).applied).toEqual([nextName]);
    expect(other.names()).toEqual(['shop.db']);
  });

  it('is told by the exit code of `migrate status --check` that it lacks migrations', async () => {
    const { db } = oldFile();
    const status = ['migrate', 'status', '--db', db];
    const pending = await nextDoes([...status, '--check']);
    expect([pending.code, pending.stderr]).toEqual([1, '']);
    expect(pending.stdout).toContain(`${nextName}`);
    expect((await nextDoes(status)).code).toBe(0);
    // It changes nothing, and prints the same.
    expect((await nextDoes([...status, '--check', '--json'])).stdout).toBe(
      (await nextDoes([...status, '--json'])).stdout,
    );
    await nextJson(['migrate', '--db', db]);
    expect((await nextDoes([...status, '--check'])).code).toBe(0);
  });

  it('is not kept where there is no store', async () => {
    const own = mkdtempSync(join(folder, 'empty-'));
    const db = join(own, 'shop.db');
    await commerceJson(['migrate', '--db', db]);
    expect((await nextJson(['migrate', '--db', db])).applied).toEqual([nextName]);
    expect((await nextJson(['migrate', '--db', join(own, 'new.db')])).applied).toHaveLength(2);
    expect(readdirSync(own).sort()).toEqual(['new.db', 'shop.db']);
  });

  it('never replaces another copy, and takes one that an earlier attempt has left of the same rows', async () => {
    const { db, names } = oldFile();
    const copy = `${db}.before-0002.backup`;
    writeFileSync(copy, 'precious');
    const whole = readFileSync(db);
    const { backup } = await nextJson(['migrate', '--db', db]);
    expect(backup.file).toBe(`${db}.before-0002-2.backup`);
    expect(readFileSync(copy, 'utf8')).toBe('precious');
    // As after an attempt that failed after the copy.
    writeFileSync(db, whole);
    expect((await nextJson(['migrate', '--db', db])).backup.file).toBe(backup.file);
    expect(names()).toHaveLength(3);
  });

  it('is kept once by two that start at once', async () => {
    const { db, names } = oldFile();
    const ended = await Promise.all([1, 2].map(() => nextDoes(['migrate', '--db', db])));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(names().filter((name) => name.includes('backup'))).toEqual([kept]);
  });

  it('is kept once also where the other takes the name in the last moment', async () => {
    const { db, names } = oldFile();
    const copy = `${db}.before-0002.backup`;
    const other = join(folder, 'other.cjs');
    writeFileSync(
      other,
      `const fs = require('node:fs'), { linkSync } = fs;
       fs.linkSync = (file, name) => {
         if (name === ${JSON.stringify(copy)}) fs.copyFileSync(file, name);
         linkSync(file, name);
       };`,
    );
    const { stdout } = await nextDoes(['migrate', '--db', db], { NODE_OPTIONS: `--require ${other}` });
    expect(/kept as (\S+)/.exec(stdout)?.[1]).toBe(copy);
    expect(names()).toEqual(['shop.db', kept]);
  });

  it('is not kept under that name once another process has migrated it', async () => {
    const { db, names } = oldFile();
    await nextJson(['migrate', '--no-migration-backup', '--db', db]);
    const told: unknown[] = [];
    await withStorage(openSqlite({ file: db }), (storage) =>
      withNextMigration({ rewritesRows: true, letsOlderServersRun: false, up: async () => {} }, async () => {
        const options = { migrationBackup: true, ignoreOlderServers: false };
        const { beforeMigrating } = migrationSettings(storage, options, (backup) => told.push(backup));
        await beforeMigrating?.({ pending: [nextName], rewritesRows: true });
        expect(names().filter((name) => name.includes('backup') || name.includes('partial'))).toEqual([]);
      }),
    );
    expect(told).toEqual([]);
  });

  it.skipIf(!canMount)('stays as it is where the disk has no room for a copy (needs the right to mount)', async () => {
    const disk = join(folder, 'disk');
    await withDisk(disk, 'size=64m', async (remount) => {
      const { db, names } = oldFile(disk);
      const { size } = statSync(db);
      // Space for the migration, and for half of a copy.
      await remount(`size=${Math.ceil((size * 1.5) / 4096) * 4096}`);
      const { code, stdout, stderr } = await nextDoes(['migrate', '--db', db]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error: not enough disk space for the copy of \S+shop\.db before the migration: it needs \d+\.\d MB, \d+\.\d MB are free\. Nothing was changed; use --no-migration-backup to migrate without a copy\n$/,
      );
      expect(names()).toEqual(['shop.db']);
      expect(await pendingOf(db)).toEqual([nextName]);
      await remount('size=64m');
      expect((await nextJson(['migrate', '--no-migration-backup', '--db', db])).applied).toEqual([nextName]);
      expect(names()).toEqual(['shop.db']);
    });
  });
});

describe('a PostgreSQL database', () => {
  it('is migrated without a copy beside it', () =>
    withDatabase('postgres', async (database) => {
      await fill(database.open());
      const { applied, backup } = await nextJson(['migrate', '--db', database.address]);
      expect([applied, backup]).toEqual([[nextName], undefined]);
    }));
});

describe('a downgrade', () => {
  it('is refused by every command, and a backup from before takes it back', async () => {
    const { db } = oldFile();
    await nextJson(['migrate', '--db', db]);
    const migrated = readFileSync(db);
    for (const args of [['serve', '--port', '0'], ['migrate'], ['products', 'list'], ['backup', `${db}.now`]]) {
      const { code, stdout, stderr } = await commerce([...args, '--db', db]);
      expect([args[0], code, stdout]).toEqual([args[0], 1, '']);
      expect(stderr).toContain(`was changed by a newer version of Commerce (migration ${nextName})`);
    }
    expect(readFileSync(db).equals(migrated)).toBe(true);
    expect((await commerceJson(['restore', `${db}.before-0002.backup`, '--yes', '--db', db])).stores).toBe(1);
    expect((await commerceJson(['orders', 'list', '--db', db])).total).toBe(3);
  });
});

describe('a backup of the version before', () => {
  it('is restored by the next one, and then brought up to date', async () => {
    const { db, names } = oldFile();
    const other = join(db, '../other.db');
    await nextJson(['restore', db, '--db', other]);
    expect(await pendingOf(other)).toEqual([nextName]);
    expect((await nextJson(['migrate', '--db', other])).applied).toEqual([nextName]);
    expect(names()).toEqual(['other.db', 'other.db.before-0002.backup', 'shop.db']);
  });
});

describe('a database of an unreleased version', () => {
  const commands = [
    ['serve', '--port', '0'],
    ['init', '--name', 'Shop', '--currency', 'EUR'],
    ['demo'],
    ['products', 'list'],
    ['products', 'export', '-'],
    ['migrate'],
    ['migrate', 'status'],
    ['backup', '-'],
    ['copy', '--to', join(folder, 'copied.db')],
    ['doctor'],
  ];

  it('and its backup are refused by every command with the same sentence', async () => {
    const { db, names } = oldFile();
    // As its first version recorded it.
    const file = new Database(db);
    file.exec("update schema_migrations set name = '0001_initial'");
    file.close();
    const before = readFileSync(db);
    const sentence = `was created by an unreleased version of Commerce: export its products, categories, customers and pages with that version and import them into a new database; other data cannot be moved`;
    const restored = join(db, '../restored.db');
    for (const args of [...commands.map((one) => [...one, '--db', db]), ['restore', db, '--db', restored]]) {
      const { code, stdout, stderr } = await commerce(args);
      expect([args[0], code, stdout]).toEqual([args[0], 1, '']);
      expect(stderr).toMatch(/^error: the database \S+ was created .*\n$/);
      expect(stderr).toContain(`the database ${db} ${sentence}`);
    }
    expect(readFileSync(db).equals(before)).toBe(true);
    expect(names()).toEqual(['shop.db']);
  });
});
