/** The outbox: one row per event, written in the transaction of its change. */
export interface EventTable {
  store_id: string;
  id: string;
  type: string;
  resource_id: string;
  created_at: number;
  /** The resource as GET answers it, JSON. */
  data: string;
}

/** One event to which a subscriber of the application is subscribed, in every store. */
export interface AppSubscriberTable {
  name: string;
  event: string;
}

/** The delivery of one event to one subscription. */
export interface DeliveryTable {
  store_id: string;
  id: string;
  /** A webhook's id, or `app:` and the name of a subscriber of the application. */
  subscriber_id: string;
  event_id: string;
  event: string;
  status: string;
  /** Number of attempts so far. */
  attempts: number;
  /** Time of the next attempt; null if none follows. */
  due_at: number | null;
  /** End of a process's claim on this delivery; null if it is free. */
  locked_until: number | null;
  /** JSON array of `DeliveryAttempt`. */
  log: string;
  created_at: number;
}
