import { audit, type Context, type TxContext } from '../context.ts';
import { CustomerContact } from '../customers/fields.ts';
import { CommerceError } from '../errors.ts';
import { readMoney, sameAmount } from '../money.ts';
import { completePaymentFields, confirmOrder, setPaymentStatus } from '../orders/confirm.ts';
import { Address, type Order, type OrderInput, orderFields } from '../orders/fields.ts';
import { insertOrder } from '../orders/insert.ts';
import { lockOrder, lockOrderOfPayment, noteAttempt, orderNumberOfPayment } from '../orders/orders.ts';
import { noteProviderRefund, noteRefundedTotal } from '../orders/refunds.ts';
import { parse } from '../parse.ts';
import { transact } from '../transaction.ts';
import {
  type Applied,
  type Filed,
  fileNotification,
  isSettled,
  noteOutcome,
  type Outcome,
  waitingNotices,
  waitingRefunds,
} from './inbox.ts';
import { orderIdOf, type PaymentNotice, type RefundNotice } from './provider.ts';

/**
 * Keeps a verified notification and does what it says, in one transaction. A copy of a settled one changes nothing.
 * Emits the events of what changes.
 */
export async function applyNotification(
  ctx: Context,
  provider: string,
  notice: PaymentNotice,
  payload: string,
): Promise<Applied> {
  const apply = () =>
    transact(ctx, async (tx) => {
      const filed = await fileNotification(tx, provider, notice, payload);
      if (isSettled(filed.outcome)) return { outcome: 'unchanged' as const, warning: null, error: null };
      return settle(tx, provider, notice, filed);
    });
  try {
    return await apply();
  } catch (error) {
    // Two events of one payment may both set out to make its order; the second one finds it made.
    if (ctx.engine.storage.uniqueViolation(error) !== 'orders.id') throw error;
    return apply();
  }
}

/**
 * Applies the payments that arrived before the order they name, and returns the order as it is then. Emits the events of a
 * paid order when one of them pays it.
 */
export async function applyWaitingPayments(tx: TxContext, order: Order): Promise<Order> {
  const waiting = await waitingNotices(tx, order.id);
  for (const { filed, provider, notice } of waiting) await settle(tx, provider, notice, filed);
  return waiting.length === 0 ? order : ((await lockOrder(tx, order.id)) ?? order);
}

/** Does what a notification says, and notes in the inbox what became of it. */
export async function settle(tx: TxContext, provider: string, notice: PaymentNotice, filed: Filed): Promise<Applied> {
  const applied = await decide(tx, provider, notice);
  await noteOutcome(tx, filed, applied, notice);
  return applied;
}

async function decide(tx: TxContext, provider: string, notice: PaymentNotice): Promise<Applied> {
  if (notice.kind === 'unrelated' && notice.details === null) return done('ignored');
  if (notice.kind === 'refund') return applyRefund(tx, provider, notice, notice.refund);
  let order = await findOrder(tx, provider, notice);
  const named = orderIdOf(notice);
  if (!order && named) {
    // Whoever is making the order at this moment either is done before this second look, or will see this notification.
    await tx.engine.storage.lockName(tx.db, named);
    order = await lockOrder(tx, named);
  }
  if (!order) return makeOrder(tx, provider, notice);
  if (order.status === 'pending') return applyToPending(tx, provider, notice, order);

  const samePayment = order.paymentProvider === provider && order.paymentId === notice.paymentId;
  // An attempt that brought nothing may have been made with another card than the one that paid.
  if (samePayment && (notice.kind === 'failed' || notice.kind === 'cancelled')) return done('ignored');
  if (samePayment) return done((await completePaymentFields(tx, order, notice)) === order ? 'unchanged' : 'recorded');
  if (notice.kind !== 'succeeded') return done('ignored');
  return order.status === 'cancelled'
    ? refused(tx, notice, order, 'order_cancelled', `order ${order.orderNumber} is cancelled`)
    : refused(tx, notice, order, 'second_payment', `order ${order.orderNumber} is already paid by ${order.paymentId}`);
}

async function findOrder(tx: TxContext, provider: string, notice: PaymentNotice): Promise<Order | undefined> {
  const named = orderIdOf(notice);
  const order = named && (await lockOrder(tx, named));
  if (order || notice.paymentId === null) return order || undefined;
  return lockOrderOfPayment(tx, provider, notice.paymentId);
}

async function applyToPending(tx: TxContext, provider: string, notice: PaymentNotice, order: Order): Promise<Applied> {
  const { kind, paymentId, version } = notice;
  // Success counts whenever it comes.
  if (kind !== 'succeeded' && paymentId !== null && version !== null) {
    if (!(await noteAttempt(tx, order, paymentId, version))) return done('unchanged');
  }
  switch (notice.kind) {
    case 'unrelated':
    case 'refund':
      return done('ignored');
    case 'processing':
      return done((await setPaymentStatus(tx, order, 'processing')) ? 'recorded' : 'unchanged');
    case 'cancelled':
      return done((await setPaymentStatus(tx, order, 'cancelled')) ? 'recorded' : 'unchanged');
    case 'failed': {
      const changed = await setPaymentStatus(tx, order, 'failed');
      audit(tx, {
        action: 'order.payment_failed',
        resourceType: 'order',
        resourceId: order.id,
        changes: { paymentProvider: provider, paymentId: notice.paymentId },
      });
      return done(changed ? 'recorded' : 'unchanged');
    }
    case 'succeeded':
      return pay(tx, provider, notice, order);
  }
}

