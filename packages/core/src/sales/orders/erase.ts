import { audit } from '../../audit/entry.ts';
import { countOrder } from '../../customers/figures.ts';
import type { Context } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import type { Kept } from '../../invoices/fields.ts';
import { keptOf } from '../../invoices/invoices.ts';
import { notFound } from '../../kernel/errors.ts';
import { writeLabels } from '../../labels/labels.ts';
import { noteErased } from '../../orders/changes.ts';
import { orderCountValue } from '../../orders/counted.ts';
import { lockOrder } from '../../orders/orders.ts';
import { searchRowOf } from '../../orders/search.ts';
import { countTaxes } from '../../orders/tax-sums.ts';
import { deletePayment, lockPaymentsOfOrder } from '../../payments/payments.ts';
import { countedOf } from '../../payments/refund-ledger.ts';
import { readRefunds } from '../../payments/refunds.ts';
import { releaseStock } from '../../products/stock.ts';
import { pendingCounts } from '../../resources/counts.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { deleteWithdrawalsOf } from '../../withdrawals/withdrawals.ts';
import { uncountSaleOf } from '../shares/counting.ts';

/**
 * Erases an order that was never real, such as demonstration data, with its payments and notifications. The audit log keeps its entries and
 * records the erasure. Order numbers are not reused, and stock and uses of discounts do not change. Its invoices and credit notes are kept as
 * long as `invoices.keepYears` says. Emits nothing.
 * @returns the invoices that are kept, and how long
 * @throws CommerceError `notFound`
 */
export async function eraseOrder(given: Context, id: string): Promise<{ kept: Kept }> {
  const ctx = await withCurrentStore(given);
  return transact(ctx, async (tx) => {
    // Payments are locked before their order.
    const payments = await lockPaymentsOfOrder(tx, id);
    const order = await lockOrder(tx, id);
    if (!order) throw notFound('order', id);
    const paying = payments.find(({ matched }) => matched === 'paid');
    uncountSaleOf(tx, order, paying ? countedOf(await readRefunds(tx.db, tx.store.id, paying.id)) : []);
    for (const payment of payments) await deletePayment(tx, payment);
    for (const table of ['payment_refs', 'payment_notifications'] as const) {
      await tx.db.deleteFrom(table).where('store_id', '=', tx.store.id).where('order_id', '=', id).execute();
    }
    await releaseStock(tx, id);
    const withdrawals = tx.db
      .selectFrom('withdrawals')
      .select('id')
      .where('store_id', '=', tx.store.id)
      .where('order_id', '=', id);
    await tx.db
      .deleteFrom('mails')
      .where('store_id', '=', tx.store.id)
      .where((eb) => eb.or([eb('order_id', '=', id), eb('withdrawal_id', 'in', withdrawals)]))
      .execute();
    await deleteWithdrawalsOf(tx, id);
    await tx.db.deleteFrom('checkouts').where('store_id', '=', tx.store.id).where('order_id', '=', id).execute();
    await tx.db.deleteFrom('orders').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    await writeLabels(tx, 'orders', [{ before: order }]);
    await tx.engine.storage.orderSearch.remove(tx.db, searchRowOf(tx, order.orderNumber));
    pendingCounts(tx).move('orders.status', orderCountValue(order), undefined);
    countOrder(tx, order, undefined);
    countTaxes(tx, order, undefined);
    noteErased(tx, id);
    const changes = { orderNumber: order.orderNumber, total: order.total };
    audit(tx, { action: 'order.erased', resourceType: 'order', resourceId: id, changes });
    return { kept: await keptOf(tx, [id]) };
  });
}
