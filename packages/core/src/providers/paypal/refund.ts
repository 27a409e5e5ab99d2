import { CommerceError } from '../../kernel/errors.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import { ProviderSettingsError } from '../checkout-page.ts';
import { rescale } from '../checkout-sums.ts';
import type { NamedRefundFacts } from '../notice.ts';
import { jsonOf } from '../provider-api.ts';
import { listAt } from '../reading.ts';
import { type RefundCalls, type RefundRequest, refundLimits, refundMark, refusalText } from '../refund-calls.ts';
import { callPayPal, type PayPalCall } from './api.ts';
import { paypalDecimals, reasonOf } from './checkout.ts';
import { paypalOrderIdOf, refundOf } from './paypal.ts';
import type { PayPalSettings } from './settings.ts';

/** Refunds at PayPal (developer.paypal.com/docs/api/payments/v2/#captures_refund). */
export const paypalRefunds: RefundCalls<PayPalSettings> = {
  ready: ({ clientId, clientSecret }) => Boolean(clientId && clientSecret),

  async refund(request, settings) {
    const answer = await ask(settings, request.now, {
      method: 'POST',
      path: `/v2/payments/captures/${captureOf(request)}/refund`,
      body: JSON.stringify(paypalRefund(request)),
      headers: { 'PayPal-Request-Id': request.refundId, Prefer: 'return=representation' },
    });
    // 200 instead of 201 for a repeated request. 409: the same request is under way.
    if (answer.status === 409) throw new CommerceError('unavailable', 'PayPal makes this refund now');
    if (answer.status !== 201 && answer.status !== 200) return { refused: refusalOf(answer, settings) };
    const refund = refundOf(jsonOf(answer) as object);
    if (refund === null) throw new CommerceError('unavailable', 'PayPal answered the refund without its id');
    return { refund };
  },

  // PayPal lists the refunds of a payment in its order.
  async find(request, settings) {
    const order = await readOrder(request, settings);
    const refunds = listAt(order, 'purchase_units').flatMap((unit) => listAt(unit, 'payments', 'refunds'));
    const known = refunds.map((one): NamedRefundFacts | null => refundOf(one));
    return known.find((one) => one?.ours === request.refundId) ?? null;
  },
};

/** The refund as PayPal's API takes it. The caller has checked that the amount has no more decimals than PayPal takes. */
export function paypalRefund({ refundId, amount, currency, decimals }: RefundRequest) {
  const sent = paypalDecimals(currency);
  const value = formatMoney(rescale(amount, decimals, sent) ?? amount, sent);
  return { amount: { currency_code: currency, value }, custom_id: refundMark(refundId) };
}

async function readOrder(request: RefundRequest, settings: PayPalSettings): Promise<unknown> {
  const read = async (path: string) => {
    const answer = await ask(settings, request.now, { method: 'GET', path });
    if (answer.status !== 200) throw new CommerceError('unavailable', refusalOf(answer, settings));
    return jsonOf(answer);
  };
  const capture = () => read(`/v2/payments/captures/${captureOf(request)}`);
  const id = request.payment.order ?? paypalOrderIdOf((await capture()) as object);
  if (id === null) throw new CommerceError('unavailable', 'PayPal does not name the order of the payment');
  return read(`/v2/checkout/orders/${encodeURIComponent(id)}`);
}

function captureOf({ payment }: RefundRequest): string {
  return encodeURIComponent(payment.capture ?? payment.payment ?? '');
}

async function ask(settings: PayPalSettings, now: number, call: PayPalCall): Promise<OutboundAnswer> {
  try {
    return await callPayPal(settings, now, call, refundLimits);
  } catch (error) {
    // Without a token nothing was asked for. Whether an earlier call was is for the caller to know.
    if (error instanceof ProviderSettingsError && call.method === 'POST')
      return { status: 401, headers: {}, body: Buffer.from(JSON.stringify({ message: error.message })) };
    if (error instanceof ProviderSettingsError) throw new CommerceError('unavailable', error.message, { cause: error });
    throw error;
  }
}

function refusalOf(answer: OutboundAnswer, { clientId, clientSecret }: PayPalSettings): string {
  return refusalText(reasonOf(answer), [clientId, clientSecret]);
}
