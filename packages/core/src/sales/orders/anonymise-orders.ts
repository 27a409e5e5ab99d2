import { sql } from 'kysely';
import { forgetField } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import type { Customer } from '../../customers/fields.ts';
import { rewriteEvents } from '../../deliveries/outbox.ts';
import type { TxContext } from '../../engine/context.ts';
import { flushPending } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import type { Kept } from '../../invoices/fields.ts';
import { invoicesOfOrder, keptOf } from '../../invoices/invoices.ts';
import { breathe } from '../../kernel/breathe.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { toJson } from '../../kernel/json.ts';
import { forgetMails } from '../../mail/mails.ts';
import { type AddressSnapshot, type Order, orderEntity } from '../../orders/fields.ts';
import { writeOrder } from '../../orders/orders.ts';
import { orderSearchText, writeSearchText } from '../../orders/search.ts';
import { forgetPayers } from '../../payments/inbox.ts';
import { lockRows } from '../../storage/locks.ts';
import { unindexedText } from '../../storage/planner.ts';
import { anonymisePayments } from '../moves/anonymise-payments.ts';
import { withoutBuyers } from '../moves/expired-checkout.ts';
import { forgetWithdrawals } from './forget-withdrawals.ts';

const batchSize = 100;
// Without this, SQLite walks every order of the store by its id.
const unindexedId = unindexedText(sql.ref('id'));

/**
 * Removes the person from a customer's orders. Emits `order.updated` for each changed order.
 * @returns the invoices of these orders, which are kept
 */
export async function anonymiseOrders(tx: TxContext, customer: Customer): Promise<Kept> {
  let after = '';
  let kept = await keptOf(tx, []);
  for (;;) {
    const page = await tx.db
      .selectFrom('orders')
      .select('id')
      .where('store_id', '=', tx.store.id)
      .where('customer_id', '=', customer.id)
      .where(unindexedId, '>', after)
      .orderBy(unindexedId)
      .limit(batchSize)
      .execute();
    const orderIds = page.map(({ id }) => id);
    const last = orderIds.at(-1);
    if (last === undefined) return kept;
    after = last;
    // Payments are locked before their orders.
    await anonymisePayments(tx, orderIds);
    const rows = await lockRows(
      tx.db,
      tx.db
        .selectFrom('orders')
        .select(['id', 'json', 'search', 'email'])
        .where('store_id', '=', tx.store.id)
        .where('id', 'in', orderIds)
        .orderBy('id'),
    ).execute();
    // A second time: every transaction that held an order has committed by now, and can have written a payment of it. No other can until
    // this one ends.
    await forgetPayers(tx, { orderIds, refs: await anonymisePayments(tx, orderIds) });
    await tx.db
      .updateTable('orders')
      .set({ email: null })
      .where('store_id', '=', tx.store.id)
      .where('id', 'in', orderIds)
      .execute();
    await forgetMails(tx, { orderIds });
    const changed = new Map<string, string>();
    for (const row of rows) {
      const before = orderEntity.read(row.json);
      const anonymous = withoutPerson(before);
      const search = orderSearchText(anonymous, null);
      if (search !== row.search) await writeSearchText(tx, before, search);
      await forgetField(tx, before.id, 'metadata');
      if (JSON.stringify(anonymous) === row.json) continue;
      const json = await writeOrder(tx, before, { ...anonymous, updatedAt: toTimestamp(tx.now) });
      changed.set(before.id, json);
      audit(tx, { action: 'order.anonymised', resourceType: 'order', resourceId: before.id });
    }
    const checkouts = await withoutBuyers(
      tx,
      rows.map((row) => withoutPerson(orderEntity.read(row.json))),
    );
    // A withdrawal can come to an order from another e-mail, and an order can have one that its customer has not any more.
    const emails = rows.map(({ email }) => email).filter((email) => email !== null);
    await forgetWithdrawals(tx, { orderIds, emails });
    kept = await keptOf(tx, orderIds, kept);
    const invoices = kept.invoices === 0 ? [] : await invoiceEvents(tx, orderIds);
    await rewriteEvents(tx, new Map([...changed, ...checkouts, ...invoices]), earliest(rows));
    for (const [id, json] of changed) emit(tx, 'order.updated', id, json);
    await flushPending(tx);
    await breathe();
  }
}

/** The data of events about the invoices of orders, without the person. The invoices themselves are kept. */
async function invoiceEvents(tx: TxContext, orderIds: readonly string[]): Promise<[id: string, json: string][]> {
  const all: [string, string][] = [];
  for (const orderId of orderIds) {
    for (const invoice of await invoicesOfOrder(tx.db, tx.store.id, orderId)) {
      const buyer = { name: null, email: null, vatId: null, address: withoutName(invoice.buyer.address) };
      const lines = invoice.lines.map((line) => ({ ...line, options: {} }));
      all.push([invoice.id, toJson({ ...invoice, buyer, lines, notes: [] })]);
    }
  }
  return all;
}

function earliest(rows: readonly { json: string }[]): string {
  return rows.map((row) => (JSON.parse(row.json) as Order).createdAt).reduce((a, b) => (a < b ? a : b));
}

function withoutPerson(order: Order): Order {
  const { payerEmail: _, ...details } = order.paymentDetails ?? {};
  return {
    ...order,
    paymentDetails: order.paymentDetails && details,
    shippingAddress: withoutName(order.shippingAddress),
    billingAddress: withoutName(order.billingAddress),
    customerNote: null,
    taxExempt: order.taxExempt && { ...order.taxExempt, note: null },
    vatId: null,
    metadata: {},
    giftNote: null,
    items: order.items.map((item) => ({ ...item, options: {} })),
  };
}

/** The address with only region and country, by which the order was taxed. */
function withoutName(address: AddressSnapshot | null): AddressSnapshot | null {
  return (
    address && {
      firstName: null,
      lastName: null,
      address1: null,
      address2: null,
      city: null,
      region: address.region,
      postalCode: null,
      country: address.country,
      company: null,
      phone: null,
    }
  );
}
