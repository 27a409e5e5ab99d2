import { CommerceError } from '../../kernel/errors.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import type { NamedRefundFacts } from '../notice.ts';
import { jsonOf } from '../provider-api.ts';
import { listAt } from '../reading.ts';
import { type RefundCalls, type RefundRequest, refundLimits, refusalText } from '../refund-calls.ts';
import { callStripe, judgeStripe, reasonOf } from './api.ts';
import { formOf } from './checkout.ts';
import { stripeMinor } from './money.ts';
import { refundOf, type StripeSettings } from './stripe.ts';

const limits = { ...refundLimits, judge: judgeStripe };

/** Refunds at Stripe (docs.stripe.com/api/refunds). A restricted key needs the permission to write charges and refunds. */
export const stripeRefunds: RefundCalls<StripeSettings> = {
  ready: ({ secretKey }) => secretKey !== undefined,

  async refund(request, settings) {
    const body = formOf(stripeRefund(request));
    const more = { body, idempotencyKey: request.refundId, limits };
    const answer = await callStripe(settings, 'POST', '/v1/refunds', more);
    if (answer.status !== 200) return { refused: refusalOf(answer, settings) };
    const refund = refundOf(jsonOf(answer) as object);
    if (refund === null) throw unclear();
    return { refund };
  },

  async find(request, settings) {
    const query = new URLSearchParams({ ...nameOf(request), limit: '100' });
    const answer = await callStripe(settings, 'GET', `/v1/refunds?${query}`);
    if (answer.status !== 200) throw new CommerceError('unavailable', refusalOf(answer, settings));
    const refunds = listAt(jsonOf(answer), 'data').map((one): NamedRefundFacts | null => refundOf(one));
    return refunds.find((one) => one?.ours === request.refundId) ?? null;
  },
};

/** The refund as Stripe's API takes it. */
export function stripeRefund(request: RefundRequest) {
  const { refundId, orderId, amount, currency, decimals } = request;
  return {
    ...nameOf(request),
    amount: stripeMinor(formatMoney(amount, decimals), currency),
    metadata: { refund_id: refundId, ...(orderId === null ? {} : { order_id: orderId }) },
  };
}

/** A charge of the old API has no intent. */
function nameOf({ payment: { intent, charge } }: RefundRequest): Record<string, string> {
  if (intent !== undefined) return { payment_intent: intent };
  return charge === undefined ? {} : { charge };
}

function refusalOf(answer: OutboundAnswer, { secretKey, webhookSecret }: StripeSettings): string {
  return refusalText(reasonOf(answer), [secretKey, webhookSecret]);
}

function unclear(): CommerceError {
  return new CommerceError('unavailable', 'Stripe answered the refund without its id');
}
