import type { TxContext } from '../context.ts';
import { expireUnlessHeld } from '../orders/expire.ts';
import type { Order } from '../orders/fields.ts';
import type { PaymentIds } from '../payments/notice.ts';
import { readPaymentsOfOrder } from '../payments/payments.ts';
import { lockCheckoutOf, writeCheckout } from './checkouts.ts';

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
