import { CommerceError } from '../kernel/errors.ts';
import { cancelWaitingMails } from '../mail/mails.ts';
import { migrationStatus } from '../storage/migrations/index.ts';
import { runTransaction, storageError } from '../storage/run.ts';
import type { Storage } from '../storage/storage.ts';
import { endImports } from '../transfer/notes.ts';
import { type CopyOptions, copyDatabase } from './copy.ts';

/**
 * Writes all stores of a database, as of one moment, into a new SQLite file without stopping writers. SQLite is copied page by page,
 * PostgreSQL with `copyDatabase`. Media files are not included.
 * @param open opens the new file
 * @throws CommerceError like `copyDatabase`
 */
export async function backupDatabase(
  from: Storage,
  file: string,
  open: (file: string) => Storage,
  options?: CopyOptions,
): Promise<void> {
  try {
    if (from.backup) {
      await from.backup(file);
      return;
    }
    const to = open(file);
    try {
      // A restore decides about the mails that wait.
      await copyDatabase(from, to, { ...options, keepMail: true });
    } finally {
      await to.close();
    }
  } catch (error) {
    throw storageError(from, error);
  }
}

/**
 * Ends what must not continue in a restored database: imports whose files are not in the backup, sessions and links, which can have ended
 * since, and mails that wait, which were sent since.
 * @param options.keepMail leaves the mails
 */
export async function endWaitingWork(
  storage: Storage,
  now: number,
  { keepMail = false }: { keepMail?: boolean } = {},
): Promise<void> {
  const tables = await storage.tables();
  if (!tables.includes('imports')) return;
  await runTransaction(storage, async (db) => {
    await endImports(db, now);
    if (!keepMail && tables.includes('mails')) await cancelWaitingMails(db);
    for (const table of ['sessions', 'sign_in_codes', 'passkey_challenges'] as const) {
      await db.deleteFrom(table).execute();
    }
  });
}

/**
 * Checks that a database is complete and of a version that this program knows.
 * @returns its number of stores
 * @throws CommerceError `unavailable` if it is damaged, unfinished or of a newer version
 */
export async function checkBackup(storage: Storage): Promise<{ stores: number }> {
  const faults = await storage.integrity();
  if (faults.length > 0) {
    throw new CommerceError('unavailable', `${storage.location} is damaged: ${faults.slice(0, 3).join('; ')}`);
  }
  const { applied } = await migrationStatus(storage);
  if (applied.length === 0) throw new CommerceError('unavailable', `${storage.location} is not a database of Commerce`);
  const { stores } = await storage.reads
    .selectFrom('stores')
    .select((eb) => eb.fn.countAll<number>().as('stores'))
    .executeTakeFirstOrThrow();
  return { stores };
}
