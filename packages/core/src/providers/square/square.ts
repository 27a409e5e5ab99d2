import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { invalid } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { currencyDecimals, formatMoney } from '../../kernel/money.ts';
import { fields, text } from '../../kernel/parse.ts';
import type { DisputeStatus } from '../../storage/tables/payments.ts';
import { apiBase, removable, secret } from '../credentials.ts';
import { type AttemptNotice, idsOf, type NamedRefundFacts, type Reading, unrelated } from '../notice.ts';
import type { Provider, RawNotification } from '../provider.ts';
import { integerAt, objectAt, textAt, timeAt, wordIn } from '../reading.ts';
import { markedRefund } from '../refund-calls.ts';
import { squareOrderItems } from './draft.ts';

export const SquareSettings = fields({
  /** The signature key of the webhook subscription. */
  signatureKey: secret,
  /** The subscription's address exactly as registered, with scheme and slashes, because Square signs it. */
  notificationUrl: text(2048, 1).pipe(z.url('must be the address of the webhook subscription, exactly as registered')),
  /** Allows reading the items of an order that does not exist here yet and, with a location, making pages to pay at. */
  accessToken: removable(secret),
  /** The seller's location that sells; up to 64 characters. Null removes it. */
  locationId: removable(text(64, 1)),
  /** Address of Square's API, without a path: `https://connect.squareup.com` by default. */
  apiBase: apiBase.default('https://connect.squareup.com'),
});
export type SquareSettings = z.output<typeof SquareSettings>;

/**
 * Square's notifications. `x-square-hmacsha256-signature` is base64 of HMAC-SHA256 over the registered address and the raw body
 * (developer.squareup.com/docs/webhooks/step3validate); it signs no timestamp. Events come for every payment of the seller, even for sales
 * without an order here.
 */
export const square: Provider<SquareSettings> = {
  name: 'square',

  asks: false,

  plausible: (notification) => signatureOf(notification) !== null,

  account: ({ signatureKey, notificationUrl }) => `${signatureKey} ${notificationUrl}`,

  async verify(notification, { signatureKey, notificationUrl }) {
    const signature = signatureOf(notification);
    if (signature === null) return false;
    const expected = createHmac('sha256', signatureKey).update(notificationUrl).update(notification.body).digest();
    return timingSafeEqual(Buffer.from(signature, 'base64'), expected);
  },

  get events() {
    return Object.keys(readers).filter((type) => !readers[type]?.isRetired);
  },

  async read(event) {
    const eventId = textAt(event, 'event_id');
    const eventType = textAt(event, 'type');
    if (!eventId || !eventType) throw invalid('body', 'must be a Square event with an event_id and a type');
    // Published examples have the same event_id on a refund's creation and on its update, which are separate events to us.
    const source = { eventId: `${eventId} ${eventType}`, eventType };
    const reader = wordIn(readers, eventType);
    const object = reader?.objects.map((name) => objectAt(event, 'data', 'object', name)).find((one) => one !== null);
    if (!reader || !object) return { ...unrelated, ...source };
    return { ...reader.read(object, timeAt(event, 'created_at')), ...source };
  },

  async complete(notice, event, { accessToken, apiBase }, { makeOrder }) {
    const squareOrder = textAt(event, 'data', 'object', 'payment', 'order_id');
    if (!makeOrder || accessToken === undefined || squareOrder === null) return notice;
    return { ...notice, ...(await squareOrderItems(apiBase, accessToken, squareOrder)) };
  },
};

interface Reader {
  /** Names of the object in `data.object`. */
  objects: readonly string[];
  read(object: object, createdAt: number | null): Reading;
  /** True for an old name of an event, which no new subscription can ask for. */
  isRetired?: true;
}

const payment: Reader = { objects: ['payment'], read: (object) => readPayment(object) };
const refund: Reader = { objects: ['refund'], read: (object) => readRefund(object) };
// Square's own library names the field `object`, and its published events name it `dispute`.
const dispute: Reader = { objects: ['dispute', 'object'], read: (object, at) => readDispute(object, at) };

/** Readers of the events about payments. Events of any other type change nothing. */
const readers: Record<string, Reader> = {
  'payment.created': payment,
  'payment.updated': payment,
  'refund.created': refund,
  'refund.updated': refund,
  'dispute.created': dispute,
  'dispute.state.updated': dispute,
  'dispute.state.changed': { ...dispute, isRetired: true },
};

function signatureOf({ headers }: RawNotification): string | null {
  const header = headers['x-square-hmacsha256-signature'];
  return typeof header === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(header) ? header : null;
}

