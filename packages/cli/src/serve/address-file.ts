import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '@commerce/core';
import { isPostgres } from '../database.ts';
import { linkedFile, partialName } from '../database-files.ts';

/** The file next to a database that holds the address of its service. */
function fileOf(db: string): string | undefined {
  return isPostgres(db) ? undefined : `${linkedFile(db)}.address`;
}

/**
 * Records the address of a service for commands of this user on this machine. Only this user can write the file, because a link that signs
 * in is sent to the address.
 * @returns removes the record
 */
export function noteAddress(db: string, url: string): () => void {
  const file = fileOf(db);
  if (file === undefined) return () => {};
  try {
    const part = partialName(file);
    writeFileSync(part, `${url}\n${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(part, file);
  } catch {
    // If the folder is not writable, commands ask for the address.
    return () => {};
  }
  // Another service of the same database may have written its own address.
  return () => {
    if (addressOf(db) === url) rmSync(file, { force: true });
  };
}

/**
 * The recorded address of a service of this database. Undefined if there is none, if its process has ended without removing it, or if
 * another user could have written it. Only an address of this machine is accepted.
 */
export function addressOf(db: string): string | undefined {
  const file = fileOf(db);
  const stats = file === undefined ? undefined : lstatSync(file, { throwIfNoEntry: false });
  if (file === undefined || !stats?.isFile()) return undefined;
  const own = process.getuid?.() ?? stats.uid;
  if (stats.uid !== own || (process.platform !== 'win32' && (stats.mode & 0o022) !== 0)) return undefined;
  const [, url = '', host = '', pid = ''] =
    /^(http:\/\/(\[[\da-f:.]+\]|[\w.-]+):\d{1,5})\n([1-9]\d{0,9})\n$/.exec(readFileSync(file, 'utf8')) ?? [];
  return isOfThisMachine(host) && isRunning(Number(pid)) ? url : undefined;
}

/** True for a loopback address, and for the address of a network interface of this machine. */
function isOfThisMachine(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (isLoopbackHost(address)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Nothing runs under this number, or another user's process does, which did not write the file.
    return false;
  }
}
