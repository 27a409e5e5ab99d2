import type { Context } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import type { Invoice } from '../../invoices/fields.ts';
import { invoicesOfOrder } from '../../invoices/invoices.ts';
import { CommerceError, notFound } from '../../kernel/errors.ts';
import { lockOrder } from '../../orders/orders.ts';
import { withStoredSettings } from '../../stores/current.ts';
import { dueOf, openOf } from './plan.ts';
import { plan, refundedMoney, writePlanned } from './write.ts';

/**
 * Writes the invoice of an order now, whatever `invoices.on` says, also if invoices are not written by themselves. What was refunded before
 * gets its credit notes. Emits `invoice.created` for each.
 * @returns the invoice
 * @throws CommerceError `notFound`; `conflict` if the order has an open invoice, is neither paid nor placed, if nothing is left to invoice,
 * or if the store's settings name no seller
 */
export async function issueInvoice(ctx: Context, orderId: string): Promise<Invoice> {
  return transact(ctx, async (given) => {
    const tx = await withStoredSettings(given);
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound('order', orderId);
    const refused = (why: string, reason: 'orderStatus' | 'taken' = 'orderStatus') =>
      new CommerceError('conflict', `order ${order.orderNumber} gets no invoice: ${why}`, { reason });
    const documents = await invoicesOfOrder(tx.db, tx.store.id, orderId);
    const known = documents.find(({ kind }) => kind === 'invoice');
    if (known && openOf(documents) > 0n) throw refused(`it has the invoice ${known.number}`, 'taken');
    if (order.paidAt === null && order.placedAt === null) throw refused('it is neither paid nor placed');
    const money = await refundedMoney(tx, order);
    if (dueOf(order, money) === 0n) throw refused('nothing of it is left to invoice');
    if (tx.store.settings.seller === null) throw refused("the store's settings name no seller");
    const planned = plan(tx, order, { documents, money });
    const [invoice] = planned ? await writePlanned(tx, [planned]) : [];
    if (!invoice) throw refused('nothing of it is left to invoice');
    return invoice;
  });
}
