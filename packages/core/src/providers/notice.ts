import { isId } from '../kernel/ids.ts';
import type { OrderInput } from '../orders/inputs.ts';
import type { DisputeStatus, PaymentState } from '../storage/tables/payments.ts';

/** Further ids of the payment at its provider. `order` is the provider's own order, which can have several payments. */
export interface RelatedIds {
  intent?: string;
  charge?: string;
  session?: string;
  capture?: string;
  order?: string;
}

/** Ids of a payment in a notification. `payment` is the id at a provider whose payments have a single id. */
export interface PaymentIds extends RelatedIds {
  payment?: string;
}

interface Notice {
  eventId: string;
  /** The provider's own name of the event. */
  eventType: string;
  /** The id of our order, exactly as in the notification; it can be malformed. */
  orderId: string | null;
  ids: PaymentIds;
}

/** Method of a payment, as far as the notification states it. */
export interface PaymentMethod {
  /** The provider's type of payment method in lower case. */
  method: string | null;
  details: Record<string, string | number> | null;
}

/**
 * State of an attempt to pay. `succeeded`: the money was captured. `processing`: the provider has not decided yet. `failed`, `cancelled`:
 * this attempt brought no money, but another can.
 */
export interface AttemptNotice extends Notice, PaymentMethod {
  kind: PaymentState;
  /** Amount due or captured, an exact decimal string; `currency` is an ISO 4217 code. */
  amount: string | null;
  currency: string | null;
  /**
   * Orders the notifications of one payment, if the provider states an order: an earlier one does not undo a later one.
   */
  version: number | null;
  /** True when different states can have the same version, such as the second of the event; the last one received then counts. */
  versionsTie: boolean;
  /** True when the money went to another account than the configured one. */
  wrongPayee: boolean;
  /** The order to create when the named one does not exist and the payment describes its items. */
  draft: OrderInput | null;
  /** Reason why the described items cannot be read. */
  draftProblem: string | null;
  /** True when nothing more can be paid at the page that `ids` name, whatever becomes of this payment. */
  endsPage?: true;
}

export interface NamedRefundFacts {
  id: string;
  status: 'pending' | 'completed' | 'failed';
  amount: string | null;
  /** True when the provider took the money back by itself, for example because of a dispute. */
  reversal?: boolean;
  /** Our id of the refund, if we asked for it. */
  ours?: string | null;
  /** Why it failed, if the provider says so. */
  error?: string | null;
}

/** One refund of a payment. */
export interface RefundNotice extends Notice {
  kind: 'refund';
  refund: NamedRefundFacts;
  currency: string | null;
  /** The provider's time of the report, in seconds; null when it states none. */
  toldAt: number | null;
}

/** Running total of a payment's refunds, in however many parts. */
export interface RefundTotalNotice extends Notice, PaymentMethod {
  kind: 'refundTotal';
  total: string | null;
  currency: string | null;
  toldAt: number | null;
  /** The listed refunds of the total, which can be incomplete. */
  refunds: NamedRefundFacts[];
}

export interface DisputeFacts {
  id: string;
  /** The disputed amount, an exact decimal string. */
  amount: string | null;
  /** The provider's word for the reason, in lower case. */
  reason: string | null;
  status: DisputeStatus;
  /** Time until which the shop can answer, in milliseconds; null when no answer is expected. */
  dueAt: number | null;
  /** The amount that the provider has taken back by now; null when this notice does not tell. */
  taken: string | null;
  /**
   * Time of the opening in milliseconds, if the provider also reports the same money as a refund or a reversal; else null.
   */
  openedAt: number | null;
}

/** A buyer disputes a payment, or the dispute has changed. */
export interface DisputeNotice extends Notice {
  kind: 'dispute';
  dispute: DisputeFacts;
  currency: string | null;
  /** The provider's time of the report, in milliseconds; null when it states none. */
  toldAt: number | null;
}

/** Links ids that belong together or states a payment's method, and nothing about money. */
export interface LinkNotice extends Notice, PaymentMethod {
  kind: 'link';
  /** True when the buyer agreed to pay and the money waits to be captured. */
  approves?: boolean;
  /** True when the page can no longer be paid at. */
  ends?: boolean;
}

/** Not relevant to any payment or order. */
export interface UnrelatedNotice extends Notice {
  kind: 'unrelated';
}

/** The content of a notification, in the same form for every provider. */
export type PaymentNotice =
  | AttemptNotice
  | RefundNotice
  | RefundTotalNotice
  | DisputeNotice
  | LinkNotice
  | UnrelatedNotice;

/** A notice without the event's id and type, which are added for all kinds alike. */
export type Reading = PaymentNotice extends infer N
  ? N extends PaymentNotice
    ? Omit<N, 'eventId' | 'eventType'>
    : never
  : never;

export const unrelated: Reading = { kind: 'unrelated', orderId: null, ids: {} };

export function isAttempt(notice: PaymentNotice): notice is AttemptNotice {
  return (
    notice.kind === 'succeeded' ||
    notice.kind === 'processing' ||
    notice.kind === 'failed' ||
    notice.kind === 'cancelled'
  );
}

/** A notice about money that was already paid. It waits in the inbox until its payment is known. */
export type LaterNotice = RefundNotice | RefundTotalNotice | DisputeNotice;

export function isLater(notice: PaymentNotice): notice is LaterNotice {
  return notice.kind === 'refund' || notice.kind === 'refundTotal' || notice.kind === 'dispute';
}

/** The order id that a notice names, in lower case; null when it is not a UUID. */
export function orderIdOf(notice: Pick<PaymentNotice, 'orderId'>): string | null {
  const id = notice.orderId?.toLowerCase() ?? null;
  return id !== null && isId(id) ? id : null;
}

/** The ids that identify only this payment, the main one first. */
export function refsOf({ intent, charge, session, capture, payment }: PaymentIds): string[] {
  const refs = [intent, charge, session, capture, payment].filter((ref) => ref !== undefined);
  return [...new Set(refs)];
}

/** The main id of the payment; for Stripe the intent, else the charge, else the session. */
export function paymentIdOf(notice: PaymentNotice): string | null {
  return refsOf(notice.ids)[0] ?? null;
}

/** The key under which the provider's own order is linked to one of ours. */
export function orderRef(providerOrder: string): string {
  return `order:${providerOrder}`;
}

/** The given ids without null ones. */
export function idsOf(ids: { [Name in keyof PaymentIds]: string | null }): PaymentIds {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null));
}
