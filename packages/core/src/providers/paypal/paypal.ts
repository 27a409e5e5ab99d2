import type { IncomingHttpHeaders } from 'node:http';
import { CommerceError, invalid } from '../../kernel/errors.ts';
import { isDeeper, maxUnverifiedDepth } from '../../kernel/json.ts';
import { parseUrl } from '../../kernel/url.ts';
import { type AttemptNotice, idsOf, type NamedRefundFacts, type Reading, unrelated } from '../notice.ts';
import type { Provider } from '../provider.ts';
import { listAt, objectAt, textAt, timeAt, wordIn } from '../reading.ts';
import { markedRefund } from '../refund-calls.ts';
import { paypalOrder, verifyAtPayPal } from './api.ts';
import { disputeReaders } from './disputes.ts';
import { orderDraftOf, ownersOf, payerOf } from './draft.ts';
import { moneyOf } from './money.ts';
import type { PayPalSettings } from './settings.ts';

/** The transmission headers, by their names in the verification call. */
const transmission = {
  transmission_id: 'paypal-transmission-id',
  transmission_time: 'paypal-transmission-time',
  cert_url: 'paypal-cert-url',
  auth_algo: 'paypal-auth-algo',
  transmission_sig: 'paypal-transmission-sig',
} as const;

/**
 * PayPal's notifications, verified by asking PayPal: `POST /v1/notifications/verify-webhook-signature`
 * (developer.paypal.com/api/rest/webhooks/rest).
 */
export const paypal: Provider<PayPalSettings> = {
  name: 'paypal',

  asks: true,

  plausible({ headers }, { apiBase }) {
    const signed = transmissionOf(headers);
    return signed !== undefined && isCertificateOf(signed.cert_url, apiBase);
  },

  account: ({ apiBase, clientId, clientSecret, webhookId }) =>
    JSON.stringify([apiBase, clientId, clientSecret, webhookId]),

  async verify(notification, settings, now) {
    const signed = transmissionOf(notification.headers);
    const event = notification.body.toString('utf8');
    // The body is embedded unchanged in the verification call, so it must be exactly one JSON object.
    if (!signed || !this.plausible(notification, settings, now) || !isJsonObject(event)) return false;
    return verifyAtPayPal(settings, signed, event, now);
  },

  get events() {
    return Object.keys(readers);
  },

  async read(event) {
    const eventId = textAt(event, 'id');
    const eventType = textAt(event, 'event_type');
    if (!eventId || !eventType) throw invalid('body', 'must be a PayPal event with an id and an event_type');
    const resource = objectAt(event, 'resource');
    const read = wordIn(readers, eventType);
    return { ...(resource && read ? read(resource, timeAt(event, 'create_time')) : unrelated), eventId, eventType };
  },

  async complete(notice, event, settings, { makeOrder, now }) {
    const { merchantId } = settings;
    const payee = textAt(event, 'resource', 'payee', 'merchant_id');
    const checked = { ...notice, wrongPayee: isWrongPayee(payee, merchantId) };
    const paypalOrderId = notice.ids.order;
    if (paypalOrderId === undefined) {
      return makeOrder ? { ...checked, draftProblem: 'the capture does not name a PayPal order' } : checked;
    }
    let order: unknown;
    try {
      order = await paypalOrder(settings, paypalOrderId, now);
    } catch (error) {
      // Not needed for an existing order: only the payer's e-mail would be missing, and the money must not wait for it.
      const needed = makeOrder || notice.orderId === null || (merchantId !== undefined && payee === null);
      if (!needed && error instanceof CommerceError) return checked;
      throw error;
    }
    if (order === null) {
      return makeOrder ? { ...checked, draftProblem: `PayPal does not return its order ${paypalOrderId}` } : checked;
    }
    const owners = ownersOf(order);
    return {
      ...checked,
      orderId: notice.orderId ?? owners.orderId,
      wrongPayee: isWrongPayee(payee ?? owners.payee, merchantId),
      details: payerOf(order) ?? notice.details,
      ...(makeOrder ? orderDraftOf(order) : {}),
    };
  },
};

function isWrongPayee(payee: string | null, merchantId: string | undefined): boolean {
  return merchantId !== undefined && payee !== null && payee !== merchantId;
}

const certificateHosts = new Set([
  'api.paypal.com',
  'api-m.paypal.com',
  'api.sandbox.paypal.com',
  'api-m.sandbox.paypal.com',
]);

/** True for an address on PayPal's own hosts, or on the configured API's origin. */
function isCertificateOf(address: string, apiBase: string): boolean {
  const url = parseUrl(address);
  if (!url) return false;
  return url.origin === apiBase || (url.protocol === 'https:' && url.port === '' && certificateHosts.has(url.hostname));
}

function transmissionOf(headers: IncomingHttpHeaders): Record<keyof typeof transmission, string> | undefined {
  const values = Object.entries(transmission).map(([name, header]) => [name, headers[header]] as const);
  if (values.some(([, value]) => typeof value !== 'string' || value === '')) return undefined;
  return Object.fromEntries(values) as Record<keyof typeof transmission, string>;
}

