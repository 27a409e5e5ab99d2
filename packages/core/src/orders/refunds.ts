import { sql } from 'kysely';
import type { z } from 'zod';
import { toTimestamp } from '../clock.ts';
import { audit, type Context, emit, type TxContext } from '../context.ts';
import { CommerceError, invalid, notFound, quote } from '../errors.ts';
import type { List } from '../json.ts';
import { formatMoney, type Minor, parseMoney } from '../money.ts';
import { paging } from '../paging.ts';
import { fields, parse, text } from '../parse.ts';
import { money } from '../products/fields.ts';
import { preparedInsert } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import { reading, transact } from '../transaction.ts';
import type { Order } from './fields.ts';
import { lockOrder, readOrder, writeOrder } from './orders.ts';
import {
  countedOf,
  type NamedRefund,
  noteNamed,
  noteTotal,
  type Refund,
  recordOwn,
  refundedOf,
} from './refund-ledger.ts';
import type { OrderRefundTable } from './table.ts';

/** A refund as it is answered. */
export interface RefundRecord {
  /** The provider's id of the refund, or one of ours where none was given. */
  refundId: string;
  /** A decimal string in the order's currency. */
  amount: string;
  recordedAt: string;
}

/** The input of a refund in a currency with that many decimals. */
export function refundFields(decimals: number) {
  return fields({
    amount: money(decimals),
    reason: text(1000).nullable().optional(),
    refundId: text(255, 1).nullable().optional(),
  });
}
export type RefundInput = z.input<ReturnType<typeof refundFields>>;

/**
 * Records a refund that was made at the provider; it moves no money. With a `refundId` that is known already, and the same
 * amount, it answers the record that there is. Emits `order.refunded` and `order.updated`.
 * @throws CommerceError `validation` on `amount` when it is nothing or more than is left of the total; `notFound`; `conflict`
 * when the order is not paid, or the `refundId` is known with another amount.
 */
export async function refundOrder(ctx: Context, id: string, input: RefundInput): Promise<RefundRecord> {
  const { decimals } = ctx.store;
  const given = parse(refundFields(decimals), input);
  const amount = parseMoney(given.amount, decimals) ?? 0n;
  if (amount === 0n) throw invalid('amount', `must be more than nothing, not ${quote(input.amount)}`);
  return transact(ctx, async (tx) => {
    const order = await lockOrder(tx, id);
    if (!order) throw notFound('order', id);
    const refunds = await readRefunds(tx.db, order);
    const known = given.refundId ? refunds.find((refund) => refund.refundId === given.refundId) : undefined;
    if (known) {
      if (known.amount === amount && known.status !== 'failed') return toRecord(known, decimals);
      const reason = `${quote(given.refundId)} is recorded with ${formatMoney(known.amount, decimals)}${known.status === 'failed' ? ', and failed' : ''}`;
      throw new CommerceError('conflict', `refundId ${reason}`, { details: [{ field: 'refundId', reason }] });
    }
    if (order.paidAt === null) {
      throw new CommerceError('conflict', `order ${order.orderNumber} is not paid, so there is nothing to refund`);
    }
    const refundId = given.refundId ?? tx.engine.ids.next(tx.now);
    const after = recordOwn(refunds, { refundId, named: Boolean(given.refundId), amount, now: tx.now });
    // By the ledger, not by the sum: it may be what a running total has told already.
    if (refundedOf(after) > minorOf(order.total, decimals)) {
      const left = minorOf(order.total, decimals) - minorOf(order.refundedAmount, decimals);
      throw invalid(
        'amount',
        `must be at most ${formatMoney(left, decimals)}, which is left of ${order.total}, not ${quote(input.amount)}`,
      );
    }
    await writeLedger(tx, order, refunds, after, { refundId, amount: given.amount, reason: given.reason ?? null });
    return toRecord(after.at(-1) as Refund, decimals);
  });
}

export const RefundQuery = fields(paging);
export type RefundQueryInput = z.input<typeof RefundQuery>;

/**
 * The refunds of an order that count, oldest first.
 * @throws CommerceError `notFound`; `validation` for a window out of range.
 */
export async function listRefunds(ctx: Context, id: string, query: RefundQueryInput = {}): Promise<List<RefundRecord>> {
  const { limit, offset } = parse(RefundQuery, query);
  const order = JSON.parse(await readOrder(ctx, id)) as Order;
  const refunds = await reading(ctx.engine.storage, (db) => readRefunds(db, order));
  const counted = countedOf(refunds).sort((a, b) => a.recordedAt - b.recordedAt);
  const items = counted.slice(offset, offset + limit).map((refund) => toRecord(refund, ctx.store.decimals));
  return { items, total: counted.length };
}

