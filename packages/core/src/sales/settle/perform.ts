import { audit } from '../../audit/entry.ts';
import { isAnonymous } from '../../customers/anonymous.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { toJson } from '../../kernel/json.ts';
import type { Order } from '../../orders/fields.ts';
import { isPayable } from '../../orders/fulfilments.ts';
import { lockOrder } from '../../orders/orders.ts';
import type { OrderFacts } from '../../payments/fields.ts';
import { renewEntries } from '../../payments/inbox.ts';
import { readPaymentsOfOrder, toPayment, writePayment } from '../../payments/payments.ts';
import { countedOf, takenBackOf } from '../../payments/refund-ledger.ts';
import { ledgerChangeOf, readRefunds, takeLedgerChange } from '../../payments/refunds.ts';
import { refsOf } from '../../providers/notice.ts';
import { pendingPaymentStatus } from '../../providers/payment-status.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { withoutPayer } from '../moves/anonymise-payments.ts';
import { completePaymentFields, confirmOrder, reopenOrder, setPendingPayment } from '../moves/confirm.ts';
import { expireWithoutMoney } from '../moves/expire.ts';
import { recordRefunded } from '../moves/refunded.ts';
import { countRefundsOf } from '../shares/counting.ts';
import type { Decision, PaymentFacts } from './decide.ts';
import { announceDisputes } from './disputed.ts';
import { formatAmount, type PaymentResult, settlementOf } from './outcome.ts';

/** Details of the change for the audit log. */
type AuditFacts = Record<string, unknown>;

/**
 * Carries out a decision. Emits `payment.unmatched` when a payment first succeeds without paying an order. Emits `payment.disputed` for a new dispute. Also emits the events of the
 * changed order and products, and of the order that the payment named before. The caller has locked both orders.
 * @param before the stored payment; null for a new one.
 * @param draft the payment with its new ids, method and order; the decision covers the other fields.
 */
export async function perform(
  tx: TxContext,
  before: PaymentTable | null,
  draft: PaymentTable,
  order: Order | null,
  { payment: facts, effect }: Decision,
  auditFacts: AuditFacts = {},
): Promise<PaymentResult> {
  const isForgotten = order && draft.details?.includes('"payerEmail"') && (await isAnonymous(tx, order.customerId));
  const kept = isForgotten ? withoutPayer(draft) : draft;
  const payment = facts ? withFacts(tx, kept, facts) : kept;
  // Before products are locked, because it can give back the use of a discount.
  if (before && before.order_id !== payment.order_id) await leaveOrder(tx, before);
  let now = order;
  let shortage: CommerceError | null = null;
  if (order && (effect === 'confirm' || effect === 'reopen')) {
    try {
      now = await confirmOrder(tx, order, {
        provider: payment.provider,
        paymentId: payment.provider_payment_id,
        method: payment.method,
        details: payment.details === null ? null : JSON.parse(payment.details),
        ids: JSON.parse(payment.related_ids),
        // The shop says when it got the money; a provider's notification says only that it did.
        paidAt: (payment.provider === 'manual' ? payment.paid_at : null) ?? tx.now,
      });
    } catch (error) {
      if (!(error instanceof CommerceError && error.kind === 'insufficientStock')) throw error;
      shortage = error;
      payment.matched = 'insufficientStock';
      if (effect === 'reopen') now = await reopenOrder(tx, order);
    }
  }
  const written = await writePayment(tx, before, payment);
  if (now && shortage === null && (effect === 'confirm' || effect === 'reopen' || effect === 'update')) {
    if (effect === 'update') now = await completePaymentFields(tx, now, methodOf(written));
    const change = ledgerChangeOf(tx, written.id);
    const taken = change ? takenBackOf(change.after) - takenBackOf(change.before) : 0n;
    now = await recordRefunded(tx, now, BigInt(written.refunded), auditFacts, taken);
    await countPaymentRefunds(tx, now, written, effect !== 'update');
  } else if (now && (effect === 'status' || shortage)) {
    now = await derivePending(tx, now, await readPaymentsOfOrder(tx, now.id));
  }
  announce(tx, before, written, order);
  announceDisputes(tx, before, written, now);
  if (before && changesOutcomes(before, written, now)) await renewNotifications(tx, written, now);
  return { payment: written, order: now, shortage, changed: written !== before || now !== order };
}

