import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../../kernel/errors.ts';
import { fields, flag, oneOf, text } from '../../kernel/parse.ts';
import { apiBase, removable, secret } from '../credentials.ts';
import {
  type AttemptNotice,
  idsOf,
  type NamedRefundFacts,
  type PaymentMethod,
  type Reading,
  unrelated,
} from '../notice.ts';
import type { Provider, RawNotification } from '../provider.ts';
import { integerAt, listAt, objectAt, textAt, wordIn } from '../reading.ts';
import { disputeReaders } from './disputes.ts';
import { orderDraftOf } from './draft.ts';
import { isDelayed, type StripeMethod, stripeMethodNames } from './methods.ts';
import { amountOf } from './money.ts';

export const StripeSettings = fields({
  /** The endpoint's signing secret, `whsec_…`; the whole text is the key. Up to 255 characters, as all secrets. */
  webhookSecret: secret,
  /** The key of the account, `sk_…` or `rk_…`: allows making pages to pay at. Null removes it. */
  secretKey: removable(secret),
  /** Address of Stripe's API, without a path; `https://api.stripe.com` by default. */
  apiBase: apiBase.optional(),
  /** The ways to pay that its pages offer; Stripe leaves out what does not fit. `card` and `link` at first. */
  methods: z
    .array(oneOf(stripeMethodNames), 'must be a list of methods')
    .min(1, 'must have at least one method')
    .max(stripeMethodNames.length, `must have at most ${stripeMethodNames.length} methods`)
    .transform((methods): StripeMethod[] => [...new Set(methods)])
    .optional(),
  /** The id of the endpoint whose secret this is, if `connect` made it. */
  endpointId: removable(text(255, 1)),
  /** Allows methods whose money comes, or fails, days after the page. */
  allowDelayed: flag.optional(),
});
export type StripeSettings = z.output<typeof StripeSettings>;

/** @throws CommerceError `validation` for a delayed method that is not allowed */
export function checkMethods({ methods = [], allowDelayed = false }: StripeSettings): void {
  const delayed = methods.filter(isDelayed);
  if (allowDelayed || delayed.length === 0) return;
  throw invalid(
    'methods',
    `must be without ${delayed.join(', ')}, whose money comes or fails days later, unless allowDelayed is true`,
    { code: 'NOT_OFFERED' },
  );
}

/** Seconds by which a signed timestamp can be behind or ahead of our clock. */
export const toleranceSeconds = 300;

/**
 * Stripe's notifications. The signature is in `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>…]`, HMAC-SHA256 over
 * `<t>.<raw body>` with one `v1` per live secret (docs.stripe.com/webhooks). Unlike Stripe's own library, refuses timestamps
 * from the future too.
 */
export const stripe: Provider<StripeSettings> = {
  name: 'stripe',

  asks: false,

  plausible(notification, _, now) {
    const signed = signatureOf(notification);
    return signed !== null && Math.abs(Math.floor(now / 1000) - Number(signed.timestamp)) <= toleranceSeconds;
  },

  account: ({ webhookSecret }) => webhookSecret,

  async verify(notification, settings, now) {
    const signed = signatureOf(notification);
    if (signed === null || settings.webhookSecret === '') return false;
    const expected = createHmac('sha256', settings.webhookSecret)
      .update(`${signed.timestamp}.`)
      .update(notification.body)
      .digest();
    let matches = false;
    for (const value of signed.values) {
      if (timingSafeEqual(Buffer.from(value, 'hex'), expected)) matches = true;
    }
    return matches && this.plausible(notification, settings, now);
  },

  get events() {
    return Object.keys(readers);
  },

  async read(event) {
    const eventId = textAt(event, 'id');
    const eventType = textAt(event, 'type');
    if (!eventId || !eventType) throw invalid('body', 'must be a Stripe event with an id and a type');
    const object = objectAt(event, 'data', 'object') ?? {};
    const read = wordIn(readers, eventType);
    return { ...(read ? read(object, integerAt(event, 'created')) : unrelated), eventId, eventType };
  },
};

/** Most signatures read, one per live secret; no endpoint has more. */
const maxSignatures = 20;

