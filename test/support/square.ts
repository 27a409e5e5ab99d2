import { createHmac } from 'node:crypto';
import {
  type Commerce,
  type Context,
  configureProvider,
  type RawNotification,
  type ReceiverAnswer,
  receiveNotification,
} from '@commerce/core';

export const signatureKey = 'signature-key-of-the-tests';
export const notificationUrl = 'https://shop.example.com/api/webhooks/square/1';

let made = 0;
/** An id in the manner of Square's, not used before. */
export const squareId = (kind: string) => `${kind}${process.pid}n${++made}`;

export async function configureSquare(shop: Context, more: Record<string, string | boolean> = {}): Promise<void> {
  await configureProvider(shop, 'square', { signatureKey, notificationUrl, makeOrders: true, ...more });
}

/** Signs as Square documents it: base64 of HMAC-SHA256 over the registered address and the body. */
export function signSquare(body: string, key = signatureKey, url = notificationUrl): string {
  return createHmac('sha256', key).update(url).update(body).digest('base64');
}

export function withSignature(body: string, signature: string | undefined): RawNotification {
  return {
    body: Buffer.from(body),
    headers: signature === undefined ? {} : { 'x-square-hmacsha256-signature': signature },
  };
}

/** Sends the event to the store's own address. */
export function sendSquare(shop: Context, event: object | string, key?: string): Promise<ReceiverAnswer> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return receiveNotification(shop.engine, 'square', withSignature(body, signSquare(body, key)), {
    storeId: shop.store.id,
  });
}

/** Sends the event to the address that names no store. */
export function sendSquareBare(commerce: Commerce, event: object, key?: string): Promise<ReceiverAnswer> {
  const body = JSON.stringify(event);
  return receiveNotification(commerce.engine, 'square', withSignature(body, signSquare(body, key)));
}

export function squareEvent(type: string, object: Record<string, unknown>, eventId = squareId('event-')) {
  return {
    merchant_id: '6SSW7HV8K2ST5',
    type,
    event_id: eventId,
    created_at: '2026-11-18T12:00:00.792Z',
    data: { type: type.split('.')[0], id: 'x', object },
  };
}

/** One payment as Square's events tell it. Amounts are whole numbers of minor units. */
export function squarePayment(orderId: string | null, amount: number, currency = 'EUR', id = squareId('pay')) {
  const squareOrder = squareId('sqo');
  const money = (value: number) => ({ amount: value, currency });
  const body = (status: string, version: number, fields: Record<string, unknown> = {}) => ({
    payment: {
      id,
      status,
      version,
      ...(orderId === null ? {} : { reference_id: orderId }),
      order_id: squareOrder,
      amount_money: money(amount),
      tip_money: money(300),
      total_money: money(amount + 300),
      source_type: 'CARD',
      card_details: {
        status: 'CAPTURED',
        card: { card_brand: 'MASTERCARD', last_4: '9029', exp_month: 11, exp_year: 2030 },
      },
      updated_at: '2026-11-18T12:00:00.198Z',
      ...fields,
    },
  });
  const updated = (status: string, version: number, fields?: Record<string, unknown>) =>
    squareEvent('payment.updated', body(status, version, fields));
  return {
    id,
    squareOrder,
    created: (status = 'APPROVED', fields?: Record<string, unknown>) =>
      squareEvent('payment.created', body(status, 1, fields)),
    updated,
    completed: (fields?: Record<string, unknown>) => updated('COMPLETED', 2, fields),
    feeAdded: () => updated('COMPLETED', 4, { processing_fee: [{ amount_money: money(-60) }] }),
    /** What Square says of the payment once some of it was given back: still completed. */
    afterRefund: (refunded: number, version = 9) =>
      updated('COMPLETED', version, { refunded_money: money(refunded), refund_ids: ['one'] }),
    canceled: () => updated('CANCELED', 3),
    failed: (version = 2) => updated('FAILED', version, { approved_money: money(0) }),
    refund(value: number, refundId = squareId('refund')) {
      const refund = (type: string, status: string, fields: Record<string, unknown> = {}, eventId?: string) =>
        squareEvent(
          type,
          {
            refund: {
              id: refundId,
              payment_id: id,
              status,
              amount_money: money(value),
              order_id: squareId('sqo'),
              ...fields,
            },
          },
          eventId,
        );
      return {
        id: refundId,
        created: (status = 'PENDING', eventId?: string) => refund('refund.created', status, {}, eventId),
        updated: (status = 'COMPLETED', fields?: Record<string, unknown>, eventId?: string) =>
          refund('refund.updated', status, fields, eventId),
      };
    },
  };
}
