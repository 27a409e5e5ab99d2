import { type Commerce, type CommerceOptions, openCommerce, type Storage } from '@commerce/core';
import { UsageError } from './usage-error.ts';

/** Database option of a command: a SQLite file or the address of a PostgreSQL database. */
export interface DatabaseOptions {
  db: string;
}

/** Read replicas of a PostgreSQL database. */
export interface ReplicaOptions {
  readDb?: string[];
  /** Seconds. */
  readMaxLag?: number;
}

/** Options of `withCommerce`. */
export interface OpenOptions extends Omit<CommerceOptions, 'storage' | 'migrate'> {
  /** Creates a missing SQLite file, and migrates the tables; otherwise a missing file or table is an error. */
  isMaking?: boolean;
}

/**
 * Opens the storage that `--db` names; the driver of the other engine is not loaded.
 * @param isMaking creates a missing SQLite file; otherwise a mistyped name would become a database
 */
export async function openStorage(
  { db, readDb, readMaxLag }: DatabaseOptions & ReplicaOptions,
  isMaking = false,
): Promise<Storage> {
  if (isPostgres(db)) {
    const { openPostgres } = await import('@commerce/core/postgres');
    const replicas = readDb ? { readUrls: readDb } : {};
    return openPostgres({ url: db, ...replicas, ...(readMaxLag ? { maxReplicaLag: readMaxLag * 1000 } : {}) });
  }
  if (readDb) throw new UsageError('--read-db requires a PostgreSQL database; --db is a SQLite file');
  // The rest of the address may contain a password.
  const [, scheme] = /^([a-z][a-z0-9+.-]*:\/\/|(?:file|sqlite|sqlite3|mysql|mariadb|mongodb):)/i.exec(db) ?? [];
  if (scheme !== undefined) {
    throw new UsageError(`--db: ${scheme} is not supported; use a SQLite file path or postgres://user@host:5432/name`);
  }
  const { openSqlite } = await import('@commerce/core/sqlite');
  return openSqlite({ file: db, mustExist: !isMaking });
}

export function isPostgres(db: string): boolean {
  return /^postgres(ql)?:/i.test(db);
}

/** The keys that secrets are encrypted with. Read only from the environment: every user of the machine sees command lines. */
export function secretKey(): Pick<CommerceOptions, 'secretKey' | 'previousSecretKey'> {
  return {
    secretKey: process.env.COMMERCE_SECRET_KEY || undefined,
    previousSecretKey: process.env.COMMERCE_SECRET_KEY_PREVIOUS || undefined,
  };
}

/** Opens the database for one piece of work, and closes it afterwards, also on failure. */
export async function withCommerce<T>(
  options: DatabaseOptions,
  work: (commerce: Commerce) => Promise<T>,
  { isMaking = false, ...more }: OpenOptions = {},
): Promise<T> {
  const storage = await openStorage(options, isMaking);
  const migration = isMaking ? (await import('./migration-backup.ts')).migrationSettings(storage) : {};
  const commerce = await openCommerce({ ...secretKey(), ...more, ...migration, storage, migrate: isMaking });
  try {
    return await work(commerce);
  } finally {
    await commerce.close();
  }
}
