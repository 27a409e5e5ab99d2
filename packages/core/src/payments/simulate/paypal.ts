import { invalid } from '../../errors.ts';
import type { PayPalSettings } from '../paypal-settings.ts';
import { randomToken, type Sale, type Sent, type Simulation } from './simulate.ts';

/**
 * `PAYMENT.CAPTURE.COMPLETED`, `.DENIED` or `.REFUNDED`. Only PayPal can verify it, so a stub at the configured API's address
 * answers in its place.
 */
export function simulatePayPal(sale: Sale, { apiBase }: PayPalSettings, now: number): Omit<Simulation, 'path'> {
  requireLocal('paypal', apiBase);
  const captureId = sale.paymentId ?? randomToken().slice(0, 17);
  const paypalOrderId = randomToken().slice(0, 17);
  const at = new Date(now).toISOString();
  const types = {
    succeeded: 'PAYMENT.CAPTURE.COMPLETED',
    failed: 'PAYMENT.CAPTURE.DENIED',
    refunded: 'PAYMENT.CAPTURE.REFUNDED',
  };
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
  const sent = paypalNotification(types[sale.event], refund ? 'refund' : 'capture', resource, apiBase, now);
  const answers = {
    '/v1/oauth2/token': { access_token: 'simulated', token_type: 'Bearer', expires_in: 1 },
    '/v1/notifications/verify-webhook-signature': { verification_status: 'SUCCESS' },
    [`/v2/checkout/orders/${paypalOrderId}`]: orderOf(paypalOrderId, sale),
  };
  return { ...sent, stub: { base: apiBase, answers } };
}

/** An event of that type, with the headers by which PayPal's API knows it again. */
export function paypalNotification(
  eventType: string,
  resourceType: 'capture' | 'refund' | 'checkout-order',
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

function orderOf(id: string, { amount, currency, items, orderId }: Sale): object {
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
export function requireLocal(provider: 'paypal' | 'square', apiBase: string): void {
  const { protocol, port } = new URL(apiBase);
  if (protocol === 'http:' && port !== '') return;
  throw invalid(
    'provider',
    `${provider} asks ${apiBase}, in whose place nobody here can answer: the apiBase of its settings must be on this machine, such as http://127.0.0.1:8765`,
    { reason: 'apiBaseNotLocal', about: provider },
  );
}
