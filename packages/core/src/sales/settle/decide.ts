import type { OrderFacts } from '../../payments/fields.ts';
import type { Matched, PaymentState } from '../../storage/tables/payments.ts';

/** The facts of a payment that a decision needs. Amounts in minor units of `currency`. */
export interface PaymentFacts {
  status: PaymentState;
  /** Version or time of the last report. */
  version: number | null;
  /** Null when the reported amount is not an amount of the currency. */
  amount: number | null;
  currency: string | null;
  captured: number;
  refunded: number;
  matched: Matched | null;
  wrongPayee: boolean;
}

/**
 * A report about a payment: the state of an attempt, the sum refunded by now, after a refund or a dispute, or ids and method that belong to it. `again`
 * reports nothing new, for deciding again after the order or its stock changed.
 */
export type Report =
  | (Pick<PaymentFacts, 'version' | 'amount' | 'currency' | 'refunded' | 'wrongPayee'> & {
      kind: PaymentState;
      /** True when different states can have the same version; the last one received then counts. */
      versionsTie: boolean;
    })
  | { kind: 'refund' | 'dispute'; refunded: number }
  | { kind: 'link' }
  | { kind: 'again' };

/**
 * The change to the order. `confirm`: the payment pays it if stock suffices, else waits as `insufficientStock`. `reopen`: the same for an
 * expired order, which at least becomes pending again. `status`: recompute the payment status of a pending order. `update`: the order that
 * this payment paid takes over refunds, method and details.
 */
export type Effect = 'none' | 'confirm' | 'reopen' | 'status' | 'update';

export interface Decision {
  /** The payment afterwards, if stock suffices; null when nothing is stored. */
  payment: PaymentFacts | null;
  effect: Effect;
}

/**
 * Decides the effect of a report on a payment and its order. Depends only on the arguments; the caller has locked both.
 * @param order null when the order does not exist
 * @param payment null when the payment is unknown
 */
export function decide(order: OrderFacts | null, payment: PaymentFacts | null, report: Report): Decision {
  const advanced = advance(payment, report);
  if (advanced === null) return { payment: null, effect: 'none' };
  return match(order, advanced);
}

/** The payment after a report. Success is final; of other states the later one counts. */
function advance(payment: PaymentFacts | null, report: Report): PaymentFacts | null {
  switch (report.kind) {
    case 'link':
    case 'again':
      return payment;
    case 'refund':
    case 'dispute':
      return payment && { ...payment, refunded: report.refunded };
    default: {
      const { kind: status, version, amount, currency, refunded, wrongPayee } = report;
      if (payment?.status === 'succeeded') {
        if (status !== 'succeeded') return { ...payment, refunded };
        // A later event of the payment can state the amount that the first one lacked.
        const known = payment.amount === null ? { amount, currency, captured: amount ?? 0 } : {};
        return { ...payment, ...known, refunded, wrongPayee: payment.wrongPayee || wrongPayee };
      }
      if (payment && status !== 'succeeded' && isOutdated(report, payment.version)) return { ...payment, refunded };
      const captured = status === 'succeeded' ? (amount ?? 0) : 0;
      return { status, version, amount, currency, captured, refunded, matched: payment?.matched ?? null, wrongPayee };
    }
  }
}

function isOutdated(
  { version, versionsTie }: { version: number | null; versionsTie: boolean },
  seen: number | null,
): boolean {
  return version !== null && seen !== null && (version < seen || (version === seen && !versionsTie));
}

/** The match of a payment with its order, both in their present state. */
function match(order: OrderFacts | null, payment: PaymentFacts): Decision {
  const takesMoney = order?.status === 'pending' || (order?.status === 'fulfilled' && !order.paid);
  const as = (matched: Matched | null, effect: Effect = takesMoney ? 'status' : 'none'): Decision => ({
    payment: { ...payment, matched },
    effect,
  });
  if (payment.status !== 'succeeded') return as(null);
  if (payment.matched === 'paid') return as('paid', 'update');
  if (payment.matched === 'dismissed') return as('dismissed');
  if (payment.captured > 0 && payment.refunded >= payment.captured) return as('refunded');
  if (order === null) return as('none');
  if (order.paid) return as('second');
  if (order.status === 'cancelled' && !order.expired) return as('cancelledOrder');
  if (payment.wrongPayee) return as('wrongPayee');
  if (payment.amount !== order.total || payment.currency !== order.currency) return as('mismatch');
  return as('paid', order.expired ? 'reopen' : 'confirm');
}
