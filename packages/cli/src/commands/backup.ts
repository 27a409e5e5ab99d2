import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backupDatabase, CommerceError, checkBackup, type MediaFiles, type Storage } from '@commerce/core';
import { type Command, Option } from 'commander';
import { type ArchiveEntry, writeArchive } from '../archive.ts';
import { datedName, removeOld, removeUnfinished } from '../backup-folder.ts';
import { type DatabaseOptions, openStorage } from '../database.ts';
import {
  giveName,
  isInUse,
  kindOfFile,
  linkedFile,
  makeScratch,
  partialName,
  refuseDatabase,
  removeDatabase,
  writing,
} from '../database-files.ts';
import { newCommand, parseCount } from '../input/options.ts';
import { openMediaFiles } from '../media-files.ts';
import { type MediaFileOptions, withMediaFileOptions } from '../media-options.ts';
import { print } from '../output/print.ts';
import { openProgress, rowsOfCopy } from '../progress.ts';

interface BackupOptions extends DatabaseOptions, MediaFileOptions {
  media?: boolean;
  keep?: number;
  quiet?: boolean;
  json?: boolean;
}

export function backupCommand(): Command {
  return withMediaFileOptions(
    newCommand('backup', 'back up all stores to one file while the service runs', [
      'backup shop.backup.db',
      'backup /var/backups/shop --media --keep 7',
    ])
      .argument('<file>', 'the file to write; in a folder, it is named after the time; - is standard output')
      .option('--media', 'include image files; the backup is then a tar archive')
      .addOption(
        new Option('--keep <number>', 'in a folder: keep only this number of the newest backups').argParser(parseCount),
      )
      .option('--quiet', 'do not show progress'),
  ).action(backup);
}

async function backup(target: string, options: BackupOptions, command: Command): Promise<void> {
  const isFolder = target !== '-' && existsSync(target) && statSync(target).isDirectory();
  if (options.keep !== undefined && !isFolder) {
    command.error(`error: --keep requires a folder; ${target} is not a folder`, { exitCode: 2 });
  }
  const scratch = target === '-' ? makeScratch('backup') : undefined;
  try {
    if (scratch !== undefined) {
      const file = join(scratch, 'commerce.db');
      await writeBackup(file, options, command);
      await sendOut(file);
      return;
    }
    if (isFolder) removeUnfinished(target);
    const file = isFolder ? join(target, datedName(new Date(), options.media ? 'tar' : 'db')) : linkedFile(target);
    requirePlace(file, options);
    const { stores, size } = await writeBackup(file, options, command);
    const removed = isFolder && options.keep !== undefined ? removeOld(target, options.keep, basename(file)) : [];
    const shownName = isFolder ? file : target;
    print(options, { file: shownName, size, stores, removed }, () =>
      [
        `${shownName}: ${(size / 1e6).toFixed(1)} MB, ${stores} store${stores === 1 ? '' : 's'}, checked`,
        ...removed.map((name) => `removed ${name}`),
      ].join('\n'),
    );
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  }
}

/** Refuses a path if the backup would replace something other than an earlier backup. */
function requirePlace(file: string, { db }: BackupOptions): void {
  refuseDatabase(file, db, 'its backup');
  if (!existsSync(dirname(file))) {
    throw new CommerceError('validation', `the folder ${dirname(file)} does not exist; create it first`);
  }
  const refuse = (why: string) => {
    throw new CommerceError('validation', `${file} ${why}`);
  };
  const there = statSync(file, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isFile()) refuse('is not a file; use - to write to standard output');
  if (there.size > 0 && kindOfFile(file) === undefined)
    refuse('already exists and is not a backup; choose another file');
  if (isInUse(file))
    refuse('is a database that a program has open, or had open when it was killed; choose another file');
}

/** Writes a complete, checked backup, then renames it to its name. */
async function writeBackup(
  file: string,
  options: BackupOptions,
  command: Command,
): Promise<{ stores: number; size: number }> {
  const media = options.media ? openMediaFiles(options, command) : undefined;
  const from = await openStorage(options);
  const partial = partialName(file);
  try {
    const stores = await writing(file, () => writeDatabase(from, partial, options));
    if (media) {
      const archive = partialName(`${file}.tar`);
      try {
        await writing(file, () => writeArchive(archive, archived(partial, media, from)));
        removeDatabase(partial);
        giveName(archive, partial);
      } finally {
        rmSync(archive, { force: true });
      }
    }
    await writing(file, () => giveName(partial, file));
    return { stores, size: statSync(file).size };
  } finally {
    removeDatabase(partial);
    await from.close();
  }
}

async function sendOut(file: string): Promise<void> {
  await pipeline(createReadStream(file), process.stdout).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    throw new CommerceError('unavailable', 'standard output was closed before the backup was complete');
  });
}

async function writeDatabase(from: Storage, file: string, options: BackupOptions): Promise<number> {
  const { openSqlite } = await import('@commerce/core/sqlite');
  const progress = await openProgress(options);
  try {
    await backupDatabase(from, file, (name) => openSqlite({ file: name }), {
      onProgress: rowsOfCopy(progress),
    });
  } finally {
    progress.end();
  }
  const written = openSqlite({ file, mustExist: true });
  try {
    return (await checkBackup(written)).stores;
  } catch (error) {
    // A copy has the faults of its source.
    if (!(error instanceof CommerceError)) throw error;
    throw new CommerceError(
      error.kind,
      `${error.message.replaceAll(resolve(file), from.location)}; no backup was written`,
    );
  } finally {
    await written.close();
  }
}

/** Name of the database in an archive, and the prefix of its media files. */
export const archivedDatabase = 'commerce.db';
export const archivedMedia = 'media/';

async function* archived(database: string, media: MediaFiles, from: Storage): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(database);
  yield { name: archivedDatabase, size, open: async () => createReadStream(database) };
  const stores = await from.reads.selectFrom('stores').select('id').execute();
  for (const { id } of stores) {
    for await (const { name } of media.list(id)) {
      const kept = await media.open(name);
      // It was deleted while the backup ran.
      if (kept) yield { name: archivedMedia + name, size: kept.size, open: () => kept.read() };
    }
  }
}
