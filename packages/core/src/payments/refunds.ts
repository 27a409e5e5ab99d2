import { sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { addToMap, perTransaction } from '../engine/per-transaction.ts';
import { prepared, preparedInsert } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { PaymentRefundTable } from '../storage/tables/payments.ts';
import type { Refund } from './refund-ledger.ts';

const refundRows = prepared<{ storeId: string; paymentId: string }, PaymentRefundTable>((db, p) =>
  db
    .selectFrom('payment_refunds')
    .selectAll()
    .where('store_id', '=', p('storeId'))
    .where('payment_id', '=', p('paymentId'))
    .orderBy('position'),
);

/** The ledger of a payment's refunds, in the order in which they first became known. */
export async function readRefunds(db: Db, storeId: string, paymentId: string): Promise<Refund[]> {
  const rows = await refundRows(db, { storeId, paymentId });
  return rows.map(toRefund);
}

/** An entry of a ledger from its row. */
export function toRefund(row: PaymentRefundTable): Refund {
  return {
    refundId: row.refund_id,
    origin: row.origin,
    named: row.named === 1,
    amount: BigInt(row.amount),
    status: row.status,
    toldAt: row.told_at,
    recordedAt: row.recorded_at,
    statusSince: row.status_since,
    providerId: row.provider_refund_id,
    error: row.error,
    reason: row.reason,
    lines: row.lines === null ? null : JSON.parse(row.lines),
    shipping: row.shipping === 1,
    restocked: row.restocked === 1,
    askAt: row.ask_at,
    requestName: row.request_name,
    requestPrint: row.request_print,
  };
}

const putRefunds = preparedInsert<PaymentRefundTable>('payment_refunds', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['store_id', 'payment_id', 'position']).doUpdateSet({
      origin: sql`excluded.origin`,
      amount: sql`excluded.amount`,
      status: sql`excluded.status`,
      told_at: sql`excluded.told_at`,
      status_since: sql`excluded.status_since`,
      provider_refund_id: sql`excluded.provider_refund_id`,
      error: sql`excluded.error`,
      ask_at: sql`excluded.ask_at`,
    } as never),
  ),
);

/** A ledger before and after what a transaction has written of it. */
export interface LedgerChange {
  before: readonly Refund[];
  after: readonly Refund[];
}

const ledgerChanges = perTransaction(() => new Map<string, LedgerChange>(), addToMap);

/** The change of a payment's ledger in this transaction that has not been taken yet; undefined for none. */
export function takeLedgerChange(tx: TxContext, paymentId: string): LedgerChange | undefined {
  const changes = ledgerChanges(tx);
  const change = changes.get(paymentId);
  changes.delete(paymentId);
  return change;
}

/** The change of a payment's ledger in this transaction that has not been taken yet. It stays to be taken. */
export function ledgerChangeOf(tx: TxContext, paymentId: string): LedgerChange | undefined {
  return ledgerChanges(tx).get(paymentId);
}

/** Writes the changes in the ledger of a locked payment. @returns true when anything changed */
export async function writeRefunds(
  tx: TxContext,
  paymentId: string,
  before: readonly Refund[],
  after: readonly Refund[],
): Promise<boolean> {
  const rows = after.flatMap((refund, position): PaymentRefundTable[] => {
    const old = before[position];
    if (old && isSame(old, refund)) return [];
    return [
      {
        store_id: tx.store.id,
        payment_id: paymentId,
        position,
        refund_id: refund.refundId,
        origin: refund.origin,
        named: refund.named ? 1 : 0,
        amount: Number(refund.amount),
        status: refund.status,
        told_at: refund.toldAt,
        recorded_at: refund.recordedAt,
        status_since: refund.statusSince,
        provider_refund_id: refund.providerId,
        error: refund.error,
        reason: refund.reason,
        lines: refund.lines === null ? null : JSON.stringify(refund.lines),
        shipping: refund.shipping ? 1 : 0,
        restocked: refund.restocked ? 1 : 0,
        ask_at: refund.askAt,
        request_name: refund.requestName,
        request_print: refund.requestPrint,
      },
    ];
  });
  await putRefunds(tx.db, rows);
  if (rows.length > 0) {
    const changes = ledgerChanges(tx);
    changes.set(paymentId, { before: changes.get(paymentId)?.before ?? before, after });
  }
  return rows.length > 0;
}

const changing = ['amount', 'status', 'origin', 'toldAt', 'providerId', 'error', 'askAt'] as const;

function isSame(a: Refund, b: Refund): boolean {
  return changing.every((name) => a[name] === b[name]);
}
