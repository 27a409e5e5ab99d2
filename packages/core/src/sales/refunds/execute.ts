import { audit } from '../../audit/entry.ts';
import type { Context, TxContext } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { CommerceError, invalid } from '../../kernel/errors.ts';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import { lockOrder } from '../../orders/orders.ts';
import type { RefundDraft, RefundRecord } from '../../orders/refund-fields.ts';
import { lockPayment, minorOf } from '../../payments/payments.ts';
import {
  findExecuted,
  type Refund,
  type RefundWords,
  withExecuted,
  withFailed,
  withNamed,
} from '../../payments/refund-ledger.ts';
import { decimalsOf, toRefundRecord } from '../../payments/refund-record.ts';
import { readRefunds, writeRefunds } from '../../payments/refunds.ts';
import { pagesOf, type ReadySettings, refundingProviders, refundsOf } from '../../payments/settings.ts';
import { rescale } from '../../providers/checkout-sums.ts';
import type { NamedRefundFacts, PaymentIds } from '../../providers/notice.ts';
import type { RefundAnswer, RefundRequest } from '../../providers/refund-calls.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { changeLedger } from '../settle/settle-refund.ts';
import { findRequested, type RefundRequestKey, requestKeyOf } from './requests.ts';

/** Milliseconds in which the process that wrote a refund asks the provider itself; then any process does. */
export const askingFor = 60_000;

/** A refund that is written, and what the provider is asked. */
export interface Asked {
  paymentId: string;
  provider: ReadySettings;
  request: RefundRequest;
}

/** A refund once it is written; `asked` unless it was there before. */
export interface Begun {
  record: RefundRecord;
  asked?: Asked;
}

/**
 * Requires the right to move money, outside a transaction of several operations. A rehearsal asks no provider.
 * @throws CommerceError `forbidden`; `conflict` in such a transaction
 */
export function mayMoveMoney({ actor, engine }: Context, operation: string): void {
  if (!engine.unit?.isRehearsal) refuseInUnit(engine, `${operation} asks a payment provider`);
  if (actor.scopes?.has('payment.write') !== false) return;
  throw new CommerceError(
    'forbidden',
    'insufficient permissions: a refund that moves money requires the scope payment.write',
  );
}

/** The providers that the store can ask for refunds. @throws CommerceError `unavailable` */
export function readyForRefunds({ engine, store }: Context): Promise<ReadySettings[]> {
  return refundingProviders(engine, store.id);
}

/** What the shop says about a refund. */
export function wordsOf({ reason, lines, shipping, restock }: RefundDraft): RefundWords {
  const restocked = restock === true || (Array.isArray(restock) && restock.length > 0);
  return { reason: reason ?? null, lines: lines ?? null, shipping: shipping === true, restocked };
}

/** @throws CommerceError `conflict` while a refund that we asked for is not decided */
export function refuseUnderWay(refunds: readonly Refund[]): void {
  const pending = refunds.find(({ origin, status }) => origin === 'executed' && status === 'pending');
  if (!pending) return;
  throw new CommerceError('conflict', `refund ${pending.refundId} is still pending: wait until it is decided`, {
    reason: 'refundUnderWay',
  });
}

/**
 * Writes a refund and asks the provider for it. A request with an `Idempotency-Key` that is repeated, also after a crash, gets the record
 * as it is then.
 * @param refundId chosen by the caller
 * @param work writes the refund with `begin`, or finds it
 */
export async function execute(
  ctx: Context,
  refundId: string | null | undefined,
  work: (tx: TxContext, request: RefundRequestKey | null) => Promise<Begun>,
): Promise<RefundRecord> {
  const key = requestKeyOf(ctx);
  ctx.once?.keptElsewhere();
  const isTaken = { field: 'refundId', value: refundId, taken: 'is the id of another refund' };
  const write = async (tx: TxContext): Promise<Begun> => {
    const requested = key && (await findRequested(tx, key));
    if (!requested) return work(tx, key);
    const payment = await lockPayment(tx, requested.payment_id);
    const refunds = await readRefunds(tx.db, tx.store.id, requested.payment_id);
    const refund = findExecuted(refunds, requested.refund_id);
    if (!payment || !refund) throw new Error(`refund ${requested.refund_id} is in no payment's ledger`);
    return { record: toRefundRecord(refund, decimalsOf(tx, payment)) };
  };
  const begun = await transact(ctx, write, { 'payment_refunds.refund_id': isTaken });
  if (!begun.asked || ctx.engine.unit?.isRehearsal) return begun.record;
  const answer = await ask(begun.asked);
  const record = answer && (await settleAnswer(ctx, begun.asked, answer));
  // A notification can have told of it meanwhile.
  if (answer && 'refused' in answer && record?.status !== 'succeeded') throw invalid('execute', answer.refused);
  return record ?? begun.record;
}

