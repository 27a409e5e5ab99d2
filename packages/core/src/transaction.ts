import { writeAudit } from './audit/audit.ts';
import type { Context, PendingWrites, TxContext } from './context.ts';
import { CommerceError } from './errors.ts';
import { writeEvents } from './events/outbox.ts';
import { BlockChanges } from './products/blocks.ts';
import { CountChanges } from './storage/counts.ts';
import { useDirectConnection } from './storage/prepared.ts';
import type { Db, Storage } from './storage/storage.ts';

const maxRuns = 5;

/**
 * Runs work in one transaction of the database. It is run again when the database gave the whole transaction up (a
 * deadlock), so it touches nothing but the database.
 */
export async function runTransaction<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await storage.db.transaction().execute(async (db) => {
        await useDirectConnection(db);
        return work(db);
      });
    } catch (error) {
      if (!storage.isTransient(error) || run === maxRuns) throw error;
    }
  }
}

/**
 * Runs one operation's writes, with their events, audit entries and counts, in one transaction. As with `runTransaction`,
 * the work may be run more than once.
 * @throws CommerceError `unavailable` when the database cannot be reached or stays locked.
 */
export async function transact<T>(ctx: Context, work: (tx: TxContext) => Promise<T>): Promise<T> {
  const { storage, clock, onDeliveriesDue } = ctx.engine;
  try {
    const { result, queues } = await storage.inTurn(ctx.store.id, () =>
      runTransaction(storage, async (db) => {
        const pending: PendingWrites = {
          events: new Map(),
          audit: [],
          counts: new CountChanges(),
          blocks: new BlockChanges(),
          queues: new Set(),
        };
        const tx: TxContext = { ...ctx, db, now: clock.now(), pending };
        await ctx.once?.begin(tx);
        const result = await work(tx);
        await flushPending(tx);
        await pending.counts.write(db, ctx.store.id);
        await pending.blocks.write(db, ctx.store.id);
        await ctx.once?.end(tx, result);
        return { result, queues: pending.queues };
      }),
    );
    ctx.once?.committed();
    if (queues.size > 0) onDeliveriesDue([...queues].map((webhookId) => ({ storeId: ctx.store.id, webhookId })));
    return result;
  } catch (error) {
    throw storageError(storage, error);
  }
}

/** Writes the events and audit entries collected so far, so that work on very many resources does not hold them all. */
export async function flushPending(tx: TxContext): Promise<void> {
  const { events, audit } = tx.pending;
  await writeEvents(tx);
  await writeAudit(tx);
  events.clear();
  audit.length = 0;
}

/**
 * Runs a read that is one statement, or several of which each stands for itself.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function reading<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await work(storage.reads);
  } catch (error) {
    throw storageError(storage, error);
  }
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

/** An error of the database as core throws it: 503 where the database is the matter, unchanged otherwise. */
export function storageError(storage: Storage, error: unknown): unknown {
  if (error instanceof CommerceError) return error;
  return storage.isUnavailable(error) || storage.isTransient(error)
    ? new CommerceError('unavailable', 'the database does not answer at present; try again', { cause: error })
    : error;
}