/** Counts the refunds of the payment that paid an order: all of them if it has just paid, else only the change. */
async function countPaymentRefunds(tx: TxContext, order: Order, payment: PaymentTable, isNew: boolean): Promise<void> {
  const change = takeLedgerChange(tx, payment.id);
  if (!isNew) {
    if (change) countRefundsOf(tx, order, { before: countedOf(change.before), after: countedOf(change.after) });
    return;
  }
  if (payment.refunded === 0) return;
  const after = change?.after ?? (await readRefunds(tx.db, tx.store.id, payment.id));
  countRefundsOf(tx, order, { before: [], after: countedOf(after) });
}

/** True when earlier notifications now have another outcome, because money was matched or the payment got an order. */
function changesOutcomes(before: PaymentTable, payment: PaymentTable, order: Order | null): boolean {
  if (order === null && (!isResolved(payment) || isResolved(before))) return false;
  if (order === null) return true;
  return before.order_id !== payment.order_id || (before.status === 'succeeded' && before.matched !== payment.matched);
}

/** Records a payment's present outcome on its waiting notifications. */
export async function renewNotifications(tx: TxContext, payment: PaymentTable, order: Order | null): Promise<void> {
  const refs = [payment.provider_payment_id, ...refsOf(JSON.parse(payment.related_ids))];
  await renewEntries(tx, payment.provider, refs, settlementOf(payment, order));
}

/** Derives the payment status of the order that a payment named before, without this payment. */
async function leaveOrder(tx: TxContext, { id, order_id }: PaymentTable): Promise<void> {
  const left = order_id === null ? undefined : await lockOrder(tx, order_id);
  if (!left || !isPayable(left)) return;
  const others = (await readPaymentsOfOrder(tx, left.id)).filter((payment) => payment.id !== id);
  await derivePending(tx, left, others);
}

/**
 * Sets the payment status of a locked pending order from its payments. An order past its time expires when no payment holds it any longer.
 */
async function derivePending(tx: TxContext, order: Order, attempts: readonly PaymentTable[]): Promise<Order> {
  const { total } = orderFacts(order);
  const { paymentStatus, refunded } = pendingPaymentStatus(attempts, total);
  const now = await setPendingPayment(tx, order, { paymentStatus, refunded: BigInt(refunded) });
  return expireWithoutMoney(tx, now, attempts);
}

/** True when a payment no longer needs attention. */
export function isResolved({ matched }: PaymentTable): boolean {
  return matched === 'paid' || matched === 'refunded' || matched === 'dismissed';
}

export function factsOf(payment: PaymentTable): PaymentFacts {
  const { status, version, amount, currency, captured, refunded, matched } = payment;
  return { status, version, amount, currency, captured, refunded, matched, wrongPayee: payment.wrong_payee === 1 };
}

export function orderFacts(order: Order): OrderFacts {
  return {
    status: order.status,
    expired: order.status === 'cancelled' && order.cancelReason === 'expired',
    paid: order.paidAt !== null,
    // Printed by our code with the currency's decimals, however large it is.
    total: Number(order.total.replace('.', '')),
    currency: order.currency,
  };
}

function withFacts(tx: TxContext, payment: PaymentTable, facts: PaymentFacts): PaymentTable {
  const { wrongPayee, ...columns } = facts;
  const sameStatus = payment.status === facts.status;
  return {
    ...payment,
    ...columns,
    wrong_payee: wrongPayee ? 1 : 0,
    status_since: sameStatus ? payment.status_since : tx.now,
    paid_at: facts.status === 'succeeded' ? (payment.paid_at ?? tx.now) : null,
  };
}

function methodOf(payment: PaymentTable) {
  return { method: payment.method, details: payment.details === null ? null : JSON.parse(payment.details) };
}

/** Emits an event and an audit entry about money that did not pay its order. */
function announce(tx: TxContext, before: PaymentTable | null, payment: PaymentTable, order: Order | null): void {
  if (payment.status !== 'succeeded' || payment.matched === 'paid') return;
  if (before?.status !== 'succeeded') emit(tx, 'payment.unmatched', payment.id, toJson(toPayment(payment)));
  if (before?.matched === payment.matched || isResolved(payment)) return;
  const { provider_payment_id: paymentId, amount, currency, matched: reason } = payment;
  const shown = amount === null ? null : formatAmount(payment);
  audit(tx, {
    action: 'payment.refused',
    resourceType: order ? 'order' : 'payment',
    resourceId: order ? order.id : payment.id,
    changes: { reason, payment: payment.id, paymentId, amount: shown, currency },
  });
}
