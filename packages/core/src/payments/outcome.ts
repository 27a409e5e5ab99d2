import type { CommerceError } from '../errors.ts';
import type { Order } from '../orders/fields.ts';
import type { Matched } from './fields.ts';
import type { Outcome, Settlement } from './inbox.ts';
import { type AttemptNotice, orderIdOf } from './notice.ts';
import { toPayment } from './payments.ts';
import type { Performed } from './perform.ts';
import type { PaymentTable } from './table.ts';

/** A notification that leaves nothing to say. */
export function done(outcome: Outcome): Settlement {
  return { outcome, warning: null, error: null };
}

/** The provider is to send the notification again: by then there may be stock. */
export function shortageOf(error: CommerceError): Settlement {
  return { outcome: 'insufficient_stock', warning: error.message, error };
}

/** What is answered about money that came in. */
export function outcomeOfMoney(
  notice: AttemptNotice,
  before: PaymentTable | null,
  { payment, order, shortage, changed }: Performed,
): Settlement {
  if (shortage) return shortageOf(shortage);
  const named = orderIdOf(notice);
  if (payment.matched === 'paid' && order && named !== null && named !== order.id) {
    // Events of one payment may name two orders, such as a checkout session and its payment intent.
    const warning = `payment ${payment.provider_payment_id} has paid order ${order.orderNumber} already`;
    return { outcome: 'second_payment', warning, error: null };
  }
  if (payment.matched === 'paid' && before?.matched !== 'paid') return done('paid');
  if (payment.matched === 'none') return { ...settlementOf(payment, order), warning: unknownOrder(notice) };
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

/** What is to be said of money by what became of it; no warning where nobody has to care. */
export function settlementOf(payment: PaymentTable, order: Order | null): Settlement {
  const outcome = payment.matched === null ? undefined : outcomes[payment.matched];
  return outcome ? { outcome, warning: warningOf(payment, order), error: null } : done('recorded');
}

function warningOf(payment: PaymentTable, order: Order | null): string {
  if (order === null) return `no order ${payment.order_id ?? '(the payment names none)'} in this store`;
  switch (payment.matched) {
    case 'second':
      return `order ${order.orderNumber} is already paid by ${order.paymentId ?? 'nothing, for it cost nothing'}`;
    case 'wrongPayee':
      return `the money for order ${order.orderNumber} went to another account than the one that is set up`;
    case 'cancelledOrder':
      return `order ${order.orderNumber} is cancelled`;
    case 'insufficientStock':
      return `order ${order.orderNumber} waits for stock`;
    default:
      return `${formatAmount(payment)} was paid, order ${order.orderNumber} is ${order.total} ${order.currency}`;
  }
}

/** The amount of a payment as it is shown. */
export function formatAmount(payment: PaymentTable): string {
  const { amount, currency } = toPayment(payment);
  return amount === null ? 'an unknown amount' : `${amount} ${currency}`;
}

function unknownOrder({ orderId }: AttemptNotice): string {
  return `no order ${orderId ?? '(the payment names none)'} in this store`;
}

/** What is answered about an attempt that brought no money yet, or none at all. */
export function outcomeOfAttempt(
  notice: AttemptNotice,
  before: PaymentTable | null,
  { payment, order }: Performed,
): Settlement {
  // What failed beside the money that came is nothing an order has to know.
  if (payment.status === 'succeeded') return done('ignored');
  if (order === null) return { outcome: 'order_not_found', warning: unknownOrder(notice), error: null };
  if (order.status !== 'pending') return done('ignored');
  return done(before?.status === payment.status ? 'unchanged' : 'recorded');
}
