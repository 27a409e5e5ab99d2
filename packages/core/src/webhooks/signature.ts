import { createHmac } from 'node:crypto';
import { toTimestamp } from '../clock.ts';

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  type: string;
  storeId: string;
  createdAt: number;
  /** The resource, JSON. */
  data: string;
}

/** The body that subscribers get. It is made of what is stored alone, so every attempt sends the same bytes. */
export function webhookBody(event: StoredEvent): Buffer {
  const head = {
    id: event.id,
    type: event.type,
    event: event.type,
    timestamp: toTimestamp(event.createdAt),
    storeId: event.storeId,
  };
  return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":${event.data}}`);
}

/**
 * The headers of one attempt. `X-Webhook-Signature` is over the exact body; the `webhook-*` headers are those of Standard
 * Webhooks (standardwebhooks.com), whose timestamp is the attempt's and whose key is the base64 after `whsec_`, or the
 * secret's own bytes where it has another form.
 */
export function webhookHeaders(event: StoredEvent, body: Buffer, secret: string, now: number): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'Commerce-Webhook/1.0',
    'x-webhook-id': event.id,
    'x-webhook-event': event.type,
    'x-webhook-timestamp': toTimestamp(event.createdAt),
    'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': event.id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${createHmac('sha256', standardKey(secret)).update(`${event.id}.${seconds}.`).update(body).digest('base64')}`,
  };
}

function standardKey(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}
