import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { invalid } from '../errors.ts';
import { formatMoney, readMoney } from '../money.ts';
import { fields } from '../parse.ts';
import { secret } from './credentials.ts';
import { emptyNotice, type PaymentNotice, type Provider } from './provider.ts';
import { integerAt, objectAt, textAt } from './reading.ts';
import { orderDraftOf } from './stripe-draft.ts';

export const StripeSettings = fields({
  /** The endpoint's signing secret, `whsec_…`: the whole text is the key. */
  webhookSecret: secret,
});
export type StripeSettings = z.output<typeof StripeSettings>;

/** How old, and how far ahead of our clock, a signed timestamp may be. */
export const toleranceSeconds = 300;

/**
 * Stripe's notifications. The signature is in `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>…]`, HMAC-SHA256 over
 * `<t>.<raw body>` with one `v1` per secret that is live (docs.stripe.com/webhooks). Unlike Stripe's own library,
 * timestamps from the future are refused as well.
 */
export const stripe: Provider<StripeSettings> = {
  name: 'stripe',

  async verify({ body, headers }, { webhookSecret }, now) {
    const header = headers['stripe-signature'];
    if (typeof header !== 'string' || webhookSecret === '') return false;
    const parts = header.split(',').map((part) => part.trim().split('=', 2));
    const timestamp = parts.find(([name]) => name === 't')?.[1];
    if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
    const expected = createHmac('sha256', webhookSecret).update(`${timestamp}.`).update(body).digest();
    let matches = false;
    for (const [name, value = ''] of parts) {
      if (name !== 'v1' || !/^[0-9a-f]{64}$/.test(value)) continue;
      if (timingSafeEqual(Buffer.from(value, 'hex'), expected)) matches = true;
    }
    return matches && Math.abs(Math.floor(now / 1000) - Number(timestamp)) <= toleranceSeconds;
  },

  async read(event) {
    const eventId = textAt(event, 'id');
    const eventType = textAt(event, 'type');
    if (!eventId || !eventType) throw invalid('body', 'must be a Stripe event with an id and a type');
    const object = objectAt(event, 'data', 'object') ?? {};
    const notice = { ...emptyNotice, eventId, eventType };
    const reader = Object.hasOwn(readers, eventType) ? readers[eventType] : undefined;
    return reader ? { ...notice, ...reader(object) } : notice;
  },
};

type Reading = Omit<PaymentNotice, 'eventId' | 'eventType'>;

/** The events that say something about a payment, by the object they carry. Any other kind is kept and changes nothing. */
const readers: Record<string, (object: object) => Reading> = {
  'payment_intent.succeeded': (intent) => readIntent(intent, 'succeeded', 'amount_received'),
  'payment_intent.processing': (intent) => readIntent(intent, 'processing', 'amount'),
  'payment_intent.payment_failed': (intent) => readIntent(intent, 'failed', 'amount'),
  'payment_intent.canceled': (intent) => readIntent(intent, 'cancelled', 'amount'),
  // An uncaptured charge is only a promise; the money comes with `charge.captured` or the intent's success.
  'charge.succeeded': (charge) =>
    readCharge(charge, (charge as { captured?: unknown }).captured === false ? 'processing' : 'succeeded'),
  'charge.captured': (charge) => readCharge(charge, 'succeeded'),
  'charge.refunded': readRefundedCharge,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.refund.updated': readRefund,
  // Of the payment it repeats the card; its running total is told by `charge.refunded` as well.
  'charge.updated': (charge) => (textAt(charge, 'status') === 'failed' ? emptyNotice : readCharge(charge, 'unrelated')),
  'charge.failed': (charge) => readCharge(charge, 'failed'),
  'checkout.session.completed': (session) => readSession(session, sessionKind(session)),
  'checkout.session.async_payment_succeeded': (session) => readSession(session, 'succeeded'),
  'checkout.session.async_payment_failed': (session) => readSession(session, 'failed'),
};

function readIntent(intent: object, kind: Reading['kind'], amountField: string): Reading {
  // Before API version 2022-11-15 the intent carried its charges whole.
  const charge = objectAt(intent, 'charges', 'data', '0');
  const types = (intent as { payment_method_types?: unknown }).payment_method_types;
  const onlyType = Array.isArray(types) && types.length === 1 && typeof types[0] === 'string' ? types[0] : null;
  return {
    ...emptyNotice,
    kind,
    orderId: textAt(intent, 'metadata', 'order_id'),
    paymentId: textAt(intent, 'id'),
    ...amountOf(intent, amountField),
    method: textAt(charge, 'payment_method_details', 'type') ?? onlyType,
    details: cardOf(charge),
    ...(kind === 'succeeded' ? orderDraftOf(intent) : {}),
  };
}

