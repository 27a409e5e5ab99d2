import type { Flag } from '../storage/schema.ts';
import type { SignatureFormat } from './subscriber.ts';

export interface WebhookTable {
  store_id: string;
  id: string;
  url: string;
  /** Sealed where the operator gave a key for that. */
  secret: string;
  /** The secret that this one replaced, which signs too until that time. */
  previous_secret: string | null;
  previous_until: number | null;
  is_active: Flag;
  /** Why the service switched it off. */
  disabled_reason: string | null;
  signature_format: SignatureFormat;
  retries: number;
  /** When the first of the failures came of which nothing but failures followed. */
  failing_since: number | null;
  last_triggered_at: number | null;
  /** The API key that made the subscription or last changed it; null where it was no key. */
  key_id: string | null;
  created_at: number;
  updated_at: number;
}

/** One row per subscribed event, so that an event finds its subscribers by index. */
export interface WebhookEventTable {
  store_id: string;
  webhook_id: string;
  event: string;
}

/** Which events a subscriber of the application gets, in every store. */
export interface AppSubscriberTable {
  name: string;
  event: string;
}

/** One event on its way to one subscription. */
export interface DeliveryTable {
  store_id: string;
  id: string;
  /** Or `app:` and a name, for a subscriber of the application. */
  webhook_id: string;
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