/**
 * Notes what a provider says about one refund of a locked, paid order. Emits `order.refunded` when more is refunded than
 * before, and `order.updated` when the order changes.
 */
export async function noteProviderRefund(tx: TxContext, order: Order, refund: NamedRefund): Promise<boolean> {
  const refunds = await readRefunds(tx.db, order);
  return writeLedger(tx, order, refunds, noteNamed(refunds, refund, tx.now), {
    refundId: refund.id,
    amount: formatMoney(refund.amount, tx.store.decimals),
    status: refund.status,
  });
}

/** Notes a provider's running total of what was refunded of a locked, paid order. Emits as `noteProviderRefund`. */
export async function noteRefundedTotal(tx: TxContext, order: Order, total: Minor): Promise<boolean> {
  const refunds = await readRefunds(tx.db, order);
  const after = noteTotal(refunds, total, `total-${order.paymentId}`, tx.now);
  return writeLedger(tx, order, refunds, after, { runningTotal: formatMoney(total, tx.store.decimals) });
}

async function readRefunds(db: Db, order: Order): Promise<Refund[]> {
  const rows = await db
    .selectFrom('order_refunds')
    .selectAll()
    .where('store_id', '=', order.storeId)
    .where('order_id', '=', order.id)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    refundId: row.refund_id,
    origin: row.origin,
    named: row.named === 1,
    amount: BigInt(row.amount),
    status: row.status,
    recordedAt: row.recorded_at,
  }));
}

const writeRefunds = preparedInsert<OrderRefundTable>('order_refunds', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['store_id', 'order_id', 'refund_id']).doUpdateSet({
      amount: sql<number>`excluded.amount`,
      status: sql<'pending'>`excluded.status`,
    } as never),
  ),
);

/** Writes what changed in the ledger, and what follows for the order. True when anything changed. */
async function writeLedger(
  tx: TxContext,
  before: Order,
  refunds: readonly Refund[],
  after: readonly Refund[],
  facts: Record<string, unknown>,
): Promise<boolean> {
  const changed = after.filter((refund) => !refunds.some((old) => same(old, refund)));
  if (changed.length === 0) return false;
  await writeRefunds(
    tx.db,
    changed.map((refund) => ({
      store_id: tx.store.id,
      order_id: before.id,
      refund_id: refund.refundId,
      origin: refund.origin,
      named: refund.named ? 1 : 0,
      amount: Number(refund.amount),
      status: refund.status,
      recorded_at: refund.recordedAt,
      position: after.indexOf(refund),
    })),
  );
  const [was, is] = [refundedOf(refunds), refundedOf(after)];
  if (was === is) return true;
  const order = refunded(tx, before, is);
  const json = await writeOrder(tx, before, order);
  if (is > was) emit(tx, 'order.refunded', order.id, json);
  emit(tx, 'order.updated', order.id, json);
  audit(tx, {
    action: is > was ? 'order.refunded' : 'order.refund_failed',
    resourceType: 'order',
    resourceId: order.id,
    changes: { ...facts, refundedAmount: { from: before.refundedAmount, to: order.refundedAmount } },
  });
  return true;
}

function same(a: Refund, b: Refund): boolean {
  return a.refundId === b.refundId && a.amount === b.amount && a.status === b.status;
}

/** The order with that much of it refunded. A cancelled one stays cancelled. */
function refunded(tx: TxContext, order: Order, sum: Minor): Order {
  const { decimals } = tx.store;
  const total = minorOf(order.total, decimals);
  const amount = sum > total ? total : sum;
  const whole = amount === total;
  const paid = order.fulfilledAt === null ? 'paid' : 'fulfilled';
  return {
    ...order,
    refundedAmount: formatMoney(amount, decimals),
    paymentStatus: amount === 0n ? 'succeeded' : whole ? 'refunded' : 'partially_refunded',
    status: order.status === 'cancelled' ? 'cancelled' : whole ? 'refunded' : paid,
    updatedAt: toTimestamp(tx.now),
  };
}

function minorOf(amount: string, decimals: number): Minor {
  return parseMoney(amount, decimals) ?? 0n;
}

function toRecord({ refundId, amount, recordedAt }: Refund, decimals: number): RefundRecord {
  return { refundId, amount: formatMoney(amount, decimals), recordedAt: toTimestamp(recordedAt) };
}
