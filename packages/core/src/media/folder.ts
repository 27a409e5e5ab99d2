import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FileFacts, ListedFile, MediaFiles } from '../engine/media-files.ts';
import { CommerceError, quote } from '../kernel/errors.ts';

export interface MediaFolderOptions {
  /** Created with the first upload. Several processes can share it. */
  directory: string;
}

// Names are built from ids, without dots or separators, so none leaves the folder. They are checked again here, where a path is built.
const namePattern = /^[\w-]+\/[\w-]+\.\w+$/;

/** Media files in a folder on this machine, with one subfolder for each store. */
export function openMediaFolder({ directory }: MediaFolderOptions): MediaFiles {
  const root = resolve(directory);
  const pathOf = (name: string) => {
    if (!namePattern.test(name))
      throw new Error(`a media file must be named <store id>/<file>.<ext>, not ${quote(name)}`);
    return join(root, name);
  };
  return {
    // Inside the folder, because a rename is atomic only within one file system.
    staging: join(root, '.staging'),
    async put(name, stagedFile) {
      const path = pathOf(name);
      await sync(stagedFile);
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(stagedFile, path);
      await syncDirectory(dirname(path));
      // The entry of a new directory in its parent must be synced, too.
      if (created !== undefined) {
        await syncDirectory(root);
        await syncDirectory(dirname(root));
      }
    },
    async open(name) {
      const path = pathOf(name);
      const facts = await factsOf(path);
      if (!facts) return undefined;
      return {
        ...facts,
        async read(range) {
          const file = await unlessMissing(open(path));
          if (!file) throw new CommerceError('notFound', `the file ${name} was removed`);
          // The stream closes the file at its end and when it is destroyed.
          return file.createReadStream(range);
        },
      };
    },
    async remove(names) {
      await Promise.all(names.map((name) => rm(pathOf(name), { force: true })));
    },
    async *list(storeId): AsyncGenerator<ListedFile> {
      const directory = await unlessMissing(opendir(join(root, storeId)));
      if (!directory) return;
      for await (const entry of directory) {
        const name = `${storeId}/${entry.name}`;
        const facts = entry.isFile() && namePattern.test(name) && (await factsOf(pathOf(name)));
        if (facts) yield { name, ...facts };
      }
    },
  };
}

async function factsOf(path: string): Promise<FileFacts | undefined> {
  const stats = await unlessMissing(stat(path));
  return stats?.isFile() ? { size: stats.size, modifiedAt: Math.trunc(stats.mtimeMs) } : undefined;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories, and writes their entries at once.
  if (process.platform === 'win32') return;
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
