import type { TxContext } from '../context.ts';
import { expireUnlessHeld } from '../orders/expire.ts';
import type { Order } from '../orders/fields.ts';
import type { PaymentIds } from '../payments/notice.ts';
import { readPaymentsOfOrder } from '../payments/payments.ts';
import { lockCheckoutOf, writeCheckout } from './checkouts.ts';

/**
 * Expires a locked pending order whose page the provider says has ended, if it is the page of its checkout. Emits `order.updated` and
 * `order.cancelled`.
 * @param ids of the page, as the provider names it
 * @returns whether that was so
 */
export async function endCheckoutAt(tx: TxContext, order: Order, ids: PaymentIds): Promise<boolean> {
  // Without a reservation there is nothing to give back before the order's own time.
  if (order.status !== 'pending' || order.reservedUntil === null || ids.session === undefined) return false;
  const row = await lockCheckoutOf(tx, order.id);
  if (row?.page_id !== ids.session) return false;
  await writeCheckout(tx, row, { state: 'closed' });
  await expireUnlessHeld(tx, order, await readPaymentsOfOrder(tx, order.id));
  return true;
}
