import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { lockRows } from '../storage/locks.ts';
import { transact } from '../transaction.ts';
import { cancelSome } from './queue.ts';

/**
 * Ends what is left in the queue of a subscription that was switched off or deleted, some in each transaction. What it does
 * not come to is ended where it is claimed, as nobody is there to send it to.
 */
export async function cancelRest(ctx: Context, webhookId: string): Promise<void> {
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
      // Switched on again: what waits now is to be sent.
      return row?.is_active !== 1 && cancelSome(tx.db, tx.store.id, webhookId);
    });
  }
}
