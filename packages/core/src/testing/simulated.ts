import {
  type Disputed,
  type DisputeStep,
  paypalDispute,
  paypalNotification,
  randomToken,
  type Sent,
  squareDispute,
  squareNotification,
  stripeDispute,
  stripeNotification,
} from '@commerce/simulator';
import { invalid } from '../kernel/errors.ts';
import { currencyDecimals, readMoney } from '../kernel/money.ts';
import type { PayPalSettings } from '../providers/paypal/settings.ts';
import type { SquareSettings } from '../providers/square/square.ts';
import { stripeMinor } from '../providers/stripe/money.ts';
import type { StripeSettings } from '../providers/stripe/stripe.ts';

export const simulatedEvents = ['succeeded', 'failed', 'refunded', 'disputed', 'dispute-won', 'dispute-lost'] as const;
export type SimulatedEvent = (typeof simulatedEvents)[number];

/** The step of a dispute that each of these events tells of. */
const disputeSteps: Partial<Record<SimulatedEvent, DisputeStep>> = {
  disputed: 'open',
  'dispute-won': 'win',
  'dispute-lost': 'lose',
};

/** A sale, for every provider alike. */
export interface Sale {
  event: SimulatedEvent;
  orderId: string;
  /** The payment that is refunded or disputed. */
  paymentId: string | null;
  amount: string;
  currency: string;
  items: { sku: string; quantity: number }[];
}

/** A notification, with the answers of the provider's API about it. */
export interface Simulation extends Sent {
  /** Path on the server. */
  path: string;
  /** Origin at which the server will call the API, and the answers by path; null when it makes no call. */
  stub: { base: string; answers: Record<string, unknown> } | null;
}

/** What the event of a dispute is about; the dispute is opened at the time of its first event. */
function disputedOf<Amount>(sale: Sale, amount: Amount, openedAt: number): Disputed<Amount> {
  return { payment: sale.paymentId ?? '', amount, currency: sale.currency, openedAt };
}

/** `payment_intent.succeeded`, `payment_intent.payment_failed`, `refund.created` or `charge.dispute.…`, signed as Stripe signs. */
export function simulateStripe(sale: Sale, { webhookSecret }: StripeSettings, now: number): Omit<Simulation, 'path'> {
  const send = (type: string, object: object) => ({
    ...stripeNotification(type, object, webhookSecret, now),
    stub: null,
  });
  const created = Math.floor(now / 1000);
  const step = disputeSteps[sale.event];
  if (step) {
    const disputed = disputedOf(sale, stripeMinor(sale.amount, sale.currency), now);
    const { type, object } = stripeDispute(step, { ...disputed, currency: sale.currency.toLowerCase() });
    return send(type, object);
  }
  if (sale.event === 'refunded') return send('refund.created', stripeRefundOf(sale, created));
  const type = sale.event === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed';
  return send(type, stripeIntentOf(sale, created));
}

