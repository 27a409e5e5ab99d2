import type { Context } from '../../engine/context.ts';
import { CommerceError, invalid, notFound, quote } from '../../kernel/errors.ts';
import { formatMoney, readMoney } from '../../kernel/money.ts';
import { parse } from '../../kernel/parse.ts';
import { PaymentRefundFields, type PaymentRefundInput, type RefundRecord } from '../../orders/refund-fields.ts';
import { lockPayment } from '../../payments/payments.ts';
import { findRefund, listedOf, sum } from '../../payments/refund-ledger.ts';
import { decimalsOf, toRefundRecord } from '../../payments/refund-record.ts';
import { readRefunds } from '../../payments/refunds.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { begin, execute, mayMoveMoney, readyForRefunds, refuseUnderWay } from './execute.ts';
import { refuseNothing, tooMuch } from './parts.ts';

/**
 * Asks the provider to give back money that paid no order, such as a second payment of the same order; by default all that is left of it.
 * Works like `refundOrder` with `execute`. A payment that is given back whole needs no more attention. Emits `refund.failed` if the
 * provider refuses it.
 * @throws CommerceError `validation` on `amount`, and on `execute` if the provider refuses it; `forbidden` without `payment.write`;
 * `notFound`; `conflict` if the payment has paid an order, brought no money or none that is left, or another refund of it is under way
 */
export async function refundPayment(ctx: Context, id: string, input: PaymentRefundInput = {}): Promise<RefundRecord> {
  const given = parse(PaymentRefundFields, input);
  mayMoveMoney(ctx, 'refundPayment');
  const ready = await readyForRefunds(ctx);
  return execute(ctx, given.refundId, async (tx, request) => {
    const payment = await lockPayment(tx, id);
    if (!payment) throw notFound('payment', id);
    const decimals = decimalsOf(tx, payment);
    const refunds = await readRefunds(tx.db, tx.store.id, payment.id);
    const refundId = given.refundId ?? tx.engine.ids.next(tx.now);
    const wanted = given.amount === undefined ? undefined : amountOf(given.amount, decimals);
    const known = findRefund(refunds, refundId);
    if (known?.origin === 'executed' && (wanted === undefined || wanted === known.amount))
      return { record: toRefundRecord(known, decimals) };
    if (known) {
      const reason = `${quote(refundId)} is recorded with ${formatMoney(known.amount, decimals)}`;
      throw new CommerceError('conflict', `refundId ${reason}`, {
        details: [{ field: 'refundId', reason, code: 'TAKEN' }],
        reason: 'refundIdUsed',
      });
    }
    requireStray(payment);
    refuseUnderWay(refunds);
    const left = BigInt(payment.captured) - sum(listedOf(refunds).filter(({ status }) => status !== 'failed'));
    if (left <= 0n) throw refused('its money was given back already');
    const amount = wanted ?? left;
    const shown = { typed: given.amount, decimals };
    refuseNothing(amount, shown);
    const of = `the payment of ${formatMoney(BigInt(payment.captured), decimals)}`;
    if (amount > left) throw tooMuch(amount, left, of, shown);
    const words = { reason: given.reason ?? null, lines: null, shipping: false, restocked: false };
    return begin(tx, { payment, order: null, refunds, ready }, { refundId, amount, words, request });
  });
}

function amountOf(text: string, decimals: number): bigint {
  const amount = readMoney(text, decimals);
  if (amount !== undefined) return amount;
  throw invalid('amount', `must be a decimal string with at most ${decimals} decimals, not ${quote(text)}`, {
    code: 'NOT_AN_AMOUNT',
    limits: { decimals },
  });
}

function requireStray({ status, matched }: PaymentTable): void {
  if (matched === 'paid') throw refused('it has paid its order: refund the order');
  if (status !== 'succeeded') throw refused(`it is ${status}, and has brought no money`);
}

function refused(why: string): CommerceError {
  return new CommerceError('conflict', `the payment cannot be refunded: ${why}`, { reason: 'paymentStatus' });
}
