import { CommerceError } from '../../kernel/errors.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import { jsonOf } from '../provider-api.ts';
import { objectAt } from '../reading.ts';
import { type RefundCalls, type RefundRequest, refundLimits, refundMark, refusalText } from '../refund-calls.ts';
import { callSquare, judgeSquare, reasonOf } from './api.ts';
import { refundOf, type SquareSettings } from './square.ts';

const limits = { ...refundLimits, judge: judgeSquare };

/** Refunds of a payment that are read one by one; more are not made in practice. */
const maxRead = 50;

/** Refunds at Square (developer.squareup.com/reference/square/refunds-api/refund-payment). */
export const squareRefunds: RefundCalls<SquareSettings> = {
  ready: ({ accessToken }) => accessToken !== undefined,

  async refund(request, settings) {
    const answer = await callSquare(settings, 'POST', '/v2/refunds', squareRefund(request), limits);
    if (answer.status !== 200) return { refused: refusalOf(answer, settings) };
    const refund = refundOf(objectAt(jsonOf(answer), 'refund') ?? {});
    if (refund === null) throw new CommerceError('unavailable', 'Square answered the refund without its id');
    return { refund };
  },

  // Square's list of refunds cannot be asked for those of one payment, so they are read by the ids in the payment, newest first.
  async find(request, settings) {
    const read = async (path: string) => {
      const answer = await callSquare(settings, 'GET', path);
      if (answer.status !== 200) throw new CommerceError('unavailable', refusalOf(answer, settings));
      return jsonOf(answer);
    };
    const payment = objectAt(await read(`/v2/payments/${encodeURIComponent(paymentOf(request))}`), 'payment');
    const ids = (payment as { refund_ids?: unknown } | null)?.refund_ids;
    const texts = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    for (const id of texts.reverse().slice(0, maxRead)) {
      const refund = refundOf(objectAt(await read(`/v2/refunds/${encodeURIComponent(id)}`), 'refund') ?? {});
      if (refund?.ours === request.refundId) return refund;
    }
    return null;
  },
};

/** The refund as Square's API takes it. */
export function squareRefund(request: RefundRequest) {
  const { refundId, amount, currency } = request;
  return {
    idempotency_key: refundId,
    payment_id: paymentOf(request),
    amount_money: { amount: Number(amount), currency },
    reason: refundMark(refundId),
  };
}

function paymentOf({ payment }: RefundRequest): string {
  return payment.payment ?? '';
}

function refusalOf(answer: OutboundAnswer, { accessToken, signatureKey }: SquareSettings): string {
  return refusalText(reasonOf(answer), [accessToken, signatureKey]);
}
