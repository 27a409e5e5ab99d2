import { sql } from 'kysely';
import type * as z from 'zod';
import type { Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { List } from '../kernel/json.ts';
import { currencyDecimals, formatMoney, readMoney } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { boundedPage } from '../resources/bounded.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import { lockRows } from '../storage/locks.ts';
import { unindexedText } from '../storage/planner.ts';
import { prepared, preparedChange, preparedInsert } from '../storage/prepared.ts';
import { reading, snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { PaymentTable } from '../storage/tables/payments.ts';
import { readDisputes } from './disputes.ts';
import { type Payment, PaymentQuery, type PaymentQueryInput, type PaymentSource, unmatchedValues } from './fields.ts';

/** @throws CommerceError `notFound`, also for the id of another store's payment and for a malformed one. */
export async function getPayment(ctx: Context, id: string): Promise<Payment> {
  refusePublic(ctx);
  if (!isId(id)) throw notFound('payment', id);
  const [row] = await reading(ctx.engine.storage, (db) => paymentRow(db, { storeId: ctx.store.id, id }));
  if (!row) throw notFound('payment', id);
  return toPayment(row);
}

/**
 * A page of the store's payments, newest first, with the exact total of matching payments.
 * @throws CommerceError `validation` for a filter or a window out of range.
 */
export async function listPayments(ctx: Context, query: PaymentQueryInput = {}): Promise<List<Payment>> {
  refusePublic(ctx);
  const filters = parse(PaymentQuery, query);
  const { limit, offset, orderId } = filters;
  const storeId = ctx.store.id;
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const ofStore = db.selectFrom('payments').where('store_id', '=', storeId);
    const counts = orderId === undefined ? await listCounts(db, storeId, 'payments') : undefined;
    const wanted = filtersOf(filters).map((filter) => ({ ...filter, n: counts ? sumOf(counts, [filter]) : 0 }));
    // Walks the payments only by the index of the rarest filter.
    const rarest = counts && wanted.filter(({ isIndexed }) => isIndexed).sort((a, b) => a.n - b.n)[0];
    // Payments of several kinds are not in the order of the list.
    if (rarest && rarest.values.length > 1 && rarest.n > maxRows) return undefined;
    let among = orderId === undefined ? ofStore : ofStore.where('order_id', '=', orderId);
    if (rarest) {
      among = among.where(rarest.column, 'in', rarest.values);
      // Literals: with parameters, neither engine sees that the partial indexes apply.
      if (rarest.column === 'matched') among = among.where(notPaid);
      if (rarest.column === 'status') among = among.where(notSucceeded);
      if (rarest.column === 'dispute_status') among = among.where(openDispute);
    }
    let matches = among;
    for (const filter of wanted) {
      if (filter === rarest) continue;
      matches = matches.where(unindexedText(sql.ref(filter.column)), 'in', filter.values);
    }
    const known = counts && { count: rarest?.n ?? sumOf(counts, []), total: sumOf(counts, wanted) };
    // Ids begin with the time.
    const page = await boundedPage(db, { among, matches, ...known }, { limit, offset }, ['id'], maxRows);
    const rows = await page?.rows.selectAll().execute();
    if (!page || !rows || !page.isComplete(rows.length)) return undefined;
    return { items: rows.map(toPayment), total: page.total };
  });
}

const notPaid = sql<boolean>`matched is not null and matched <> 'paid'`;
const notSucceeded = sql<boolean>`status <> 'succeeded'`;
const openDispute = sql<boolean>`dispute_status = 'open'`;

interface Filter {
  column: 'matched' | 'status' | 'provider' | 'dispute_status';
  values: readonly string[];
  /** True when an index leads to the payments that match. */
  isIndexed: boolean;
}

function filtersOf({ matched, status, provider, unmatched, disputed }: z.output<typeof PaymentQuery>): Filter[] {
  const filters: Filter[] = [];
  if (matched) filters.push({ column: 'matched', values: [matched], isIndexed: matched !== 'paid' });
  if (unmatched) filters.push({ column: 'matched', values: unmatchedValues, isIndexed: true });
  if (status) filters.push({ column: 'status', values: [status], isIndexed: status !== 'succeeded' });
  if (disputed) filters.push({ column: 'dispute_status', values: ['open'], isIndexed: true });
  if (provider) filters.push({ column: 'provider', values: [provider], isIndexed: true });
  return filters;
}

/** Total of payments for any filters except the order: counts are kept per combination and summed here. */
function sumOf(counts: ReadonlyMap<string, number>, filters: readonly Filter[]): number {
  let total = 0;
  for (const [value, n] of counts) {
    const [provider = '', status = '', matched = '', dispute_status = ''] = value.split(' ');
    const payment = { provider, status, matched, dispute_status };
    if (filters.every(({ column, values }) => values.includes(payment[column]))) total += n;
  }
  return total;
}

function countValue({ provider, status, matched, dispute_status }: PaymentTable): string {
  return `${provider} ${status} ${matched ?? '-'} ${dispute_status ?? '-'}`;
}

