import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs';
import { chmod, copyFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import {
  CommerceError,
  checkBackup,
  copyDatabase,
  endWaitingWork,
  type MediaFiles,
  type Storage,
  withStagedFile,
} from '@commerce/core';
import type { Command } from 'commander';
import { damaged, readArchive } from '../archive.ts';
import { type DatabaseOptions, isPostgres, openStorage } from '../database.ts';
import {
  isInUse,
  kindOfFile,
  linkedFile,
  makeScratch,
  partialName,
  removeDatabase,
  replaceDatabase,
  writing,
} from '../database-files.ts';
import { newCommand } from '../input/options.ts';
import { openMediaFiles } from '../media-files.ts';
import { type MediaFileOptions, withMediaFileOptions } from '../media-options.ts';
import { print } from '../output/print.ts';
import { archivedDatabase, archivedMedia } from './backup.ts';

interface RestoreOptions extends DatabaseOptions, MediaFileOptions {
  yes?: boolean;
  keepMail?: boolean;
  json?: boolean;
}

export function restoreCommand(): Command {
  return withMediaFileOptions(
    newCommand('restore', 'restore the stores of a backup into the database, after checking the backup', [
      'restore shop.backup.db --db shop.db',
      'restore all.tar --yes',
    ])
      .argument('<file>', 'the backup file; - is standard input')
      .option('--yes', 'replace a database that has stores; the old file is kept next to it')
      .option('--keep-mail', 'send the mails that waited in the backup; by default they are cancelled'),
  ).action(restore);
}

/** A new file that only this user can read. Never overwrites a file or follows a link. */
const onlyNew = { flags: 'wx', mode: 0o600 } as const;

async function restore(source: string, options: RestoreOptions, command: Command): Promise<void> {
  const scratch = makeScratch('restore');
  const place = isPostgres(options.db) ? undefined : linkedFile(options.db);
  // Next to the database, so that a rename puts it in place.
  const staged = place === undefined ? join(scratch, 'commerce.db') : partialName(place);
  try {
    const file = source === '-' ? join(scratch, 'received') : source;
    if (source === '-') await writing(file, () => pipeline(process.stdin, createWriteStream(file, onlyNew)));
    const shown = source === '-' ? 'standard input' : source;
    const kind = kindOf(file, shown);
    // Everything is read and checked, and the files that it would replace too, before any file is written.
    if (kind === 'archive') await readWhole(file, staged, options.db);
    else {
      await writing(options.db, () => copyFile(file, staged, constants.COPYFILE_EXCL));
      await chmod(staged, 0o600);
    }
    const { openSqlite } = await import('@commerce/core/sqlite');
    const name = place === undefined ? await nameOf(staged) : '';
    const backup = await ofBackup(shown, staged, () => openSqlite({ file: staged, mustExist: true }));
    let done: { stores: number; files: number; database: string };
    try {
      const { stores } = await ofBackup(shown, staged, () => checkBackup(backup));
      if (place !== undefined) await requireConsentTo(place, options, command);
      const files = kind === 'archive' ? await putFiles(file, options, command) : 0;
      await endWaitingWork(backup, Date.now(), { keepMail: options.keepMail === true });
      const database = place === undefined ? await copyInto(backup, options, name) : options.db;
      done = { stores, files, database };
    } finally {
      await backup.close();
    }
    const kept = place && (await writing(options.db, () => replaceDatabase(place, staged)));
    const { stores, files, database } = done;
    print(options, { database, stores, files, ...(kept ? { kept } : {}) }, () =>
      [
        `${database} has the ${stores} store${stores === 1 ? '' : 's'} of the backup${files > 0 ? `; files of images that are back: ${files}` : ''}`,
        ...(kept ? [`the previous data is kept as ${kept}`] : []),
      ].join('\n'),
    );
  } finally {
    removeDatabase(staged);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function kindOf(file: string, shown: string): 'database' | 'archive' {
  const kind = existsSync(file) ? kindOfFile(file) : undefined;
  if (kind !== undefined) return kind;
  throw new CommerceError('validation', `${shown} ${existsSync(file) ? 'is not a Commerce backup' : 'does not exist'}`);
}

/** Puts the database of an archive in place, and reads the archive to its end. */
async function readWhole(file: string, staged: string, db: string): Promise<void> {
  for await (const { name, body } of readArchive(file)) {
    body.once('error', () => {});
    const told = (error: unknown) => {
      throw damaged(file, error);
    };
    if (name === archivedDatabase) {
      await writing(db, () => pipeline(body, createWriteStream(staged, onlyNew)).catch(told));
    } else if (isMediaName(name)) await finished(body.resume()).catch(told);
    else throw new CommerceError('validation', `${file} contains ${name}, which does not belong to a backup`);
  }
  if (!existsSync(staged)) throw new CommerceError('validation', `${file} does not contain ${archivedDatabase}`);
}

/**
 * Puts the image files of an archive in place.
 * @returns their number
 */
async function putFiles(file: string, options: RestoreOptions, command: Command): Promise<number> {
  const media: MediaFiles = openMediaFiles(options, command);
  let files = 0;
  for await (const { name, body } of readArchive(file)) {
    body.once('error', () => {});
    if (!isMediaName(name)) await finished(body.resume());
    else {
      await writing(join(media.staging, name), () => putMedia(media, name.slice(archivedMedia.length), body));
      files++;
    }
  }
  return files;
}

/** Runs work on the staged copy of a backup; errors name the backup that was given. */
async function ofBackup<T>(shown: string, staged: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDamage(error))
      throw new CommerceError('unavailable', `${shown} is damaged or incomplete; use another backup`);
    if (!(error instanceof CommerceError)) throw error;
    throw new CommerceError(error.kind, error.message.replaceAll(resolve(staged), shown), { cause: error.cause });
  }
}

/** True if a database cannot be opened or read because of the content of its file. */
function isDamage(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  return [code, cause?.code].some((one) => /^SQLITE_(CORRUPT|NOTADB)/.test(one ?? ''));
}

/** Names of media consist of ids, so that no file can be written outside of its folder. */
function isMediaName(name: string): boolean {
  return name.startsWith(archivedMedia) && /^[\w-]+\/[\w-]+\.\w+$/.test(name.slice(archivedMedia.length));
}

/** Stores a file unless it exists: the content under a name never changes. */
async function putMedia(media: MediaFiles, name: string, body: NodeJS.ReadableStream): Promise<void> {
  if (await media.open(name)) {
    body.resume();
    await new Promise((resolve) => body.once('end', resolve));
    return;
  }
  await withStagedFile(media, async (staged) => {
    await pipeline(body, createWriteStream(staged, onlyNew));
    await media.put(name, staged);
  });
}

/** Identifies a backup by its content. A restore that was interrupted continues only with the same backup, wherever it comes from. */
async function nameOf(staged: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(staged), hash);
  const { size } = await stat(staged);
  return `a backup of ${size} bytes, SHA-256 ${hash.digest('hex').slice(0, 16)}`;
}

