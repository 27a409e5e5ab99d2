import { AsyncLocalStorage } from 'node:async_hooks';
import { CommerceError } from '../errors.ts';
import type { Db, OpenTransaction, Storage } from './storage.ts';

/** Times that a transaction is run at most. */
export const maxRuns = 5;

/**
 * Rolls back after an error, also one of the beginning or of the commit. Never fails: the error says what happened, and that of a
 * rollback on a connection which broke would pass for one of a statement that was never sent.
 */
export async function undo(transaction: OpenTransaction | undefined, cause: unknown): Promise<void> {
  await transaction?.rollback(cause).catch(() => {});
}

/** Storage of the transaction in whose callback this is called, while it is open; see `unit.ts`. */
export const around = new AsyncLocalStorage<{ readonly storage: Storage | undefined }>();

/**
 * Refuses a transaction that would wait for the one around it, which waits for it, and would not be part of it.
 * @throws CommerceError `conflict`
 */
export function refuseBeside(storage: Storage): void {
  if (around.getStore()?.storage !== storage) return;
  throw new CommerceError(
    'conflict',
    'inside of commerce.transaction(), operations take the context that its callback is given, not the one outside',
  );
}

/**
 * Waits for the turn of a store's transaction.
 * @returns ends the turn
 * @throws CommerceError `conflict` inside of another transaction, which has a turn itself; `unavailable` when the turn does not come in time
 */
export function turnOf(storage: Storage, storeId: string): Promise<() => void> {
  refuseBeside(storage);
  return storage.takeTurn(storeId);
}

/**
 * Runs work in one transaction of the database. It is run again when the database gave the whole transaction up (a
 * deadlock), so it touches nothing but the database.
 */
export async function runTransaction<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  refuseBeside(storage);
  for (let run = 1; ; run++) {
    let transaction: OpenTransaction | undefined;
    try {
      transaction = await storage.begin();
      const result = await work(transaction.db);
      await transaction.commit();
      return result;
    } catch (error) {
      await undo(transaction, error);
      if (!storage.isTransient(error) || run === maxRuns) throw error;
    }
  }
}

/**
 * Runs writes of no store in one transaction, such as those of the settings that all stores share.
 * @throws CommerceError `unavailable` when the database cannot be reached or stays locked.
 */
export async function writing<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await runTransaction(storage, work);
  } catch (error) {
    throw storageError(storage, error);
  }
}

/**
 * Runs a read that is one statement, or several of which each stands for itself.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function reading<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    const reads = work(storage.reads);
    return await (storage.during ? storage.during(reads) : reads);
  } catch (error) {
    throw storageError(storage, error);
  }
}

/**
 * As `reading`, for one store: where more is read than the engine has connections for, the stores take turns.
 * @throws CommerceError `unavailable` when the database cannot be reached, or the turn does not come in time.
 */
export function readingOf<T>({ engine: { storage }, store }: OfStore, work: (db: Db) => Promise<T>): Promise<T> {
  return inTurn(storage, store.id, () => reading(storage, work));
}

async function inTurn<T>({ readTurns }: Storage, storeId: string, work: () => Promise<T>): Promise<T> {
  const waiting = readTurns?.enter(storeId);
  if (waiting) await waiting;
  try {
    return await work();
  } finally {
    readTurns?.leave(storeId);
  }
}

/** What reads of one store have to know of it. */
interface OfStore {
  engine: { storage: Storage };
  store: { id: string };
}

/**
 * Runs reads that belong together, such as a list and its total: they see one moment.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function snapshot<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await storage.snapshot(work);
  } catch (error) {
    throw storageError(storage, error);
  }
}

/** Rows that reads may look at on the thread that serves. */
const maxInline = 1000;

/**
 * Runs reads that belong together where they are cheap, and as a scan where they are not.
 * @param work answers undefined where it would have to look at more than `maxRows` rows
 * @throws CommerceError `unavailable` when the database cannot be reached, or too many scans wait.
 */
export async function snapshotOrScan<T>(
  { engine: { storage }, store }: OfStore,
  work: (db: Db, maxRows: number) => Promise<T | undefined>,
): Promise<T> {
  try {
    const found =
      (await inTurn(storage, store.id, () => storage.snapshot((db) => work(db, maxInline)))) ??
      (await storage.scan(store.id, (db) => work(db, Number.POSITIVE_INFINITY)));
    if (found === undefined) throw new Error('a scan found nothing to answer');
    return found;
  } catch (error) {
    throw storageError(storage, error);
  }
}

/** Codes of SQLite and PostgreSQL. */
const diskFull = new Set(['SQLITE_FULL', '53100']);

/** An error of the database as core throws it: 503 where the database is the matter, unchanged otherwise. */
export function storageError(storage: Storage, error: unknown): unknown {
  if (error instanceof CommerceError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && diskFull.has(code)) {
    return new CommerceError('unavailable', 'the disk of the database is full; make room and try again', {
      cause: error,
    });
  }
  return storage.isUnavailable(error) || storage.isTransient(error)
    ? new CommerceError('unavailable', 'the database does not answer at present; try again', { cause: error })
    : error;
}

/** An error of opening a database: says what is wrong with its address where that can be told, and not to try again. */
export function openingError(storage: Storage, error: unknown): unknown {
  const reason = error instanceof CommerceError ? undefined : storage.refusal(error);
  if (reason === undefined) return storageError(storage, error);
  return new CommerceError('unavailable', `cannot open the database ${storage.location}: ${reason}`);
}
