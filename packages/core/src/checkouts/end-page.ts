import type { TxContext } from '../context.ts';
import type { PaymentIds } from '../payments/notice.ts';
import { lockCheckoutOf, writeCheckout } from './checkouts.ts';
import { idsOfPage } from './page-request.ts';
import type { CheckoutTable } from './table.ts';

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