function stripeIntentOf({ event, orderId, amount, currency, items }: Sale, created: number): object {
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

function stripeRefundOf({ paymentId, amount, currency }: Sale, created: number): object {
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

/**
 * `PAYMENT.CAPTURE.COMPLETED`, `.DENIED` or `.REFUNDED`, or `CUSTOMER.DISPUTE.…`. Only PayPal can verify it, so a stub at the configured API's address
 * answers in its place.
 */
export function simulatePayPal(sale: Sale, { apiBase }: PayPalSettings, now: number): Omit<Simulation, 'path'> {
  requireLocal('paypal', apiBase);
  const captureId = sale.paymentId ?? randomToken().slice(0, 17);
  const paypalOrderId = randomToken().slice(0, 17);
  const at = new Date(now).toISOString();
  const amount = { value: sale.amount, currency_code: sale.currency };
  const refund = sale.event === 'refunded';
  const up = refund ? `/v2/payments/captures/${captureId}` : `/v2/checkout/orders/${paypalOrderId}`;
  const resource = {
    id: refund ? randomToken().slice(0, 17) : captureId,
    status: sale.event === 'failed' ? 'DECLINED' : 'COMPLETED',
    amount,
    custom_id: sale.orderId,
    ...(refund ? {} : { final_capture: true, supplementary_data: { related_ids: { order_id: paypalOrderId } } }),
    links: [{ rel: 'up', method: 'GET', href: apiBase + up }],
    create_time: at,
    update_time: at,
  };
  const step = disputeSteps[sale.event];
  const dispute = step && paypalDispute(step, disputedOf(sale, sale.amount, now), now);
  const type = { succeeded: 'COMPLETED', failed: 'DENIED' }[sale.event as string] ?? 'REFUNDED';
  const sent = dispute
    ? paypalNotification(dispute.type, 'dispute', dispute.resource, apiBase, now)
    : paypalNotification(`PAYMENT.CAPTURE.${type}`, refund ? 'refund' : 'capture', resource, apiBase, now);
  const answers = {
    '/v1/oauth2/token': { access_token: 'simulated', token_type: 'Bearer', expires_in: 1 },
    '/v1/notifications/verify-webhook-signature': { verification_status: 'SUCCESS' },
    [`/v2/checkout/orders/${paypalOrderId}`]: paypalOrderOf(paypalOrderId, sale),
  };
  return { ...sent, stub: { base: apiBase, answers } };
}

function paypalOrderOf(id: string, { amount, currency, items, orderId }: Sale): object {
  const buyer = { email_address: 'buyer@example.com', name: { given_name: 'Sam', surname: 'Shopper' } };
  return {
    id,
    status: 'COMPLETED',
    payment_source: { paypal: { ...buyer, account_status: 'VERIFIED' } },
    payer: buyer,
    purchase_units: [
      {
        custom_id: orderId,
        amount: { value: amount, currency_code: currency },
        items: items.map(({ sku, quantity }) => ({ sku, name: sku, quantity: String(quantity) })),
      },
    ],
  };
}

/** Refuses settings that lead to the provider itself: only on this machine can anybody answer in its place. */
function requireLocal(provider: 'paypal' | 'square', apiBase: string): void {
  const { protocol, port } = new URL(apiBase);
  if (protocol === 'http:' && port !== '') return;
  throw invalid(
    'provider',
    `${provider} uses ${apiBase}, which cannot be simulated here: the apiBase of its settings must be on this machine, such as http://127.0.0.1:8765`,
    { reason: 'apiBaseNotLocal', about: provider },
  );
}

/** `payment.updated` with the status `COMPLETED` or `FAILED`, `refund.updated` or `dispute.…`, signed as Square signs. */
export function simulateSquare(sale: Sale, settings: SquareSettings, now: number): Omit<Simulation, 'path'> {
  const at = new Date(now).toISOString();
  const squareOrderId = randomToken();
  const refund = sale.event === 'refunded';
  const amount_money = {
    amount: Number(readMoney(sale.amount, currencyDecimals(sale.currency) ?? 2)),
    currency: sale.currency,
  };
  const paymentId = sale.paymentId ?? randomToken();
  const object = refund
    ? {
        refund: {
          id: `${paymentId}_${randomToken()}`,
          payment_id: paymentId,
          amount_money,
          order_id: squareOrderId,
          status: 'COMPLETED',
          created_at: at,
          updated_at: at,
          version: 1,
        },
      }
    : {
        payment: {
          id: paymentId,
          reference_id: sale.orderId,
          order_id: squareOrderId,
          status: sale.event === 'succeeded' ? 'COMPLETED' : 'FAILED',
          amount_money,
          total_money: amount_money,
          source_type: 'CARD',
          card_details: { card: { card_brand: 'VISA', last_4: '1111', exp_month: 12, exp_year: 2030 } },
          created_at: at,
          updated_at: at,
          version: 2,
        },
      };
  const step = disputeSteps[sale.event];
  const { amount, currency } = amount_money;
  const dispute = step && squareDispute(step, { payment: paymentId, amount, currency, openedAt: now }, now);
  const type = refund ? 'refund.updated' : 'payment.updated';
  const sent = dispute
    ? squareNotification(dispute.type, paymentId, dispute.object, settings, now)
    : squareNotification(type, paymentId, object, settings, now);
  return { ...sent, stub: squareStubOf(sale, settings, squareOrderId) };
}

/** Answers of Square's API, which is called only for the items of an order that does not exist here. */
function squareStubOf(
  { items }: Sale,
  { apiBase, accessToken }: SquareSettings,
  squareOrderId: string,
): Simulation['stub'] {
  if (items.length === 0) return null;
  if (accessToken === undefined) {
    throw invalid('items', 'are read from Square, which requires an accessToken in the settings', {
      reason: 'accessTokenMissing',
    });
  }
  requireLocal('square', apiBase);
  const line_items = items.map(({ sku, quantity }) => ({ name: sku, quantity: String(quantity), metadata: { sku } }));
  return { base: apiBase, answers: { [`/v2/orders/${squareOrderId}`]: { order: { id: squareOrderId, line_items } } } };
}
