import type { TxContext } from '../context.ts';
import { expireUnlessHeld } from '../orders/expire.ts';
import type { Order } from '../orders/fields.ts';
import type { PaymentIds } from '../payments/notice.ts';
import { readPaymentsOfOrder } from '../payments/payments.ts';
import { lockCheckoutOf, writeCheckout } from './checkouts.ts';
import { idsOfPage } from './page-request.ts';
import type { CheckoutTable } from './table.ts';

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

/** What has paid an order: its provider, and the ids by which that knows the payment. */
interface PaidBy {
  provider: string;
  ids: PaymentIds;
}

/**
 * Has the page of an order that needs no money any more closed at the provider, within seconds; see `closeDuePages`. A page at which
 * it was paid, or may have been, is left to its own end: Stripe names the page of a payment in another notification.
 * @param by the payment, if one has paid the order
 */
export async function endPageOf(tx: TxContext, orderId: string, by?: PaidBy): Promise<void> {
  const row = await lockCheckoutOf(tx, orderId);
  if (row?.state !== 'opening' && row?.state !== 'open') return;
  const isElsewhere = by?.provider !== row.provider || isOfPage(by.ids, row) === false;
  if (isElsewhere && row.expires_at > tx.now) await writeCheckout(tx, row, { expires_at: tx.now });
}

/** Whether a payment of the provider of a page was made there; undefined while that is not known. */
export function isOfPage(payment: PaymentIds, page: CheckoutTable): boolean | undefined {
  if (page.provider === null || page.page_id === null) return false;
  const { session, order } = idsOfPage(page.provider, { id: page.page_id, providerOrder: page.provider_order });
  if (session === undefined) return payment.order === order;
  return payment.session === undefined ? undefined : payment.session === session;
}