/** States by Square's payment status, which `payment.created` carries too. Square sends no events for success or failure. */
const kinds: Record<string, AttemptNotice['kind']> = {
  APPROVED: 'processing',
  PENDING: 'processing',
  COMPLETED: 'succeeded',
  CANCELED: 'cancelled',
  FAILED: 'failed',
};

function readPayment(payment: object): Reading {
  const kind = wordIn(kinds, textAt(payment, 'status'));
  if (kind === null) return unrelated;
  return {
    kind,
    orderId: textAt(payment, 'reference_id') ?? orderInNote(payment),
    ids: idsOf({ payment: textAt(payment, 'id'), order: textAt(payment, 'order_id') }),
    // Without the tip, which is not part of the order.
    ...moneyOf(payment, 'amount_money'),
    version: integerAt(payment, 'version') ?? timeAt(payment, 'updated_at'),
    versionsTie: false,
    wrongPayee: false,
    method: textAt(payment, 'source_type')?.toLowerCase() ?? null,
    details: cardOf(payment),
    draft: null,
    draftProblem: null,
  };
}

/** Our order in the note of a payment link, `ORD-1001 <id>`: Square copies the note to the payment, but possibly nothing else. */
function orderInNote(payment: object): string | null {
  const id = textAt(payment, 'note')?.split(' ').at(-1) ?? '';
  return isId(id) ? id : null;
}

const refundStatuses: Record<string, NamedRefundFacts['status']> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  REJECTED: 'failed',
  FAILED: 'failed',
};

/** Names only the payment: the refund's `order_id` is of an order that Square created for the refund. */
function readRefund(refund: object): Reading {
  const named = refundOf(refund);
  if (named === null) return unrelated;
  return {
    kind: 'refund',
    orderId: null,
    ids: idsOf({ payment: textAt(refund, 'payment_id') }),
    refund: named,
    currency: moneyOf(refund, 'amount_money').currency,
    toldAt: null,
  };
}

// developer.squareup.com/reference/square/objects/DisputeState. An inquiry takes no money.
const disputeStates: Record<string, DisputeStatus> = {
  INQUIRY_EVIDENCE_REQUIRED: 'open',
  INQUIRY_PROCESSING: 'open',
  INQUIRY_CLOSED: 'won',
  EVIDENCE_REQUIRED: 'open',
  PROCESSING: 'open',
  WON: 'won',
  LOST: 'lost',
  ACCEPTED: 'lost',
};

function readDispute(dispute: object, createdAt: number | null): Reading {
  const id = textAt(dispute, 'id') ?? textAt(dispute, 'dispute_id');
  if (id === null) return unrelated;
  const state = textAt(dispute, 'state') ?? '';
  const status = wordIn(disputeStates, state) ?? 'open';
  const { amount, currency } = moneyOf(dispute, 'amount_money');
  return {
    kind: 'dispute',
    orderId: null,
    ids: idsOf({ payment: textAt(dispute, 'disputed_payment', 'payment_id') }),
    dispute: {
      id,
      amount,
      reason: textAt(dispute, 'reason')?.toLowerCase() ?? null,
      status,
      dueAt: state.endsWith('EVIDENCE_REQUIRED') ? timeAt(dispute, 'due_at') : null,
      taken: status === 'lost' ? amount : null,
      openedAt: null,
    },
    currency,
    toldAt: timeAt(dispute, 'updated_at') ?? createdAt,
  };
}

/** A refund as Square's API and events show it; null when it has no id. */
export function refundOf(refund: object): NamedRefundFacts | null {
  const id = textAt(refund, 'id');
  if (id === null) return null;
  const status = wordIn(refundStatuses, textAt(refund, 'status')) ?? 'pending';
  return { id, status, amount: moneyOf(refund, 'amount_money').amount, ours: markedRefund(textAt(refund, 'reason')) };
}

/** Integer minor units by ISO 4217 (developer.squareup.com/docs/build-basics/working-with-monetary-amounts). */
function moneyOf(object: object, field: string): Pick<AttemptNotice, 'amount' | 'currency'> {
  const minor = integerAt(object, field, 'amount');
  const currency = textAt(object, field, 'currency');
  const decimals = currency === null ? undefined : currencyDecimals(currency);
  if (minor === null || decimals === undefined) return { amount: null, currency };
  return { amount: formatMoney(BigInt(minor), decimals), currency };
}

function cardOf(payment: object): AttemptNotice['details'] {
  const last4 = textAt(payment, 'card_details', 'card', 'last_4');
  const brand = textAt(payment, 'card_details', 'card', 'card_brand');
  return last4 && brand ? { last4, brand: brand.toLowerCase() } : null;
}
