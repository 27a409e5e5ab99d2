import { createHmac, randomUUID } from 'node:crypto';

/** A notification as the provider sends it. */
export interface Sent {
  headers: Record<string, string>;
  body: string;
}

/** A random text in the alphabet of provider ids. */
export function randomToken(): string {
  return randomUUID().replaceAll('-', '').toUpperCase();
}

/** An event of that type, signed as Stripe signs. */
export function stripeNotification(type: string, object: object, webhookSecret: string, now: number): Sent {
  const seconds = Math.floor(now / 1000);
  const body = JSON.stringify({
    id: `evt_simulated_${randomToken()}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: seconds,
    type,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: { object },
  });
  const signature = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex');
  return { headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${seconds},v1=${signature}` }, body };
}

/** An event of that type, with the headers by which PayPal's API verifies it. */
export function paypalNotification(
  eventType: string,
  resourceType: 'capture' | 'refund' | 'checkout-order' | 'dispute',
  resource: object,
  apiBase: string,
  now: number,
): Sent {
  const at = new Date(now).toISOString();
  const body = JSON.stringify({
    id: `WH-SIMULATED-${randomToken()}`,
    event_version: '1.0',
    create_time: at,
    resource_type: resourceType,
    resource_version: '2.0',
    event_type: eventType,
    resource,
    links: [],
  });
  const headers = {
    'Content-Type': 'application/json',
    'PayPal-Transmission-Id': randomToken(),
    'PayPal-Transmission-Time': at,
    'PayPal-Transmission-Sig': 'simulated',
    'PayPal-Cert-Url': `${apiBase}/v1/notifications/certs/simulated`,
    'PayPal-Auth-Algo': 'SHA256withRSA',
  };
  return { headers, body };
}

/** An event of that type about the payment with that id, signed as Square signs. */
export function squareNotification(
  type: string,
  id: string,
  object: object,
  { signatureKey, notificationUrl }: { signatureKey: string; notificationUrl: string },
  now: number,
): Sent {
  const body = JSON.stringify({
    merchant_id: 'SIMULATED',
    type,
    event_id: `simulated-${randomToken()}`,
    created_at: new Date(now).toISOString(),
    data: { type: type.split('.')[0], id, object },
  });
  const signature = createHmac('sha256', signatureKey)
    .update(notificationUrl + body)
    .digest('base64');
  return { headers: { 'Content-Type': 'application/json', 'X-Square-HmacSha256-Signature': signature }, body };
}
