import { audit } from '../../audit/entry.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import type { FailedRefund } from '../../orders/refund-fields.ts';
import {
  recordOutcome,
  type Settlement,
  type WaitingRefund,
  waitingRefunds,
  wasIgnored,
} from '../../payments/inbox.ts';
import { minorOf } from '../../payments/payments.ts';
import { recordRefs } from '../../payments/refs.ts';
import {
  listedOf,
  type NamedRefund,
  type Refund,
  refundedOf,
  withLedger,
  withNamed,
  withTotal,
} from '../../payments/refund-ledger.ts';
import { decimalsOf, toRefundRecord } from '../../payments/refund-record.ts';
import { readRefunds, writeRefunds } from '../../payments/refunds.ts';
import { orderIdOf, paymentIdOf, type RefundNotice, type RefundTotalNotice, refsOf } from '../../providers/notice.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { decide } from './decide.ts';
import { methodWith, relatedWith } from './draft.ts';
import { done, shortageOf } from './outcome.ts';
import { factsOf, orderFacts, perform } from './perform.ts';
import type { Target } from './target.ts';

/** Applies refunds that came before their payment. @returns the refunded amount afterwards, in minor units */
export async function takeWaiting(
  tx: TxContext,
  draft: PaymentTable,
  before: PaymentTable | null,
  waiting: readonly WaitingRefund[],
): Promise<number> {
  if (waiting.length === 0) return draft.refunded;
  const ledger = before ? await readRefunds(tx.db, tx.store.id, before.id) : [];
  const after = await withWaiting(tx, ledger, draft, waiting);
  await writeRefunds(tx, draft.id, ledger, after);
  return Number(refundedOf(after));
}

/** The ledger with waiting refunds, which become settled; one in another currency keeps waiting. */
async function withWaiting(
  tx: TxContext,
  ledger: readonly Refund[],
  payment: PaymentTable,
  waiting: readonly WaitingRefund[],
): Promise<Refund[]> {
  let after = [...ledger];
  for (const { entry, notice } of waiting) {
    if (notice.currency !== payment.currency) continue;
    const next = ledgerAfter(tx, after, notice, payment.provider_payment_id);
    if (next === null) continue;
    after = next;
    await recordOutcome(tx, entry, done('recorded'), notice);
  }
  return after;
}

/** The ledger with the refunds of a notice; null when its amount cannot be read. */
function ledgerAfter(
  tx: TxContext,
  refunds: readonly Refund[],
  notice: RefundNotice | RefundTotalNotice,
  paymentId: string,
): Refund[] | null {
  const { currency, toldAt } = notice;
  const named = (facts: RefundNotice['refund']): NamedRefund | null => {
    const amount = minorOf(facts.amount, currency);
    if (amount === null) return null;
    const { id, status, ours = null, error = null } = facts;
    return { id, amount: BigInt(amount), status, toldAt, ours, error };
  };
  if (notice.kind === 'refund') {
    const report = named(notice.refund);
    return report && withNamed(refunds, report, tx.now);
  }
  const total = minorOf(notice.total, currency);
  if (total === null) return null;
  let after: Refund[] = [...refunds];
  for (const facts of notice.refunds) {
    const report = named(facts);
    if (report) after = withNamed(after, report, tx.now);
  }
  return withTotal(after, { amount: BigInt(total), toldAt, refundId: `total-${paymentId}` }, tx.now);
}

/** Adds the ledger that another store had of a locked payment, with the effects on its locked order. */
export async function addLedger(
  tx: TxContext,
  payment: PaymentTable,
  order: Order | null,
  refunds: readonly Refund[],
): Promise<void> {
  const ledger = await readRefunds(tx.db, tx.store.id, payment.id);
  await changeLedger(tx, { payment, order }, ledger, withLedger(ledger, refunds));
}

/** Writes another ledger of a locked payment, with the effects on its locked order. */
export async function changeLedger(
  tx: TxContext,
  { payment, order }: { payment: PaymentTable; order: Order | null },
  before: readonly Refund[],
  after: readonly Refund[],
  facts: Record<string, unknown> = {},
): Promise<void> {
  if (!(await writeRefunds(tx, payment.id, before, after))) return;
  announceFailed(tx, { payment, order }, before, after);
  const refunded = Number(refundedOf(after));
  const decision = decide(order && orderFacts(order), factsOf(payment), { kind: 'refund', refunded });
  await perform(tx, payment, payment, order, decision, facts);
}

