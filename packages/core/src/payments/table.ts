/** A provider's settings for one store; `settings` is JSON and holds secrets. */
export interface PaymentProviderTable {
  store_id: string;
  provider: string;
  settings: string;
  /** Settings that still count for a while, as JSON of `PreviousSettings[]`. */
  previous: string;
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
