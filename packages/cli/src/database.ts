import { type Commerce, type CommerceOptions, openCommerce, type Storage } from '@commerce/core';

/** Data of a command: a SQLite file or the address of a PostgreSQL database. */
export interface DatabaseOptions {
  db: string;
}

/**
 * Opens the storage that `--db` names; the driver of the other kind is not loaded.
 * @param make creates a SQLite file that does not exist; otherwise a mistyped name would become a database
 * @param otherWriters has reads see at once what other processes write
 */
export async function openStorage({ db }: DatabaseOptions, make = false, otherWriters = false): Promise<Storage> {
  if (isPostgres(db)) {
    const { openPostgres } = await import('@commerce/core/postgres');
    return openPostgres({ url: db });
  }
  const { openSqlite } = await import('@commerce/core/sqlite');
  return openSqlite({ file: db, mustExist: !make, otherWriters });
}

export function isPostgres(db: string): boolean {
  return /^postgres(ql)?:/i.test(db);
}

/** The keys that secrets are stored with. From the environment alone: every user of the machine sees command lines. */
export function secretKey(): Pick<CommerceOptions, 'secretKey' | 'previousSecretKey'> {
  return {
    secretKey: process.env.COMMERCE_SECRET_KEY || undefined,
    previousSecretKey: process.env.COMMERCE_SECRET_KEY_PREVIOUS || undefined,
  };
}

/** Opens the database for one piece of work, and closes it also when that fails. */
export async function withCommerce<T>(
  options: DatabaseOptions,
  work: (commerce: Commerce) => Promise<T>,
  make = false,
  more: Omit<CommerceOptions, 'storage'> = {},
): Promise<T> {
  const commerce = await openCommerce({ ...secretKey(), ...more, storage: await openStorage(options, make) });
  try {
    return await work(commerce);
  } finally {
    await commerce.close();
  }
}
