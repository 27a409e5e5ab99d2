import { rewriteEvents } from '../../deliveries/outbox.ts';
import type { TxContext } from '../../engine/context.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { toJson } from '../../kernel/json.ts';
import { forgetPayers } from '../../payments/inbox.ts';
import { readPaymentsOfOrder, toPayment, writePayment } from '../../payments/payments.ts';
import { refsOf } from '../../providers/notice.ts';
import { lockRows } from '../../storage/locks.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';

/** The payment without the payer in its details. */
export function withoutPayer(payment: PaymentTable): PaymentTable {
  if (payment.details === null) return payment;
  const { payerEmail: _, ...details } = JSON.parse(payment.details);
  return { ...payment, details: JSON.stringify(details) };
}

/** Empties the notifications about an order of an anonymised customer. Settled ones are never processed again. */
export async function forgetPayersOf(tx: TxContext, orderId: string): Promise<void> {
  const payments = await readPaymentsOfOrder(tx, orderId);
  await forgetPayers(tx, { orderIds: [orderId], refs: allRefs(payments) });
}

/** Every id by which a notification can name the payments. */
function allRefs(payments: readonly PaymentTable[]): string[] {
  return [...new Set(payments.flatMap((row) => [row.provider_payment_id, ...refsOf(JSON.parse(row.related_ids))]))];
}

/**
 * Removes the payer from the payments of up to a few hundred orders.
 * @returns every id by which a notification can name the payments
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
    const anonymous = { ...withoutPayer(row), reference: null };
    const written = await writePayment(tx, row, anonymous);
    earliest = Math.min(earliest, row.created_at);
    if (row.reference !== null) changed.set(row.id, toJson(toPayment(written)));
  }
  await rewriteEvents(tx, changed, toTimestamp(earliest));
  return allRefs(rows);
}
