import { closeSync, existsSync, linkSync, openSync, readSync, statSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  backupDatabase,
  CommerceError,
  checkBackup,
  type MigrateOptions,
  migrationStatus,
  type Storage,
} from '@commerce/core';
import { giveName, partialName, removeDatabase, writing } from './database-files.ts';
import type { MigrationOptions } from './migration-options.ts';

/** A copy of a database from before a migration. */
export interface MigrationBackup {
  file: string;
  /** Bytes. */
  size: number;
}

/** Line that names the path of a copy. */
export function textOf({ file, size }: MigrationBackup): string {
  return `the previous database is kept as ${file} (${(size / 1e6).toFixed(1)} MB, checked)`;
}

/**
 * Options of `migrate` that copy a SQLite file, and check the copy, before a migration that rewrites stored data. A copy is never replaced;
 * an earlier attempt's copy of the same rows is kept instead of a new one.
 * @param told receives the copy once it has its name
 */
export function migrationSettings(
  storage: Storage,
  { migrationBackup, ignoreOlderServers }: MigrationOptions = { migrationBackup: true, ignoreOlderServers: false },
  told: (backup: MigrationBackup) => void = () => {},
): Pick<MigrateOptions, 'beforeMigrating' | 'ignoreOlderServers'> {
  if (!migrationBackup || !storage.backup) return { ignoreOlderServers };
  return {
    ignoreOlderServers,
    async beforeMigrating({ pending, rewritesRows }) {
      const kept = rewritesRows ? await keepCopy(storage, resolve(storage.location), pending[0] ?? '') : undefined;
      if (kept) told(kept);
    },
  };
}

/** @returns undefined if another process has migrated while this ran: that process has kept the copy that it was told to keep */
async function keepCopy(storage: Storage, database: string, migration: string): Promise<MigrationBackup | undefined> {
  const name = (n: number) => `${database}.before-${migration.slice(0, 4)}${n === 1 ? '' : `-${n}`}.backup`;
  const partial = partialName(name(1));
  try {
    await requireRoom(storage, database);
    await writing(name(1), () => backupDatabase(storage, partial, openNothing));
    const { openSqlite } = await import('@commerce/core/sqlite');
    const written = openSqlite({ file: partial, mustExist: true });
    try {
      await checkBackup(written);
      if (!(await migrationStatus(written)).pending.includes(migration)) return undefined;
    } finally {
      await written.close();
    }
    const { size } = await stat(partial);
    for (let n = 1; ; n++) {
      const file = name(n);
      if ((await writing(file, () => takeName(partial, file))) || isSame(file, partial)) return { file, size };
    }
  } catch (error) {
    throw unchanged(error);
  } finally {
    removeDatabase(partial);
  }
}

/** A file is copied page by page, without reading its rows. */
function openNothing(): never {
  throw new Error('only a SQLite file can be copied');
}

async function requireRoom(storage: Storage, database: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(database));
  const [free, needed] = [bavail * bsize, await storage.size()];
  if (free >= needed) return;
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  throw new CommerceError(
    'unavailable',
    `not enough disk space for the copy of ${database} before the migration: it needs ${mb(needed)}, ${mb(free)} are free`,
  );
}

function unchanged(error: unknown): unknown {
  if (!(error instanceof CommerceError)) return error;
  const message = `${error.message}. Nothing was changed; use --no-migration-backup to migrate without a copy`;
  return new CommerceError(error.kind, message, { cause: error });
}

/**
 * Renames a finished file to an unused name.
 * @returns false if the name was taken
 */
function takeName(file: string, name: string): boolean {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    // File systems without links support only this.
    if (existsSync(name)) return false;
    giveName(file, name);
    return true;
  }
  // The same name again: this flushes the file, so that it survives a power cut.
  giveName(file, name);
  return true;
}

const chunk = 1024 * 1024;

/** Whether two files have the same bytes. */
function isSame(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false;
  const files = [one, other].map((file) => ({ fd: openSync(file, 'r'), bytes: Buffer.alloc(chunk) }));
  try {
    for (;;) {
      const [a, b] = files.map(({ fd, bytes }) => bytes.subarray(0, readSync(fd, bytes, 0, chunk, null)));
      if (!a || !b || !a.equals(b)) return false;
      if (a.length === 0) return true;
    }
  } finally {
    for (const { fd } of files) closeSync(fd);
  }
}
