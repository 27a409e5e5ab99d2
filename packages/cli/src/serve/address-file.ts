import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
    writeFileSync(part, url, { flag: 'wx', mode: 0o600 });
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

/** The recorded address of a service of this database; undefined if there is none, or if another user could have written it. */
export function addressOf(db: string): string | undefined {
  const file = fileOf(db);
  const stats = file === undefined ? undefined : lstatSync(file, { throwIfNoEntry: false });
  if (file === undefined || !stats?.isFile()) return undefined;
  const own = process.getuid?.() ?? stats.uid;
  if (stats.uid !== own || (process.platform !== 'win32' && (stats.mode & 0o022) !== 0)) return undefined;
  const text = readFileSync(file, 'utf8');
  return /^https?:\/\/\S+$/.test(text) ? text : undefined;
}
