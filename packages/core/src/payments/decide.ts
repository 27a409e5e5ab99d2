import type { Matched, OrderFacts, PaymentState } from './fields.ts';

/** A payment as far as a decision needs it. Amounts in minor units of `currency`. */
export interface PaymentFacts {
  status: PaymentState;
  /** Version or time of what was told last. */
  version: number | null;
  /** Null where what was told is no amount of the currency. */
  amount: number | null;
  currency: string | null;
  captured: number;
  refunded: number;
  matched: Matched | null;
  wrongPayee: boolean;
}

/**
 * What was told of a payment: how an attempt stands, how much of it has been given back by now, which ids or method belong to
 * it. `again` is told when nothing is new but the order or its stock.
 */
export type Told =
  | (Pick<PaymentFacts, 'version' | 'amount' | 'currency' | 'refunded' | 'wrongPayee'> & {
      kind: PaymentState;
      /** Whether different states may have one version; then the one told last counts. */
      versionsTie: boolean;
    })
  | { kind: 'refund'; refunded: number }
  | { kind: 'link' }
  | { kind: 'again' };

/**
 * What is to be done to the order. `confirm`: it is paid by this payment if there is stock, else the payment waits as
 * `insufficientStock`; `reopen`: the same for an order that expired, which is pending again at least; `status`: a pending order's
 * payment status is derived anew; `update`: the order that this payment paid takes over refunds, method and details.
 */
export type Effect = 'none' | 'confirm' | 'reopen' | 'status' | 'update';

export interface Decision {
  /** The payment afterwards, should stock suffice; null where nothing of it is kept. */
  payment: PaymentFacts | null;
  effect: Effect;
}

/**
 * Decides what a notice means for a payment and the order that it is linked to. Both are locked, and nothing else is looked at.
 * @param order null where there is no such order
 * @param payment null where nothing is known of the payment
 */
export function decide(order: OrderFacts | null, payment: PaymentFacts | null, told: Told): Decision {
  const advanced = advance(payment, told);
  if (advanced === null) return { payment: null, effect: 'none' };
  return match(order, advanced);
}

/** The payment after what was told of it. Success is final; of other states the later one counts. */
function advance(payment: PaymentFacts | null, told: Told): PaymentFacts | null {
  switch (told.kind) {
    case 'link':
    case 'again':
      return payment;
    case 'refund':
      return payment && { ...payment, refunded: told.refunded };
    default: {
      const { kind: status, version, amount, currency, refunded, wrongPayee } = told;
      if (payment?.status === 'succeeded') {
        if (status !== 'succeeded') return { ...payment, refunded };
        // A later event of the payment may know what the first one left out.
        const known = payment.amount === null ? { amount, currency, captured: amount ?? 0 } : {};
        return { ...payment, ...known, refunded, wrongPayee: payment.wrongPayee || wrongPayee };
      }
      if (payment && status !== 'succeeded' && isOutdated(told, payment.version)) return { ...payment, refunded };
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

/** What a payment means for its order as both are now. */
function match(order: OrderFacts | null, payment: PaymentFacts): Decision {
  const pending = order?.status === 'pending';
  const as = (matched: Matched | null, effect: Effect = pending ? 'status' : 'none'): Decision => ({
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
