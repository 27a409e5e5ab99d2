import type { InboxRow } from './0007_payments.ts';

export type AttemptKind = 'succeeded' | 'processing' | 'failed' | 'cancelled';

/** Facts of a stored notification about its payment, as far as the migration needs them. */
export interface Facts {
  /** Null when it is not an attempt to pay, such as a refund. */
  kind: AttemptKind | null;
  /** The ids by which the provider's later notifications may name the payment. */
  refs: string[];
  related: Record<string, string>;
  providerOrder: string | null;
  version: number | null;
  /** In minor units of the currency; null when it can no longer be read. */
  amount: number | null;
  currency: string | null;
}

type Data = Record<string, unknown>;

function at(value: unknown, ...path: string[]): unknown {
  let here = value;
  for (const step of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return null;
    here = (here as Data)[step];
  }
  return here;
}

function textAt(value: unknown, ...path: string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' && !found.includes('\0') ? found : null;
}

/** Minor units of an amount such as "10.00", with as many decimals as another amount of the currency has. */
export function minorOf(amount: string, like: string): number | null {
  const decimals = like.split('.')[1]?.length ?? 0;
  const [whole = '', fraction = ''] = amount.split('.');
  if (!/^\d{1,12}$/.test(whole) || !/^\d*$/.test(fraction) || /[^0]/.test(fraction.slice(decimals))) return null;
  return Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

export function matchedOf(outcome: string): string {
  const matched: Record<string, string> = {
    amount_mismatch: 'mismatch',
    order_cancelled: 'cancelledOrder',
    second_payment: 'second',
    insufficient_stock: 'insufficientStock',
  };
  return matched[outcome] ?? 'none';
}

export function factsOf(row: InboxRow, paymentId: string): Facts {
  const event: unknown = JSON.parse(row.payload);
  const read =
    row.provider === 'stripe'
      ? stripeFacts(row, event)
      : row.provider === 'paypal'
        ? paypalFacts(row, event)
        : squareFacts(event);
  const refs = [...new Set([paymentId, ...Object.values(read.related)])].filter((ref) => ref !== '');
  // Waiting notifications have a stored notice.
  const notice = row.notice === null ? null : (JSON.parse(row.notice) as Data);
  const amount = textAt(notice, 'amount');
  const currency = textAt(notice, 'currency');
  return {
    version: null,
    ...read,
    refs: paymentId === '' ? [] : refs,
    amount: amount !== null && currency !== null ? minorIn(amount, currency) : null,
    currency,
  };
}

/** The new form of a refund that waits for its payment; null for another kind of notice. */
export function refundNoticeOf(row: InboxRow): Data | null {
  const notice = row.notice === null ? null : (JSON.parse(row.notice) as Data);
  if (notice?.kind !== 'refund' || row.payment_id === null) return null;
  const { eventId, eventType, orderId, amount, currency, refund } = notice;
  const id = row.payment_id;
  const ids =
    row.provider === 'paypal'
      ? { capture: id }
      : row.provider === 'square'
        ? { payment: id }
        : id.startsWith('pi_')
          ? { intent: id }
          : { charge: id };
  const told = { eventId, eventType, orderId, ids, currency, toldAt: null };
  const refundId = textAt(refund, 'id');
  if (refundId === null)
    return { ...told, kind: 'refundTotal', total: amount, refunds: [], method: null, details: null };
  return { ...told, kind: 'refund', refund: { id: refundId, status: textAt(refund, 'status'), amount } };
}

/** Currencies of ISO 4217 with another number of decimals than two, as they were when this migration was written. */
const decimalsOf: Record<string, number> = Object.fromEntries([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3]),
]);

function minorIn(amount: string, currency: string): number | null {
  return minorOf(amount, `0.${'0'.repeat(decimalsOf[currency] ?? 2)}`.replace(/\.$/, ''));
}

type Read = Pick<Facts, 'kind' | 'related' | 'providerOrder'> & { version?: number | null };

function stripeFacts({ event_type }: InboxRow, event: unknown): Read {
  const object = at(event, 'data', 'object');
  const kinds: Record<string, AttemptKind> = {
    'payment_intent.succeeded': 'succeeded',
    'payment_intent.processing': 'processing',
    'payment_intent.payment_failed': 'failed',
    'payment_intent.canceled': 'cancelled',
    'charge.succeeded': at(object, 'captured') === false ? 'processing' : 'succeeded',
    'charge.captured': 'succeeded',
    'charge.failed': 'failed',
    'checkout.session.completed': textAt(object, 'payment_status') === 'unpaid' ? 'processing' : 'succeeded',
    'checkout.session.async_payment_succeeded': 'succeeded',
    'checkout.session.async_payment_failed': 'failed',
  };
  const related: Record<string, string> = {};
  const put = (name: string, id: string | null) => {
    if (id !== null) related[name] = id;
  };
  const id = textAt(object, 'id');
  if (event_type.startsWith('payment_intent.')) {
    put('intent', id);
    put('charge', textAt(object, 'latest_charge'));
  } else if (/^charge\.[a-z]+$/.test(event_type)) {
    put('intent', textAt(object, 'payment_intent'));
    put('charge', id);
  } else if (event_type.startsWith('checkout.session.')) {
    put('intent', textAt(object, 'payment_intent'));
    put('session', id);
  }
  return { kind: Object.hasOwn(kinds, event_type) ? (kinds[event_type] ?? null) : null, related, providerOrder: null };
}

function paypalFacts({ event_type, payment_id }: InboxRow, event: unknown): Read {
  const kinds: Record<string, AttemptKind> = {
    'PAYMENT.CAPTURE.COMPLETED': textAt(event, 'resource', 'status') === 'PENDING' ? 'processing' : 'succeeded',
    'PAYMENT.CAPTURE.PENDING': 'processing',
    'PAYMENT.CAPTURE.DENIED': 'failed',
    'PAYMENT.CAPTURE.DECLINED': 'failed',
  };
  const kind = Object.hasOwn(kinds, event_type) ? (kinds[event_type] ?? null) : null;
  return {
    kind,
    related: payment_id === null ? {} : { capture: payment_id },
    providerOrder: kind === null ? null : textAt(event, 'resource', 'supplementary_data', 'related_ids', 'order_id'),
    version: kind === 'processing' ? 1 : 2,
  };
}

function squareFacts(event: unknown): Read {
  const payment = at(event, 'data', 'object', 'payment');
  const kinds: Record<string, AttemptKind> = {
    APPROVED: 'processing',
    PENDING: 'processing',
    COMPLETED: 'succeeded',
    CANCELED: 'cancelled',
    FAILED: 'failed',
  };
  const status = textAt(payment, 'status') ?? '';
  const version = at(payment, 'version');
  return {
    kind: Object.hasOwn(kinds, status) ? (kinds[status] ?? null) : null,
    related: {},
    providerOrder: textAt(payment, 'order_id'),
    version: Number.isSafeInteger(version) ? (version as number) : null,
  };
}
