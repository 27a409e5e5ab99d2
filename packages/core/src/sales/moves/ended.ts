import { lockCheckoutOf, writeCheckout } from '../../checkouts/checkouts.ts';
import type { TxContext } from '../../engine/context.ts';
import type { Order } from '../../orders/fields.ts';
import { readPaymentsOfOrder } from '../../payments/payments.ts';
import type { PaymentIds } from '../../providers/notice.ts';
import { expireUnlessHeld } from './expire.ts';

/**
 * Closes the page of a locked pending order's checkout once the buyer has completed it, while its money is still under way.
 * @param ids the provider's ids of the page
 */
export async function closeCheckoutAt(tx: TxContext, order: Order, ids: PaymentIds): Promise<void> {
  if (order.status !== 'pending' || ids.session === undefined) return;
  const row = await lockCheckoutOf(tx, order.id);
  if (row?.page_id === ids.session && row.state === 'open') await writeCheckout(tx, row, { state: 'closed' });
}

/**
 * Expires a locked pending order if the provider reports the end of its checkout's page. Emits `order.updated` and `order.cancelled`.
 * @param ids the provider's ids of the page
 * @returns true if the order was expired
 */
export async function endCheckoutAt(tx: TxContext, order: Order, ids: PaymentIds): Promise<boolean> {
  // Without a reservation, nothing can be given back before the order's own expiry.
  if (order.status !== 'pending' || order.reservedUntil === null || ids.session === undefined) return false;
  const row = await lockCheckoutOf(tx, order.id);
  if (row?.page_id !== ids.session) return false;
  await writeCheckout(tx, row, { state: 'closed' });
  await expireUnlessHeld(tx, order, await readPaymentsOfOrder(tx, order.id));
  return true;
}
