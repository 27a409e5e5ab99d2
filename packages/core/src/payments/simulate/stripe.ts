import { createHmac } from 'node:crypto';
import { type StripeSettings, stripeMinor } from '../stripe.ts';
import { randomToken, type Sale, type Sent, type Simulation } from './simulate.ts';

/** `payment_intent.succeeded`, `payment_intent.payment_failed` or `refund.created`, signed as Stripe signs. */
export function simulateStripe(sale: Sale, { webhookSecret }: StripeSettings, now: number): Omit<Simulation, 'path'> {
  const types = {
    succeeded: 'payment_intent.succeeded',
    failed: 'payment_intent.payment_failed',
    refunded: 'refund.created',
  };
  const created = Math.floor(now / 1000);
  const object = sale.event === 'refunded' ? refundOf(sale, created) : intentOf(sale, created);
  return { ...stripeNotification(types[sale.event], object, webhookSecret, now), stub: null };
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

function intentOf({ event, orderId, amount, currency, items }: Sale, created: number): object {
  const minor = stripeMinor(amount, currency);
  const succeeded = event === 'succeeded';
  return {
    id: `pi_simulated_${randomToken()}`,
    object: 'payment_intent',
    amount: minor,
    amount_received: succeeded ? minor : 0,
    currency: currency.toLowerCase(),
    created,
    latest_charge: `ch_simulated_${randomToken()}`,
    metadata: { order_id: orderId, ...(items.length > 0 ? { order_items: JSON.stringify(items) } : {}) },
    payment_method_types: ['card'],
    status: succeeded ? 'succeeded' : 'requires_payment_method',
    last_payment_error: succeeded ? null : { code: 'card_declined', decline_code: 'generic_decline' },
  };
}

function refundOf({ paymentId, amount, currency }: Sale, created: number): object {
  return {
    id: `re_simulated_${randomToken()}`,
    object: 'refund',
    amount: stripeMinor(amount, currency),
    charge: null,
    created,
    currency: currency.toLowerCase(),
    metadata: {},
    payment_intent: paymentId,
    status: 'succeeded',
  };
}