function isJsonObject(text: string): boolean {
  // Untrusted input until PayPal has confirmed it.
  if (isDeeper(Buffer.from(text), maxUnverifiedDepth)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** @param createdAt PayPal's time of the event, in milliseconds */
const readers: Record<string, (resource: object, createdAt: number | null) => Reading> = {
  'PAYMENT.CAPTURE.COMPLETED': (capture) =>
    readCapture(capture, textAt(capture, 'status') === 'PENDING' ? 'processing' : 'succeeded'),
  'PAYMENT.CAPTURE.PENDING': (capture) => readCapture(capture, 'processing'),
  'PAYMENT.CAPTURE.DENIED': (capture) => readCapture(capture, 'failed'),
  'PAYMENT.CAPTURE.DECLINED': (capture) => readCapture(capture, 'failed'),
  'PAYMENT.CAPTURE.REVERSED': (resource) => readReversal(resource),
  'PAYMENT.CAPTURE.REFUNDED': (resource) => readRefund(resource),
  ...disputeReaders,
  // Approved, not captured: these only link PayPal's order to ours.
  'CHECKOUT.ORDER.APPROVED': (order) => ({ ...readOrder(order), approves: true }),
  'CHECKOUT.ORDER.COMPLETED': readOrder,
};

/** The notice of a capture. @param order PayPal's own order, if the capture was read from it */
export function captureNotice(
  capture: object,
  kind: AttemptNotice['kind'],
  order: { id: string; body: unknown },
  { merchantId }: PayPalSettings,
): AttemptNotice {
  const read = readCapture(capture, kind);
  const owners = ownersOf(order.body);
  const payee = textAt(capture, 'payee', 'merchant_id') ?? owners.payee;
  const status = textAt(capture, 'status') ?? '';
  return {
    ...read,
    // Not PayPal's event id, because an answer to a call has none.
    eventId: `capture ${read.ids.capture} ${status}`,
    eventType: `PAYMENT.CAPTURE.${status}`,
    orderId: read.orderId ?? owners.orderId,
    ids: { ...read.ids, order: order.id },
    wrongPayee: isWrongPayee(payee, merchantId),
    details: payerOf(order.body),
  };
}

function readCapture(capture: object, kind: AttemptNotice['kind']): Omit<AttemptNotice, 'eventId' | 'eventType'> {
  return {
    kind,
    orderId: textAt(capture, 'custom_id'),
    ids: idsOf({ capture: textAt(capture, 'id'), order: paypalOrderIdOf(capture) }),
    ...moneyOf(capture, 'amount'),
    // A decided capture does not become pending again.
    version: kind === 'processing' ? 1 : 2,
    versionsTie: false,
    wrongPayee: false,
    method: 'paypal',
    details: null,
    draft: null,
    draftProblem: null,
  };
}

function readOrder(order: object): Extract<Reading, { kind: 'link' }> {
  const { orderId } = ownersOf(order);
  return { kind: 'link', orderId, ids: idsOf({ order: textAt(order, 'id') }), method: null, details: null };
}

/**
 * PayPal took the money back, for example after a dispute. The resource is the refund made for that, as in PayPal's published
 * sample, or the capture itself, without a refund id.
 */
function readReversal(resource: object): Reading {
  if (lastOfLink(resource, 'captures') !== null) return readRefund(resource, true);
  const capture = textAt(resource, 'id');
  return refund(resource, capture, { id: `reversal-${capture}`, status: 'completed', reversal: true });
}

const refundStatuses: Record<string, NamedRefundFacts['status']> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

/** The resource is the refund; its link `up` leads to the capture. */
function readRefund(resource: object, reversal = false): Reading {
  const named = refundOf(resource);
  if (named === null) return unrelated;
  return refund(resource, lastOfLink(resource, 'captures'), { ...named, ...(reversal && { reversal }) });
}

/** A refund as PayPal's API and events show it; null when it has no id. */
export function refundOf(resource: object): NamedRefundFacts | null {
  const id = textAt(resource, 'id');
  if (id === null) return null;
  const status = wordIn(refundStatuses, textAt(resource, 'status')) ?? 'pending';
  const ours = markedRefund(textAt(resource, 'custom_id'));
  return {
    id,
    status,
    amount: moneyOf(resource, 'amount').amount,
    ours,
    error: textAt(resource, 'status_details', 'reason'),
  };
}

function refund(resource: object, capture: string | null, facts: Omit<NamedRefundFacts, 'amount'>): Reading {
  const { amount, currency } = moneyOf(resource, 'amount');
  const custom = textAt(resource, 'custom_id');
  return {
    kind: 'refund',
    // A refund that we asked for names itself there.
    orderId: markedRefund(custom) === null ? custom : null,
    ids: idsOf({ capture }),
    refund: { ...facts, amount },
    currency,
    toldAt: null,
  };
}

/** PayPal's order of a capture. */
export function paypalOrderIdOf(capture: object): string | null {
  return textAt(capture, 'supplementary_data', 'related_ids', 'order_id') ?? lastOfLink(capture, 'orders');
}

/** The id at the end of the link `up`, if it leads to that kind of resource. */
function lastOfLink(resource: object | null, kind: 'captures' | 'orders'): string | null {
  const up = listAt(resource, 'links').find((link) => textAt(link, 'rel') === 'up');
  const path = textAt(up, 'href')?.split(/[?#]/)[0]?.split('/') ?? [];
  return path.at(-2) === kind ? (path.at(-1) ?? null) : null;
}
