import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyDatabase } from '@commerce/core';
import { bin, commerce, commerceJson, run, startServer } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { canMount, withDisk } from '@commerce/test-support/harness/small-disk';
import { openStorage, withDatabase } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Kills at random moments. */
const kills = repeats({ suite: 4, nightly: 50 });

describe('backup, restore, copy and doctor at the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-backup-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  const db = path('shop.db');
  const media = path('media');
  let storeId = '';
  let key = '';

  beforeAll(async () => {
    const made = await commerceJson(['init', '--db', db, '--name', 'Shop', '--currency', 'EUR']);
    storeId = made.store.id;
    key = made.apiKey.key;
    mkdirSync(join(media, storeId), { recursive: true });
    writeFileSync(join(media, storeId, 'one.webp'), Buffer.alloc(100_000, 7));
  });

  async function create(url: string, slug: string): Promise<number> {
    const response = await fetch(`${url}/stores/${storeId}/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Mug', slug, price: '5' }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** The noted prices of a product. */
  async function pricesOf(place: string, id: string): Promise<string | undefined> {
    const storage = openStorage(place);
    const row = await storage.db.selectFrom('products').select('prices').where('id', '=', id).executeTakeFirst();
    await storage.close();
    return row?.prices;
  }

  const total = async (url: string) => {
    const response = await fetch(`${url}/stores/${storeId}/products?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await response.json()) as { total: number }).total;
  };

  it('say which file could not be written, why, and what helps', async () => {
    await commerceJson(['backup', path('good.db'), '--db', db]);
    const missing = join(folder, 'missing', 'b.db');
    expect(await commerce(['backup', missing, '--db', db])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: the folder ${join(folder, 'missing')} does not exist; create it first\n`,
    });
    const { restored, backup } = { restored: path('no/restored.db'), backup: path('good.db') };
    const refused = await commerce(['restore', backup, '--db', restored]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(restored);
    expect(refused.stderr.split('\n')).toHaveLength(2);
  });

  it.skipIf(!canMount)('tell of a full disk and of one that can only be read (needs the right to mount)', async () => {
    const disk = path('disk');
    await commerceJson(['backup', path('whole.db'), '--db', db]);
    await withDisk(disk, 'size=200k', async (remount) => {
      const [backup, restored] = [join(disk, 'b.db'), join(disk, 'r.db')];
      const attempts = [
        [backup, ['backup', backup, '--db', db]],
        [restored, ['restore', path('whole.db'), '--db', restored]],
      ] as const;
      for (const [file, args] of attempts) {
        expect(await commerce([...args])).toEqual({
          code: 1,
          stdout: '',
          stderr: `error: cannot write ${file}: its disk is full; free some space, or use a path on another disk\n`,
        });
        expect(readdirSync(disk)).toEqual([]);
      }
      await remount('ro');
      for (const [file, args] of attempts) {
        const { code, stderr } = await commerce([...args]);
        expect([code, stderr.startsWith(`error: cannot write ${file}: it `)]).toEqual([1, true]);
      }
    });
  });

  it('write a backup of one moment while products are created, which restore brings back', async () => {
    const server = await startServer(db);
    let created = 0;
    let isDone = false;
    const creating = (async () => {
      while (!isDone) if ((await create(server.url, `beside-${created}`)) === 201) created++;
    })();
    await until('some are there', () => created > 20);
    const before = created;
    const backup = await commerceJson(['backup', path('beside.db'), '--db', db]);
    const after = created;
    isDone = true;
    await creating;
    await server.stop();
    expect(backup).toMatchObject({ stores: 1, removed: [] });
    expect(statSync(path('beside.db')).mode & 0o777).toBe(0o600);
    expect((await commerce(['doctor', '--db', path('beside.db')])).code).toBe(0);
    await commerceJson(['restore', path('beside.db'), '--db', path('restored.db')]);
    const restored = await startServer(path('restored.db'));
    const found = await total(restored.url);
    expect(found).toBeGreaterThanOrEqual(before);
    expect(found).toBeLessThanOrEqual(after + 1);
    expect(await create(restored.url, 'goes-on')).toBe(201);
    await restored.stop();
  });

  it('put the files of images beside it, and back', async () => {
    await commerceJson(['backup', path('all.tar'), '--db', db, '--media', '--media-dir', media]);
    const there = path('media-restored');
    const target = ['--db', path('with-media.db'), '--media-dir', there];
    expect(await commerceJson(['restore', path('all.tar'), ...target])).toMatchObject({ stores: 1, files: 1 });
    const name = join(storeId, 'one.webp');
    expect(readFileSync(join(there, name)).equals(readFileSync(join(media, name)))).toBe(true);
  });

  it('keep the newest of a folder', async () => {
    mkdirSync(path('kept'));
    writeFileSync(path('kept/commerce-2020-01-01T00-00-00Z.db'), 'old');
    writeFileSync(path('kept/mine.txt'), 'not a backup');
    const { removed } = await commerceJson(['backup', path('kept'), '--db', db, '--keep', '1']);
    expect(removed).toEqual(['commerce-2020-01-01T00-00-00Z.db']);
    expect(readdirSync(path('kept')).sort()).toEqual([expect.stringMatching(/^commerce-2\d{3}-.*Z\.db$/), 'mine.txt']);
  });

  it('refuse to replace stores without being told so, and keep what they replace', async () => {
    await commerceJson(['backup', path('old.db'), '--db', db]);
    const other = path('other.db');
    const made = await commerceJson(['init', '--db', other, '--name', 'Other', '--currency', 'USD']);
    const refused = await commerce(['restore', path('old.db'), '--db', other]);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/has 1 store already; --yes replaces them/);
    expect((await commerceJson(['stores', 'list', '--db', other])).items[0].id).toBe(made.store.id);
    const { kept } = await commerceJson(['restore', path('old.db'), '--db', other, '--yes']);
    expect((await commerceJson(['stores', 'list', '--db', other])).items[0].id).toBe(storeId);
    expect((await commerceJson(['stores', 'list', '--db', kept])).items[0].id).toBe(made.store.id);
  });

  it('refuse a database in use, and what is cut off, damaged or no backup: nothing changes', async () => {
    const inUse = path('in-use.db');
    copyFileSync(path('old.db'), inUse);
    const server = await startServer(inUse);
    const busy = await commerce(['restore', path('old.db'), '--db', inUse, '--yes']);
    expect([busy.code, busy.stderr]).toEqual([1, `error: ${inUse} is in use: stop the service first\n`]);
    await server.stop();
    const attempts: [name: string, make: (file: string) => void, message: RegExp][] = [
      ['text', (file) => writeFileSync(file, 'hello'), /is not a Commerce backup/],
      ['missing', () => {}, /does not exist/],
      ['cut.tar', (file) => cut(path('all.tar'), file), /is incomplete or damaged/],
      ['cut.db', (file) => cut(path('old.db'), file), /cut\.db is damaged/],
      ['spoilt.db', (file) => spoil(path('old.db'), file), /spoilt\.db is damaged/],
      ['a folder', (file) => mkdirSync(file), /is a folder; give a file in it/],
    ];
    for (const [name, make, message] of attempts) {
      make(path(name));
      const files = readdirSync(folder);
      const before = readFileSync(inUse);
      const { code, stderr } = await commerce(['restore', path(name), '--db', inUse, '--yes']);
      expect([name, code]).toEqual([name, 1]);
      expect(stderr).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(readFileSync(inUse).equals(before)).toBe(true);
      expect(readdirSync(folder)).toEqual(files);
    }
  });

  function cut(from: string, to: string): void {
    copyFileSync(from, to);
    truncateSync(to, Math.floor(statSync(from).size / 2));
  }

  function spoil(from: string, to: string): void {
    const bytes = readFileSync(from);
    for (let page = 20; page < 40; page++) bytes.fill(0xff, page * 4096 + 100, page * 4096 + 400);
    writeFileSync(to, bytes);
  }

  it('put a backup in the place of a damaged database, which is kept beside it', async () => {
    const damaged = path('damaged.db');
    for (const spoilAll of [true, false]) {
      const bytes = readFileSync(path('old.db'));
      writeFileSync(damaged, spoilAll ? 'this was a database once' : bytes.fill(0xff, 100, 4096));
      const refused = await commerce(['restore', path('old.db'), '--db', damaged]);
      expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([
        2,
        `error: ${damaged} is damaged; --yes replaces it with the backup and keeps the old file next to it`,
      ]);
      const before = readFileSync(damaged);
      const { kept } = await commerceJson(['restore', path('old.db'), '--db', damaged, '--yes']);
      expect(readFileSync(kept).equals(before)).toBe(true);
      expect((await commerce(['doctor', '--db', damaged])).code).toBe(0);
      await rm(kept);
    }
  });

  it('set the log of a database that was lost aside, which would be read into the restored one', async () => {
    const lost = path('lost.db');
    const { apiKey, store } = await commerceJson(['init', '--db', lost, '--name', 'Lost', '--currency', 'EUR']);
    const server = await startServer(lost);
    const response = await fetch(`${server.url}/stores/${store.id}/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Mug', slug: 'mug', price: '5' }),
    });
    expect(response.status).toBe(201);
    await server.kill();
    await rm(lost);
    expect(statSync(`${lost}-wal`).size).toBeGreaterThan(0);
    await commerceJson(['restore', path('old.db'), '--db', lost]);
    expect((await commerceJson(['stores', 'list', '--db', lost])).items.map((one: { id: string }) => one.id)).toEqual([
      storeId,
    ]);
    expect((await commerce(['doctor', '--db', lost])).code).toBe(0);
    expect(readdirSync(folder).filter((name) => /^lost\.db\.before-restore-.*-wal$/.test(name))).toHaveLength(1);
  });

  it('follow links: to a database in use, to the database itself, and to where a backup is kept', async () => {
    mkdirSync(path('linked'));
    copyFileSync(path('old.db'), path('linked/shop.db'));
    symlinkSync('linked/shop.db', path('link.db'));
    const server = await startServer(path('link.db'));
    const busy = await commerce(['restore', path('old.db'), '--db', path('link.db'), '--yes']);
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining('is in use: stop the service first')]);
    await server.stop();
    for (const [from, to] of [
      ['link.db', 'linked/shop.db'],
      ['linked/shop.db', 'link.db'],
    ] as const) {
      const over = await commerce(['backup', path(to), '--db', path(from)]);
      expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('is the database itself')]);
    }
    const { kept } = await commerceJson(['restore', path('old.db'), '--db', path('link.db'), '--yes']);
    expect([lstatSync(path('link.db')).isSymbolicLink(), lstatSync(kept).isFile()]).toEqual([true, true]);
    expect(kept.startsWith(join(realpathSync(folder), 'linked'))).toBe(true);
    symlinkSync('linked/latest.db', path('latest.db'));
    await commerceJson(['backup', path('latest.db'), '--db', path('link.db')]);
    expect([lstatSync(path('latest.db')).isSymbolicLink(), existsSync(path('linked/latest.db'))]).toEqual([true, true]);
  });

  it('replace no file by a backup but an earlier backup', async () => {
    writeFileSync(path('photo.jpg'), 'a photo');
    const server = await startServer(path('in-use.db'));
    const attempts: [target: string, message: string][] = [
      [path('photo.jpg'), 'already exists and is not a backup'],
      [path('in-use.db'), 'is a database that a program has open'],
      ...(process.platform === 'win32' ? [] : [['/dev/null', 'is not a file; use -'] as [string, string]]),
    ];
    for (const [target, message] of attempts) {
      const { code, stderr } = await commerce(['backup', target, '--db', db]);
      expect([target, code, stderr]).toEqual([target, 1, expect.stringContaining(message)]);
    }
    await server.stop();
    expect(readFileSync(path('photo.jpg'), 'utf8')).toBe('a photo');
    expect(statSync('/dev/null', { throwIfNoEntry: false })?.isFile() ?? false).toBe(false);
  });

  it('write no backup of a damaged database, and name that', async () => {
    const whole = new Database(path('old.db'), { readonly: true });
    const root = "select rootpage from sqlite_master where name = 'audit_logs_action'";
    const page = Number(whole.prepare(root).pluck().get()) - 1;
    whole.close();
    writeFileSync(path('spoilt-shop.db'), readFileSync(path('old.db')).fill(0xff, page * 4096, page * 4096 + 400));
    const { code, stderr } = await commerce(['backup', path('of-spoilt.db'), '--db', path('spoilt-shop.db')]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/spoilt-shop\.db is damaged: .*; no backup was written\n$/),
    ]);
    expect(stderr).not.toContain('of-spoilt');
    const { findings } = JSON.parse((await commerce(['doctor', '--db', path('spoilt-shop.db'), '--json'])).stdout);
    expect(findings[0]).toMatchObject({ check: 'integrity', status: 'problem' });
    expect(findings.length).toBeGreaterThan(10);
  });

  it('put no image anywhere of an archive that is refused', async () => {
    const [images, target] = [path('no-images'), path('with-stores.db')];
    copyFileSync(path('old.db'), target);
    cut(path('all.tar'), path('half.tar'));
    for (const args of [
      ['restore', path('all.tar'), '--db', target],
      ['restore', path('half.tar'), '--db', target, '--yes'],
    ]) {
      expect((await commerce([...args, '--media-dir', images])).code).not.toBe(0);
      expect(existsSync(images)).toBe(false);
    }
  });

  it('refuse to write a backup over the database itself, or into a folder that is not there', async () => {
    const over = await commerce(['backup', db, '--db', db]);
    expect([over.code, over.stderr]).toEqual([1, expect.stringContaining('is the database itself')]);
    const nowhere = await commerce(['backup', path('nowhere/x.db'), '--db', db]);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('does not exist')]);
    expect((await commerce(['backup', path('x.db'), '--db', db, '--keep', '3'])).code).toBe(2);
  });

  it('copy into PostgreSQL and back, and restore a backup of it', () =>
    withDatabase('postgres', ({ address }) =>
      withDatabase('postgres', async (empty) => {
        const tea = ['--title', 'Tea', '--slug', 'tea', '--price', '10', '--status', 'published'];
        const { item } = await commerceJson(['products', 'create', ...tea, '--db', db]);
        const there = await commerceJson(['copy', '--db', db, '--to', address]);
        const back = await commerceJson(['copy', '--db', address, '--to', path('back.db')]);
        expect(back.tables).toEqual(there.tables);
        const again = await commerce(['copy', '--db', db, '--to', address]);
        expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has stores already')]);
        await commerceJson(['backup', path('postgres.db'), '--db', address]);
        const restored = await commerceJson(['restore', path('postgres.db'), '--db', empty.address]);
        // Without the password.
        expect(restored).toMatchObject({ stores: 1, database: expect.not.stringContaining('@') });
        expect((await commerce(['doctor', '--db', empty.address])).code).toBe(0);
        // With the history of prices, from which the prior price of a later reduction follows.
        const noted = await pricesOf(db, item.id);
        expect(noted).toContain('1000');
        const places = [path('back.db'), path('postgres.db'), address, empty.address];
        expect(await Promise.all(places.map((place) => pricesOf(place, item.id)))).toEqual(places.map(() => noted));
      }),
    ));

  it('go on with a restore into PostgreSQL that was ended, by what is in the backup: from standard input, too', () =>
    withDatabase('postgres', async (there) => {
      await commerceJson(['backup', path('piped.db'), '--db', db]);
      const bytes = readFileSync(path('piped.db'));
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
      const [from, to, ending] = [openStorage(path('piped.db')), there.open(), new AbortController()];
      const sourceName = `a backup of ${bytes.length} bytes, SHA-256 ${hash}`;
      const copying = copyDatabase(from, to, { sourceName, signal: ending.signal, onProgress: () => ending.abort() });
      await expect(copying).rejects.toThrow();
      await Promise.all([from.close(), to.close()]);
      const other = await commerce(['restore', path('beside.db'), '--db', there.address]);
      expect([other.code, other.stderr]).toEqual([
        1,
        expect.stringContaining(`has an unfinished copy of ${sourceName}`),
      ]);
      const cat = ['-c', `cat "$1" | "$2" "$3" restore - --db "$4" --json`, 'sh'];
      const restored = await run('sh', [...cat, path('piped.db'), process.execPath, bin, there.address]);
      expect([restored.code, restored.stderr]).toEqual([0, '']);
      expect((await commerce(['doctor', '--db', there.address])).code).toBe(0);
    }));

  it('leave nothing half done when they are killed, and end well when they run again', async () => {
    const timed = async (args: string[]) => {
      const start = performance.now();
      await commerceJson(args);
      return performance.now() - start;
    };
    const took = {
      backup: await timed(['backup', path('killed.db'), '--db', db]),
      restore: await timed(['restore', path('killed.db'), '--db', path('target.db')]),
      copy: await timed(['copy', '--db', db, '--to', path('copied.db')]),
    };
    for (let n = 0; n < kills; n++) {
      const to = path(`copy-${n}.db`);
      for (const [args, time] of [
        [['backup', path('killed.db'), '--db', db], took.backup],
        [['restore', path('killed.db'), '--db', path('target.db'), '--yes'], took.restore],
        [['copy', '--db', db, '--to', to], took.copy],
      ] as const) {
        const child = spawn(process.execPath, [bin, ...args], { stdio: 'ignore' });
        const ended = new Promise((resolve) => child.once('exit', resolve));
        await sleep(Math.random() * time);
        child.kill('SIGKILL');
        await ended;
        // Either the old file or the new one exists; both are complete.
        for (const file of [path('killed.db'), path('target.db')]) {
          expect(JSON.parse((await commerce(['doctor', '--db', file, '--json'])).stdout).findings[0]).toMatchObject({
            check: 'integrity',
            status: 'ok',
          });
        }
        const again = await commerce([...args]);
        if (args[0] === 'copy' && /has stores already/.test(again.stderr)) continue;
        expect([args[0], again.code, again.stderr]).toEqual([args[0], 0, '']);
      }
      expect((await commerce(['doctor', '--db', to])).code).toBe(0);
    }
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('are made by serve, when they are due', async () => {
    const backups = path('by-serve');
    const server = await startServer(db, ['--backup', backups, '--backup-every', '1h']);
    await until(
      'one is there',
      () => existsSync(backups) && readdirSync(backups).some((name) => name.endsWith('Z.db')),
    );
    await server.stop();
    const again = await startServer(db, ['--backup', backups, '--backup-every', '1h']);
    await sleep(1000);
    await again.stop();
    // No backup was due.
    expect(readdirSync(backups)).toHaveLength(1);
  });
});