/** A refund to write. */
interface NewRefund {
  refundId: string;
  amount: Minor;
  words: RefundWords;
  request: RefundRequestKey | null;
}

/** The rows that a refund concerns, locked. */
interface Locked {
  payment: PaymentTable;
  order: Order | null;
  refunds: readonly Refund[];
  ready: readonly ReadySettings[];
}

/**
 * Writes a refund that is about to be asked for.
 * @throws CommerceError `conflict` if no provider can be asked; `validation` on `amount` for one that the provider cannot express
 */
export async function begin(
  tx: TxContext,
  { payment, order, refunds, ready }: Locked,
  { refundId, amount, words, request: key }: NewRefund,
): Promise<Begun> {
  const provider = providerOf(payment, ready);
  const request = requestFor(tx, payment, { refundId, amount });
  const { decimals, currency } = request;
  const charged = pagesOf(provider.name).chargedDecimals(currency, decimals);
  if (rescale(amount, decimals, charged) === null) {
    const shown = formatMoney(amount, decimals);
    throw invalid('amount', `must have at most ${charged} decimals to be refunded by ${provider.name}, not ${shown}`, {
      code: 'AMOUNT_NOT_CHARGEABLE',
    });
  }
  const asks = { askAt: tx.now + askingFor, requestName: key?.name ?? null, requestPrint: key?.print ?? null };
  const after = withExecuted(refunds, { refundId, amount, now: tx.now, ...words, ...asks });
  await writeRefunds(tx, payment.id, refunds, after);
  const about = order
    ? ({ action: 'order.refund_requested', resourceType: 'order', resourceId: order.id } as const)
    : ({ action: 'payment.refund_requested', resourceType: 'payment', resourceId: payment.id } as const);
  audit(tx, { ...about, changes: { refundId, amount: formatMoney(amount, decimals), reason: words.reason } });
  const refund = findExecuted(after, refundId) as Refund;
  return { record: toRefundRecord(refund, decimals), asked: { paymentId: payment.id, provider, request } };
}

function providerOf(payment: PaymentTable, ready: readonly ReadySettings[]): ReadySettings {
  const provider = ready.find(({ name }) => name === payment.provider);
  if (provider) return provider;
  const refusal =
    payment.provider === 'manual'
      ? 'the payment was recorded by hand, so no provider can give its money back: give it back, then record the refund without execute'
      : `${payment.provider} cannot be asked for refunds: configure its API key, or make the refund there`;
  throw new CommerceError('conflict', refusal, { reason: 'notRefundable' });
}

/** The request for a refund; the same for each try but for its time. */
export function requestFor(
  tx: Pick<TxContext, 'store' | 'engine'>,
  payment: PaymentTable,
  { refundId, amount }: Pick<Refund, 'refundId' | 'amount'>,
): RefundRequest {
  const ids: PaymentIds = { ...JSON.parse(payment.related_ids), payment: payment.provider_payment_id };
  return {
    refundId,
    payment: ids,
    orderId: payment.order_id,
    amount,
    currency: payment.currency ?? tx.store.currency,
    decimals: decimalsOf(tx, payment),
    now: tx.engine.clock.now(),
  };
}

/** Asks the provider for a refund. @returns undefined without an answer: the provider can have made it */
export async function ask({ provider, request }: Asked): Promise<RefundAnswer | undefined> {
  try {
    return await refundsOf(provider.name).refund(request, provider.settings);
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'unavailable') return undefined;
    throw error;
  }
}

/**
 * Applies the provider's answer to a refund, or that it is not there. Does what the provider's notification does, which then changes nothing.
 * @returns the record; undefined if the payment has moved to another store meanwhile
 */
export async function settleAnswer(
  ctx: Context,
  { paymentId, request }: Asked,
  answer: RefundAnswer,
): Promise<RefundRecord | undefined> {
  const { once: _, ...rest } = ctx;
  const { refundId } = request;
  return transact(rest, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment) return undefined;
    const order = (payment.order_id === null ? undefined : await lockOrder(tx, payment.order_id)) ?? null;
    const refunds = await readRefunds(tx.db, tx.store.id, payment.id);
    const after =
      'refused' in answer
        ? withFailed(refunds, refundId, answer.refused, tx.now)
        : withNamed(refunds, { ...reportOf(answer.refund, request), ours: refundId }, tx.now);
    const now = findExecuted(after, refundId);
    if (!now) return undefined;
    const record = toRefundRecord(now, request.decimals);
    const { amount, reason } = record;
    await changeLedger(tx, { payment, order }, refunds, after, { refundId, amount, reason });
    return record;
  });
}

function reportOf({ id, status, amount, error = null }: NamedRefundFacts, request: RefundRequest) {
  const told = minorOf(amount, request.currency);
  return { id, status, amount: told === null ? request.amount : BigInt(told), toldAt: null, error };
}
