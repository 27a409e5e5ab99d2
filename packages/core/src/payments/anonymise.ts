import { toTimestamp } from '../clock.ts';
import type { TxContext } from '../context.ts';
import { rewriteEvents } from '../deliveries/outbox.ts';
import { toJson } from '../json.ts';
import { lockRows } from '../storage/locks.ts';
import { refsOf } from './notice.ts';
import { toPayment, writePayment } from './payments.ts';

/**
 * Removes the payer from the payments of these orders, at most a few hundred.
 * @returns every id by which notifications may name the payments
 */
export async function anonymisePayments(tx: TxContext, orderIds: readonly string[]): Promise<string[]> {
  const rows = await lockRows(
    tx.db,
    tx.db
      .selectFrom('payments')
      .selectAll()
      .where('store_id', '=', tx.store.id)
      .where('order_id', 'in', orderIds)
      .orderBy('id'),
  ).execute();
  const [first] = rows;
  if (!first) return [];
  const changed = new Map<string, string>();
  let earliest = first.created_at;
  for (const row of rows) {
    const { payerEmail: _, ...details } = row.details === null ? {} : JSON.parse(row.details);
    const anonymous = { ...row, reference: null, details: row.details && JSON.stringify(details) };
    const written = await writePayment(tx, row, anonymous);
    earliest = Math.min(earliest, row.created_at);
    if (row.reference !== null) changed.set(row.id, toJson(toPayment(written)));
  }
  await rewriteEvents(tx, changed, toTimestamp(earliest));
  return [...new Set(rows.flatMap((row) => [row.provider_payment_id, ...refsOf(JSON.parse(row.related_ids))]))];
}