/** @returns the address without its password */
async function copyInto(backup: Storage, options: RestoreOptions, sourceName: string): Promise<string> {
  const to = await openStorage(options);
  try {
    // What had to end was ended in the backup.
    await copyDatabase(backup, to, { sourceName, keepMail: true });
    return to.location;
  } finally {
    await to.close();
  }
}

/**
 * Refuses to replace data that may still be wanted, unless `--yes` is given. A damaged database may be replaced: backups exist for that.
 */
async function requireConsentTo(place: string, options: RestoreOptions, command: Command): Promise<void> {
  if (!existsSync(place)) return;
  const found = await storesOf(place).catch((error: unknown) => {
    if (isDamage(error)) return 'damaged' as const;
    throw error;
  });
  if (found === 'damaged' && isInUse(place)) {
    throw new CommerceError(
      'unavailable',
      `${options.db} is damaged and possibly in use: stop the service; if none is running, move ${place}-wal away first`,
    );
  }
  if (found === 0 || options.yes) return;
  const what =
    found === 'damaged'
      ? 'is damaged; --yes replaces it with the backup'
      : `has ${found} store${found === 1 ? '' : 's'} already; --yes replaces them`;
  command.error(`error: ${options.db} ${what} and keeps the old file next to it`, { exitCode: 2 });
}

async function storesOf(file: string): Promise<number> {
  const old = await openStorage({ db: file });
  try {
    if (!(await old.tables()).includes('stores')) return 0;
    const { n } = await old.reads
      .selectFrom('stores')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return n;
  } finally {
    await old.close();
  }
}
