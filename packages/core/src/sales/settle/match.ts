import { audit } from '../../audit/entry.ts';
import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, invalid, notFound, quote, type Reason } from '../../kernel/errors.ts';
import { toJson } from '../../kernel/json.ts';
import { parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { isOffline, isPayable } from '../../orders/fulfilments.ts';
import { lockOrder, lockOrders } from '../../orders/orders.ts';
import {
  ApplyFields,
  type ApplyInput,
  DismissFields,
  type DismissInput,
  type ManualPaymentInput,
  manualPaymentFields,
  type Payment,
} from '../../payments/fields.ts';
import { lockPayment, minorOf, toPayment } from '../../payments/payments.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { settleAgain } from './apply.ts';
import { decide } from './decide.ts';
import { newPayment } from './draft.ts';
import { formatAmount } from './outcome.ts';
import { orderFacts, perform } from './perform.ts';

/**
 * Pays an order with a payment that has not paid any order, whichever order it named. Accepts dismissed payments and expired orders. Emits
 * the events of a paid order.
 * @throws CommerceError `notFound`. `validation` on `orderId` when the order does not exist. `insufficientStock`. `conflict` when the
 * payment did not succeed, was refunded or has paid another order, when amount or currency differ, or when the order is neither pending nor
 * expired.
 */
export async function applyPayment(ctx: Context, id: string, input: ApplyInput): Promise<Payment> {
  const { orderId } = parse(ApplyFields, input);
  return transact(ctx, async (tx) => {
    const before = await requirePayment(tx, id);
    const named = orderId.toLowerCase();
    // The order that it named before changes too.
    const orders = await lockOrders(tx, [named, ...(before.order_id === null ? [] : [before.order_id])]);
    const order = orders.get(named);
    if (!order) throw invalid('orderId', `no order ${quote(orderId)} in this store`, { code: 'NOT_FOUND' });
    if (before.matched === 'paid' && before.order_id === order.id) return toPayment(before);
    checkApplicable(before, order);
    // The person who applies it decides: a wrong payee or an earlier dismissal no longer matters.
    const draft: PaymentTable = { ...before, order_id: order.id, matched: null, wrong_payee: 0, dismissed_at: null };
    const performed = await settleAgain(tx, before, order, draft);
    if (performed.shortage) throw performed.shortage;
    if (performed.payment.matched !== 'paid') {
      throw refused(
        before,
        'paymentMismatch',
        `order ${order.orderNumber} cannot be paid with it: ${performed.payment.matched}`,
      );
    }
    const changes = { orderId: order.id, matched: { from: before.matched, to: 'paid' } };
    audit(tx, { action: 'payment.applied', resourceType: 'payment', resourceId: id, changes });
    return toPayment(performed.payment);
  });
}

function checkApplicable(payment: PaymentTable, order: Order): void {
  if (payment.matched === 'paid') throw refused(payment, 'paymentStatus', 'it has paid another order');
  if (payment.status !== 'succeeded') throw refused(payment, 'paymentStatus', `it is ${payment.status}, not succeeded`);
  if (payment.captured > 0 && payment.refunded >= payment.captured)
    throw refused(payment, 'paymentStatus', 'all of it was refunded');
  const facts = orderFacts(order);
  if (!isPayable(order) && !facts.expired) {
    throw refused(
      payment,
      'orderStatus',
      `order ${order.orderNumber} is ${order.status}; only one that is pending, expired or shipped unpaid can be paid`,
    );
  }
  if (payment.amount !== facts.total || payment.currency !== facts.currency) {
    throw refused(
      payment,
      'paymentMismatch',
      `its amount is ${formatAmount(payment)}, the total of order ${order.orderNumber} is ${order.total} ${order.currency}`,
    );
  }
}

function refused({ provider_payment_id: paymentId }: PaymentTable, reason: Reason, why: string): CommerceError {
  return new CommerceError('conflict', `payment ${paymentId} cannot be applied: ${why}`, { reason });
}

/**
 * Dismisses a payment that has not paid any order, because it was refunded by hand or belongs to none. It no longer needs attention, and
 * its order can expire. It can still be applied later. Emits `payment.dismissed`, and `order.updated` when its order changes.
 * @throws CommerceError `notFound`; `conflict` when it has paid an order or did not succeed.
 */
export async function dismissPayment(ctx: Context, id: string, input: DismissInput = {}): Promise<Payment> {
  const { reason } = parse(DismissFields, input);
  return transact(ctx, async (tx) => {
    const before = await requirePayment(tx, id);
    const { provider_payment_id: paymentId, matched, status } = before;
    if (matched === 'dismissed') return toPayment(before);
    if (matched === 'paid' || status !== 'succeeded') {
      const why =
        matched === 'paid' ? 'it has paid an order; record a refund instead' : `it is ${status}, not succeeded`;
      throw new CommerceError('conflict', `payment ${paymentId} cannot be dismissed: ${why}`, {
        reason: 'paymentStatus',
      });
    }
    const order = before.order_id === null ? undefined : await lockOrder(tx, before.order_id);
    const draft: PaymentTable = { ...before, matched: 'dismissed', dismissed_at: tx.now };
    const { payment } = await settleAgain(tx, before, order ?? null, draft);
    emit(tx, 'payment.dismissed', id, toJson(toPayment(payment)));
    const changes = { matched: { from: matched, to: 'dismissed' }, reason: reason ?? null };
    audit(tx, { action: 'payment.dismissed', resourceType: 'payment', resourceId: id, changes });
    return toPayment(payment);
  });
}

/**
 * Records a payment that did not come through a provider, such as a bank transfer or cash. It pays a pending or expired order, or one that was
 * shipped unpaid. Requires the store's setting `manualPayments`, unless the order is to be paid without a provider. Emits the events of a paid order.
 * @throws CommerceError `notFound`. `validation`, also when the amount is not the order's total. `conflict` when the setting is off, or the
 * order is not one of these. `insufficientStock`.
 */
export async function recordPayment(ctx: Context, orderId: string, input: ManualPaymentInput): Promise<Payment> {
  const { decimals, currency } = ctx.store;
  const { method, amount, reference, paidAt } = parse(manualPaymentFields(decimals), input);
  return transact(ctx, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound('order', orderId);
    // A buyer was told to pay this way.
    if (!isOffline(order) && !(await takesManualPayments(tx))) {
      throw new CommerceError(
        'conflict',
        'the store does not accept manual payments: its setting manualPayments is false',
        { reason: 'manualPaymentsOff' },
      );
    }
    if (paidAt && paidAt > tx.now)
      throw invalid('paidAt', `must not be in the future, not ${quote(input.paidAt)}`, {
        code: 'TOO_LARGE',
        limits: { max: toTimestamp(tx.now) },
      });
    const facts = orderFacts(order);
    if (!isPayable(order) && !facts.expired) {
      throw new CommerceError(
        'conflict',
        `order ${order.orderNumber} is ${order.status}; only one that is pending, expired or shipped unpaid can be paid`,
        { reason: 'orderStatus' },
      );
    }
    const minor = minorOf(amount, currency);
    if (minor !== facts.total) {
      throw invalid(
        'amount',
        `must be the total of order ${order.orderNumber}, ${order.total}, not ${quote(input.amount)}`,
        { code: 'CONFLICTING', limits: { min: order.total, max: order.total } },
      );
    }
    const blank = newPayment(tx, 'manual', '');
    const draft: PaymentTable = {
      ...blank,
      provider_payment_id: blank.id,
      order_id: order.id,
      reference: reference ?? null,
      method,
      paid_at: paidAt ?? tx.now,
    };
    const report = {
      kind: 'succeeded',
      version: null,
      versionsTie: false,
      amount: minor,
      currency,
      refunded: 0,
      wrongPayee: false,
    } as const;
    const performed = await perform(tx, null, draft, order, decide(facts, null, report));
    if (performed.shortage) throw performed.shortage;
    const changes = { orderId: order.id, method, amount, currency };
    audit(tx, { action: 'payment.recorded', resourceType: 'payment', resourceId: draft.id, changes });
    return toPayment(performed.payment);
  });
}

/** Reads the setting from the database, because a context can be a second old. */
async function takesManualPayments(tx: TxContext): Promise<boolean> {
  const row = await tx.db
    .selectFrom('stores')
    .select('manual_payments')
    .where('id', '=', tx.store.id)
    .executeTakeFirstOrThrow();
  return row.manual_payments === 1;
}

async function requirePayment(tx: TxContext, id: string): Promise<PaymentTable> {
  const payment = await lockPayment(tx, id);
  if (!payment) throw notFound('payment', id);
  return payment;
}
