import { createHmac } from 'node:crypto';
import type { StoredEvent } from '../events/events.ts';
import { toTimestamp } from '../kernel/clock.ts';
import type { SignatureFormat } from '../storage/tables/webhooks.ts';
import { standardKey } from './verify.ts';

/** The body of a webhook, built only from stored data, so that every attempt sends the same bytes. */
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

export interface Signing {
  /** The current secret first; `webhook-signature` carries a signature of each. */
  secrets: readonly string[];
  signatureFormat: SignatureFormat;
}

/**
 * The headers of one attempt. `X-Webhook-Signature` signs the exact body. The `webhook-*` headers follow Standard Webhooks
 * (standardwebhooks.com). The timestamp is the attempt's. The key is the base64 after `whsec_`, or the bytes of a secret without that form.
 */
export function webhookHeaders(
  event: StoredEvent,
  body: Buffer,
  { secrets, signatureFormat }: Signing,
  now: number,
): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  const [secret = ''] = secrets;
  const plain = createHmac('sha256', secret).update(body).digest('hex');
  const standard = secrets.map((one) => {
    const signed = createHmac('sha256', standardKey(one)).update(`${event.id}.${seconds}.`).update(body);
    return `v1,${signed.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Commerce-Webhook/1.0',
    'x-webhook-id': event.id,
    'x-webhook-event': event.type,
    'x-webhook-timestamp': toTimestamp(event.createdAt),
    'x-webhook-signature': signatureFormat === 'hex' ? plain : `sha256=${plain}`,
    'webhook-id': event.id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  };
}
