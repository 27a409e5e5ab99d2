import { createHmac } from 'node:crypto';
import type { RawNotification } from '../providers/provider.ts';

export interface StripeSample {
  /** The order that the payment names in its metadata. */
  orderId?: string;
  /** In minor units as Stripe counts them, which differ from ISO 4217 for some currencies. */
  amount?: number;
  currency?: string;
  paymentId?: string;
  eventId?: string;
  metadata?: Record<string, string>;
}

let samples = 0;

/** A `payment_intent.succeeded` event as Stripe sends it. */
export function stripePaymentSucceeded(sample: StripeSample = {}): object {
  const n = ++samples;
  return {
    id: sample.eventId ?? `evt_sample_${process.pid}_${n}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: 1_794_996_005,
    type: 'payment_intent.succeeded',
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: {
      object: {
        id: sample.paymentId ?? `pi_sample_${process.pid}_${n}`,
        object: 'payment_intent',
        amount: sample.amount ?? 1000,
        amount_received: sample.amount ?? 1000,
        currency: sample.currency ?? 'eur',
        latest_charge: `ch_sample_${n}`,
        metadata: { ...(sample.orderId === undefined ? {} : { order_id: sample.orderId }), ...sample.metadata },
        payment_method_types: ['card'],
        status: 'succeeded',
      },
    },
  };
}

/** Signs an event as Stripe does. `now` is in milliseconds and becomes the signature's timestamp. */
export function signStripe(event: object | string, secret: string, now: number): RawNotification {
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  const timestamp = Math.floor(now / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return {
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${timestamp},v1=${signature}` },
  };
}
