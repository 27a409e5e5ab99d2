import { createHmac } from 'node:crypto';
import { invalid } from '../../errors.ts';
import { currencyDecimals, readMoney } from '../../money.ts';
import type { SquareSettings } from '../square.ts';
import { requireLocal } from './paypal.ts';
import { randomToken, type Sale, type Sent, type Simulation } from './simulate.ts';

/** `payment.updated` with the status `COMPLETED` or `FAILED`, or `refund.updated`, signed as Square signs. */
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
  const sent = squareNotification(refund ? 'refund.updated' : 'payment.updated', paymentId, object, settings, now);
  return { ...sent, stub: stubOf(sale, settings, squareOrderId) };
}

/** An event of that type about the payment with that id, signed as Square signs. */
export function squareNotification(
  type: string,
  id: string,
  object: object,
  { signatureKey, notificationUrl }: Pick<SquareSettings, 'signatureKey' | 'notificationUrl'>,
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

/** Answers of Square's API, which is called only for the items of an order that does not exist here. */
function stubOf({ items }: Sale, { apiBase, accessToken }: SquareSettings, squareOrderId: string): Simulation['stub'] {
  if (items.length === 0) return null;
  if (accessToken === undefined) {
    throw invalid('items', 'are asked of Square, for which the settings need an accessToken', {
      reason: 'accessTokenMissing',
    });
  }
  requireLocal('square', apiBase);
  const line_items = items.map(({ sku, quantity }) => ({ name: sku, quantity: String(quantity), metadata: { sku } }));
  return { base: apiBase, answers: { [`/v2/orders/${squareOrderId}`]: { order: { id: squareOrderId, line_items } } } };
}
