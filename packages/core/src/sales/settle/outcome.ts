import type { CommerceError } from '../../kernel/errors.ts';
import type { Order } from '../../orders/fields.ts';
import { isPayable } from '../../orders/fulfilments.ts';
import type { Outcome, Settlement } from '../../payments/inbox.ts';
import { toPayment } from '../../payments/payments.ts';
import { type AttemptNotice, orderIdOf } from '../../providers/notice.ts';
import type { Matched, PaymentTable } from '../../storage/tables/payments.ts';

/** Payment and order after a decision was carried out. */
export interface PaymentResult {
  payment: PaymentTable;
  order: Order | null;
  /** Set when the order waits for stock. */
  shortage: CommerceError | null;
  /** True when payment or order changed. */
  changed: boolean;
}

/** A settlement without a warning. */
export function done(outcome: Outcome): Settlement {
  return { outcome, warning: null, error: null };
}

/** A settlement after which the provider sends the notification again; stock can suffice by then. */
export function shortageOf(error: CommerceError): Settlement {
  return { outcome: 'insufficient_stock', warning: error.message, error };
}

/** The settlement of a notice of success. */
export function outcomeOfMoney(
  notice: AttemptNotice,
  before: PaymentTable | null,
  { payment, order, shortage, changed }: PaymentResult,
): Settlement {
  if (shortage) return shortageOf(shortage);
  const named = orderIdOf(notice);
  if (payment.matched === 'paid' && order && named !== null && named !== order.id) {
    // Events of one payment can name two orders, such as a checkout session and its payment intent.
    const warning = `payment ${payment.provider_payment_id} has already paid order ${order.orderNumber}`;
    return { outcome: 'second_payment', warning, error: null };
  }
  if (payment.matched === 'paid' && before?.matched !== 'paid') return done('paid');
  if (payment.matched === 'none') return { ...settlementOf(payment, order), warning: unknownOrder(notice.orderId) };
  const settlement = settlementOf(payment, order);
  return settlement.warning === null ? done(changed ? 'recorded' : 'unchanged') : settlement;
}

const outcomes: Partial<Record<Matched, Outcome>> = {
  second: 'second_payment',
  mismatch: 'amount_mismatch',
  wrongPayee: 'wrong_payee',
  cancelledOrder: 'order_cancelled',
  insufficientStock: 'insufficient_stock',
  none: 'order_not_found',
};

/** The settlement for a payment's current `matched`, with a warning if a person has to act. */
export function settlementOf(payment: PaymentTable, order: Order | null): Settlement {
  const outcome = payment.matched === null ? undefined : outcomes[payment.matched];
  return outcome ? { outcome, warning: warningOf(payment, order), error: null } : done('recorded');
}

function warningOf(payment: PaymentTable, order: Order | null): string {
  if (order === null) return unknownOrder(payment.order_id);
  switch (payment.matched) {
    case 'second':
      return `order ${order.orderNumber} is already paid${order.paymentId === null ? ', because its total was zero' : ` by ${order.paymentId}`}`;
    case 'wrongPayee':
      return `the money for order ${order.orderNumber} went to another account than the configured one`;
    case 'cancelledOrder':
      return `order ${order.orderNumber} is cancelled`;
    case 'insufficientStock':
      return `order ${order.orderNumber} is waiting for stock`;
    default:
      return `${formatAmount(payment)} was paid, the total of order ${order.orderNumber} is ${order.total} ${order.currency}`;
  }
}

/** The amount of a payment for people, such as `12.50 EUR`. */
export function formatAmount(payment: PaymentTable): string {
  const { amount, currency } = toPayment(payment);
  return amount === null ? 'an unknown amount' : `${amount} ${currency}`;
}

function unknownOrder(orderId: string | null): string {
  return orderId === null ? 'the payment names no order' : `no order ${orderId} in this store`;
}

/** The settlement of a notice of an attempt without money, or without money yet. */
export function outcomeOfAttempt(
  notice: AttemptNotice,
  before: PaymentTable | null,
  { payment, order }: PaymentResult,
): Settlement {
  // A failed attempt next to a success is not relevant to the order.
  if (payment.status === 'succeeded') return done('ignored');
  if (order === null) return { outcome: 'order_not_found', warning: unknownOrder(notice.orderId), error: null };
  if (!isPayable(order)) return done('ignored');
  return done(before?.status === payment.status ? 'unchanged' : 'recorded');
}
