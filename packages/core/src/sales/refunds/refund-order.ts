import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { CommerceError, notFound, quote } from '../../kernel/errors.ts';
import { toJson } from '../../kernel/json.ts';
import { formatMoney, type Minor, parseMoney } from '../../kernel/money.ts';
import { parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { lockOrder } from '../../orders/orders.ts';
import { type RefundDraft, type RefundInput, type RefundRecord, refundFields } from '../../orders/refund-fields.ts';
import { checkRestockAll, restockAll, restockLines, restockSome } from '../../orders/restock.ts';
import { lockPaymentsOfOrder, writePayment } from '../../payments/payments.ts';
import {
  countedOf,
  findRefund,
  listedOf,
  type Refund,
  type RefundWords,
  refundedOf,
  sum,
  withOwn,
} from '../../payments/refund-ledger.ts';
import { toRefundRecord } from '../../payments/refund-record.ts';
import { readRefunds, writeRefunds } from '../../payments/refunds.ts';
import { requireVersion } from '../../resources/versions.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { recordRefunded } from '../moves/refunded.ts';
import { countRefundsOf } from '../shares/counting.ts';
import { begin, execute, mayMoveMoney, readyForRefunds, refuseUnderWay, wordsOf } from './execute.ts';
import { amountOfParts, refuseNothing, tooMuch } from './parts.ts';
import { refuseOtherUse } from './requests.ts';

/**
 * Refunds a paid order. With `execute`, asks the provider that took the money: the record is written first, and the call follows. Without an
 * answer the record stays `pending`, and is asked about by a process that delivers. Otherwise, it records a refund that was made at the
 * provider, and moves no money.
 *
 * A known `refundId` with the same amount answers the existing record. Without a `refundId`, a recorded refund is matched with one of the same
 * amount that the provider reported within the last hour. It is then answered under the provider's id. `restock` returns products to the
 * stock, at once. Emits `order.refunded` and `order.updated` when it counts, `refund.failed` if the provider refuses it, and
 * `product.updated` for changed stock.
 * @throws CommerceError `validation` on `amount` if it is 0 or more than is left of the total, on `lines` and `shipping` for more than was not
 * refunded, on `restock` for more than the order took and has not returned, and on `execute` if the provider refuses it; `forbidden` for
 * `execute` without `payment.write`; `notFound`; `conflict` if the order is not paid, the `refundId` is known with another amount, the money
 * did not come through a provider, or another refund is under way
 */
export async function refundOrder(ctx: Context, id: string, input: RefundInput): Promise<RefundRecord> {
  const given = parse(refundFields(ctx.store.decimals), input);
  if (!given.execute) return transact(ctx, (tx) => record(tx, id, given, input.amount));
  mayMoveMoney(ctx, 'refundOrder');
  const ready = await readyForRefunds(ctx);
  return execute(ctx, given.refundId, async (tx, request) => {
    const { order, payment } = await lockPaid(tx, id);
    const refunds = payment ? await readRefunds(tx.db, tx.store.id, payment.id) : [];
    const refundId = given.refundId?.toLowerCase() ?? tx.engine.ids.next(tx.now);
    const known = findRefund(refunds, refundId);
    if (known) return { record: toRefundRecord(sameRefund(known, given, tx.store.decimals), tx.store.decimals) };
    requirePaid(order);
    if (!payment) {
      throw new CommerceError('conflict', `order ${order.orderNumber} cost nothing, so there is nothing to refund`, {
        reason: 'notRefundable',
      });
    }
    refuseUnderWay(refunds);
    const made = listedOf(refunds).filter(({ status }) => status !== 'failed');
    const shown = { typed: input.amount, decimals: tx.store.decimals };
    const amount = amountOf(tx, order, given, made);
    refuseNothing(amount, shown);
    const taken = sum(made);
    const left = minorOf(order.total, tx.store.decimals) - taken;
    if (amount > left) throw tooMuch(amount, left, `the total ${order.total}`, shown);
    const words = wordsOf(given);
    const begun = await begin(tx, { payment, order, refunds, ready }, { refundId, amount, words, request });
    await restock(tx, order, given, taken + amount);
    return begun;
  });
}

/** Records a refund that was made at the provider. */
async function record(tx: TxContext, id: string, given: RefundDraft, typed: string | undefined): Promise<RefundRecord> {
  const { decimals } = tx.store;
  const shown = { typed, decimals };
  if (given.amount !== undefined) refuseNothing(minorOf(given.amount, decimals), shown);
  await refuseOtherUse(tx);
  const { order, payment } = await lockPaid(tx, id);
  const refunds = payment ? await readRefunds(tx.db, tx.store.id, payment.id) : [];
  const known = given.refundId ? findRefund(refunds, given.refundId) : undefined;
  if (known) return toRefundRecord(sameRefund(known, given, decimals), decimals);
  const made = listedOf(refunds).filter(({ status }) => status !== 'failed');
  requirePaid(order);
  const amount = amountOf(tx, order, given, made);
  refuseNothing(amount, shown);
  const refundId = given.refundId ?? tx.engine.ids.next(tx.now);
  const words = wordsOf(given);
  const after = withOwn(refunds, { refundId, named: Boolean(given.refundId), amount, now: tx.now, ...words });
  const counted = refundedOf(after);
  // Refunds that we asked for and that are not decided take their amount, too.
  const underWay = sum(after.filter(({ origin, status }) => origin === 'executed' && status === 'pending'));
  // Checked against the ledger, not the order's sum, because a running total might already include this refund.
  if (!payment || counted + underWay > minorOf(order.total, decimals)) {
    const left = minorOf(order.total, decimals) - minorOf(order.refundedAmount, decimals) - underWay;
    throw tooMuch(amount, left, `the total ${order.total}`, shown);
  }
  await writeRefunds(tx, payment.id, refunds, after);
  await writePayment(tx, payment, { ...payment, refunded: Number(counted) });
  const facts = { refundId, amount: formatMoney(amount, decimals), reason: given.reason ?? null };
  const refunded = await recordRefunded(tx, order, counted, facts);
  countRefundsOf(tx, order, { before: countedOf(refunds), after: countedOf(after) });
  await restock(tx, refunded, given, counted + underWay);
  const now = findRefund(after, refundId) ?? (after.at(-1) as Refund);
  return toRefundRecord(now, decimals);
}

/** The given amount, or that of the given parts, which are checked in any case. */
function amountOf(tx: TxContext, order: Order, given: RefundDraft, made: readonly Refund[]): Minor {
  const parts = { lines: given.lines ?? null, shipping: given.shipping === true };
  const ofParts = amountOfParts(order, parts, made);
  return given.amount === undefined ? ofParts : minorOf(given.amount, tx.store.decimals);
}

/** @throws CommerceError `conflict` if the id is recorded with another amount, or failed without our having asked for it */
function sameRefund(known: Refund, given: RefundDraft, decimals: number): Refund {
  const isOurs = known.origin === 'executed';
  const isSame =
    given.amount === undefined
      ? JSON.stringify(partsOf(known)) === JSON.stringify(partsOf(wordsOf(given)))
      : known.amount === minorOf(given.amount, decimals);
  if (isSame && (isOurs || (!given.execute && known.status !== 'failed'))) return known;
  const failed = known.status === 'failed' ? ', and failed' : '';
  const reason = `${quote(given.refundId)} is recorded with ${formatMoney(known.amount, decimals)}${failed}`;
  throw new CommerceError('conflict', `refundId ${reason}`, {
    details: [{ field: 'refundId', reason, code: 'TAKEN' }],
    reason: 'refundIdUsed',
  });
}

function partsOf({ lines, shipping }: Pick<RefundWords, 'lines' | 'shipping'>) {
  return [lines?.map(({ itemId, quantity }) => [itemId, quantity]) ?? null, shipping];
}

/** @param refunded with pending refunds, in minor units */
async function restock(tx: TxContext, order: Order, given: RefundDraft, refunded: Minor): Promise<void> {
  if (given.restock === true) {
    if (given.lines) return restockLines(tx, order, given.lines);
    const total = minorOf(order.total, tx.store.decimals);
    checkRestockAll(order, formatMoney(refunded < total ? refunded : total, tx.store.decimals));
    await restockAll(tx, order);
  } else if (given.restock) {
    await restockSome(tx, order, given.restock);
  }
}

function requirePaid(order: Order): void {
  if (order.paidAt !== null) return;
  throw new CommerceError('conflict', `order ${order.orderNumber} is not paid, so there is nothing to refund`, {
    reason: 'orderNotPaid',
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
  requireVersion(tx, id, () => toJson(order));
  return { order, payment: payment ?? (order.paidAt === null ? undefined : await paying()) };
}

function minorOf(amount: string, decimals: number): Minor {
  return parseMoney(amount, decimals) ?? 0n;
}
