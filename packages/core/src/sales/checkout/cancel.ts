import { findCheckout, lockCheckout, toCheckout, writeCheckout } from '../../checkouts/checkouts.ts';
import { CancelFields, type CancelInput, type Checkout } from '../../checkouts/fields.ts';
import { requireSecret } from '../../checkouts/secret.ts';
import type { Context } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { hasTakenStock } from '../../orders/fulfilments.ts';
import { pagesOf, readyProviders } from '../../payments/settings.ts';
import type { CheckoutTable } from '../../storage/tables/checkouts.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { moveOrder } from '../moves/move.ts';

/**
 * Ends an unpaid checkout. First the page at the provider is closed, so that no buyer can pay there any more. Then the order is cancelled,
 * which frees its stock and its use of a discount. A checkout that has ended in another way is not changed. Emits `order.updated` and
 * `order.cancelled`.
 * @param options.unless keeps an open checkout with this fingerprint
 * @throws CommerceError `notFound`; `forbidden` without the secret, for a storefront key; `conflict` if it was paid or shipped, or is being paid;
 * `unavailable` while the provider cannot be reached: the page might still be open then, so nothing is cancelled
 */
export async function cancelCheckout(
  given: Context,
  id: string,
  input: CancelInput = {},
  { unless }: { unless?: string } = {},
): Promise<Checkout> {
  refuseInUnit(given.engine, 'cancelCheckout asks a payment provider');
  const ctx = await withCurrentStore(given);
  const { secret } = parse(CancelFields, input);
  const found = await findCheckout(ctx, id);
  requireSecret(ctx, found, secret);
  const closes = found.fingerprint !== unless && found.state === 'open';
  if (closes) await closePage(ctx, found);
  return transact(ctx, async (tx) => {
    const { row, order } = await lockCheckout(tx, found);
    if (order.paidAt !== null) throw paid();
    if (order.status !== 'cancelled' && hasTakenStock(order)) throw shipped(order);
    if (row.capturing_until > tx.now || isUnderWay(order)) throw paid();
    // The provider can report the end of its page before it answers our call.
    if (closes && order.cancelReason === 'expired') {
      return { ...toCheckout(tx, row, await moveOrder(tx, order, { cancelReason: 'requested' })), orderUrl: null };
    }
    if (order.status !== 'pending' || found.fingerprint === unless)
      return { ...toCheckout(tx, row, order), orderUrl: null };
    const closed = await writeCheckout(tx, row, { state: 'closed' });
    return { ...toCheckout(tx, closed, await moveOrder(tx, order, { status: 'cancelled' })), orderUrl: null };
  });
}

/** @throws CommerceError `conflict` if the provider says that the page was paid; `unavailable` */
async function closePage(ctx: Context, { provider: name, page_id, provider_order }: CheckoutTable): Promise<void> {
  if (name === null || page_id === null) return;
  const provider = (await readyProviders(ctx.engine, ctx.store.id)).find((one) => one.name === name);
  // Without settings, no provider can be called, and no notification would be accepted either.
  if (!provider) return;
  const page = { id: page_id, providerOrder: provider_order };
  const result = await pagesOf(name).close(page, provider.settings, ctx.engine.clock.now());
  if (result === 'paid') throw paid();
}

/** True while a provider waits for the money of a pending order: whoever cancels now would have to refund it. */
function isUnderWay({ status, paymentStatus }: Order): boolean {
  return status === 'pending' && paymentStatus === 'processing';
}

function paid(): CommerceError {
  return new CommerceError('conflict', 'this checkout was already paid, or is being paid now', {
    reason: 'checkoutPaid',
  });
}

function shipped({ orderNumber }: Order): CommerceError {
  return new CommerceError('conflict', `order ${orderNumber} cannot be cancelled here: a parcel of it is on its way`, {
    reason: 'orderStatus',
  });
}