/** The fields of a payment, in the order in which they are printed; stated nowhere else. */
export function toPayment(row: PaymentTable): Payment {
  const decimals = decimalsOf(row.currency);
  const format = (minor: number) => formatMoney(BigInt(minor), decimals);
  return {
    id: row.id,
    storeId: row.store_id,
    provider: row.provider as PaymentSource,
    providerPaymentId: row.provider_payment_id,
    relatedIds: JSON.parse(row.related_ids),
    orderId: row.order_id,
    status: row.status,
    amount: row.amount === null ? null : format(row.amount),
    currency: row.currency,
    capturedAmount: format(row.captured),
    refundedAmount: format(row.refunded),
    disputes: readDisputes(row).map(({ id, amount, reason, status, dueAt, updatedAt }) => ({
      id,
      amount: format(amount),
      reason,
      status,
      dueAt: dueAt === null ? null : toTimestamp(dueAt),
      updatedAt: toTimestamp(updatedAt),
    })),
    matched: row.matched,
    method: row.method,
    reference: row.reference,
    dismissedAt: row.dismissed_at === null ? null : toTimestamp(row.dismissed_at),
    paidAt: row.paid_at === null ? null : toTimestamp(row.paid_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

function decimalsOf(currency: string | null): number {
  return (currency === null ? undefined : currencyDecimals(currency)) ?? 2;
}

/** A provider's amount in minor units; null when it is not an amount of a currency that ISO 4217 lists. */
export function minorOf(amount: string | null, currency: string | null): number | null {
  const decimals = currency === null ? undefined : currencyDecimals(currency);
  const minor = amount === null || decimals === undefined ? undefined : readMoney(amount, decimals);
  return minor === undefined ? null : Number(minor);
}

const paymentRow = prepared<{ storeId: string; id: string }, PaymentTable>((db, p) =>
  db.selectFrom('payments').selectAll().where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

const lockedRow = prepared<{ storeId: string; id: string }, PaymentTable>((db, p) =>
  lockRows(db, db.selectFrom('payments').selectAll().where('store_id', '=', p('storeId')).where('id', '=', p('id'))),
);

const ofOrder = (db: Db, storeId: string, orderId: string) =>
  db.selectFrom('payments').selectAll().where('store_id', '=', storeId).where('order_id', '=', orderId).orderBy('id');

const rowsOfOrder = prepared<{ storeId: string; orderId: string }, PaymentTable>((db, p) =>
  ofOrder(db, p('storeId'), p('orderId')),
);

const lockedRowsOfOrder = prepared<{ storeId: string; orderId: string }, PaymentTable>((db, p) =>
  lockRows(db, ofOrder(db, p('storeId'), p('orderId'))),
);

/** The payment with that id, locked until the transaction ends. Payments are locked before their order. */
export async function lockPayment(tx: TxContext, id: string): Promise<PaymentTable | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await lockedRow(tx.db, { storeId: tx.store.id, id });
  return row;
}

/** All payments linked to an order, in the order of their ids, locked. Payments are locked before their order. */
export async function lockPaymentsOfOrder(tx: TxContext, orderId: string): Promise<PaymentTable[]> {
  // Refuses every other text, such as NUL, which PostgreSQL cannot take.
  return !isId(orderId) ? [] : lockedRowsOfOrder(tx.db, { storeId: tx.store.id, orderId });
}

/** All payments linked to an order. While the order is locked, none of them can change. */
export async function readPaymentsOfOrder(tx: TxContext, orderId: string): Promise<PaymentTable[]> {
  return rowsOfOrder(tx.db, { storeId: tx.store.id, orderId });
}

const insertRow = preparedInsert<PaymentTable>('payments');

type Changing = Omit<PaymentTable, 'store_id' | 'id' | 'provider' | 'created_at'>;

const updateRow = preparedChange<{ storeId: string; id: string } & Changing>((db, p) =>
  db
    .updateTable('payments')
    .set({
      provider_payment_id: p('provider_payment_id'),
      provider_order: p('provider_order'),
      order_id: p('order_id'),
      status: p('status'),
      version: p('version'),
      amount: p('amount'),
      currency: p('currency'),
      captured: p('captured'),
      refunded: p('refunded'),
      matched: p('matched'),
      wrong_payee: p('wrong_payee'),
      reference: p('reference'),
      method: p('method'),
      details: p('details'),
      related_ids: p('related_ids'),
      disputes: p('disputes'),
      dispute_status: p('dispute_status'),
      dispute_due_at: p('dispute_due_at'),
      status_since: p('status_since'),
      dismissed_at: p('dismissed_at'),
      paid_at: p('paid_at'),
      updated_at: p('updated_at'),
    })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/**
 * Writes a payment over the locked one, or as a new one, and updates the counts. An unchanged payment is not written.
 * @returns the payment with its new `updated_at`, or `before` itself when nothing changed
 */
export async function writePayment(
  tx: TxContext,
  before: PaymentTable | null,
  payment: PaymentTable,
): Promise<PaymentTable> {
  if (before && JSON.stringify({ ...payment, updated_at: before.updated_at }) === JSON.stringify(before)) return before;
  const written = { ...payment, updated_at: tx.now };
  if (before) {
    const { store_id, id, provider: _, created_at: __, ...changing } = written;
    await updateRow(tx.db, { storeId: store_id, id, ...changing });
  } else {
    await insertRow(tx.db, [written]);
  }
  pendingCounts(tx).move('payments', before ? countValue(before) : undefined, countValue(written));
  return written;
}

/** Deletes a locked payment that turned out to belong to another store, with its refunds and ids. */
export async function deletePayment(tx: TxContext, payment: PaymentTable): Promise<void> {
  const { store_id, id, provider } = payment;
  await tx.db.deleteFrom('payments').where('store_id', '=', store_id).where('id', '=', id).execute();
  await tx.db.deleteFrom('payment_refunds').where('store_id', '=', store_id).where('payment_id', '=', id).execute();
  await tx.db
    .deleteFrom('payment_refs')
    .where('store_id', '=', store_id)
    .where('provider', '=', provider)
    .where('payment_id', '=', id)
    .execute();
  pendingCounts(tx).move('payments', countValue(payment), undefined);
}
