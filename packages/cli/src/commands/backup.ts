import { createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backupDatabase, CommerceError, checkBackup, type MediaFiles, type Storage } from '@commerce/core';
import { type Command, Option } from 'commander';
import { type ArchiveEntry, writeArchive } from '../archive.ts';
import { type DatabaseOptions, openStorage } from '../database.ts';
import { giveName, partialName, refuseDatabase, removeDatabase, writing } from '../database-files.ts';
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
    newCommand('backup', 'write all stores into one file while the service goes on', [
      'backup shop.backup.db',
      'backup /var/backups/shop --media --keep 7',
    ])
      .argument('<file>', 'the backup; in a folder it is named after the time; - is standard output')
      .option('--media', 'add the files of images; the backup is a tar archive then')
      .addOption(
        new Option('--keep <number>', 'in a folder: remove all but so many of the newest backups').argParser(
          parseCount,
        ),
      )
      .option('--quiet', 'tell no progress'),
  ).action(backup);
}

async function backup(target: string, options: BackupOptions, command: Command): Promise<void> {
  const isFolder = target !== '-' && existsSync(target) && statSync(target).isDirectory();
  if (options.keep !== undefined && !isFolder) {
    command.error(`error: --keep needs a folder, and ${target} is none`, { exitCode: 2 });
  }
  const file = target === '-' ? join(tmpdir(), `commerce-backup-${process.pid}`) : fileOf(target, isFolder, options);
  refuseDatabase(file, options.db, 'its backup');
  if (!existsSync(dirname(file))) {
    throw new CommerceError('validation', `the folder ${dirname(file)} does not exist; create it first`);
  }
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
    if (target === '-') {
      await pipeline(createReadStream(partial), process.stdout);
      return;
    }
    await writing(file, () => giveName(partial, file));
    const { size } = await stat(file);
    const removed = isFolder && options.keep !== undefined ? removeOld(target, options.keep) : [];
    print(options, { file, size, stores, removed }, () =>
      [
        `${file}: ${(size / 1e6).toFixed(1)} MB, ${stores} store${stores === 1 ? '' : 's'}, checked`,
        ...removed.map((name) => `removed ${name}`),
      ].join('\n'),
    );
  } finally {
    removeDatabase(partial);
    await from.close();
  }
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
  } finally {
    await written.close();
  }
}

/** Name of the database in an archive, and the start of those of its media. */
export const archivedDatabase = 'commerce.db';
export const archivedMedia = 'media/';

async function* archived(database: string, media: MediaFiles, from: Storage): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(database);
  yield { name: archivedDatabase, size, open: async () => createReadStream(database) };
  const stores = await from.reads.selectFrom('stores').select('id').execute();
  for (const { id } of stores) {
    for await (const { name } of media.list(id)) {
      const kept = await media.open(name);
      // One that was deleted meanwhile.
      if (kept) yield { name: archivedMedia + name, size: kept.size, open: () => kept.read() };
    }
  }
}

/** Names that backups have in a folder. */
export const dated = /^commerce-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(?:db|tar)$/;

function fileOf(target: string, isFolder: boolean, { media }: BackupOptions): string {
  if (!isFolder) return target;
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  return join(target, `commerce-${time}.${media ? 'tar' : 'db'}`);
}

/** Removes the oldest backups of a folder, by the time in their names. */
function removeOld(folder: string, keep: number): string[] {
  const old = readdirSync(folder)
    .filter((name) => dated.test(name))
    .sort()
    .slice(0, -keep);
  for (const name of old) rmSync(join(folder, basename(name)));
  return old;
}
