import { audit } from '../../audit/entry.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import type { FailedRefund } from '../../orders/refund-fields.ts';
import {
  type Dispute,
  disputeColumns,
  readDisputes,
  withDispute,
  withDisputeMoney,
  withDisputes,
} from '../../payments/disputes.ts';
import {
  recordOutcome,
  type Settlement,
  type WaitingNotice,
  waitingNotices,
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
import {
  type LaterNotice,
  orderIdOf,
  paymentIdOf,
  type RefundNotice,
  type RefundTotalNotice,
  refsOf,
} from '../../providers/notice.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { decide } from './decide.ts';
import { methodWith, relatedWith } from './draft.ts';
import { done, shortageOf } from './outcome.ts';
import { factsOf, orderFacts, perform } from './perform.ts';
import type { Target } from './target.ts';

/** What was given back of a payment, or is disputed. */
interface Books {
  ledger: Refund[];
  disputes: Dispute[];
}

async function readBooks(tx: TxContext, payment: PaymentTable): Promise<Books> {
  return { ledger: await readRefunds(tx.db, tx.store.id, payment.id), disputes: readDisputes(payment) };
}

/**
 * Applies refunds and disputes that came before their payment.
 * @returns the draft with its disputes; `refunded`, in minor units, is up to the decision
 */
export async function takeWaiting(
  tx: TxContext,
  draft: PaymentTable,
  before: PaymentTable | null,
  waiting: readonly WaitingNotice[],
): Promise<{ draft: PaymentTable; refunded: number }> {
  if (waiting.length === 0) return { draft, refunded: draft.refunded };
  const books = before ? await readBooks(tx, before) : { ledger: [], disputes: [] };
  const after = await withWaiting(tx, books, draft, waiting);
  await writeRefunds(tx, draft.id, books.ledger, after.ledger);
  return { draft: { ...draft, ...disputeColumns(after.disputes) }, refunded: Number(refundedOf(after.ledger)) };
}

/** The books with waiting notices, which become settled; one in another currency keeps waiting. */
async function withWaiting(
  tx: TxContext,
  books: Books,
  payment: PaymentTable,
  waiting: readonly WaitingNotice[],
): Promise<Books> {
  let after = books;
  for (const { entry, notice } of waiting) {
    if (notice.currency !== payment.currency) continue;
    const next = booksAfter(tx, after, notice, payment.provider_payment_id);
    if (next === null) continue;
    after = next;
    await recordOutcome(tx, entry, done('recorded'), notice);
  }
  return after;
}

/** The books with a notice; null when its amount cannot be read. */
function booksAfter(tx: TxContext, books: Books, notice: LaterNotice, paymentId: string): Books | null {
  if (notice.kind !== 'dispute') {
    const ledger = ledgerAfter(tx, books.ledger, notice, paymentId);
    return ledger && { ...books, ledger };
  }
  const { dispute, currency, toldAt } = notice;
  const amount = minorOf(dispute.amount, currency);
  const taken = dispute.taken === null ? null : minorOf(dispute.taken, currency);
  if (amount === null || (taken === null && dispute.taken !== null)) return null;
  const disputes = withDispute(books.disputes, { ...dispute, amount, taken, updatedAt: toldAt ?? tx.now });
  return { disputes, ledger: withDisputeMoney(books.ledger, disputes, tx.now) };
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
    return amount === null ? null : { ...facts, amount: BigInt(amount), toldAt };
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

/** Adds the books that another store had of a locked payment, with the effects on its locked order. */
export async function addBooks(
  tx: TxContext,
  payment: PaymentTable,
  order: Order | null,
  { ledger: refunds, disputes: others }: Books,
): Promise<void> {
  const { ledger, disputes: known } = await readBooks(tx, payment);
  const disputes = withDisputes(known, others);
  const all = withDisputeMoney(withLedger(ledger, refunds), disputes, tx.now);
  await writeRefunds(tx, payment.id, ledger, all);
  announceFailed(tx, { payment, order }, ledger, all);
  const refunded = Number(refundedOf(all));
  const decision = decide(order && orderFacts(order), factsOf(payment), { kind: 'refund', refunded });
  await perform(tx, payment, { ...payment, ...disputeColumns(disputes) }, order, decision);
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

/** Settles the notice of a refund or a dispute, which belongs to its payment and so to the order that this payment paid. */
export async function settleRefund(
  tx: TxContext,
  provider: string,
  notice: LaterNotice,
  { payment: before, order, refs }: Target,
): Promise<Settlement> {
  const paymentId = paymentIdOf(notice);
  if (!before) {
    if (paymentId === null && orderIdOf(notice) === null) return done('ignored');
    if (await wasIgnored(tx, provider, refsOf(notice.ids))) return done('ignored');
    const what = notice.kind === 'dispute' ? 'dispute' : 'refund';
    const warning =
      paymentId === null ? `the ${what} names no payment of this store` : `no payment ${paymentId} in this store`;
    return { outcome: 'order_not_found', warning, error: null };
  }
  const books = await readBooks(tx, before);
  const after = notice.currency === before.currency ? booksAfter(tx, books, notice, before.provider_payment_id) : null;
  const facts = factsAbout(notice);
  if (after === null) {
    const changes = { reason: 'mismatch', payment: before.id, paymentId: before.provider_payment_id, ...facts };
    const about = order
      ? { resourceType: 'order', resourceId: order.id }
      : { resourceType: 'payment', resourceId: before.id };
    audit(tx, { action: 'payment.refused', ...about, changes });
    const refunded = facts.amount ? `${facts.amount} ${notice.currency}` : 'an unknown amount';
    const what = notice.kind === 'dispute' ? 'disputed' : 'refunded';
    const warning = `${refunded} was ${what}, but payment ${before.provider_payment_id} is in ${before.currency}`;
    return { outcome: 'amount_mismatch', warning, error: null };
  }
  const newRefs = refsOf(notice.ids).filter((ref) => !refs.linked.has(ref));
  const early = await waitingNotices(tx, provider, newRefs, null);
  const all = await withWaiting(tx, after, before, early.waiting);
  const recorded = await writeRefunds(tx, before.id, books.ledger, all.ledger);
  recordCorrections(tx, order, books.ledger, all.ledger);
  announceFailed(tx, { payment: before, order }, books.ledger, all.ledger);
  const refunded = Number(refundedOf(all.ledger));
  const draft: PaymentTable = {
    ...before,
    ...disputeColumns(all.disputes),
    order_id: before.order_id ?? order?.id ?? null,
    related_ids: relatedWith(before, notice),
    ...(notice.kind === 'refundTotal' ? methodWith(before, notice) : {}),
  };
  const decision = decide(order && orderFacts(order), factsOf(before), {
    kind: notice.kind === 'dispute' ? 'dispute' : 'refund',
    refunded,
  });
  const performed = await perform(tx, before, draft, order, decision, facts);
  const ids = { refs: [...refsOf(notice.ids), ...early.refs] };
  await recordRefs(tx, provider, ids, refs, { paymentId: before.id, orderId: null });
  // After a failed refund its money can pay an order that waits for stock, so the provider sends it again. Others are recorded.
  if (performed.shortage && before.matched === 'refunded') return shortageOf(performed.shortage);
  if (performed.payment.matched === 'paid' && before.matched !== 'paid') return done('paid');
  return done(recorded || performed.changed ? 'recorded' : 'unchanged');
}

function factsAbout(notice: LaterNotice): Record<string, unknown> {
  if (notice.kind === 'dispute') {
    const { id: disputeId, amount, status } = notice.dispute;
    return { disputeId, amount, status };
  }
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
