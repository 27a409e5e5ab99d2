import { audit } from '../../audit/entry.ts';
import { isAnonymous } from '../../customers/anonymous.ts';
import type { TxContext } from '../../engine/context.ts';
import { CommerceError } from '../../kernel/errors.ts';
import type { Order } from '../../orders/fields.ts';
import { ignoredEntries, recordOutcome, type Settlement, waitingNotices } from '../../payments/inbox.ts';
import { minorOf } from '../../payments/payments.ts';
import { recordRefs } from '../../payments/refs.ts';
import { findProvider } from '../../payments/settings.ts';
import {
  type AttemptNotice,
  isAttempt,
  type LinkNotice,
  orderIdOf,
  type PaymentNotice,
  paymentIdOf,
  refsOf,
  type UnrelatedNotice,
} from '../../providers/notice.ts';
import { confirmOrder, freeOfCharge } from '../moves/confirm.ts';
import { closeCheckoutAt, endCheckoutAt } from '../moves/ended.ts';
import { decide, type Report } from './decide.ts';
import { draftPayment, methodWith, relatedWith } from './draft.ts';
import { makeOrder } from './make-order.ts';
import { done, outcomeOfAttempt, outcomeOfMoney, shortageOf } from './outcome.ts';
import { factsOf, orderFacts, perform } from './perform.ts';
import { settleRefund, takeWaiting } from './settle-refund.ts';
import { findTarget, type Target } from './target.ts';

export interface SettleOptions {
  /** True when a payment that describes its items creates the order that it names. */
  makeOrders: boolean;
}

/** Applies a notice. The caller has locked its names. */
export async function settle(
  tx: TxContext,
  provider: string,
  notice: PaymentNotice,
  options: SettleOptions,
): Promise<Settlement> {
  if (notice.kind === 'unrelated') return done('ignored');
  const target = await findTarget(tx, provider, notice);
  const { order } = target;
  const anonymous = order && (await isAnonymous(tx, order.customerId)) ? { anonymousOrder: order.id } : {};
  return { ...(await settleTarget(tx, provider, notice, target, options)), ...anonymous };
}

function settleTarget(
  tx: TxContext,
  provider: string,
  notice: Exclude<PaymentNotice, UnrelatedNotice>,
  target: Target,
  options: SettleOptions,
): Promise<Settlement> {
  if (isAttempt(notice)) return settleAttempt(tx, provider, notice, target, options);
  if (notice.kind === 'link') return settleLink(tx, provider, notice, target);
  return settleRefund(tx, provider, notice, target);
}

async function settleAttempt(
  tx: TxContext,
  provider: string,
  notice: AttemptNotice,
  target: Target,
  options: SettleOptions,
): Promise<Settlement> {
  const { payment: before, refs, orderId } = target;
  const paymentId = paymentIdOf(notice);
  const amount = minorOf(notice.amount, notice.currency);
  if (paymentId === null) return done('ignored');
  const newRefs = refsOf(notice.ids).filter((ref) => !refs.linked.has(ref));
  const early = await waitingNotices(tx, provider, newRefs, notice.kind === 'succeeded' ? orderId : null);
  if (provider === 'square' && !before && orderId === null) {
    // A sale of the till without an order here, and its refunds.
    for (const { entry, notice: refund } of early.waiting) await recordOutcome(tx, entry, done('ignored'), refund);
    return done('ignored');
  }
  let { order } = target;
  let problem: string | null = null;
  if (
    !order &&
    options.makeOrders &&
    notice.kind === 'succeeded' &&
    orderId !== null &&
    orderId === orderIdOf(notice)
  ) {
    const creation = await makeOrder(tx, orderId, notice);
    order = creation.order;
    problem = creation.problem;
  }
  if (!before && amount === 0 && order && isFree(order)) return payFree(tx, order);
  const { kind, version, versionsTie, currency, wrongPayee } = notice;
  const blank = draftPayment(tx, provider, notice, { ...target, paymentId });
  const { draft, refunded } = await takeWaiting(tx, { ...blank, currency }, before, early.waiting);
  const report: Report = { kind, version, versionsTie, amount, currency, wrongPayee, refunded };
  const decision = decide(order && orderFacts(order), before && factsOf(before), report);
  const performed = await perform(tx, before, draft, order, decision);
  const ids = { refs: early.refs, order: notice.ids.order };
  await recordRefs(tx, provider, ids, refs, { paymentId: draft.id, orderId });
  if (notice.endsPage && performed.order) await endPage(tx, performed.order, notice);
  if (
    kind === 'failed' &&
    order?.status === 'pending' &&
    before?.status !== 'failed' &&
    performed.payment.status === 'failed'
  ) {
    const changes = { paymentProvider: provider, paymentId: performed.payment.provider_payment_id };
    audit(tx, { action: 'order.payment_failed', resourceType: 'order', resourceId: order.id, changes });
  }
  if (problem !== null) {
    const warning = `no order ${orderId} in this store, and it could not be created: ${problem}`;
    return { outcome: 'unreadable_items', warning, error: null };
  }
  const again = before ? null : await settleIgnored(tx, provider, newRefs, notice, options);
  if (again?.error) return again;
  return kind === 'succeeded' ? outcomeOfMoney(notice, before, performed) : outcomeOfAttempt(notice, before, performed);
}

