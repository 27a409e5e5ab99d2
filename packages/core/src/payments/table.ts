import type { Flag } from '../storage/schema.ts';
import type { Matched, PaymentState } from './fields.ts';

/** A provider's settings for one store; `settings` is JSON and holds secrets. */
export interface PaymentProviderTable {
  store_id: string;
  provider: string;
  settings: string;
  /** Settings that still count for a while, as JSON of `PreviousSettings[]`. */
  previous: string;
  /** Whether a payment that carries its items makes the order that it names. */
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
  /** Why it was not applied, in words; null where it was. */
  warning: string | null;
  /** While it may still be applied: the provider-neutral reading of it, JSON. */
  notice: string | null;
  /** The body as received. */
  payload: string;
  received_at: number;
  updated_at: number;
}

/** One attempt to pay that a provider told of, or that the shop recorded. */
export interface PaymentTable {
  store_id: string;
  id: string;
  provider: string;
  provider_payment_id: string;
  /** The provider's own order, of which several payments may be a part. */
  provider_order: string | null;
  /** The order that it is linked to, whether that exists yet or not. */
  order_id: string | null;
  status: PaymentState;
  /** Version or time of what was told last, where the provider says so. */
  version: number | null;
  /** In minor units of `currency`; null where what was told is no amount of it. */
  amount: number | null;
  currency: string | null;
  captured: number;
  refunded: number;
  /** Null until it succeeds. */
  matched: Matched | null;
  /** Whether the money went to another account than the shop's. */
  wrong_payee: Flag;
  reference: string | null;
  method: string | null;
  /** JSON of the order's `paymentDetails`. */
  details: string | null;
  /** JSON of `relatedIds`. */
  related_ids: string;
  /** When `status` became what it is. */
  status_since: number;
  dismissed_at: number | null;
  paid_at: number | null;
  created_at: number;
  updated_at: number;
}

/**
 * An id by which a provider names a payment (intent, charge, session, capture), with the payment; or `order:<id>`, the
 * provider's own order, with the order of ours that it stands for.
 */
export interface PaymentRefTable {
  store_id: string;
  provider: string;
  ref: string;
  payment_id: string | null;
  order_id: string | null;
}

/** What was said about one refund of a payment; see `refund-ledger.ts`. */
export interface PaymentRefundTable {
  store_id: string;
  payment_id: string;
  /** Which of the payment's refunds was said first. */
  position: number;
  refund_id: string;
  origin: 'shop' | 'provider' | 'both' | 'total';
  named: Flag;
  /** In minor units. */
  amount: number;
  status: 'pending' | 'completed' | 'failed';
  /** The provider's time, in seconds, of a running total or of a failure. */
  told_at: number | null;
  recorded_at: number;
  /** When `status` became what it is. */
  status_since: number;
}
