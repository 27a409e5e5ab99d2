import type { Flag } from '../storage/schema.ts';

export interface WebhookTable {
  store_id: string;
  id: string;
  url: string;
  secret: string;
  is_active: Flag;
  last_triggered_at: number | null;
  created_at: number;
  updated_at: number;
}

/** One row per subscribed event, so that an event finds its subscribers by index. */
export interface WebhookEventTable {
  store_id: string;
  webhook_id: string;
  event: string;
}

/** One event on its way to one subscription. */
export interface DeliveryTable {
  store_id: string;
  id: string;
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
