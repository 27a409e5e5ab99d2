import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { until } from '@commerce/test-support/harness/until';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProducts, openCommerce } from '../../index.ts';
import { openSqlite } from './sqlite.ts';

describe('opening a SQLite file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-open-'));
  const path = (name: string) => join(folder, name);
  const whole = path('whole.db');
  afterAll(() => rm(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const commerce = await openCommerce({ storage: openSqlite({ file: whole }) });
    const shop = await newShop(commerce);
    for (let i = 0; i < 50; i++) await newProduct(shop, { description: 'words '.repeat(200) });
    await commerce.close();
  });

  it('creates no file for a caller that only wants an existing database', async () => {
    const file = path('none.db');
    const found = () => readdirSync(folder).filter((name) => name.startsWith('none.db'));
    await expect(openCommerce({ storage: openSqlite({ file }), migrate: false })).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'noDatabaseFile',
      message: `cannot open the database ${file}: it does not exist, and migrate: false creates none`,
    });
    expect(found()).toEqual([]);
    // Neither does one that is never used, also if a promise has passed it on.
    const unused = await Promise.resolve(openSqlite({ file }));
    expect(unused).toMatchObject({ location: file, isMissing: true });
    await unused.close();
    expect(found()).toEqual([]);
    const commerce = await openCommerce({ storage: unused });
    expect(found()).toContain('none.db');
    expect(unused.isMissing).toBe(false);
    await commerce.close();
    await (await openCommerce({ storage: openSqlite({ file }), migrate: false })).close();
  });

  it('leaves no file of this process open behind', { skip: process.platform !== 'linux' }, async () => {
    const open = () => readdirSync('/proc/self/fd').flatMap((fd) => linkOf(`/proc/self/fd/${fd}`) ?? []);
    const linkOf = (fd: string) => {
      try {
        return readlinkSync(fd);
      } catch {
        return undefined;
      }
    };
    const ours = () => open().filter((file) => file.startsWith(folder));
    const file = path('often.db');
    for (let time = 0; time < 3; time++) {
      const [one, two] = [openSqlite({ file }), openSqlite({ file })];
      // The first use creates the file.
      await Promise.all([one.tables(), two.tables()]);
      expect(ours()).toContain(`${file}-shm`);
      await one.close();
      // The other one has locks on it.
      expect(ours()).toContain(`${file}-shm`);
      await two.close();
      expect(ours()).toEqual([]);
    }
  });

  it.skipIf(process.platform === 'win32')('follows a link, beside which SQLite has no files', async () => {
    symlinkSync(whole, path('link.db'));
    const [by, other] = [openSqlite({ file: path('link.db') }), openSqlite({ file: whole })];
    try {
      const before = by.lastCommit?.();
      await other.db.transaction().execute((tx) => sql`create table linked (a text)`.execute(tx));
      await until('the commit is seen', () => by.lastCommit?.() !== before);
    } finally {
      await by.close();
      await other.close();
    }
  });

  /** The single line with which the attempt ends. */
  async function refusal(file: string, options: { mustExist?: boolean } = {}): Promise<string> {
    const error = await (async () => {
      const commerce = await openCommerce({ storage: openSqlite({ file, ...options }) });
      await commerce.close();
    })().catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'CommerceError', kind: 'unavailable' });
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }

  it.runIf(process.platform !== 'win32')('makes it for its owner alone, with what stands beside it', async () => {
    const file = path('private.db');
    const commerce = await openCommerce({ storage: openSqlite({ file }) });
    await newShop(commerce);
    const modes = [file, `${file}-wal`, `${file}-shm`].map((name) => (statSync(name).mode & 0o777).toString(8));
    await commerce.close();
    expect(modes).toEqual(['600', '600', '600']);
  });

  it('makes it where it does not exist, marked as ours, in WAL mode', async () => {
    const file = path('new.db');
    await (await openCommerce({ storage: openSqlite({ file }) })).close();
    const seen = new Database(file, { readonly: true });
    expect(seen.pragma('application_id', { simple: true })).toBe(0x436f6d6d);
    expect(seen.pragma('journal_mode', { simple: true })).toBe('wal');
    seen.close();
  });

  it('opens an empty file, which is how `mktemp` leaves one', async () => {
    writeFileSync(path('empty.db'), '');
    await (await openCommerce({ storage: openSqlite({ file: path('empty.db') }) })).close();
  });

  it('waits for the disk at each commit', async () => {
    const storage = openSqlite({ file: path('full.db') });
    const commerce = await openCommerce({ storage });
    const pragma = await storage.db.transaction().execute((tx) => sql`pragma synchronous`.execute(tx));
    expect(pragma.rows).toEqual([{ synchronous: 2 }]);
    await commerce.close();
  });

  it.each(['', ':memory:'])('refuses %j: a database in memory loses everything', async (file) => {
    expect(await refusal(file)).toMatch(/in-memory/);
  });

  it("refuses another program's database and changes not a byte of it", async () => {
    const file = path('foreign.db');
    const foreign = new Database(file);
    foreign.exec('create table notes (text text); insert into notes values (1)');
    foreign.close();
    const before = readFileSync(file);
    expect(await refusal(file)).toBe(`${file} is the database of another program, not of Commerce`);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('refuses a database without tables that another program has marked', async () => {
    const file = path('marked.db');
    const foreign = new Database(file);
    foreign.pragma('application_id = 252006675');
    foreign.exec('vacuum');
    foreign.close();
    expect(await refusal(file)).toMatch(/is the database of another program/);
  });

  it('refuses what is no database', async () => {
    writeFileSync(path('notes.txt'), 'Buy milk.\n'.repeat(1000));
    expect(await refusal(path('notes.txt'))).toBe(
      `cannot open the database ${path('notes.txt')}: it is not a SQLite database`,
    );
    expect(readFileSync(path('notes.txt'), 'utf8')).toBe('Buy milk.\n'.repeat(1000));
  });

  it('refuses a directory', async () => {
    mkdirSync(path('folder.db'));
    expect(await refusal(path('folder.db'))).toMatch(/: it is a directory$/);
  });

  it('refuses a path through a folder that does not exist, and does not make it', async () => {
    const file = join(folder, 'no', 'such', 'shop.db');
    expect(await refusal(file)).toMatch(/: the directory \S+no\/such does not exist$/);
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });

  it('refuses a file that has to exist and does not, and does not make it', async () => {
    expect(await refusal(path('missing.db'), { mustExist: true })).toMatch(/: the file does not exist$/);
    expect(existsSync(path('missing.db'))).toBe(false);
  });

  /** Runs the work as a user without privileges, because root can do anything. */
  async function asNobody<T>(work: () => Promise<T>): Promise<T> {
    if (process.getuid?.() !== 0) return work();
    process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
    }
  }

  it.each([
    ['a file that cannot be written', 0o444, 0o755],
    ['a file that cannot be written beside which others can be made', 0o444, 0o777],
    ['a file that cannot be read', 0o000, 0o755],
    ['a folder in which nothing can be made', 0o666, 0o555],
  ])('refuses %s', async (_, fileMode, folderMode) => {
    const closed = mkdtempSync(join(tmpdir(), 'commerce-closed-'));
    const file = join(closed, 'shop.db');
    copyFileSync(whole, file);
    chmodSync(file, fileMode);
    chmodSync(closed, folderMode);
    try {
      expect(await asNobody(() => refusal(file))).toMatch(
        /: it (cannot be (read and )?written|is read-only; this user must be able to write to the file and its folder)$/,
      );
    } finally {
      chmodSync(closed, 0o755);
      await rm(closed, { recursive: true });
    }
  });

  it('writes nothing into a file that is up to date', async () => {
    const before = readFileSync(whole);
    const modified = statSync(whole).mtimeMs;
    await (await openCommerce({ storage: openSqlite({ file: whole }) })).close();
    expect(readFileSync(whole).equals(before)).toBe(true);
    expect(statSync(whole).mtimeMs).toBe(modified);
  });

  it('refuses to make a file in a folder where nothing can be made', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'commerce-closed-'));
    chmodSync(closed, 0o555);
    if (process.getuid?.() === 0) chownSync(closed, 0, 0);
    try {
      expect(await asNobody(() => refusal(join(closed, 'shop.db')))).toMatch(
        /: it (cannot be (read and )?written|is read-only; this user must be able to write to the file and its folder)$/,
      );
    } finally {
      await rm(closed, { recursive: true });
    }
  });

  it('refuses a file that was cut off', async () => {
    const file = path('cut.db');
    copyFileSync(whole, file);
    truncateSync(file, 4096 * 3 + 100);
    expect(await refusal(file)).toMatch(/: the file is damaged; restore it from a backup$/);
  });

  it.each([
    ['the table of tables', 100, 4096],
    ['the whole first page but its name', 20, 4096],
  ])('refuses a file whose %s is overwritten', async (_, from, to) => {
    const file = path(`overwritten-${from}.db`);
    const bytes = readFileSync(whole);
    bytes.fill(0xa5, from, to);
    writeFileSync(file, bytes);
    expect(await refusal(file)).toMatch(
      /: (the file is damaged; restore it from a backup|it is not a SQLite database)$/,
    );
  });

  it('opens a copy of a whole file with everything in it', async () => {
    copyFileSync(whole, path('copy.db'));
    const commerce = await openCommerce({ storage: openSqlite({ file: path('copy.db') }) });
    const { id } = await commerce.engine.storage.db.selectFrom('stores').select('id').executeTakeFirstOrThrow();
    expect((await listProducts(await commerce.store(id), { limit: 1 })).total).toBe(50);
    await commerce.close();
  });
});
