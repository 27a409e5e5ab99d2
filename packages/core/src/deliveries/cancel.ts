import { sql } from 'kysely';
import type { Context, TxContext } from '../engine/context.ts';
import { addToSet, perTransaction } from '../engine/per-transaction.ts';
import { transact } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { lockRows } from '../storage/locks.ts';
import type { Db } from '../storage/storage.ts';
import { endedSubscriptions } from '../webhooks/ended-subscriptions.ts';

/** Ended subscriptions of a transaction whose waiting deliveries are not all cancelled yet. */
const longQueues = perTransaction(() => new Set<string>(), addToSet);

/** Cancels the waiting deliveries of subscriptions that the transaction ended; of a long queue, only the first part. */
export async function cancelEnded(tx: TxContext): Promise<void> {
  const ended = endedSubscriptions(tx);
  for (const id of ended) if (await cancelSome(tx.db, tx.store.id, id)) longQueues(tx).add(id);
  ended.clear();
}

/**
 * Cancels the rest of long queues after the commit, a part in each transaction. Deliveries left over by a failure are
 * cancelled when they are claimed, because their subscription is gone.
 */
export function cancelRest(committed: TxContext): Promise<void> | undefined {
  const queues = longQueues(committed);
  if (queues.size === 0) return undefined;
  const { engine, store, actor, requestId } = committed;
  return cancelAll({ engine, store, actor, requestId }, queues).catch(() => {});
}

async function cancelAll(ctx: Context, queues: ReadonlySet<string>): Promise<void> {
  for (const webhookId of queues) {
    for (let isMore = true; isMore; ) {
      await breathe();
      isMore = await transact(ctx, async (tx) => {
        const row = await lockRows(
          tx.db,
          tx.db
            .selectFrom('webhooks')
            .select('is_active')
            .where('store_id', '=', tx.store.id)
            .where('id', '=', webhookId),
        ).executeTakeFirst();
        // Stops if the subscription was switched on again: its deliveries are to be sent.
        return row?.is_active !== 1 && cancelSome(tx.db, tx.store.id, webhookId);
      });
    }
  }
}

/** Deliveries cancelled in one transaction; a subscription that failed for days can have very many. */
const maxCancelled = 500;

/**
 * Cancels up to `maxCancelled` waiting deliveries of a subscription that was switched off or deleted.
 * @returns true if more might be waiting
 */
export async function cancelSome(db: Db, storeId: string, subscriberId: string): Promise<boolean> {
  const waiting = db
    .selectFrom('deliveries')
    .select('id')
    .where('store_id', '=', storeId)
    .where('subscriber_id', '=', subscriberId)
    .where('status', '=', sql.lit('pending'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(maxCancelled);
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ status: 'cancelled', due_at: null, locked_until: null })
    .where('store_id', '=', storeId)
    .where('id', 'in', waiting)
    .where('status', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === maxCancelled;
}
