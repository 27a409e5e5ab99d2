import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  type Commerce,
  type Context,
  configureProvider,
  type RawNotification,
  type ReceiverAnswer,
  receiveNotification,
} from '@commerce/core';
import Stripe from 'stripe';

export const webhookSecret = 'whsec_test_5f2b8e0c9d7a4b1e';

/** Signs with Stripe's own library, which shares no line with ours. */
export function signed(body: string, now: number, secret = webhookSecret): RawNotification {
  const header = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: Math.floor(now / 1000),
  });
  return withHeader(body, header);
}

export function withHeader(body: string, header: string | undefined): RawNotification {
  return { body: Buffer.from(body), headers: header === undefined ? {} : { 'stripe-signature': header } };
}

/** Lets payments that carry their items make orders, as a shop does that wants it. */
export async function configureStripe(shop: Context, secret = webhookSecret): Promise<void> {
  await configureProvider(shop, 'stripe', { webhookSecret: secret, makeOrders: true });
}

/** Sends the event to the store's own address, signed now. */
export function send(shop: Context, event: object, secret = webhookSecret): Promise<ReceiverAnswer> {
  const { engine } = shop;
  return receiveNotification(engine, 'stripe', signed(JSON.stringify(event), engine.clock.now(), secret), {
    storeId: shop.store.id,
  });
}

/** Sends the event to the address that names no store. */
export function sendBare(commerce: Commerce, event: object, secret = webhookSecret): Promise<ReceiverAnswer> {
  const { engine } = commerce;
  return receiveNotification(engine, 'stripe', signed(JSON.stringify(event), engine.clock.now(), secret));
}

let events = 0;

/** An event of that type about that object, with an id of its own. */
export function stripeEvent(type: string, object: Record<string, unknown>, id?: string): object {
  return {
    id: id ?? `evt_test_${++events}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: 1_794_996_005,
    type,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: { object },
  };
}

/** The event as Stripe tells it with another time, in seconds; null leaves it out. */
export function toldAt(event: object, created: number | null): object {
  return { ...event, created: created ?? undefined };
}

/** One payment as Stripe's three objects tell it. Amounts are in Stripe's minor units. */
export function payment(orderId: string | null, amount: number, currency = 'eur', paymentId = `pi_test_${++events}`) {
  const metadata = orderId === null ? {} : { order_id: orderId };
  const card = (last4: string, brand = 'visa') => ({
    type: 'card',
    card: { brand, last4, exp_month: 8, exp_year: 2030, country: 'DE', funding: 'credit' },
  });
  const intent = (fields: Record<string, unknown> = {}) => ({
    id: paymentId,
    object: 'payment_intent',
    amount,
    amount_received: amount,
    currency,
    latest_charge: `ch_of_${paymentId}`,
    metadata,
    payment_method_types: ['card', 'sepa_debit'],
    status: 'succeeded',
    ...fields,
  });
  const charge = (fields: Record<string, unknown> = {}) => ({
    id: `ch_of_${paymentId}`,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: 0,
    captured: true,
    currency,
    metadata,
    payment_intent: paymentId,
    payment_method_details: card('4242'),
    status: 'succeeded',
    ...fields,
  });
  const session = (fields: Record<string, unknown> = {}) => ({
    id: `cs_of_${paymentId}`,
    object: 'checkout.session',
    amount_total: amount,
    currency,
    client_reference_id: null,
    metadata,
    mode: 'payment',
    payment_intent: paymentId,
    payment_status: 'paid',
    status: 'complete',
    ...fields,
  });
  return {
    id: paymentId,
    intentSucceeded: (fields?: Record<string, unknown>) => stripeEvent('payment_intent.succeeded', intent(fields)),
    intentProcessing: () =>
      stripeEvent('payment_intent.processing', intent({ status: 'processing', amount_received: 0 })),
    intentFailed: () =>
      stripeEvent('payment_intent.payment_failed', intent({ status: 'requires_payment_method', amount_received: 0 })),
    intentCanceled: () => stripeEvent('payment_intent.canceled', intent({ status: 'canceled', amount_received: 0 })),
    chargeSucceeded: (fields?: Record<string, unknown>) => stripeEvent('charge.succeeded', charge(fields)),
    chargeUpdated: (fields?: Record<string, unknown>) => stripeEvent('charge.updated', charge(fields)),
    chargeCaptured: (fields?: Record<string, unknown>) => stripeEvent('charge.captured', charge(fields)),
    /** The attempt with another card that came before. */
    chargeFailed: () =>
      stripeEvent(
        'charge.failed',
        charge({
          id: `ch_failed_${paymentId}`,
          status: 'failed',
          amount_captured: 0,
          captured: false,
          payment_method_details: card('0002', 'mastercard'),
        }),
      ),
    sessionCompleted: (fields?: Record<string, unknown>) => stripeEvent('checkout.session.completed', session(fields)),
    sessionPaidLater: () => stripeEvent('checkout.session.async_payment_succeeded', session()),
    sessionFailedLater: () =>
      stripeEvent('checkout.session.async_payment_failed', session({ payment_status: 'unpaid' })),
  };
}

/** The provider's sample bodies lie beside the repository in the workplace it was written in, and nowhere else. */
const sampleFolder = new URL('../../../shared/payments/stripe/', import.meta.url);

export const haveSamples = existsSync(sampleFolder);

/** A sample body by its path, such as `charge.succeeded.json`. */
export function sampleBody(path: string): string {
  return readFileSync(new URL(path, sampleFolder), 'utf8');
}

export function sampleNames(folder: '' | 'real/' = ''): string[] {
  return readdirSync(new URL(folder, sampleFolder))
    .filter((name) => name.endsWith('.json') && name !== 'headers.json')
    .map((name) => `${folder}${name}`);
}
