import type { TxContext } from '../engine/context.ts';

/** Says of which order the waiting mails of a withdrawal are, once that is known. */
export async function setOrderOfMails(tx: TxContext, withdrawalId: string, orderId: string | null): Promise<void> {
  await tx.db
    .updateTable('mails')
    .set({ order_id: orderId })
    .where('store_id', '=', tx.store.id)
    .where('withdrawal_id', '=', withdrawalId)
    .where('status', '=', 'pending')
    .execute();
}
