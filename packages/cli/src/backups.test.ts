import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { datedFiles, removeOld, removeUnfinished } from './backup-folder.ts';
import { prepareFolder, startBackups } from './backups.ts';
import { linkedFile, makeScratch, partialName } from './database-files.ts';

const parent = mkdtempSync(join(tmpdir(), 'commerce-backups-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => {
  const folder = join(parent, String(++folders));
  mkdirSync(folder);
  return folder;
};

const hour = 3_600_000;
const name = (time: string) => `commerce-${time}.db`;

describe('Backups that serve makes', () => {
  const failures: unknown[] = [];
  const writing = vi.fn<() => Promise<void>>();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.UTC(2026, 5, 1) });
    writing.mockReset().mockRejectedValue(new Error('a backup was begun'));
    failures.length = 0;
  });
  afterEach(() => vi.useRealTimers());

  const start = (folder: string) => {
    const schedule = { db: 'shop.db', backupEvery: hour, backupKeep: 2, backupMedia: false, mediaDir: 'media' };
    const s3 = { mediaS3Region: 'us-east-1', mediaS3Prefix: '' };
    return startBackups(folder, { ...schedule, ...s3 }, (error) => failures.push(error), writing);
  };

  it('tell of a folder that is gone, and are tried again: the server goes on', async () => {
    const folder = newFolder();
    const backups = start(folder);
    await vi.advanceTimersByTimeAsync(0);
    rmSync(folder, { recursive: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    await vi.advanceTimersByTimeAsync(60_000);
    const begun = new Error('a backup was begun');
    expect(failures).toEqual([begun, expect.objectContaining({ code: 'ENOENT' }), begun]);
    await backups.stop();
  });

  it('are due after the newest file that is not of the future, as one is whose clock was set back', async () => {
    const folder = newFolder();
    const put = (time: string, age: number) => {
      const at = (Date.now() - age) / 1000;
      writeFileSync(join(folder, name(time)), '');
      utimesSync(join(folder, name(time)), at, at);
    };
    put('2031-01-01T00-00-00Z', -5 * 365 * 24 * hour);
    put('2026-05-31T23-30-00Z', hour / 2);
    const backups = start(folder);
    await vi.advanceTimersByTimeAsync(hour / 2 - 60_000);
    expect(writing).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writing).toHaveBeenCalledTimes(1);
    await backups.stop();
  });
});

describe('A folder of backups', () => {
  it('loses the oldest, never the one just written and nothing else that lies there', () => {
    const folder = newFolder();
    const names = ['2025', '2027', '2028'].map((year) => name(`${year}-01-01T00-00-00Z`));
    for (const file of [...names, 'commerce-latest.db', 'notes.txt']) writeFileSync(join(folder, file), '');
    mkdirSync(join(folder, name('2020-01-01T00-00-00Z')));
    // The clock was set back before this one was written.
    const [written, older, newer] = names as [string, string, string];
    expect(datedFiles(folder).map((file) => file.name)).toEqual(names);
    expect(removeOld(folder, 3, written)).toEqual([]);
    expect(removeOld(folder, 2, written)).toEqual([older]);
    expect(removeOld(folder, 1, written)).toEqual([newer]);
    expect(readdirSync(folder).sort()).toEqual(
      ['commerce-latest.db', name('2020-01-01T00-00-00Z'), written, 'notes.txt'].sort(),
    );
  });

  it('loses what killed runs have left, whatever times their names have, and what a container of the same number left', () => {
    const folder = newFolder();
    const [ended, own] = [2 ** 22 + 1, process.pid];
    const left = [
      `commerce-2026-01-01T00-00-00Z.db.partial-${ended}`,
      `commerce-2026-01-02T00-00-00Z.db.partial-${ended}-journal`,
      `commerce-2026-01-03T00-00-00Z.tar.tar.partial-${ended}`,
      `commerce-2026-01-04T00-00-00Z.tar.tar.partial-${own}`,
    ];
    const kept = [`commerce-2026-01-05T00-00-00Z.db.partial-${process.ppid}`, `notes.partial-${ended}`];
    for (const file of [...left, ...kept]) writeFileSync(join(folder, file), '');
    removeUnfinished(folder);
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
    writeFileSync(join(folder, `shop.db.partial-${own}`), '');
    const name = partialName(join(folder, 'shop.db'));
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
    // No other user can create a link there first.
    expect(partialName(join(folder, 'shop.db'))).not.toBe(name);
  });

  it('is made, or refused with the flag, the place and why', () => {
    const folder = newFolder();
    prepareFolder(join(folder, 'a', 'b'));
    expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
    writeFileSync(join(folder, 'file'), '');
    for (const [place, why] of [
      [join(folder, 'file'), /^--backup: .*file": it is not a folder/],
      [join(folder, 'file', 'below'), /^--backup: .*below": this user cannot create it/],
      ['', /^--backup: .*"": this user cannot create it/],
    ] as const) {
      expect(() => prepareFolder(place)).toThrow(why);
    }
  });
});

it('Work that is not done beside a file gets a folder of its own; those of runs that were killed are removed', () => {
  const left = join(tmpdir(), `commerce-probe-${2 ** 22 + 1}-abc`);
  mkdirSync(left);
  const scratch = makeScratch('probe');
  expect([existsSync(left), existsSync(scratch)]).toEqual([false, true]);
  rmSync(scratch, { recursive: true });
});

it.runIf(process.getuid?.() === 0)('What other users, or links, have put under names of ours stays', () => {
  const [theirs, link] = ['theirs', 'link'].map((name) => join(tmpdir(), `commerce-probe-${2 ** 22 + 1}-${name}`)) as [
    string,
    string,
  ];
  const folder = newFolder();
  const moved = join(folder, 'target');
  for (const path of [moved, theirs]) {
    mkdirSync(path);
    writeFileSync(join(path, 'file'), 'kept');
  }
  chownSync(theirs, 12_345, 12_345);
  symlinkSync(moved, link);
  const backup = join(folder, `commerce-2026-01-01T00-00-00Z.db.partial-${2 ** 22 + 1}`);
  symlinkSync(join(moved, 'file'), backup);
  rmSync(makeScratch('probe'), { recursive: true });
  removeUnfinished(folder);
  expect([moved, theirs].map((path) => readFileSync(join(path, 'file'), 'utf8'))).toEqual(['kept', 'kept']);
  expect([existsSync(link), existsSync(backup)]).toEqual([true, true]);
  for (const path of [theirs, link]) rmSync(path, { recursive: true });
});

it('A path is followed by its links to the file that programs would open, also where that does not exist', () => {
  const folder = realpathSync(newFolder());
  mkdirSync(join(folder, 'data'));
  symlinkSync('data/shop.db', join(folder, 'link.db'));
  symlinkSync('link.db', join(folder, 'twice.db'));
  symlinkSync('data', join(folder, 'other'));
  for (const path of ['link.db', 'twice.db', 'other/shop.db', 'data/shop.db']) {
    expect(linkedFile(join(folder, path))).toBe(join(folder, 'data', 'shop.db'));
  }
});