function signatureOf({ headers }: RawNotification): { timestamp: string; values: string[] } | null {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string') return null;
  const parts = header.split(',', 2 * maxSignatures).map((part) => part.trim().split('=', 2));
  const timestamp = parts.find(([name]) => name === 't')?.[1];
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return null;
  const values = parts.flatMap(([name, value = '']) => (name === 'v1' && /^[0-9a-f]{64}$/.test(value) ? value : []));
  return values.length === 0 ? null : { timestamp, values: values.slice(0, maxSignatures) };
}

/** @param created Stripe's time of the event, in whole seconds, so that events of one second cannot be ordered */
type Reader = (object: object, created: number | null) => Reading;

/** Readers of the events about payments. Events of any other type are stored and change nothing. */
const readers: Record<string, Reader> = {
  'payment_intent.succeeded': (intent, created) => readIntent(intent, 'succeeded', created),
  'payment_intent.processing': (intent, created) => readIntent(intent, 'processing', created),
  'payment_intent.payment_failed': (intent, created) => readIntent(intent, 'failed', created),
  'payment_intent.canceled': (intent, created) => readIntent(intent, 'cancelled', created),
  // An uncaptured charge brings no money yet; that comes with `charge.captured` or the intent's success.
  'charge.succeeded': (charge, created) =>
    readCharge(charge, (charge as { captured?: unknown }).captured === false ? 'processing' : 'succeeded', created),
  'charge.captured': (charge, created) => readCharge(charge, 'succeeded', created),
  'charge.failed': (charge, created) => readCharge(charge, 'failed', created),
  'charge.refunded': readRefundedCharge,
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.refund.updated': readRefund,
  ...disputeReaders,
  // Only its card is used; its running total also comes with `charge.refunded`.
  'charge.updated': (charge) =>
    textAt(charge, 'status') === 'failed' ? unrelated : { kind: 'link', ...namesOfCharge(charge), ...methodOf(charge) },
  'checkout.session.expired': readExpiredSession,
  'checkout.session.completed': readCompletedSession,
  'checkout.session.async_payment_succeeded': (session, created) => readSession(session, 'succeeded', created),
  'checkout.session.async_payment_failed': (session, created) => readSession(session, 'failed', created),
};

type Attempt = Omit<AttemptNotice, 'eventId' | 'eventType'>;

function readIntent(intent: object, kind: Attempt['kind'], created: number | null): Attempt {
  // Before API version 2022-11-15 the intent carried its charges whole.
  const charge = objectAt(intent, 'charges', 'data', '0');
  const types = (intent as { payment_method_types?: unknown }).payment_method_types;
  const onlyType = Array.isArray(types) && types.length === 1 && typeof types[0] === 'string' ? types[0] : null;
  // An unreadable `amount_received` is not replaced by `amount`.
  const received = (intent as { amount_received?: unknown }).amount_received ?? null;
  const field = kind === 'succeeded' && received !== null ? 'amount_received' : 'amount';
  return {
    kind,
    orderId: textAt(intent, 'metadata', 'order_id'),
    ids: idsOf({ intent: textAt(intent, 'id'), charge: textAt(intent, 'latest_charge') ?? textAt(charge, 'id') }),
    ...amountOf(intent, field),
    version: created,
    versionsTie: true,
    wrongPayee: false,
    method: methodOf(charge).method ?? onlyType,
    details: methodOf(charge).details,
    ...draftOf(intent, kind),
  };
}

function readCharge(charge: object, kind: Attempt['kind'], created: number | null): Attempt {
  const captured = kind === 'succeeded' && integerAt(charge, 'amount_captured') !== null;
  return {
    kind,
    ...namesOfCharge(charge),
    ...amountOf(charge, captured ? 'amount_captured' : 'amount'),
    version: created,
    versionsTie: true,
    wrongPayee: false,
    ...methodOf(charge),
    ...draftOf(charge, kind),
  };
}

/** A charge created without an intent, by the old API, is a payment of its own. */
function namesOfCharge(charge: object) {
  return {
    orderId: textAt(charge, 'metadata', 'order_id'),
    ids: idsOf({ intent: textAt(charge, 'payment_intent'), charge: textAt(charge, 'id') }),
  };
}

