import type { Flag } from '../flag.ts';

export const providerNames = ['stripe', 'paypal', 'square'] as const;
export type ProviderName = (typeof providerNames)[number];

/** State of a payment at its provider. */
export const paymentStates = ['processing', 'succeeded', 'failed', 'cancelled'] as const;
export type PaymentState = (typeof paymentStates)[number];

/**
 * Result of received money. `paid`: it paid its order. `none`: no order of this store is known for it. `second`: another
 * payment paid the order. `mismatch`: amount or currency differ from the order's. `wrongPayee`: the money went to another
 * account than the shop's. `cancelledOrder`: a person cancelled the order. `insufficientStock`: the order waits for stock.
 * `refunded`: all of it was refunded before it could pay. `dismissed`: a person decided that it needs no order.
 */
export const matchedValues = [
  'paid',
  'second',
  'mismatch',
  'wrongPayee',
  'cancelledOrder',
  'insufficientStock',
  'refunded',
  'none',
  'dismissed',
] as const;
export type Matched = (typeof matchedValues)[number];

/** State of a dispute. `open` includes early warnings. `won`: closed, and the shop keeps the money. `lost`: closed, and the buyer has it. */
export const disputeStatuses = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A provider's settings for one store; `settings` is JSON and holds secrets. */
export interface PaymentProviderTable {
  store_id: string;
  provider: string;
  settings: string;
  /** Replaced settings that still verify for a while, as JSON of `PreviousSettings[]`. */
  previous: string;
  /** True when a payment that describes its items creates the order that it names. */
  make_orders: Flag;
  updated_at: number;
}

/** The inbox: every verified notification, once. */
export interface PaymentNotificationTable {
  store_id: string;
  id: string;
  provider: string;
  /** The provider's id of the event, unique with the store and the provider. */
  event_id: string;
  event_type: string;
  /** The order that the payment names, whether it exists or not. */
  order_id: string | null;
  payment_id: string | null;
  outcome: string;
  /** Reason why it was not applied, in words; null when nothing is wrong. */
  warning: string | null;
  /** The provider-neutral `PaymentNotice` of a waiting refund, JSON; else null. */
  notice: string | null;
  /** The body as received. */
  payload: string;
  received_at: number;
  updated_at: number;
}

/** One attempt to pay, reported by a provider or recorded by the shop. */
export interface PaymentTable {
  store_id: string;
  id: string;
  provider: string;
  provider_payment_id: string;
  /** The provider's own order, which can have several payments. */
  provider_order: string | null;
  /** The linked order, whether it exists yet or not. */
  order_id: string | null;
  status: PaymentState;
  /** Version or time of the last report; null when the provider states none. */
  version: number | null;
  /** In minor units of `currency`; null when the reported amount is not an amount of it. */
  amount: number | null;
  currency: string | null;
  captured: number;
  refunded: number;
  /** Null until it succeeds. */
  matched: Matched | null;
  /** True when the money went to another account than the shop's. */
  wrong_payee: Flag;
  reference: string | null;
  method: string | null;
  /** JSON of the order's `paymentDetails`. */
  details: string | null;
  /** JSON of `relatedIds`. */
  related_ids: string;
  /** JSON of the disputes, in the order in which they became known; see `payments/disputes.ts`. */
  disputes: string;
  /** `open` while a dispute is open, else the result of the last one; null for none. */
  dispute_status: DisputeStatus | null;
  /** Time until which the shop can answer an open dispute, the earliest of several; null for none. */
  dispute_due_at: number | null;
  /** Time of the last change of `status`. */
  status_since: number;
  dismissed_at: number | null;
  paid_at: number | null;
  created_at: number;
  updated_at: number;
}

/**
 * A provider's id of a payment (intent, charge, session, capture) with that payment; or `order:<id>`, the provider's own
 * order, with our order.
 */
export interface PaymentRefTable {
  store_id: string;
  provider: string;
  ref: string;
  payment_id: string | null;
  order_id: string | null;
}

/** One entry in the ledger of a payment's refunds; see `refund-ledger.ts`. */
export interface PaymentRefundTable {
  store_id: string;
  payment_id: string;
  /** Index in the ledger, in the order in which refunds first became known. */
  position: number;
  refund_id: string;
  origin: 'shop' | 'provider' | 'both' | 'total' | 'executed' | 'reversal' | 'dispute';
  named: Flag;
  /** In minor units. */
  amount: number;
  status: 'pending' | 'completed' | 'failed';
  /** The provider's time, in seconds, of a running total, of a failure, or of the opening of a dispute. */
  told_at: number | null;
  recorded_at: number;
  /** Time of the last change of `status`. */
  status_since: number;
  /** The provider's id of an executed refund. */
  provider_refund_id: string | null;
  error: string | null;
  reason: string | null;
  /** JSON. */
  lines: string | null;
  shipping: Flag;
  /** 1 if the shop took goods back with it. */
  restocked: Flag;
  /** When the provider is asked next about an executed refund. */
  ask_at: number | null;
  /** Digest of the request's `Idempotency-Key`, and of what it asked for. */
  request_name: string | null;
  request_print: string | null;
}
