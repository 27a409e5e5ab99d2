import { isId } from '../ids.ts';
import type { OrderInput } from '../orders/fields.ts';
import type { PaymentState, RelatedIds } from './fields.ts';

/** How a notification names its payment. `payment` is the id at a provider whose payments have one name alone. */
export interface PaymentIds extends RelatedIds {
  payment?: string;
}

interface Notice {
  eventId: string;
  /** The provider's own name of the event. */
  eventType: string;
  /** The order of ours that it names, as it names it. */
  orderId: string | null;
  ids: PaymentIds;
}

/** What a payment was made with, where the notification says it. */
export interface PaymentMethod {
  /** The provider's type of payment method in lower case. */
  method: string | null;
  details: Record<string, string | number> | null;
}

/**
 * How an attempt to pay stands. `succeeded`: the money is there. `processing`: the provider still decides. `failed`,
 * `cancelled`: this attempt brought nothing, another may.
 */
export interface AttemptNotice extends Notice, PaymentMethod {
  kind: PaymentState;
  /** What is to be paid or was captured: a decimal string, exact, and an ISO 4217 code. */
  amount: string | null;
  currency: string | null;
  /**
   * Which of two notifications of one payment is the later one, where the provider says so: an earlier one does not undo what
   * a later one said.
   */
  version: number | null;
  /** Whether different states may have one version, such as the second in which an event was made: then the one told last counts. */
  versionsTie: boolean;
  /** True when the money went to another account than the one that the settings name. */
  wrongPayee: boolean;
  /** The order to make when the named one does not exist and the payment says what was bought. */
  draft: OrderInput | null;
  /** Why what was bought cannot be read. */
  draftProblem: string | null;
}

export interface NamedRefundFacts {
  id: string;
  status: 'pending' | 'completed' | 'failed';
  amount: string | null;
}

/** One refund of a payment. */
export interface RefundNotice extends Notice {
  kind: 'refund';
  refund: NamedRefundFacts;
  currency: string | null;
  /** The provider's time in seconds, where it says one. */
  toldAt: number | null;
}

/** How much of the captured amount was given back so far, in however many refunds. */
export interface RefundTotalNotice extends Notice, PaymentMethod {
  kind: 'refundTotal';
  total: string | null;
  currency: string | null;
  toldAt: number | null;
  /** The refunds that make up the total, where they are listed. */
  refunds: NamedRefundFacts[];
}

/** Says which ids belong together, or what a payment was made with, and nothing about money. */
export interface LinkNotice extends Notice, PaymentMethod {
  kind: 'link';
}

/** Nothing that a payment or an order has to know. */
export interface UnrelatedNotice extends Notice {
  kind: 'unrelated';
}

/** What a notification means, the same for every provider. */
export type PaymentNotice = AttemptNotice | RefundNotice | RefundTotalNotice | LinkNotice | UnrelatedNotice;

/** The part of a notice that a provider's reader says; who it is from is added for all kinds alike. */
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

/** The order id that a notice names, if it is one. */
export function orderIdOf(notice: Pick<PaymentNotice, 'orderId'>): string | null {
  const id = notice.orderId?.toLowerCase() ?? null;
  return id !== null && isId(id) ? id : null;
}

/** The ids that name this payment and no other, the one that it is called by first. */
export function refsOf({ intent, charge, session, capture, payment }: PaymentIds): string[] {
  const refs = [intent, charge, session, capture, payment].filter((ref) => ref !== undefined);
  return [...new Set(refs)];
}

/** The provider's id of the payment: of Stripe's three the intent, else the charge, else the session. */
export function paymentIdOf(notice: PaymentNotice): string | null {
  return refsOf(notice.ids)[0] ?? null;
}

/** The key under which the provider's own order is linked to one of ours. */
export function orderRef(providerOrder: string): string {
  return `order:${providerOrder}`;
}

/** Ids without those that are not known. */
export function idsOf(ids: { [Name in keyof PaymentIds]: string | null }): PaymentIds {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null));
}