/**
 * Applies earlier notifications of a payment once it is known to be for an order here. An example is the money of a sale whose reference
 * came later.
 * @returns the settlement that needs the notification again; null for none
 */
async function settleIgnored(
  tx: TxContext,
  provider: string,
  refs: readonly string[],
  { eventId }: AttemptNotice,
  options: SettleOptions,
): Promise<Settlement | null> {
  let failed: Settlement | null = null;
  for (const { id, payload } of await ignoredEntries(tx, provider, refs)) {
    const notice = await findProvider(provider).read(JSON.parse(payload));
    if (notice.eventId === eventId || notice.kind === 'unrelated') continue;
    const settlement = await settle(tx, provider, notice, options);
    if (settlement.outcome === 'ignored') continue;
    await recordOutcome(tx, { id }, settlement, notice);
    if (settlement.error) failed = settlement;
  }
  return failed;
}

/** Ends the completed page of a pending order: it stays closed, and the failure of its money ends the order, too. */
async function endPage(tx: TxContext, order: Order, { kind, ids }: AttemptNotice): Promise<void> {
  if (kind === 'processing') await closeCheckoutAt(tx, order, ids);
  else if (kind === 'failed') await endCheckoutAt(tx, order, ids);
}

function isFree(order: Order): boolean {
  return orderFacts(order).total === 0;
}

/** Pays an order that costs nothing, without a payment, as at its creation. */
async function payFree(tx: TxContext, order: Order): Promise<Settlement> {
  if (order.status !== 'pending') return done('unchanged');
  try {
    await confirmOrder(tx, order, freeOfCharge);
    return done('paid');
  } catch (error) {
    if (!(error instanceof CommerceError && error.kind === 'insufficientStock')) throw error;
    return shortageOf(error);
  }
}

/** Applies a notice that links ids or states a method. Payments that waited for this link are settled by it. */
async function settleLink(
  tx: TxContext,
  provider: string,
  notice: LinkNotice,
  { payment, order, orderId, refs, waiting }: Target,
): Promise<Settlement> {
  if (payment !== null || orderId !== null) {
    const ids = { refs: refsOf(notice.ids), order: notice.ids.order };
    await recordRefs(tx, provider, ids, refs, { paymentId: payment?.id ?? null, orderId });
  }
  let now = order;
  let settlement = done(payment ? 'unchanged' : 'ignored');
  for (const before of payment ? [payment] : waiting) {
    const linked = {
      ...before,
      ...methodWith(before, notice),
      related_ids: relatedWith(before, notice),
      order_id: order?.id ?? orderId,
    };
    const newRefs = refsOf(notice.ids).filter((ref) => !refs.linked.has(ref));
    const early = await waitingNotices(tx, provider, newRefs, null);
    const { draft, refunded } = await takeWaiting(tx, linked, before, early.waiting);
    const decision = decide(now && orderFacts(now), { ...factsOf(before), refunded }, { kind: 'link' });
    const performed = await perform(tx, before, draft, now, decision);
    now = performed.order;
    if (performed.shortage) settlement = shortageOf(performed.shortage);
    else if (performed.payment.matched === 'paid' && before.matched !== 'paid') settlement = done('paid');
    else if (performed.changed && settlement.error === null) settlement = done('recorded');
  }
  if (notice.ends && now && (await endCheckoutAt(tx, now, notice.ids))) return done('recorded');
  return settlement;
}