/** Emits `refund.failed` for each refund that fails by this change of a ledger, with an audit entry if it never counted. */
function announceFailed(
  tx: TxContext,
  { payment, order }: { payment: PaymentTable; order: Order | null },
  before: readonly Refund[],
  after: readonly Refund[],
): void {
  const was = new Map(listedOf(before).map((refund) => [refund.refundId, refund.status]));
  for (const refund of listedOf(after)) {
    const earlier = was.get(refund.refundId);
    if (refund.status !== 'failed' || earlier === undefined || earlier === 'failed') continue;
    const record = toRefundRecord(refund, decimalsOf(tx, payment));
    const failed: FailedRefund = { ...record, orderId: order?.id ?? null, orderNumber: order?.orderNumber ?? null };
    emit(tx, 'refund.failed', refund.refundId, JSON.stringify(failed));
    if (earlier !== 'pending') continue;
    const { refundId, amount, error } = record;
    const about = order
      ? ({ action: 'order.refund_failed', resourceType: 'order', resourceId: order.id } as const)
      : ({ action: 'payment.refund_failed', resourceType: 'payment', resourceId: payment.id } as const);
    audit(tx, { ...about, changes: { refundId, amount, error } });
  }
}

/** Settles the notice of a refund, which belongs to its payment and so to the order that this payment paid. */
export async function settleRefund(
  tx: TxContext,
  provider: string,
  notice: RefundNotice | RefundTotalNotice,
  { payment: before, order, refs }: Target,
): Promise<Settlement> {
  const paymentId = paymentIdOf(notice);
  if (!before) {
    if (paymentId === null && orderIdOf(notice) === null) return done('ignored');
    if (await wasIgnored(tx, provider, refsOf(notice.ids))) return done('ignored');
    const warning =
      paymentId === null ? 'the refund names no payment of this store' : `no payment ${paymentId} in this store`;
    return { outcome: 'order_not_found', warning, error: null };
  }
  const ledger = await readRefunds(tx.db, tx.store.id, before.id);
  const after =
    notice.currency === before.currency ? ledgerAfter(tx, ledger, notice, before.provider_payment_id) : null;
  const facts = factsAbout(notice);
  if (after === null) {
    const changes = { reason: 'mismatch', payment: before.id, paymentId: before.provider_payment_id, ...facts };
    const about = order
      ? { resourceType: 'order', resourceId: order.id }
      : { resourceType: 'payment', resourceId: before.id };
    audit(tx, { action: 'payment.refused', ...about, changes });
    const refunded = facts.amount ? `${facts.amount} ${notice.currency}` : 'an unknown amount';
    const warning = `${refunded} was refunded, but payment ${before.provider_payment_id} is in ${before.currency}`;
    return { outcome: 'amount_mismatch', warning, error: null };
  }
  const newRefs = refsOf(notice.ids).filter((ref) => !refs.linked.has(ref));
  const early = await waitingRefunds(tx, provider, newRefs, null);
  const all = await withWaiting(tx, after, before, early.waiting);
  const recorded = await writeRefunds(tx, before.id, ledger, all);
  recordCorrections(tx, order, ledger, all);
  announceFailed(tx, { payment: before, order }, ledger, all);
  const refunded = Number(refundedOf(all));
  const draft: PaymentTable = {
    ...before,
    order_id: before.order_id ?? order?.id ?? null,
    related_ids: relatedWith(before, notice),
    ...(notice.kind === 'refundTotal' ? methodWith(before, notice) : {}),
  };
  const decision = decide(order && orderFacts(order), factsOf(before), { kind: 'refund', refunded });
  const performed = await perform(tx, before, draft, order, decision, facts);
  const ids = { refs: [...refsOf(notice.ids), ...early.refs] };
  await recordRefs(tx, provider, ids, refs, { paymentId: before.id, orderId: null });
  // After a failed refund its money can pay an order that waits for stock, so the provider sends it again. Others are recorded.
  if (performed.shortage && before.matched === 'refunded') return shortageOf(performed.shortage);
  if (performed.payment.matched === 'paid' && before.matched !== 'paid') return done('paid');
  return done(recorded || performed.changed ? 'recorded' : 'unchanged');
}

function factsAbout(notice: RefundNotice | RefundTotalNotice): Record<string, unknown> {
  if (notice.kind === 'refundTotal') return { runningTotal: notice.total };
  const { id: refundId, amount, status } = notice.refund;
  return { refundId, amount, status };
}

/** Writes an audit entry for each amount of the shop that the provider's amount replaced. */
function recordCorrections(
  tx: TxContext,
  order: Order | null,
  before: readonly Refund[],
  after: readonly Refund[],
): void {
  before.forEach((old, i) => {
    const now = after[i];
    if (!order || !now || now.amount === old.amount || old.origin !== 'shop') return;
    const [from, to] = [formatMoney(old.amount, tx.store.decimals), formatMoney(now.amount, tx.store.decimals)];
    const changes = { refundId: old.refundId, amount: { from, to } };
    audit(tx, { action: 'order.refund_corrected', resourceType: 'order', resourceId: order.id, changes });
  });
}