function readCharge(charge: object, kind: Reading['kind']): Reading {
  return {
    ...emptyNotice,
    kind,
    orderId: textAt(charge, 'metadata', 'order_id'),
    // Charges made without an intent, by the old API, are payments of their own.
    paymentId: textAt(charge, 'payment_intent') ?? textAt(charge, 'id'),
    ...amountOf(charge, integerAt(charge, 'amount_captured') === null ? 'amount' : 'amount_captured'),
    method: textAt(charge, 'payment_method_details', 'type'),
    details: cardOf(charge),
    ...(kind === 'succeeded' ? orderDraftOf(charge) : {}),
  };
}

function readSession(session: object, kind: Reading['kind']): Reading {
  return {
    ...emptyNotice,
    kind,
    orderId: textAt(session, 'metadata', 'order_id') ?? textAt(session, 'client_reference_id'),
    // A session that cost nothing has no intent.
    paymentId: textAt(session, 'payment_intent') ?? textAt(session, 'id'),
    ...amountOf(session, 'amount_total'),
    ...(kind === 'succeeded' ? orderDraftOf(session) : {}),
  };
}

/** The running total of all refunds of the charge, partial ones too; never the amount of one (docs.stripe.com/api/charges/object). */
function readRefundedCharge(charge: object): Reading {
  return {
    ...readCharge(charge, 'refund'),
    ...amountOf(charge, 'amount_refunded'),
    refund: { id: null, status: 'completed' },
  };
}

/** One refund. Its metadata are its own, so the payment is what leads to the order. */
function readRefund(refund: object): Reading {
  return {
    ...emptyNotice,
    kind: 'refund',
    paymentId: textAt(refund, 'payment_intent') ?? textAt(refund, 'charge'),
    ...amountOf(refund, 'amount'),
    refund: { id: textAt(refund, 'id'), status: refundStatuses[textAt(refund, 'status') ?? ''] ?? 'pending' },
  };
}

// docs.stripe.com/api/refunds/object: `requires_action` waits for the customer; a succeeded one may fail later.
const refundStatuses: Record<string, 'pending' | 'completed' | 'failed'> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

/** A completed session is paid, or costs nothing, or waits for a delayed method; other modes are no payment of an order. */
function sessionKind(session: object): Reading['kind'] {
  if (textAt(session, 'mode') !== 'payment') return 'unrelated';
  return textAt(session, 'payment_status') === 'unpaid' ? 'processing' : 'succeeded';
}

function cardOf(charge: object | null): Reading['details'] {
  const card = objectAt(charge, 'payment_method_details', 'card');
  const last4 = textAt(card, 'last4');
  const brand = textAt(card, 'brand');
  const expMonth = integerAt(card, 'exp_month');
  const expYear = integerAt(card, 'exp_year');
  if (!last4 || !brand || expMonth === null || expYear === null) return null;
  return { last4, brand, expMonth, expYear };
}

// docs.stripe.com/currencies. Not ISO 4217: MGA is sent without decimals, ISK and UGX with two.
const noDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const threeDecimals = new Set('BHD JOD KWD OMR TND'.split(' '));

function amountOf(object: object, field: string): Pick<Reading, 'amount' | 'currency'> {
  const currency = textAt(object, 'currency')?.toUpperCase() ?? null;
  const minor = integerAt(object, field);
  if (currency === null || minor === null) return { amount: null, currency };
  return { amount: formatMoney(BigInt(minor), stripeDecimals(currency)), currency };
}

function stripeDecimals(currency: string): number {
  return noDecimals.has(currency) ? 0 : threeDecimals.has(currency) ? 3 : 2;
}

/** An amount as Stripe writes it: a whole number of what it takes for the currency's minor units. */
export function stripeMinor(amount: string, currency: string): number {
  const minor = readMoney(amount, stripeDecimals(currency));
  if (minor === undefined) throw invalid('amount', `Stripe cannot express ${amount} ${currency}`);
  return Number(minor);
}
