import { writeAudit } from './audit/audit.ts';
import type { Context, PendingWrites, TxContext } from './context.ts';
import { CommerceError } from './errors.ts';
import { writeEvents } from './events/outbox.ts';
import { CountChanges } from './storage/counts.ts';
import type { Storage } from './storage/storage.ts';

const maxRuns = 5;

/**
 * Runs one operation's writes, with their events, audit entries and counts, in one transaction. The work is run again when
 * the database gave the whole transaction up (a deadlock), so it touches nothing but the database.
 * @throws CommerceError `unavailable` when the database cannot be reached or stays locked.
 */
export async function transact<T>(ctx: Context, work: (tx: TxContext) => Promise<T>): Promise<T> {
  const { storage, clock } = ctx.engine;
  for (let run = 1; ; run++) {
    let deliveries = 0;
    try {
      const result = await storage.db.transaction().execute(async (db) => {
        const pending: PendingWrites = { events: new Map(), audit: [], counts: new CountChanges() };
        const tx: TxContext = { ...ctx, db, now: clock.now(), pending };
        const result = await work(tx);
        deliveries = await writeEvents(tx);
        await writeAudit(tx);
        await pending.counts.write(db, ctx.store.id);
        return result;
      });
      if (deliveries > 0) ctx.engine.onDeliveriesDue();
      return result;
    } catch (error) {
      if (storage.isTransient(error) && run < maxRuns) continue;
      throw storageError(storage, error);
    }
  }
}

/** An error of the database as core throws it: 503 where the database is the matter, unchanged otherwise. */
export function storageError(storage: Storage, error: unknown): unknown {
  if (error instanceof CommerceError) return error;
  return storage.isUnavailable(error) || storage.isTransient(error)
    ? new CommerceError('unavailable', 'the database does not answer at present; try again', { cause: error })
    : error;
}
