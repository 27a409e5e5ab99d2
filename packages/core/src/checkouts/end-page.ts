import type { TxContext } from '../engine/context.ts';
import type { PaymentIds } from '../providers/notice.ts';
import type { CheckoutTable } from '../storage/tables/checkouts.ts';
import { lockCheckoutOf, writeCheckout } from './checkouts.ts';
import { idsOfPage } from './page-request.ts';

/** The payment of an order: its provider, and the provider's ids for it. */
interface PaidBy {
  provider: string;
  ids: PaymentIds;
}

/**
 * Schedules the page of an order that needs no more money to be closed at the provider within seconds; see `closeDuePages`. A page at which
 * the order was or might have been paid is left to end: Stripe names a payment's page only in another notification.
 * @param by the payment, if one has paid the order
 */
export async function endPageOf(tx: TxContext, orderId: string, by?: PaidBy): Promise<void> {
  const row = await lockCheckoutOf(tx, orderId);
  if (row?.state !== 'opening' && row?.state !== 'open') return;
  const isElsewhere = by?.provider !== row.provider || isOfPage(by.ids, row) === false;
  if (isElsewhere && row.expires_at > tx.now) await writeCheckout(tx, row, { expires_at: tx.now });
}

/** Whether a payment of a page's provider was made at that page; undefined while unknown. */
export function isOfPage(payment: PaymentIds, page: CheckoutTable): boolean | undefined {
  if (page.provider === null || page.page_id === null) return false;
  const { session, order } = idsOfPage(page.provider, { id: page.page_id, providerOrder: page.provider_order });
  if (session === undefined) return payment.order === order;
  return payment.session === undefined ? undefined : payment.session === session;
}
