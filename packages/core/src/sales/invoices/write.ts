import { audit } from '../../audit/entry.ts';
import { customerEntity } from '../../customers/fields.ts';
import type { EndWriter, TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import type { Invoice } from '../../invoices/fields.ts';
import { insertInvoice, invoicesOfOrder, isNumberUsed } from '../../invoices/invoices.ts';
import { invoiceWordingFor } from '../../invoices/words.ts';
import { calendarOf } from '../../kernel/calendar.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { minorOf } from '../../kernel/money.ts';
import { type OrderChange, takeOrderChanges } from '../../orders/changes.ts';
import type { Order } from '../../orders/fields.ts';
import { requiresShipping } from '../../orders/fulfilments.ts';
import { lockOrder } from '../../orders/orders.ts';
import { finalOf, readDisputes } from '../../payments/disputes.ts';
import { readPaymentsOfOrder } from '../../payments/payments.ts';
import { refundedOf } from '../../payments/refund-ledger.ts';
import { readRefunds } from '../../payments/refunds.ts';
import { nextNumbers } from '../../resources/sequences.ts';
import { prepared } from '../../storage/prepared.ts';
import { withStoredSettings } from '../../stores/current.ts';
import { type Draft, dueOf, type Known, openOf, planDocuments, type RefundedMoney } from './plan.ts';

/**
 * Writes the invoices and credit notes that follow from what a transaction did to orders. Their numbers are locked until it ends, so it
 * runs after everything else that waits for locks. Emits `invoice.created`.
 */
export const invoiceWriter: EndWriter = {
  async write(tx) {
    const changes = takeOrderChanges(tx);
    if (changes.length === 0) return;
    const current = await withStoredSettings(tx);
    const planned: Planned[] = [];
    for (const change of changes) {
      const one = await planFor(current, change);
      if (one) planned.push(one);
    }
    await writePlanned(current, planned);
  },
  locksNothing: false,
};

/** The documents that are to be written for a locked order. */
interface Planned {
  order: Order;
  documents: readonly Invoice[];
  drafts: readonly Draft[];
}

async function planFor(tx: TxContext, { before, after: order }: OrderChange): Promise<Planned | undefined> {
  const begins = isMoment(tx, before, order);
  // Before it was placed and shipped, an order has no invoice.
  const isNew = before.placedAt === null && before.fulfilments.length === 0;
  const documents = isNew ? [] : await invoicesOfOrder(tx.db, tx.store.id, order.id);
  if (documents.length === 0 && !begins) return undefined;
  const money = await refundedMoney(tx, order);
  if (documents.length === 0 && dueOf(order, money) === 0n) return undefined;
  const planned = await plan(tx, order, { documents, money });
  // The same transaction can have changed its address since, for example by anonymising the buyer.
  const latest = planned && (await lockOrder(tx, order.id));
  return latest && { ...planned, order: latest };
}

/** True if the settings ask for an invoice of an order that has changed like this. */
function isMoment({ store: { settings } }: TxContext, before: Order, order: Order): boolean {
  if (!settings.invoices.enabled || settings.seller === null) return false;
  const isPaid = before.paidAt === null && order.paidAt !== null;
  const isFulfilled = before.fulfilledAt === null && order.fulfilledAt !== null;
  const shipsUnpaid = order.paidAt === null && before.fulfilments.length === 0 && order.fulfilments.length > 0;
  // Goods that require no shipping count as shipped with the payment.
  const isSent = isFulfilled || (isPaid && !requiresShipping(order));
  return shipsUnpaid || (settings.invoices.on === 'paid' ? isPaid : isSent);
}

/** Plans the documents of a locked order; undefined if it needs none. */
export function plan(tx: TxContext, order: Order, known: Known): Planned | undefined {
  const { documents, money } = known;
  if (documents.length > 0 && openOf(documents) === dueOf(order, money)) return undefined;
  const { own } = invoiceWordingFor(localeOf(tx, order));
  const sources = { order, decimals: tx.store.decimals, partOfOrder: own.partOfOrder(order.orderNumber) };
  const drafts = planDocuments(sources, known);
  return drafts.length === 0 ? undefined : { order, documents, drafts };
}

export async function refundedMoney(tx: TxContext, order: Order): Promise<RefundedMoney> {
  const none = { refunds: [], contested: 0n };
  if (order.paidAt === null || minorOf(order.refundedAmount) === 0n) return none;
  const paid = (await readPaymentsOfOrder(tx, order.id)).find(({ matched }) => matched === 'paid');
  if (!paid) return none;
  const ledger = await readRefunds(tx.db, tx.store.id, paid.id);
  const refunds = finalOf(ledger, readDisputes(paid));
  const contested = refundedOf(ledger) - refunds.reduce((sum, { amount }) => sum + amount, 0n);
  return { refunds, contested };
}

function localeOf({ store }: TxContext, { locale }: Order): string {
  return locale ?? store.settings.locale;
}

/** A document with its place: all but the number in its series is known. */
interface Placed {
  planned: Planned;
  draft: Draft;
  series: string;
  buyer: Invoice['buyer'];
}

/** Writes planned documents, each with the next number of its series. @returns them, in the order of the plans */
export async function writePlanned(tx: TxContext, all: readonly Planned[]): Promise<Invoice[]> {
  if (all.length === 0) return [];
  const { invoices, timeZone } = tx.store.settings;
  const today = dateIn(timeZone, tx.now);
  const series = {
    invoice: invoices.prefix.replaceAll('{year}', today.slice(0, 4)),
    credit_note: invoices.creditPrefix.replaceAll('{year}', today.slice(0, 4)),
  };
  const placed: Placed[] = [];
  for (const planned of all) {
    const buyer = await buyerOf(tx, planned.order);
    for (const draft of planned.drafts) placed.push({ planned, draft, series: series[draft.kind], buyer });
  }
  const numbers = await takeNumbers(tx, placed);
  const written = new Map<Draft, Invoice>();
  for (const one of placed) {
    const { draft, planned } = one;
    const place = { series: one.series, n: numbers.get(draft) ?? 0 };
    const invoice = toInvoice(tx, one, {
      today,
      number: numberOf(tx, place),
      refersTo: draft.refersTo && ('id' in draft.refersTo ? draft.refersTo : (written.get(draft.refersTo) ?? null)),
    });
    written.set(draft, invoice);
    emit(tx, 'invoice.created', invoice.id, await insertInvoice(tx, invoice, place));
    const { number, kind, total, orderId } = invoice;
    const changes = { number, kind, total, orderId, orderNumber: planned.order.orderNumber };
    audit(tx, { action: 'invoice.created', resourceType: 'invoice', resourceId: invoice.id, changes });
  }
  return [...written.values()];
}

/** The numbers of documents. Series are locked in the order of their texts, so that two transactions never deadlock on them. */
async function takeNumbers(tx: TxContext, placed: readonly Placed[]): Promise<Map<Draft, number>> {
  const numbers = new Map<Draft, number>();
  for (const series of [...new Set(placed.map((one) => one.series))].sort()) {
    for (const { draft } of placed.filter((one) => one.series === series)) {
      let n: number;
      // Another series can have come to the same text, such as "A1" with 0001 and "A" with 10001.
      do n = await nextNumbers(tx.db, { storeId: tx.store.id, name: `invoices ${series}`, count: 1 });
      while (await isNumberUsed(tx.db, tx.store.id, numberOf(tx, { series, n })));
      numbers.set(draft, n);
    }
  }
  return numbers;
}

function numberOf({ store }: TxContext, { series, n }: { series: string; n: number }): string {
  return `${series}${String(n).padStart(store.settings.invoices.digits, '0')}`;
}

function dateIn(timeZone: string, ms: number): string {
  const calendar = calendarOf(timeZone);
  if (!calendar) throw new Error(`the store's time zone ${timeZone} is not known here`);
  return calendar.dateOf(ms);
}

function toInvoice(
  tx: TxContext,
  { planned: { order, documents }, draft, buyer }: Placed,
  { today, number, refersTo }: { today: string; number: string; refersTo: Invoice | null },
): Invoice {
  const { settings, currency, decimals, id: storeId } = tx.store;
  const locale = localeOf(tx, order);
  const seller = settings.seller ?? documents.at(-1)?.seller;
  if (!seller) throw new Error('an invoice needs a seller');
  const { exempt } = invoiceWordingFor(locale).own;
  const exemption = order.taxExempt?.reason ?? null;
  // A parcel can be entered later than one that left after it.
  const sent = order.fulfilments.map(({ shippedAt }) => shippedAt).sort();
  const shipped = sent.at(-1) ?? order.paidAt;
  return {
    id: tx.engine.ids.next(tx.now),
    storeId,
    kind: draft.kind,
    number,
    cause: draft.cause,
    orderId: order.id,
    orderNumber: order.orderNumber,
    refersTo: refersTo && { id: refersTo.id, number: refersTo.number, date: refersTo.date },
    refundId: draft.refund?.refundId ?? null,
    reason: draft.refund?.reason ?? null,
    date: today,
    supplyDate: shipped === null ? today : dateIn(settings.timeZone, Date.parse(shipped)),
    locale,
    currency,
    decimals,
    seller,
    buyer,
    ...draft.body,
    exemption,
    notes: [
      exemption && exempt[exemption],
      order.taxExempt?.note,
      draft.kind === 'invoice' ? settings.invoices.note : null,
    ].filter((text): text is string => typeof text === 'string' && text !== ''),
    createdAt: toTimestamp(tx.now),
  };
}

const buyerRow = prepared<{ storeId: string; id: string }, { email: string | null; json: string | null }>((db, p) =>
  db
    .selectFrom('orders')
    .leftJoin('customers', (join) =>
      join.onRef('customers.store_id', '=', 'orders.store_id').onRef('customers.id', '=', 'orders.customer_id'),
    )
    .select(['orders.email', 'customers.json'])
    .where('orders.store_id', '=', p('storeId'))
    .where('orders.id', '=', p('id')),
);

async function buyerOf(tx: TxContext, order: Order): Promise<Invoice['buyer']> {
  const [row] = await buyerRow(tx.db, { storeId: tx.store.id, id: order.id });
  const customer = row?.json == null ? null : customerEntity.read(row.json);
  const address = order.billingAddress ?? order.shippingAddress;
  const name = [address?.firstName, address?.lastName].filter((part) => part?.trim()).join(' ');
  return {
    name: name === '' ? (customer?.name ?? null) : name,
    email: row?.email ?? customer?.email ?? null,
    vatId: order.vatId,
    address,
  };
}
