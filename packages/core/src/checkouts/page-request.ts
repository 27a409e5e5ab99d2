import { hash, randomUUID } from 'node:crypto';
import type { Context } from '../engine/context.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { type Minor, parseMoney } from '../kernel/money.ts';
import { withoutTrailing } from '../kernel/trailing.ts';
import type { Order } from '../orders/fields.ts';
import type { PageIds, PageRequest } from '../providers/checkout-page.ts';
import type { PaymentIds } from '../providers/notice.ts';
import type { CheckoutTable } from '../storage/tables/checkouts.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import type { CheckoutDraft } from './fields.ts';

/** Milliseconds by which a reservation outlives its payment page, for a payment that is on its way when the page ends. */
export const pageMargin = 2 * 60_000;

/**
 * Identifies a repeated request: a digest of its contents, and one of its `Idempotency-Key`. Contents are not a proof, because anyone can
 * guess another buyer's e-mail and cart. Without a key, each request is unique.
 */
export function fingerprintOf({ replaces: _, ...draft }: CheckoutDraft, name: string = randomUUID()): string {
  return `${hash('sha256', JSON.stringify(draft), 'base64url')} ${hash('sha256', name, 'base64url')}`;
}

/** True if two requests ask for the same, whatever their keys. */
export function asksTheSame(one: string, other: string): boolean {
  return one.split(' ')[0] === other.split(' ')[0];
}

/** @throws CommerceError `validation` for an address whose origin the settings do not allow */
export function checkUrls(
  ctx: Context,
  draft: { successUrl?: string | undefined; cancelUrl?: string | undefined },
): void {
  const { returnUrls } = ctx.store.settings;
  for (const field of ['successUrl', 'cancelUrl'] as const) {
    const address = draft[field];
    if (address === undefined) continue;
    const { origin } = new URL(address);
    if (returnUrls.includes(origin)) continue;
    const allowed = returnUrls.length > 0 ? returnUrls.join(', ') : 'none yet';
    throw invalid(field, `must be of an origin that the setting returnUrls allows (${allowed}), not ${quote(origin)}`, {
      code: 'NOT_OFFERED',
      limits: { values: returnUrls },
    });
  }
}

/** An address of the shop with the id of the checkout in its query, so the page knows which one returns. */
export function withCheckout(address: string, checkoutId: string): string {
  const url = new URL(address);
  url.searchParams.set('checkout', checkoutId);
  return url.href;
}

/**
 * The address to which a wallet returns its buyer: ours, because we then capture the money.
 * @throws CommerceError `conflict` while the public address of this service is not known
 */
function returnAddress(ctx: Context, checkoutId: string): string {
  const base = ctx.engine.publicUrl?.();
  if (base === undefined) {
    throw new CommerceError(
      'conflict',
      'the wallet needs the public address of this service (`publicUrl`), which is not set',
      { reason: 'publicUrlMissing' },
    );
  }
  return `${withoutTrailing(base, '/')}/checkout/return/${checkoutId}?store=${ctx.store.id}`;
}

/** The order as the provider receives it. Identical for the same checkout, except for `now`. */
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

/** The ids by which notifications of payments name a page, if they do not name our order. */
export function idsOfPage(provider: ProviderName, page: PageIds): PaymentIds {
  if (provider === 'stripe') return { session: page.id };
  return { order: page.providerOrder ?? page.id };
}
