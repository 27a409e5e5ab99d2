import type { IncomingHttpHeaders } from 'node:http';
import {
  type Commerce,
  type Context,
  configureProvider,
  type ReceiverAnswer,
  receiveNotification,
} from '@commerce/core';

let made = 0;
/** An id in the manner of PayPal's, not used before. */
export const paypalId = (kind: string) => `${kind}${process.pid}N${++made}`;

/** Sets PayPal up with an account of its own, so that no token of another test is known for it. */
export async function configurePayPal(shop: Context, apiBase: string, more: Record<string, string | boolean> = {}) {
  const settings = { clientId: paypalId('client-'), clientSecret: 'secret-of-paypal', webhookId: paypalId('WEBHOOK') };
  await configureProvider(shop, 'paypal', { ...settings, apiBase, makeOrders: true, ...more });
  return { ...settings, ...more };
}

/** The headers of a delivery; whether they are right is for PayPal to say. */
export const transmission: IncomingHttpHeaders = {
  'content-type': 'application/json',
  'paypal-transmission-id': '42182940-95bd-11ec-8889-914733057ff4',
  'paypal-transmission-time': '2026-11-18T11:00:27Z',
  'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
  'paypal-auth-algo': 'SHA256withRSA',
  'paypal-transmission-sig': 'c2lnbmF0dXJl',
};

/** Sends an event, or the very bytes of one, to the store's own address. */
export function deliver(shop: Context, event: object | string, headers = transmission): Promise<ReceiverAnswer> {
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  return receiveNotification(shop.engine, 'paypal', { body, headers }, { storeId: shop.store.id });
}

/** Sends the event to the address that names no store. */
export function deliverBare(commerce: Commerce, event: object): Promise<ReceiverAnswer> {
  const body = Buffer.from(JSON.stringify(event));
  return receiveNotification(commerce.engine, 'paypal', { body, headers: transmission });
}

const base = 'https://api.paypal.com';

export function paypalEvent(type: string, resource: Record<string, unknown>, resourceType = 'capture') {
  return {
    id: paypalId('WH-'),
    event_version: '1.0',
    create_time: '2026-11-18T11:00:26.840Z',
    resource_type: resourceType,
    resource_version: '2.0',
    event_type: type,
    summary: 'not for parsing',
    resource,
    links: [],
  };
}

/** One capture as PayPal's events tell it. Amounts are decimal strings. */
export function capture(orderId: string | null, value: string, currency = 'EUR', id = paypalId('CAP')) {
  const paypalOrder = paypalId('PPO');
  const custom = orderId === null ? {} : { custom_id: orderId };
  const event = (type: string, status: string, fields: Record<string, unknown> = {}) =>
    paypalEvent(`PAYMENT.CAPTURE.${type}`, {
      amount: { value, currency_code: currency },
      ...custom,
      supplementary_data: { related_ids: { order_id: paypalOrder } },
      final_capture: true,
      links: [
        { rel: 'self', method: 'GET', href: `${base}/v2/payments/captures/${id}` },
        { rel: 'up', method: 'GET', href: `${base}/v2/checkout/orders/${paypalOrder}` },
      ],
      id,
      status,
      ...fields,
    });
  const givenBack = (type: string, refundId: string, amount: string, fields: Record<string, unknown>) =>
    paypalEvent(
      `PAYMENT.CAPTURE.${type}`,
      {
        amount: { value: amount, currency_code: currency },
        links: [
          { rel: 'self', method: 'GET', href: `${base}/v2/payments/refunds/${refundId}` },
          { rel: 'up', method: 'GET', href: `${base}/v2/payments/captures/${id}` },
        ],
        id: refundId,
        status: 'COMPLETED',
        ...fields,
      },
      'refund',
    );
  return {
    id,
    paypalOrder,
    completed: (fields?: Record<string, unknown>) => event('COMPLETED', 'COMPLETED', fields),
    pending: () => event('PENDING', 'PENDING', { status_details: { reason: 'PENDING_REVIEW' } }),
    denied: () => event('DENIED', 'DECLINED'),
    declined: () => event('DECLINED', 'DECLINED'),
    /** As the capture that was taken back. */
    reversed: () => event('REVERSED', 'REFUNDED'),
    /** As the refund that PayPal made of its own accord. */
    reversedAsRefund: (refundId = paypalId('REF'), amount = value) =>
      givenBack('REVERSED', refundId, amount, { note_to_payer: 'Payment reversed' }),
    refunded: (amount: string, fields: Record<string, unknown> = {}, refundId = paypalId('REF')) =>
      givenBack('REFUNDED', refundId, amount, fields),
  };
}

/** PayPal's own order of a capture. */
export function paypalOrderOf(
  id: string,
  unit: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const person = { email_address: 'buyer@example.com', name: { given_name: 'Sam', surname: 'Shopper' } };
  return {
    id,
    intent: 'CAPTURE',
    status: 'COMPLETED',
    payment_source: { paypal: { ...person, account_status: 'VERIFIED' } },
    purchase_units: [{ reference_id: 'default', ...unit }],
    payer: person,
    ...more,
  };
}
