import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { CommerceError, type FileObstacle, fileObstacle } from '@commerce/core';

/** Reasons why a file cannot be written, each with a remedy. */
const obstacles: Readonly<Record<FileObstacle, string>> = {
  full: 'its disk is full; free some space, or use a path on another disk',
  readOnly: 'it is on a read-only file system; use another path',
  denied: 'it cannot be created there; check that its folder exists and is writable',
};

/**
 * Runs work that writes a file.
 * @param file named by the error if it cannot be written
 * @throws CommerceError `unavailable` if the disk is full or write permission is missing
 */
export async function writing<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const obstacle = fileObstacle(error);
    if (obstacle === undefined) throw error;
    throw new CommerceError('unavailable', `cannot write ${file}: ${obstacles[obstacle]}`);
  }
}

/** Whether two paths lead to the same file, also by a link. */
export function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/**
 * Refuses to overwrite the database that is read.
 * @param what the file to write, such as `its backup`
 * @throws CommerceError `validation`
 */
export function refuseDatabase(file: string, db: string, what: string): void {
  for (const part of ['', '-wal', '-shm']) {
    if (!isSameFile(file, db + part)) continue;
    throw new CommerceError('validation', `${file} is the database itself; use another file for ${what}`);
  }
}

/**
 * Tells the type of a file by its first bytes.
 * @throws CommerceError `validation` for a folder
 */
export function kindOfFile(file: string): 'database' | 'archive' | undefined {
  if (statSync(file).isDirectory()) throw new CommerceError('validation', `${file} is a folder; give a file in it`);
  const head = Buffer.alloc(512);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, head, 0, head.length, 0);
  } finally {
    closeSync(fd);
  }
  if (head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0') return 'database';
  return head.subarray(257, 262).toString('latin1') === 'ustar' ? 'archive' : undefined;
}

/** Renames a finished file to its name, so that it survives a power cut. */
export function giveName(file: string, name: string): void {
  flush(file);
  renameSync(file, name);
  flush(dirname(name));
}

function flush(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A name next to a file for work on it, which no other user can guess. Removes leftovers of killed runs. */
export function partialName(file: string): string {
  const prefix = `${basename(file)}.partial-`;
  removeLeft(dirname(file), (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined));
  return join(dirname(file), `${prefix}${process.pid}-${randomBytes(8).toString('hex')}`);
}

/** A new folder for work that is not done next to a file. Only this user can enter it. Removes the folders of killed runs. */
export function makeScratch(purpose: string): string {
  const prefix = `commerce-${purpose}-`;
  removeLeft(tmpdir(), (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined));
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/**
 * Removes leftovers of this user's killed runs from a folder. Other users may write there too: their files stay, and links are not
 * followed.
 * @param rest returns the part of a name that begins with the process id, if the name is of such work
 */
export function removeLeft(folder: string, rest: (name: string) => string | undefined): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(/^\d+/.exec(rest(name) ?? '')?.[0]);
    // In a container another process can have had this process id. This process has not begun its own work, so the file is a leftover.
    if (!(pid > 0) || (pid !== process.pid && isRunning(pid))) continue;
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const own = process.getuid?.() ?? stats?.uid;
    if (!stats || stats.isSymbolicLink() || stats.uid !== own) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It cannot be removed now; the next run retries.
    }
  }
}

/** The file that a path leads to after all links, as other programs would open it, whether it exists or not. */
export function linkedFile(path: string): string {
  let file = resolve(path);
  // As many links as systems follow.
  for (let n = 0; n < 40 && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink(); n++) {
    file = resolve(dirname(file), readlinkSync(file));
  }
  return existsSync(dirname(file)) ? join(realpathSync(dirname(file)), basename(file)) : file;
}

/** Removes a database file, and the files that SQLite keeps next to it while it is open. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** Whether another program has a database open: the last program that closes it removes its log. */
export function isInUse(file: string): boolean {
  return ['-wal', '-journal'].some((suffix) => existsSync(file + suffix));
}

/**
 * Replaces a database with another and keeps the old one next to it.
 * @returns the name of the old one, if there was one
 */
export function replaceDatabase(file: string, by: string): string | undefined {
  if (!existsSync(file)) {
    // The log of a lost database: SQLite would read it into the new one and damage it.
    for (const suffix of ['-wal', '-journal', '-shm']) {
      if (existsSync(file + suffix)) renameSync(file + suffix, `${beforeRestore(file)}${suffix}`);
    }
    giveName(by, file);
    return undefined;
  }
  if (isInUse(file)) throw new CommerceError('unavailable', `${file} is in use: stop the service first`);
  const kept = beforeRestore(file);
  // The name always leads to a file: it moves from the old file to the new one at once.
  try {
    linkSync(file, kept);
  } catch {
    copyFileSync(file, kept);
  }
  giveName(by, file);
  return kept;
}

/** Name for a file that a restore replaces. */
function beforeRestore(file: string): string {
  return `${file}.before-restore-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
