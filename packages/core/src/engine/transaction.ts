import { CommerceError, quote } from '../kernel/errors.ts';
import { runTransaction, storageError, turnOf } from '../storage/run.ts';
import type { OpenTransaction, Storage } from '../storage/storage.ts';
import type { Context, Engine, TxContext } from './context.ts';

/** Unique rules of the database in the API's words, by `table.column` of the last key column. */
export type UniqueRules = Record<string, { field: string; value: unknown /** Follows the value. */; taken: string }>;

/**
 * Runs one operation's writes in one transaction, with the events, audit entries and counts that the engine's `endWriters` collect. Like
 * `runTransaction`, it can run the work more than once.
 * @param rules that the work can break
 * @param isLong see `Storage.begin`
 * @throws CommerceError `unavailable` if the database cannot be reached or stays locked; `conflict` on the field of a broken rule
 */
export async function transact<T>(
  ctx: Context,
  work: (tx: TxContext, transaction: OpenTransaction) => Promise<T>,
  rules: UniqueRules = {},
  isLong = false,
): Promise<T> {
  const { storage, clock, endWriters } = ctx.engine;
  try {
    const endTurn = await turnOf(storage, ctx.store.id);
    const { tx, result } = await runTransaction(
      storage,
      async (db, transaction) => {
        const tx: TxContext = { ...ctx, db, now: clock.now(), pending: new Map() };
        await ctx.once?.begin(tx);
        const result = await work(tx, transaction);
        for (const writer of endWriters) await writer.write(tx);
        await ctx.once?.end(tx, result);
        return { tx, result };
      },
      isLong,
    ).finally(endTurn);
    ctx.once?.committed();
    for (const writer of endWriters) {
      const rest = writer.committed?.(tx);
      if (rest) await rest;
    }
    return result;
  } catch (error) {
    throw duplicate(storage, error, rules) ?? storageError(storage, error);
  }
}

/** The error for a write that broke one of the rules; undefined for any other error. */
function duplicate(storage: Storage, error: unknown, rules: UniqueRules): CommerceError | undefined {
  const broken = storage.uniqueViolation(error);
  const rule = broken === undefined ? undefined : rules[broken];
  if (!rule) return undefined;
  const reason = `${quote(rule.value)} ${rule.taken}`;
  return new CommerceError('conflict', `${rule.field} ${reason}`, {
    details: [{ field: rule.field, reason, code: 'TAKEN' }],
    reason: 'taken',
    cause: error,
  });
}

/**
 * Refuses an operation that cannot be rolled back with the rest of a transaction of several operations.
 * @param what names the operation and its effect outside the database
 * @throws CommerceError `conflict` inside such a transaction
 */
export function refuseInUnit({ unit }: Engine, what: string): void {
  if (!unit) return;
  throw new CommerceError('conflict', `${what}: call it outside commerce.transaction()`);
}

/** Writes the events and audit entries collected so far, so that work on many resources does not hold them all in memory. */
export async function flushPending(tx: TxContext): Promise<void> {
  for (const writer of tx.engine.endWriters) if (writer.locksNothing) await writer.write(tx);
}
