import { hash, randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { CommerceError, invalid, quote } from '../errors.ts';
import { type Minor, parseMoney } from '../money.ts';
import type { Order } from '../orders/fields.ts';
import type { PageIds, PageRequest } from '../payments/checkout-page.ts';
import type { PaymentIds } from '../payments/notice.ts';
import type { ProviderName } from '../payments/provider.ts';
import { withoutTrailing } from '../trailing.ts';
import type { CheckoutDraft } from './fields.ts';
import type { CheckoutTable } from './table.ts';

/** Milliseconds by which a reservation outlives the page to pay at: for a payment that is on its way when the page ends. */
export const pageMargin = 2 * 60_000;

/**
 * What a request is known again by that was sent twice: a digest of its contents, and one of its `Idempotency-Key`. Contents are no proof:
 * everybody can guess the e-mail and the cart of somebody else. Without a key each request is one of its own.
 */
export function fingerprintOf({ replaces: _, ...draft }: CheckoutDraft, name: string = randomUUID()): string {
  return `${hash('sha256', JSON.stringify(draft), 'base64url')} ${hash('sha256', name, 'base64url')}`;
}

/** Whether two requests ask for the same, under whichever keys. */
export function asksTheSame(one: string, other: string): boolean {
  return one.split(' ')[0] === other.split(' ')[0];
}

/** @throws CommerceError `validation` for an address of an origin that the settings do not allow */
export function checkUrls(ctx: Context, draft: CheckoutDraft): void {
  const { returnUrls } = ctx.store.settings;
  for (const field of ['successUrl', 'cancelUrl'] as const) {
    const { origin } = new URL(draft[field]);
    if (returnUrls.includes(origin)) continue;
    const allowed = returnUrls.length > 0 ? returnUrls.join(', ') : 'none yet';
    throw invalid(field, `must be of an origin that the setting returnUrls allows (${allowed}), not ${quote(origin)}`);
  }
}

/** An address of the shop with the id of the checkout in its query, by which the page knows which one comes back. */
export function withCheckout(address: string, checkoutId: string): string {
  const url = new URL(address);
  url.searchParams.set('checkout', checkoutId);
  return url.href;
}

/**
 * Where a wallet sends its buyer back to: to us, who take the money then.
 * @throws CommerceError `conflict` while the public address of this service is not known
 */
function returnAddress(ctx: Context, checkoutId: string): string {
  const base = ctx.engine.publicUrl?.();
  if (base === undefined) {
    throw new CommerceError(
      'conflict',
      'the wallet needs the public address of this service (`publicUrl`), which is not set',
    );
  }
  return `${withoutTrailing(base, '/')}/checkout/return/${checkoutId}?store=${ctx.store.id}`;
}

/** What the provider is told of an order. The same for the same checkout, but for `now`. */
export function pageRequestOf(
  ctx: Context,
  row: CheckoutTable,
  order: Order,
  customer: CheckoutDraft['customer'],
): PageRequest {
  const { decimals, name } = ctx.store;
  const minor = (amount: string): Minor => parseMoney(amount, decimals) ?? 0n;
  const cancelUrl = withCheckout(row.cancel_url, row.id);
  return {
    checkoutId: row.id,
    orderId: order.id,
    orderNumber: order.orderNumber,
    storeName: name,
    currency: order.currency,
    decimals,
    lines: order.items.map((item) => {
      const unitPrice = minor(item.unitPrice);
      const total = unitPrice * BigInt(item.quantity) - minor(item.lineDiscount);
      return { name: item.titleSnapshot, sku: item.skuSnapshot, quantity: item.quantity, unitPrice, total };
    }),
    subtotal: minor(order.subtotal),
    discount: minor(order.discount),
    shipping: minor(order.shipping),
    shippingName: order.shippingMethod?.name ?? null,
    tax: minor(order.tax),
    taxIncluded: order.taxIncluded,
    total: minor(order.total),
    customer,
    shippingAddress: order.shippingAddress,
    successUrl: row.provider === 'paypal' ? returnAddress(ctx, row.id) : withCheckout(row.success_url, row.id),
    cancelUrl,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    now: ctx.engine.clock.now(),
  };
}

/** The ids by which notifications of a page's payments name it, where they do not name our order. */
export function idsOfPage(provider: ProviderName, page: PageIds): PaymentIds {
  if (provider === 'stripe') return { session: page.id };
  return { order: page.providerOrder ?? page.id };
}