function readSession(session: object, kind: Attempt['kind'], created: number | null): Attempt {
  return {
    kind,
    orderId: textAt(session, 'metadata', 'order_id') ?? textAt(session, 'client_reference_id'),
    // A free session lacks an intent.
    ids: idsOf({ intent: textAt(session, 'payment_intent'), session: textAt(session, 'id') }),
    // Every event about the money of a session comes after the buyer has completed it.
    endsPage: true,
    ...amountOf(session, 'amount_total'),
    version: created,
    versionsTie: true,
    wrongPayee: false,
    method: null,
    details: null,
    ...draftOf(session, kind),
  };
}

/** A completed session is paid, costs nothing, or waits for a delayed method. Sessions of other modes do not pay an order. */
function readCompletedSession(session: object, created: number | null): Reading {
  if (textAt(session, 'mode') !== 'payment') return unrelated;
  return readSession(session, textAt(session, 'payment_status') === 'unpaid' ? 'processing' : 'succeeded', created);
}

/** The end of an unpaid page: it says nothing about money, because there was none. */
function readExpiredSession(session: object): Reading {
  if (textAt(session, 'mode') !== 'payment') return unrelated;
  return {
    kind: 'link',
    orderId: textAt(session, 'metadata', 'order_id') ?? textAt(session, 'client_reference_id'),
    ids: idsOf({ session: textAt(session, 'id') }),
    ends: true,
    method: null,
    details: null,
  };
}

function draftOf(object: object, kind: Attempt['kind']): Pick<Attempt, 'draft' | 'draftProblem'> {
  return kind === 'succeeded' ? orderDraftOf(object) : { draft: null, draftProblem: null };
}

/**
 * The running total of all refunds of the charge, never the amount of a single one (docs.stripe.com/api/charges/object). For a
 * partly captured charge, Stripe adds the released remainder, which is not a refund and is subtracted here.
 */
function readRefundedCharge(charge: object, created: number | null): Reading {
  const [amount, captured] = [integerAt(charge, 'amount'), integerAt(charge, 'amount_captured')];
  const released = amount !== null && captured !== null && captured > 0 ? Math.max(0, amount - captured) : 0;
  const { amount: total, currency } = amountOf(charge, 'amount_refunded', released);
  // Before API version 2022-11-15 the charge carried its refunds whole.
  const listed = listAt(charge, 'refunds', 'data').flatMap((refund) => refundOf(refund) ?? []);
  const refunds = released > 0 ? [] : listed.slice(0, maxListedRefunds);
  return {
    kind: 'refundTotal',
    ...namesOfCharge(charge),
    total,
    currency,
    toldAt: created,
    refunds,
    ...methodOf(charge),
  };
}

/** Stripe's lists have at most a hundred entries. */
const maxListedRefunds = 100;

/** One refund. It has its own metadata, which names the order only if the shop put it there; else the payment leads to it. */
function readRefund(refund: object, created: number | null): Reading {
  const named = refundOf(refund);
  if (named === null) return unrelated;
  return {
    kind: 'refund',
    orderId: textAt(refund, 'metadata', 'order_id'),
    ids: idsOf({ intent: textAt(refund, 'payment_intent'), charge: textAt(refund, 'charge') }),
    refund: named,
    currency: amountOf(refund, 'amount').currency,
    toldAt: created,
  };
}

/** A refund as Stripe's API and events show it; null when it has no id. */
export function refundOf(refund: object): NamedRefundFacts | null {
  const id = textAt(refund, 'id');
  if (id === null) return null;
  const status = wordIn(refundStatuses, textAt(refund, 'status')) ?? 'pending';
  const [ours, error] = [textAt(refund, 'metadata', 'refund_id'), textAt(refund, 'failure_reason')];
  return { id, status, amount: amountOf(refund, 'amount').amount, ours, error };
}

// docs.stripe.com/api/refunds/object: `requires_action` waits for the customer; a succeeded refund can fail later.
const refundStatuses: Record<string, NamedRefundFacts['status']> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

function methodOf(charge: object | null): PaymentMethod {
  return { method: textAt(charge, 'payment_method_details', 'type'), details: cardOf(charge) };
}

function cardOf(charge: object | null): PaymentMethod['details'] {
  const card = objectAt(charge, 'payment_method_details', 'card');
  const last4 = textAt(card, 'last4');
  const brand = textAt(card, 'brand');
  const expMonth = integerAt(card, 'exp_month');
  const expYear = integerAt(card, 'exp_year');
  if (!last4 || !brand || expMonth === null || expYear === null) return null;
  return { last4, brand, expMonth, expYear };
}
