import type { TxContext } from '../engine/context.ts';
import { mailQueued } from './wake.ts';

/**
 * Milliseconds for which mails about a withdrawal wait for `orderLookedFor`. A stranger's acknowledgement counts against a limit that a
 * buyer's does not.
 */
export const waitForOrder = 15_000;

/**
 * Says that the order of a withdrawal was looked for, and which one it is: its mails can be sent now.
 * @param options.isBuyers true if the statement has the e-mail of the order's buyer. Else its acknowledgement says nothing of the order
 * @param options.locale language of that buyer; null for that of the shop
 */
export async function orderLookedFor(
  tx: TxContext,
  withdrawalId: string,
  orderId: string | null,
  { isBuyers, locale = null }: { isBuyers: boolean; locale?: string | null },
): Promise<void> {
  const waiting = tx.db
    .updateTable('mails')
    .where('store_id', '=', tx.store.id)
    .where('withdrawal_id', '=', withdrawalId)
    .where('status', '=', 'pending');
  const ofOrder = isBuyers ? waiting : waiting.where('kind', '<>', 'withdrawal.received');
  await ofOrder.set({ order_id: orderId }).execute();
  if (isBuyers && locale !== null) {
    await waiting.set({ locale }).where('kind', '=', 'withdrawal.received').where('content', 'is', null).execute();
  }
  await waiting.set({ due_at: tx.now }).where('started_at', 'is', null).execute();
  mailQueued(tx);
}
