import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommerceError, checkBackup, copyDatabase, type MediaFiles, type Storage } from '@commerce/core';
import type { Command } from 'commander';
import { damaged, readArchive } from '../archive.ts';
import { type DatabaseOptions, isPostgres, openStorage } from '../database.ts';
import { kindOfFile, partialName, removeDatabase, replaceDatabase, writing } from '../database-files.ts';
import { newCommand } from '../input/options.ts';
import { openMediaFiles } from '../media-files.ts';
import { type MediaFileOptions, withMediaFileOptions } from '../media-options.ts';
import { print } from '../output/print.ts';
import { archivedDatabase, archivedMedia } from './backup.ts';

interface RestoreOptions extends DatabaseOptions, MediaFileOptions {
  yes?: boolean;
  json?: boolean;
}

export function restoreCommand(): Command {
  return withMediaFileOptions(
    newCommand('restore', 'put the stores of a backup into the database, once the backup was found whole', [
      'restore shop.backup.db --db shop.db',
      'restore all.tar --yes',
    ])
      .argument('<file>', 'the backup; - is standard input')
      .option('--yes', 'replace a database that has stores; the old one is kept beside it'),
  ).action(restore);
}

async function restore(source: string, options: RestoreOptions, command: Command): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'commerce-restore-'));
  // Beside the database, so that it takes its place by its name alone.
  const staged = isPostgres(options.db) ? join(scratch, 'commerce.db') : partialName(options.db);
  try {
    const file = source === '-' ? join(scratch, 'received') : source;
    if (source === '-') await writing(file, () => pipeline(process.stdin, createWriteStream(file, { mode: 0o600 })));
    const files = await unpack(file, staged, options, command);
    const { openSqlite } = await import('@commerce/core/sqlite');
    const backup = openSqlite({ file: staged, mustExist: true });
    let stores: number;
    try {
      ({ stores } = await checkBackup(backup));
      if (isPostgres(options.db)) await copyInto(backup, options, await nameOf(file));
    } finally {
      await backup.close();
    }
    const kept = isPostgres(options.db)
      ? undefined
      : await writing(options.db, () => putInPlace(staged, options, command));
    print(options, { database: options.db, stores, files, ...(kept ? { kept } : {}) }, () =>
      [
        `${options.db} has the ${stores} store${stores === 1 ? '' : 's'} of the backup${files > 0 ? `; files of images that are back: ${files}` : ''}`,
        ...(kept ? [`what was there before is kept as ${kept}`] : []),
      ].join('\n'),
    );
  } finally {
    removeDatabase(staged);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Brings the database of a backup to its place, and the files of images to theirs. @returns the number of those */
async function unpack(file: string, staged: string, options: RestoreOptions, command: Command): Promise<number> {
  const kind = existsSync(file) ? kindOfFile(file) : undefined;
  if (kind === undefined) {
    const why = existsSync(file) ? 'is no backup of Commerce' : 'does not exist';
    throw new CommerceError('validation', `${file} ${why}`);
  }
  const place = isPostgres(options.db) ? staged : options.db;
  if (kind === 'database') {
    await writing(place, () => copyFile(file, staged));
    await chmod(staged, 0o600);
    return 0;
  }
  const media: MediaFiles = openMediaFiles(options, command);
  let files = 0;
  for await (const { name, body } of readArchive(file)) {
    body.once('error', () => {});
    if (name === archivedDatabase) {
      await writing(place, () =>
        pipeline(body, createWriteStream(staged, { mode: 0o600 })).catch((error) => {
          throw damaged(file, error);
        }),
      );
    } else if (isMediaName(name)) {
      await writing(join(media.staging, name), () => putMedia(media, name.slice(archivedMedia.length), body));
      files++;
    } else throw new CommerceError('validation', `${file} holds ${name}, which is not of a backup`);
  }
  if (!existsSync(staged)) throw new CommerceError('validation', `${file} holds no ${archivedDatabase}`);
  return files;
}

/** Names of media consist of ids, so that none leads out of its folder. */
function isMediaName(name: string): boolean {
  return name.startsWith(archivedMedia) && /^[\w-]+\/[\w-]+\.\w+$/.test(name.slice(archivedMedia.length));
}

/** Stores a file unless it is there: the content under a name never changes. */
async function putMedia(media: MediaFiles, name: string, body: NodeJS.ReadableStream): Promise<void> {
  if (await media.open(name)) {
    body.resume();
    await new Promise((resolve) => body.once('end', resolve));
    return;
  }
  await mkdir(media.staging, { recursive: true });
  const staged = join(media.staging, `restore-${process.pid}`);
  try {
    await pipeline(body, createWriteStream(staged, { mode: 0o600 }));
    await media.put(name, staged);
  } finally {
    rmSync(staged, { force: true });
  }
}

/** Tells one backup from another, so that a restore that was ended goes on with the same one alone. */
async function nameOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `backup ${basename(file)} of ${size} bytes, ${new Date(mtimeMs).toISOString()}`;
}

async function copyInto(backup: Storage, options: RestoreOptions, sourceName: string): Promise<void> {
  const to = await openStorage(options);
  try {
    await copyDatabase(backup, to, { sourceName });
  } finally {
    await to.close();
  }
}

/** @returns where the database that was there is kept */
async function putInPlace(staged: string, options: RestoreOptions, command: Command): Promise<string | undefined> {
  if (!existsSync(options.db)) return replaceDatabase(options.db, staged);
  const old = await openStorage(options);
  let stores: number;
  try {
    const tables = await old.reads.introspection.getTables();
    stores = tables.some(({ name }) => name === 'stores')
      ? (
          await old.reads
            .selectFrom('stores')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n
      : 0;
  } finally {
    await old.close();
  }
  if (stores > 0 && !options.yes) {
    command.error(
      `error: ${options.db} has ${stores} store${stores === 1 ? '' : 's'} already; --yes replaces them, and keeps the old file beside it`,
      { exitCode: 2 },
    );
  }
  return replaceDatabase(options.db, staged);
}
