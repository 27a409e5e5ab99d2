import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { CommerceError, invalid } from '../errors.ts';
import { fields, text } from '../parse.ts';
import { apiBase, secret } from './credentials.ts';
import { paypalOrder, verifyAtPayPal } from './paypal-api.ts';
import { orderDraftOf, payerOf } from './paypal-draft.ts';
import { emptyNotice, type PaymentNotice, type Provider } from './provider.ts';
import { listAt, objectAt, textAt } from './reading.ts';

export const PayPalSettings = fields({
  clientId: secret,
  clientSecret: secret,
  /** The id of the webhook as PayPal lists it; never taken from a notification. */
  webhookId: text(255, 1),
  apiBase: apiBase.default('https://api-m.paypal.com'),
});
export type PayPalSettings = z.output<typeof PayPalSettings>;

/** The transmission headers, under their names in the question whether they are right. */
const transmission = {
  transmission_id: 'paypal-transmission-id',
  transmission_time: 'paypal-transmission-time',
  cert_url: 'paypal-cert-url',
  auth_algo: 'paypal-auth-algo',
  transmission_sig: 'paypal-transmission-sig',
} as const;

/**
 * PayPal's notifications. Whether one is genuine is for PayPal to say: `POST /v1/notifications/verify-webhook-signature`
 * (developer.paypal.com/api/rest/webhooks/rest).
 */
export const paypal: Provider<PayPalSettings> = {
  name: 'paypal',

  async verify({ body, headers }, settings, now) {
    const signed = transmissionOf(headers);
    const event = body.toString('utf8');
    // The body is put into the question as it was received, so it has to be one JSON value and no more.
    if (!signed || !isJsonObject(event)) return false;
    return verifyAtPayPal(settings, signed, event, now);
  },

  async read(event) {
    const eventId = textAt(event, 'id');
    const eventType = textAt(event, 'event_type');
    if (!eventId || !eventType) throw invalid('body', 'must be a PayPal event with an id and an event_type');
    const notice = { ...emptyNotice, eventId, eventType };
    const resource = objectAt(event, 'resource');
    const reader = Object.hasOwn(readers, eventType) ? readers[eventType] : undefined;
    return resource && reader ? { ...notice, ...reader(resource) } : notice;
  },

  async complete(notice, event, settings, { unknownOrder, now }) {
    const orderId = paypalOrderIdOf(event);
    if (orderId === null)
      return unknownOrder ? { ...notice, draftProblem: 'the capture names no PayPal order' } : notice;
    let order: unknown;
    try {
      order = await paypalOrder(settings, orderId, now);
    } catch (error) {
      // For an order that is there it is only the payer's address; the money must not wait for that.
      if (!unknownOrder && error instanceof CommerceError) return notice;
      throw error;
    }
    if (order === null) {
      return unknownOrder ? { ...notice, draftProblem: `PayPal does not show its order ${orderId}` } : notice;
    }
    return { ...notice, details: payerOf(order) ?? notice.details, ...(unknownOrder ? orderDraftOf(order) : {}) };
  },
};

function transmissionOf(headers: IncomingHttpHeaders): Record<keyof typeof transmission, string> | undefined {
  const values = Object.entries(transmission).map(([name, header]) => [name, headers[header]] as const);
  if (values.some(([, value]) => typeof value !== 'string' || value === '')) return undefined;
  return Object.fromEntries(values) as Record<keyof typeof transmission, string>;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

type Reading = Partial<PaymentNotice>;

/** `CHECKOUT.ORDER.APPROVED` is not among them: the buyer agreed, and nothing was captured. */
const readers: Record<string, (resource: object) => Reading> = {
  'PAYMENT.CAPTURE.COMPLETED': (capture) =>
    readCapture(capture, textAt(capture, 'status') === 'PENDING' ? 'processing' : 'succeeded'),
  'PAYMENT.CAPTURE.PENDING': (capture) => readCapture(capture, 'processing'),
  'PAYMENT.CAPTURE.DENIED': (capture) => readCapture(capture, 'failed'),
  'PAYMENT.CAPTURE.DECLINED': (capture) => readCapture(capture, 'failed'),
  'PAYMENT.CAPTURE.REVERSED': readReversal,
  'PAYMENT.CAPTURE.REFUNDED': readRefund,
};

function readCapture(capture: object, kind: PaymentNotice['kind']): Reading {
  return {
    kind,
    orderId: textAt(capture, 'custom_id'),
    paymentId: textAt(capture, 'id'),
    ...moneyOf(capture),
    // A capture that was decided does not become pending again.
    version: kind === 'processing' ? 1 : 2,
    method: 'paypal',
  };
}

/**
 * PayPal took the money back, as after a dispute. It tells so with the refund that it made for that, as in its published sample,
 * or with the capture itself, which has no refund with an id of its own.
 */
function readReversal(resource: object): Reading {
  if (lastOfLink(resource, 'captures') !== null) return readRefund(resource);
  const paymentId = textAt(resource, 'id');
  return {
    kind: 'refund',
    paymentId,
    ...moneyOf(resource),
    refund: { id: `reversal-${paymentId}`, status: 'completed' },
  };
}

const refundStatuses: Record<string, 'pending' | 'completed' | 'failed'> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

/** Its `id` is the refund's; the capture is where the link `up` leads. */
function readRefund(refund: object): Reading {
  return {
    kind: 'refund',
    paymentId: lastOfLink(refund, 'captures'),
    ...moneyOf(refund),
    refund: { id: textAt(refund, 'id'), status: refundStatuses[textAt(refund, 'status') ?? ''] ?? 'pending' },
  };
}

function paypalOrderIdOf(event: unknown): string | null {
  const capture = objectAt(event, 'resource');
  return textAt(capture, 'supplementary_data', 'related_ids', 'order_id') ?? lastOfLink(capture, 'orders');
}

/** The id at the end of the link `up`, when it leads to that kind of thing. */
function lastOfLink(resource: object | null, kind: 'captures' | 'orders'): string | null {
  const up = listAt(resource, 'links').find((link) => textAt(link, 'rel') === 'up');
  const path = textAt(up, 'href')?.split(/[?#]/)[0]?.split('/') ?? [];
  return path.at(-2) === kind ? (path.at(-1) ?? null) : null;
}

/** A decimal string; "1", "1.0" and ".5" all occur. */
function moneyOf(resource: object): Pick<PaymentNotice, 'amount' | 'currency'> {
  const value = textAt(resource, 'amount', 'value');
  const amount = value !== null && /^(\d+|\d*\.\d+)$/.test(value) ? value.replace(/^\./, '0.') : null;
  return { amount, currency: textAt(resource, 'amount', 'currency_code') };
}
