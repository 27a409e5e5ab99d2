import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/context.ts';
import type { MediaFiles } from '../engine/media-files.ts';
import { refuseInUnit } from '../engine/transaction.ts';
import { CommerceError } from '../kernel/errors.ts';
import { checkPrivateFolder } from '../kernel/files/private-folder.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { listStores } from '../stores/stores.ts';
import { idOfName } from './variants.ts';

/** Milliseconds; younger files could belong to an upload that is still running. */
const grace = 60 * 60 * 1000;
const batchSize = 500;

export interface Sweep {
  /** Names of files without a media, and `.staging/…` for remains of uploads. */
  files: string[];
  bytes: number;
}

/**
 * Removes files that a crash left without a row, and variants of deleted images, once they are an hour old. Reads only the stores of this
 * database, so files of other programs in the same storage are not touched.
 * @param options.dryRun lists the files without removing them
 * @throws CommerceError `unavailable` if no file storage is configured
 */
export async function sweepMedia(engine: Engine, options: { dryRun?: boolean } = {}): Promise<Sweep> {
  refuseInUnit(engine, 'sweepMedia removes files');
  const { files } = engine.media;
  if (!files)
    throw new CommerceError('unavailable', 'no storage of media files is configured, so there is nothing to sweep');
  const before = engine.clock.now() - grace;
  const swept: Sweep = { files: [], bytes: 0 };
  const { items: stores } = await listStores(engine);
  for (const store of stores) {
    for await (const batch of batches(oldFiles(files, store.id, before), batchSize)) {
      const ids = [...new Set(batch.map((file) => file.id))];
      const known = new Set(await reading(engine.storage, (db) => existing(db, store.id, ids)));
      const orphans = batch.filter((file) => !known.has(file.id));
      if (!options.dryRun) await files.remove(orphans.map((file) => file.name));
      addTo(swept, orphans);
    }
  }
  const stale = await staleStaged(files, before);
  if (!options.dryRun) await Promise.all(stale.map((file) => rm(file.path, { force: true })));
  addTo(swept, stale);
  return swept;
}

function addTo(swept: Sweep, files: readonly { name: string; size: number }[]): void {
  for (const { name, size } of files) {
    swept.files.push(name);
    swept.bytes += size;
  }
}

async function* oldFiles(files: MediaFiles, storeId: string, before: number) {
  for await (const { name, size, modifiedAt } of files.list(storeId)) {
    const id = idOfName(name);
    if (id !== undefined && modifiedAt < before) yield { name, size, id };
  }
}

async function existing(db: Db, storeId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => row.id);
}

async function staleStaged(files: MediaFiles, before: number) {
  const checked = checkPrivateFolder(files.staging, 'uploads').then(() => readdir(files.staging));
  const names = await checked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const staged = await Promise.all(
    names.map(async (name) => {
      const path = join(files.staging, name);
      const stats = await lstat(path).catch(() => undefined);
      return { name: `.staging/${name}`, path, size: stats?.size ?? 0, modifiedAt: stats?.mtimeMs ?? before };
    }),
  );
  return staged.filter((file) => file.modifiedAt < before);
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
