import { audit } from '../../audit/entry.ts';
import { endPageOf } from '../../checkouts/end-page.ts';
import { countUse, lockDiscount } from '../../discounts/uses.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import type { Order, PaymentStatus } from '../../orders/fields.ts';
import { hasReservation, hasTakenStock } from '../../orders/fulfilments.ts';
import { readDiscountId, writeExpiry, writeOrder } from '../../orders/orders.ts';
import { releaseStock, takeStock } from '../../products/stock.ts';
import type { PaymentIds } from '../../providers/notice.ts';
import { countSale } from '../../statistics/counting.ts';

/** The payment fields that a successful payment writes into its order. */
export interface ConfirmedPayment {
  /** `none` for an order that costs nothing. */
  provider: string;
  paymentId: string | null;
  method: string | null;
  details: Record<string, string | number> | null;
  /** The provider's ids for the payment. */
  ids: PaymentIds;
  /** Time of the payment in milliseconds; now by default. */
  paidAt?: number;
}

/** The payment of an order that costs nothing. */
export const freeOfCharge: ConfirmedPayment = {
  provider: 'none',
  paymentId: null,
  method: null,
  details: null,
  ids: {},
};

/**
 * Marks a locked pending or expired order as paid: takes its stock, sets status, payment fields and `paidAt`, and closes an open payment
 * page. An order that was shipped unpaid has taken its stock, and stays fulfilled. Emits `order.created` unless it was placed before,
 * `order.paid`, `order.updated`, and `product.updated` for each product whose stock went down.
 * @throws CommerceError `insufficientStock`, before anything is written
 */
export async function confirmOrder(tx: TxContext, before: Order, payment: ConfirmedPayment): Promise<Order> {
  const discountId = isExpired(before) ? await readDiscountId(tx, before) : null;
  if (discountId !== null) await lockDiscount(tx, discountId);
  const taken = hasTakenStock(before) ? undefined : await takeStock(tx, before.id, before.items);
  if (discountId !== null) await countUse(tx, discountId, 1);
  if (hasReservation(before)) await releaseStock(tx, before.id);
  const now = toTimestamp(tx.now);
  const order: Order = {
    ...before,
    status: before.fulfilmentStatus === 'fulfilled' ? 'fulfilled' : 'paid',
    paymentStatus: 'succeeded',
    paymentProvider: payment.provider,
    paymentId: payment.paymentId,
    paymentMethod: payment.method,
    paymentDetails: payment.details,
    refundedAmount: formatMoney(0n, tx.store.decimals),
    placedAt: before.placedAt ?? now,
    paidAt: toTimestamp(payment.paidAt ?? tx.now),
    cancelledAt: null,
    cancelReason: null,
    reservedUntil: null,
    updatedAt: now,
  };
  const json = await writeOrder(tx, before, order, taken);
  await endPageOf(tx, order.id, payment);
  countSale(tx, order);
  // An order to pay without a provider was placed before.
  if (before.placedAt === null) emit(tx, 'order.created', order.id, json);
  emit(tx, 'order.paid', order.id, json);
  emit(tx, 'order.updated', order.id, json);
  audit(tx, {
    action: 'order.paid',
    resourceType: 'order',
    resourceId: order.id,
    changes: {
      paymentProvider: payment.provider,
      paymentId: payment.paymentId,
      total: order.total,
      currency: order.currency,
    },
  });
  return order;
}

/**
 * Fills empty payment fields from a later notification of the same payment. Payment fields are write-once: fields that are set stay. Emits
 * `order.updated` if a field was filled.
 * @returns the order, the same object if nothing was filled
 */
export async function completePaymentFields(
  tx: TxContext,
  before: Order,
  payment: Pick<ConfirmedPayment, 'method' | 'details'>,
): Promise<Order> {
  const order: Order = {
    ...before,
    paymentMethod: before.paymentMethod ?? payment.method,
    paymentDetails: before.paymentDetails ?? payment.details,
    updatedAt: toTimestamp(tx.now),
  };
  if (order.paymentMethod === before.paymentMethod && order.paymentDetails === before.paymentDetails) return before;
  emit(tx, 'order.updated', order.id, await writeOrder(tx, before, order));
  return order;
}

/**
 * Sets payment status and refunded amount of a locked pending order, because its payment can be refunded before it could confirm the order.
 * Sets no other payment field. Emits `order.updated` on a change.
 * @returns the order, the same object if nothing changes
 */
export async function setPendingPayment(
  tx: TxContext,
  before: Order,
  { paymentStatus, refunded }: { paymentStatus: PaymentStatus; refunded: Minor },
): Promise<Order> {
  const refundedAmount = formatMoney(refunded, tx.store.decimals);
  if (before.paymentStatus === paymentStatus && before.refundedAmount === refundedAmount) return before;
  const order: Order = { ...before, paymentStatus, refundedAmount, updatedAt: toTimestamp(tx.now) };
  emit(tx, 'order.updated', order.id, await writeOrder(tx, before, order));
  return order;
}

/** Makes a locked expired order pending again, because its money has arrived or can still be taken. Emits `order.updated`. */
export async function reopenOrder(tx: TxContext, before: Order): Promise<Order> {
  const discountId = await readDiscountId(tx, before);
  if (discountId !== null) await countUse(tx, discountId, 1);
  const order: Order = {
    ...before,
    status: 'pending',
    cancelledAt: null,
    cancelReason: null,
    updatedAt: toTimestamp(tx.now),
  };
  emit(tx, 'order.updated', order.id, await writeOrder(tx, before, order));
  // It expires again when its money is gone, as it did before.
  await writeExpiry(tx, order, tx.now);
  audit(tx, { action: 'order.reopened', resourceType: 'order', resourceId: order.id });
  return order;
}

/** True if a payable order has expired, and its use of a discount has been given back. */
function isExpired({ status }: Order): boolean {
  return status === 'cancelled';
}
