import { AsyncLocalStorage } from 'node:async_hooks';
import { CommerceError } from '../kernel/errors.ts';
import type { Db, OpenTransaction, Storage } from './storage.ts';

/** Maximum number of times that a transaction is run. */
const maxRuns = 5;

/**
 * Rolls back after an error, even an error of the beginning or of the commit. Never fails, because the first error tells the cause. An
 * error of a rollback on a broken connection would look like one of a statement that was never sent.
 */
async function undo(transaction: OpenTransaction | undefined, cause: unknown): Promise<void> {
  await transaction?.rollback(cause).catch(() => {});
}

/** Storage of the transaction in whose callback this is called, while it is open; see `unit.ts`. */
export const around = new AsyncLocalStorage<{ readonly storage: Storage | undefined }>();

/**
 * Refuses a transaction inside another one that it is not part of: each would wait for the other.
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
 * @throws CommerceError `conflict` inside another transaction, which already has a turn; `unavailable` when the turn does not come in time
 */
export function turnOf(storage: Storage, storeId: string): Promise<() => void> {
  refuseBeside(storage);
  return storage.takeTurn(storeId);
}

/**
 * Runs work in one transaction of the database. Runs it again if the database gave up the whole transaction (a deadlock), so the work must
 * touch nothing but the database.
 * @param isLong see `Storage.begin`
 */
export async function runTransaction<T>(
  storage: Storage,
  work: (db: Db, transaction: OpenTransaction) => Promise<T>,
  isLong = false,
): Promise<T> {
  refuseBeside(storage);
  for (let run = 1; ; run++) {
    let transaction: OpenTransaction | undefined;
    try {
      transaction = await storage.begin(isLong);
      const result = await work(transaction.db, transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      await undo(transaction, error);
      if (!storage.isTransient(error) || run === maxRuns) throw error;
    }
  }
}

/**
 * Runs writes that belong to no store in one transaction, such as settings that all stores share.
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
 * Runs a read of one statement, or of several independent ones.
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
 * Like `reading`, for one store: if there are more reads than connections, the stores take turns.
 * @throws CommerceError `unavailable` when the database cannot be reached, or the turn does not come in time.
 */
export function readingOf<T>({ engine: { storage }, store }: OfStore, work: (db: Db) => Promise<T>): Promise<T> {
  return inTurn(storage, store.id, () => reading(storage, work));
}

function inTurn<T>({ readTurns }: Storage, storeId: string, work: () => Promise<T>): Promise<T> {
  return readTurns ? readTurns.run(storeId, work) : work();
}

/** Store and engine of a store's reads. */
interface OfStore {
  engine: { storage: Storage };
  store: { id: string };
}

/**
 * Runs reads that belong together, such as a list and its total, on one snapshot.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function snapshot<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await storage.snapshot(work);
  } catch (error) {
    throw storageError(storage, error);
  }
}

/** Maximum rows that reads can look at on the serving thread. */
const maxInline = 1000;

/**
 * Runs reads that belong together on one snapshot: directly if they are cheap, otherwise as a scan.
 * @param work returns undefined if it would have to look at more than `maxRows` rows
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

/** Scans that are under way, by the database and by what they answer. */
const scanning = new WeakMap<Storage, Map<string, Promise<unknown>>>();

/**
 * Like `snapshotOrScan`, for work that remembers what a scan found. Of equal requests at the same time, one scans; the others wait for it
 * and then find what it has remembered. So a crowd that asks for the same takes one place in the queue of scans.
 * @param name the same for equal requests of the store
 * @throws CommerceError `unavailable` when the database cannot be reached, or too many scans wait.
 */
export async function snapshotOrSharedScan<T>(
  of: OfStore,
  name: string,
  work: (db: Db, maxRows: number) => Promise<T | undefined>,
): Promise<T> {
  const { storage } = of.engine;
  const running = scanning.get(storage) ?? new Map<string, Promise<unknown>>();
  scanning.set(storage, running);
  const key = `${of.store.id} ${name}`;
  try {
    for (;;) {
      const found = await inTurn(storage, of.store.id, () => storage.snapshot((db) => work(db, maxInline)));
      if (found !== undefined) return found;
      const other = running.get(key);
      if (!other) break;
      await other.catch(() => {});
    }
    const own = storage.scan(of.store.id, (db) => work(db, Number.POSITIVE_INFINITY));
    running.set(key, own);
    try {
      const found = await own;
      if (found === undefined) throw new Error('a scan found nothing to answer');
      return found;
    } finally {
      running.delete(key);
    }
  } catch (error) {
    throw storageError(storage, error);
  }
}

/** Codes of SQLite and PostgreSQL. */
const diskFull = new Set(['SQLITE_FULL', '53100']);

/** Converts an error of the database to core's: 503 if the database is the cause, otherwise unchanged. */
export function storageError(storage: Storage, error: unknown): unknown {
  if (error instanceof CommerceError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && diskFull.has(code)) {
    return new CommerceError('unavailable', 'the disk of the database is full; free some space and try again', {
      cause: error,
    });
  }
  return storage.isUnavailable(error) || storage.isTransient(error)
    ? new CommerceError('unavailable', 'the database does not answer; try again', { cause: error })
    : error;
}

/** Converts an error of opening a database: names the fault of its address if it is known, and says not to try again. */
export function openingError(storage: Storage, error: unknown): unknown {
  const reason = error instanceof CommerceError ? undefined : storage.refusal(error);
  if (reason === undefined) return storageError(storage, error);
  return new CommerceError('unavailable', `cannot open the database ${storage.location}: ${reason}`);
}
