import type { Flag } from '../storage/schema.ts';
import type { SignatureFormat } from './formats.ts';

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