async function pay(tx: TxContext, provider: string, notice: PaymentNotice, order: Order): Promise<Applied> {
  const { amount, currency, paymentId } = notice;
  if (paymentId === null || amount === null || currency !== order.currency || !sameAmount(amount, order.total)) {
    const paid = amount === null ? 'an unknown amount' : `${amount} ${currency}`;
    return refused(
      tx,
      notice,
      order,
      'amount_mismatch',
      `${paid} was paid, order ${order.orderNumber} is ${order.total} ${order.currency}`,
    );
  }
  await lockPayment(tx, provider, paymentId);
  // Events of one payment may name two orders, such as a checkout session and its payment intent.
  const paidOrder = await orderNumberOfPayment(tx, provider, paymentId);
  if (paidOrder !== undefined) {
    return refused(tx, notice, order, 'second_payment', `payment ${paymentId} has paid order ${paidOrder} already`);
  }
  try {
    await confirmOrder(tx, order, { provider, paymentId, method: notice.method, details: notice.details });
  } catch (error) {
    if (!(error instanceof CommerceError && error.kind === 'insufficientStock')) throw error;
    return { ...(await refused(tx, notice, order, 'insufficient_stock', error.message)), error };
  }
  await applyWaitingRefunds(tx, provider, paymentId);
  return done('paid');
}

/** A refund belongs to the payment that it names, and so to the order that this payment paid. */
async function applyRefund(
  tx: TxContext,
  provider: string,
  notice: PaymentNotice,
  refund: RefundNotice | null,
): Promise<Applied> {
  const { paymentId, amount, currency } = notice;
  if (refund === null || paymentId === null) return done('ignored');
  let order = await lockOrderOfPayment(tx, provider, paymentId);
  if (!order) {
    // Whoever is applying the payment at this moment either is done before this second look, or will see this refund.
    await lockPayment(tx, provider, paymentId);
    order = await lockOrderOfPayment(tx, provider, paymentId);
  }
  if (!order) {
    return { outcome: 'order_not_found', warning: `no order of this store was paid by ${paymentId}`, error: null };
  }
  const minor = amount === null ? undefined : readMoney(amount, tx.store.decimals);
  if (minor === undefined || currency !== order.currency) {
    const told = amount === null ? 'an unknown amount' : `${amount} ${currency}`;
    const warning = `${told} was refunded, order ${order.orderNumber} is in ${order.currency}`;
    return refused(tx, notice, order, 'amount_mismatch', warning);
  }
  const filled = await completePaymentFields(tx, order, notice);
  const noted =
    refund.id === null
      ? await noteRefundedTotal(tx, filled, minor)
      : await noteProviderRefund(tx, filled, { id: refund.id, amount: minor, status: refund.status });
  return done(noted || filled !== order ? 'recorded' : 'unchanged');
}

/** Applies the refunds that came before the payment which they give back; the payment is locked. */
async function applyWaitingRefunds(tx: TxContext, provider: string, paymentId: string): Promise<void> {
  for (const { filed, notice } of await waitingRefunds(tx, provider, paymentId)) {
    await settle(tx, provider, notice, filed);
  }
}

async function lockPayment(tx: TxContext, provider: string, paymentId: string): Promise<void> {
  await tx.engine.storage.lockName(tx.db, `payment ${tx.store.id} ${provider} ${paymentId}`);
}

/** An order that does not exist comes into being from a payment that succeeded and says what was bought. */
async function makeOrder(tx: TxContext, provider: string, notice: PaymentNotice): Promise<Applied> {
  const id = orderIdOf(notice);
  const missing: Applied = {
    outcome: 'order_not_found',
    warning: `no order ${notice.orderId ?? '(the payment names none)'} in this store`,
    error: null,
  };
  if (id === null || notice.kind !== 'succeeded') return missing;
  const unreadable = (reason: string): Applied => ({
    outcome: 'unreadable_items',
    warning: `no order ${id} in this store, and none could be made: ${reason}`,
    error: null,
  });
  if (notice.draftProblem !== null) return unreadable(notice.draftProblem);
  if (notice.draft === null) return missing;
  let order: Order;
  try {
    order = await insertOrder(tx, parse(orderFields(tx.store.decimals), { ...readable(notice.draft), id }));
  } catch (error) {
    // Refused before anything was written, so the transaction goes on.
    if (error instanceof CommerceError && error.kind === 'validation') return unreadable(error.message);
    throw error;
  }
  return pay(tx, provider, notice, order);
}

/** The draft without the person or address that cannot be kept as they were given: the sale matters more. */
function readable(draft: OrderInput): OrderInput {
  const kept = { ...draft };
  if (!CustomerContact.nullish().safeParse(draft.customer).success) kept.customer = null;
  if (!Address.nullish().safeParse(draft.shippingAddress).success) kept.shippingAddress = null;
  if (!Address.nullish().safeParse(draft.billingAddress).success) kept.billingAddress = null;
  return kept;
}

function done(outcome: Outcome): Applied {
  return { outcome, warning: null, error: null };
}

/** Money that cannot be applied: the order stays as it is, the inbox and the audit log say why. */
async function refused(
  tx: TxContext,
  notice: PaymentNotice,
  order: Order,
  outcome: Outcome,
  warning: string,
): Promise<Applied> {
  audit(tx, {
    action: 'payment.refused',
    resourceType: 'order',
    resourceId: order.id,
    changes: {
      reason: outcome,
      paymentId: notice.paymentId,
      amount: notice.amount,
      currency: notice.currency,
      warning,
    },
  });
  return { outcome, warning, error: null };
}
