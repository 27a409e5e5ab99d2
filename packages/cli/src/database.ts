import { type Commerce, type CommerceOptions, openCommerce, type Storage } from '@commerce/core';

/** Where a command finds its data: a SQLite file or the address of a PostgreSQL database. */
export interface DatabaseOptions {
  db: string;
}

/**
 * Opens the storage that `--db` names; the driver of the other kind is not loaded.
 * @param make whether a SQLite file that does not exist is made: a mistyped name should not become a database
 */
export async function openStorage({ db }: DatabaseOptions, make = false): Promise<Storage> {
  if (/^postgres(ql)?:/i.test(db)) {
    const { openPostgres } = await import('@commerce/core/postgres');
    return openPostgres({ url: db });
  }
  const { openSqlite } = await import('@commerce/core/sqlite');
  return openSqlite({ file: db, mustExist: !make });
}

/** The key that payment settings are stored with. From the environment alone: a command line is seen by every user of the machine. */
export function secretKey(): Pick<CommerceOptions, 'secretKey' | 'previousSecretKey'> {
  return {
    secretKey: process.env.COMMERCE_SECRET_KEY || undefined,
    previousSecretKey: process.env.COMMERCE_SECRET_KEY_PREVIOUS || undefined,
  };
}

/** Opens the database for one piece of work and closes it whatever comes. */
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
