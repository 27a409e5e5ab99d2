import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CommerceError, type FileObstacle, fileObstacle } from '@commerce/core';

/** What keeps a file from being written, and what helps. */
const obstacles: Readonly<Record<FileObstacle, string>> = {
  full: 'there is no room left on its disk; make room there, or name a place on another disk',
  readOnly: 'it lies on a file system that can only be read; name another place',
  denied: 'it cannot be created there; check that its folder exists and may be written to',
};

/**
 * Does work that writes a file.
 * @param file named by the error when it cannot be written
 * @throws CommerceError `unavailable` when there is no room, or no right to write
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

/** Whether two names lead to the same file, also by a link. */
export function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/**
 * Refuses to write over the database that is read.
 * @param what is written, such as `its backup`
 * @throws CommerceError `validation`
 */
export function refuseDatabase(file: string, db: string, what: string): void {
  for (const part of ['', '-wal', '-shm']) {
    if (!isSameFile(file, db + part)) continue;
    throw new CommerceError('validation', `${file} is the database itself; name another file for ${what}`);
  }
}

/** What a file begins with tells what it is. */
export function kindOfFile(file: string): 'database' | 'archive' | undefined {
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

/** Gives a whole file its name, where it stays through a power cut. */
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

/** A name for work on a file, beside it; what runs that were killed have left there is removed. */
export function partialName(file: string): string {
  const folder = dirname(file);
  const prefix = `${basename(file)}.partial-`;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = Number(/^\d+/.exec(name.slice(prefix.length))?.[0]);
    if (name.startsWith(prefix) && pid > 0 && !isRunning(pid)) rmSync(join(folder, name), { force: true });
  }
  return join(folder, `${prefix}${process.pid}`);
}

/** Removes a database file, with what SQLite keeps beside it while it is open. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/**
 * Puts a database in the place of another, which is kept beside it.
 * @returns the name under which the old one is kept, if there was one
 */
export function replaceDatabase(file: string, by: string): string | undefined {
  if (!existsSync(file)) {
    giveName(by, file);
    return undefined;
  }
  // The last program that closes a database removes its log: where one lies, another program has it open.
  for (const suffix of ['-wal', '-journal']) {
    if (existsSync(file + suffix)) throw new CommerceError('unavailable', `${file} is in use: stop the service first`);
  }
  const kept = `${file}.before-restore-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}`;
  // The name never stands for nothing: it goes from the old file to the new one at once.
  try {
    linkSync(file, kept);
  } catch {
    copyFileSync(file, kept);
  }
  giveName(by, file);
  return kept;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
