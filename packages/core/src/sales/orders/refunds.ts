import type * as z from 'zod';
import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, invalid, notFound, quote } from '../../kernel/errors.ts';
import type { List } from '../../kernel/json.ts';
import { formatMoney, type Minor, parseMoney } from '../../kernel/money.ts';
import { paging } from '../../kernel/paging.ts';
import { fields, parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { type RefundInput, type refundAnswer, refundFields } from '../../orders/inputs.ts';
import { getOrderJson, lockOrder } from '../../orders/orders.ts';
import { checkRestockAll, restockAll, restockSome } from '../../orders/restock.ts';
import { lockPaymentsOfOrder, writePayment } from '../../payments/payments.ts';
import { countedOf, findRefund, isTakenBack, type Refund, refundedOf, withOwn } from '../../payments/refund-ledger.ts';
import { readRefunds, writeRefunds } from '../../payments/refunds.ts';
import { countRefunds } from '../../statistics/counting.ts';
import { reading } from '../../storage/run.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { recordRefunded } from '../moves/refunded.ts';

/** A refund as all interfaces answer it. */
export type RefundRecord = z.output<ReturnType<typeof refundAnswer>>;

/**
 * Records a refund that was made at the provider; moves no money. A known `refundId` with the same amount answers the existing record.
 * Without a `refundId`, it is matched with a refund of the same amount that the provider reported within the last hour. It is then answered
 * under the provider's id. `restock` returns products to the stock. Emits `order.refunded` and `order.updated`, and `product.updated` for
 * changed stock.
 * @throws CommerceError `validation` on `amount` if it is 0 or more than is left of the total, and on `restock` for more than the order
 * took and has not returned; `notFound`; `conflict` if the order is not paid, or the `refundId` is known with another amount
 */
export async function refundOrder(ctx: Context, id: string, input: RefundInput): Promise<RefundRecord> {
  const { decimals } = ctx.store;
  const given = parse(refundFields(decimals), input);
  const amount = parseMoney(given.amount, decimals) ?? 0n;
  if (amount === 0n)
    throw invalid('amount', `must be more than 0, not ${quote(input.amount)}`, {
      code: 'TOO_SMALL',
      limits: { decimals },
    });
  return transact(ctx, async (tx) => {
    const { order, payment } = await lockPaid(tx, id);
    const refunds = payment ? await readRefunds(tx.db, tx.store.id, payment.id) : [];
    const known = given.refundId ? findRefund(refunds, given.refundId) : undefined;
    if (known) {
      if (known.amount === amount && known.status !== 'failed') return toRefundRecord(known, decimals);
      const reason = `${quote(given.refundId)} is recorded with ${formatMoney(known.amount, decimals)}${known.status === 'failed' ? ', and failed' : ''}`;
      throw new CommerceError('conflict', `refundId ${reason}`, {
        details: [{ field: 'refundId', reason, code: 'TAKEN' }],
        reason: 'refundIdUsed',
      });
    }
    if (order.paidAt === null) {
      throw new CommerceError('conflict', `order ${order.orderNumber} is not paid, so there is nothing to refund`, {
        reason: 'orderNotPaid',
      });
    }
    const refundId = given.refundId ?? tx.engine.ids.next(tx.now);
    const after = withOwn(refunds, { refundId, named: Boolean(given.refundId), amount, now: tx.now });
    const sum = refundedOf(after);
    // Checked against the ledger, not the order's sum, because a running total might already include this refund.
    if (!payment || sum > minorOf(order.total, decimals)) {
      const left = minorOf(order.total, decimals) - minorOf(order.refundedAmount, decimals);
      throw invalid(
        'amount',
        `must be at most ${formatMoney(left, decimals)}, the rest of the total ${order.total}, not ${quote(input.amount)}`,
        { code: 'TOO_LARGE', limits: { max: formatMoney(left, decimals), decimals } },
      );
    }
    await writeRefunds(tx, payment.id, refunds, after);
    await writePayment(tx, payment, { ...payment, refunded: Number(sum) });
    const facts = { refundId, amount: given.amount, reason: given.reason ?? null };
    const refunded = await recordRefunded(tx, order, sum, facts);
    countRefunds(tx, order, { before: countedOf(refunds), after: countedOf(after) });
    if (given.restock === true) {
      checkRestockAll(refunded);
      await restockAll(tx, refunded);
    } else if (given.restock) {
      await restockSome(tx, refunded, given.restock);
    }
    return toRefundRecord(findRefund(after, refundId) ?? (after.at(-1) as Refund), decimals);
  });
}

/**
 * An order with the payment that paid it, both locked. Payments are locked before orders, so the payment is looked up again if the order
 * was paid between the two locks.
 */
async function lockPaid(tx: TxContext, id: string): Promise<{ order: Order; payment: PaymentTable | undefined }> {
  const paying = async () => (await lockPaymentsOfOrder(tx, id)).find(({ matched }) => matched === 'paid');
  const payment = await paying();
  const order = await lockOrder(tx, id);
  if (!order) throw notFound('order', id);
  return { order, payment: payment ?? (order.paidAt === null ? undefined : await paying()) };
}

export const RefundQuery = fields(paging);
export type RefundQueryInput = z.input<typeof RefundQuery>;

/**
 * The refunds of an order, oldest first, without failed ones.
 * @throws CommerceError `notFound`; `validation` for a window out of range
 */
export async function listRefunds(ctx: Context, id: string, query: RefundQueryInput = {}): Promise<List<RefundRecord>> {
  const { limit, offset } = parse(RefundQuery, query);
  await getOrderJson(ctx, id);
  const refunds = await reading(ctx.engine.storage, async (db) => {
    // Refunds of the payment that paid it. If none has, refunds of payments that were given back before they could.
    const payments = await db
      .selectFrom('payments')
      .select(['id', 'matched'])
      .where('store_id', '=', ctx.store.id)
      .where('order_id', '=', id)
      .where('matched', 'in', ['paid', 'refunded'])
      .orderBy('id')
      .execute();
    const paid = payments.filter(({ matched }) => matched === 'paid');
    const ledgers = [];
    for (const payment of paid.length > 0 ? paid : payments) {
      ledgers.push(countedOf(await readRefunds(db, ctx.store.id, payment.id)));
    }
    return ledgers.flat();
  });
  const counted = refunds.sort((a, b) => a.recordedAt - b.recordedAt);
  const items = counted.slice(offset, offset + limit).map((refund) => toRefundRecord(refund, ctx.store.decimals));
  return { items, total: counted.length };
}

function minorOf(amount: string, decimals: number): Minor {
  return parseMoney(amount, decimals) ?? 0n;
}

/** The refund as interfaces answer it, in a currency with that many decimals. */
export function toRefundRecord(refund: Refund, decimals: number): RefundRecord {
  const { refundId, amount, recordedAt } = refund;
  const kind = isTakenBack(refund) ? 'dispute' : 'refund';
  return { refundId, amount: formatMoney(amount, decimals), kind, recordedAt: toTimestamp(recordedAt) };
}
