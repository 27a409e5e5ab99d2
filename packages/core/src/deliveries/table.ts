/** Which events a subscriber of the application gets, in every store. */
export interface AppSubscriberTable {
  name: string;
  event: string;
}

/** One event on its way to one subscription. */
export interface DeliveryTable {
  store_id: string;
  id: string;
  /** A webhook's id, or `app:` and the name of a subscriber of the application. */
  subscriber_id: string;
  event_id: string;
  event: string;
  status: string;
  /** How many attempts were made. */
  attempts: number;
  /** When the next attempt is due; null when there is none. */
  due_at: number | null;
  /** Until when the process that claimed the delivery has it for itself. */
  locked_until: number | null;
  /** JSON array of the attempts made. */
  log: string;
  created_at: number;
}
