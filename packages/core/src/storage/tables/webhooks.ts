import type { Flag } from '../flag.ts';

/** Forms of `X-Webhook-Signature`: `sha256=<hex>`, or the bare hex. */
export const signatureFormats = ['sha256', 'hex'] as const;
export type SignatureFormat = (typeof signatureFormats)[number];

export interface WebhookTable {
  store_id: string;
  id: string;
  url: string;
  /** Sealed when the operator configured a key. */
  secret: string;
  /** The replaced secret, which also signs until `previous_until`. */
  previous_secret: string | null;
  previous_until: number | null;
  is_active: Flag;
  /** Reason for which the service switched it off. */
  disabled_reason: string | null;
  signature_format: SignatureFormat;
  retries: number;
  /** Start of the current run of failures. */
  failing_since: number | null;
  last_triggered_at: number | null;
  /** The API key that created the subscription or last changed it; null when the actor was not a key. */
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
