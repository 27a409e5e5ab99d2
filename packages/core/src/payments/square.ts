import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../errors.ts';
import { currencyDecimals, formatMoney } from '../money.ts';
import { fields, text } from '../parse.ts';
import { apiBase, secret } from './credentials.ts';
import { emptyNotice, type PaymentNotice, type Provider } from './provider.ts';
import { integerAt, objectAt, textAt } from './reading.ts';
import { squareOrderItems } from './square-draft.ts';

export const SquareSettings = fields({
  /** The signature key of the webhook subscription. */
  signatureKey: secret,
  /** The subscription's address exactly as it was registered, scheme, slashes and all: it is part of what is signed. */
  notificationUrl: text(2048, 1).pipe(z.url('must be the address of the webhook subscription as it was registered')),
  /** Lets the items of an order be read that does not exist here yet. */
  accessToken: secret.optional(),
  apiBase: apiBase.default('https://connect.squareup.com'),
});
export type SquareSettings = z.output<typeof SquareSettings>;

/**
 * Square's notifications. `x-square-hmacsha256-signature` is base64 of HMAC-SHA256 over the registered address and the raw
 * body (developer.squareup.com/docs/webhooks/step3validate); there is no timestamp in it. Events come for every payment of the
 * seller, also for sales that are no order here.
 */
export const square: Provider<SquareSettings> = {
  name: 'square',

  async verify({ body, headers }, { signatureKey, notificationUrl }) {
    const header = headers['x-square-hmacsha256-signature'];
    if (typeof header !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(header)) return false;
    const expected = createHmac('sha256', signatureKey).update(notificationUrl).update(body).digest();
    return timingSafeEqual(Buffer.from(header, 'base64'), expected);
  },

  async read(event) {
    const eventId = textAt(event, 'event_id');
    const eventType = textAt(event, 'type');
    if (!eventId || !eventType) throw invalid('body', 'must be a Square event with an event_id and a type');
    // Published examples have one event_id on a refund's creation and on its update, which are two things to know.
    const notice = { ...emptyNotice, eventId: `${eventId} ${eventType}`, eventType };
    const payment = objectAt(event, 'data', 'object', 'payment');
    if (payment && /^payment\.(created|updated)$/.test(eventType)) return { ...notice, ...readPayment(payment) };
    const refund = objectAt(event, 'data', 'object', 'refund');
    if (refund && /^refund\.(created|updated)$/.test(eventType)) return { ...notice, ...readRefund(refund) };
    return notice;
  },

  async complete(notice, event, { accessToken, apiBase }, { unknownOrder }) {
    const squareOrder = textAt(event, 'data', 'object', 'payment', 'order_id');
    if (!unknownOrder || accessToken === undefined || squareOrder === null) return notice;
    return { ...notice, ...(await squareOrderItems(apiBase, accessToken, squareOrder)) };
  },
};

type Reading = Partial<PaymentNotice>;

/** There is no event for success or failure: a payment's status says it, also in `payment.created`. */
const kinds: Record<string, PaymentNotice['kind']> = {
  APPROVED: 'processing',
  PENDING: 'processing',
  COMPLETED: 'succeeded',
  CANCELED: 'cancelled',
  FAILED: 'failed',
};

function readPayment(payment: object): Reading {
  return {
    kind: kinds[textAt(payment, 'status') ?? ''] ?? 'unrelated',
    orderId: textAt(payment, 'reference_id'),
    paymentId: textAt(payment, 'id'),
    // Without the tip, which is not part of the order.
    ...moneyOf(payment, 'amount_money'),
    version: integerAt(payment, 'version') ?? Date.parse(textAt(payment, 'updated_at') ?? ''),
    method: textAt(payment, 'source_type')?.toLowerCase() ?? null,
    details: cardOf(payment),
  };
}

const refundStatuses: Record<string, 'pending' | 'completed' | 'failed'> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  REJECTED: 'failed',
  FAILED: 'failed',
};

/** It names the payment; its `order_id` is of an order that Square made for the refund. */
function readRefund(refund: object): Reading {
  return {
    kind: 'refund',
    paymentId: textAt(refund, 'payment_id'),
    ...moneyOf(refund, 'amount_money'),
    refund: { id: textAt(refund, 'id'), status: refundStatuses[textAt(refund, 'status') ?? ''] ?? 'pending' },
  };
}

/** Integer minor units by ISO 4217 (developer.squareup.com/docs/build-basics/working-with-monetary-amounts). */
function moneyOf(object: object, field: string): Pick<PaymentNotice, 'amount' | 'currency'> {
  const minor = integerAt(object, field, 'amount');
  const currency = textAt(object, field, 'currency');
  const decimals = currency === null ? undefined : currencyDecimals(currency);
  if (minor === null || decimals === undefined) return { amount: null, currency };
  return { amount: formatMoney(BigInt(minor), decimals), currency };
}

function cardOf(payment: object): PaymentNotice['details'] {
  const last4 = textAt(payment, 'card_details', 'card', 'last_4');
  const brand = textAt(payment, 'card_details', 'card', 'card_brand');
  return last4 && brand ? { last4, brand: brand.toLowerCase() } : null;
}
