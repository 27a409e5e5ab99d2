import type { Context, TxContext } from './context.ts';
import { runTransaction, storageError } from './storage/run.ts';

/**
 * Runs one operation's writes in one transaction, and with them what the engine's `endWriters` collect: events, audit entries, counts.
 * As with `runTransaction`, the work may be run more than once.
 * @throws CommerceError `unavailable` when the database cannot be reached or stays locked.
 */
export async function transact<T>(ctx: Context, work: (tx: TxContext) => Promise<T>): Promise<T> {
  const { storage, clock, endWriters } = ctx.engine;
  try {
    const { tx, result } = await storage.inTurn(ctx.store.id, () =>
      runTransaction(storage, async (db) => {
        const tx: TxContext = { ...ctx, db, now: clock.now(), pending: new Map() };
        await ctx.once?.begin(tx);
        const result = await work(tx);
        for (const writer of endWriters) await writer.write(tx);
        await ctx.once?.end(tx, result);
        return { tx, result };
      }),
    );
    ctx.once?.committed();
    for (const writer of endWriters) {
      const rest = writer.committed?.(tx);
      if (rest) await rest;
    }
    return result;
  } catch (error) {
    throw storageError(storage, error);
  }
}

/** Writes the events and audit entries collected so far, so that work on very many resources does not hold them all. */
export async function flushPending(tx: TxContext): Promise<void> {
  for (const writer of tx.engine.endWriters) if (writer.locksNothing) await writer.write(tx);
}
