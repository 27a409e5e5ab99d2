import { sql } from 'kysely';
import type { EndWriter, TxContext } from '../engine/context.ts';
import { type PendingEvent, pendingEvents } from '../events/emit.ts';
import type { EventType } from '../events/events.ts';
import type { Order } from '../orders/fields.ts';
import type { Product } from '../products/fields.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { withStoredSettings } from '../stores/current.ts';
import { type MailFacts, type NewMail, queueMails, sendsKind, sendsMail } from './queue.ts';
import { wakeMailSenders } from './wake.ts';

/** A mail of an order, before its address is known. */
interface OrderMail {
  kind: NewMail['kind'];
  facts: MailFacts;
}

/** Events that mails follow from, with the mails: each is written once. */
const mailsOf: Partial<Record<EventType, (order: Order, about: readonly string[]) => OrderMail[]>> = {
  'order.created': (order) => [
    { kind: waitsForTransfer(order) ? 'order.payment_waiting' : 'order.confirmed', facts: { order } },
    { kind: 'owner.new_order', facts: { order } },
  ],
  // An order by transfer was placed before, and its buyer was asked for the money.
  'order.paid': (order) =>
    order.paymentOption?.kind === 'transfer' ? [{ kind: 'order.confirmed', facts: { order } }] : [],
  'order.shipped': (order, parcels) =>
    parcels.map((parcelId) => ({ kind: 'order.shipped', facts: { order, parcelId } })),
  'order.delivered': (order) => [{ kind: 'order.delivered', facts: { order } }],
  'order.refunded': (order, amounts) => amounts.map((refund) => ({ kind: 'order.refunded', facts: { order, refund } })),
  // A checkout that expires was never an order to its buyer.
  'order.cancelled': (order) => (order.placedAt === null ? [] : [{ kind: 'order.cancelled', facts: { order } }]),
};

function waitsForTransfer({ paymentOption, paidAt }: Order): boolean {
  return paymentOption?.kind === 'transfer' && paidAt === null;
}

/** Products that one mail names. */
const maxProducts = 50;

/** The mails that follow from a transaction's events, written with it. */
export const mailWriter: EndWriter = {
  write: writeMails,
  locksNothing: true,
  committed(tx) {
    wakeMailSenders(tx);
    return undefined;
  },
};

async function writeMails(given: TxContext): Promise<void> {
  const events = [...pendingEvents(given).values()].filter(({ type }) => type === 'product.low_stock' || mailsOf[type]);
  if (events.length === 0) return;
  // An application can hold a context for days, so the context's own settings can be old.
  const tx = await withStoredSettings(given);
  if (!sendsMail(tx.store.settings.mail)) return;
  const ofOrders = events.flatMap((event) => orderMailsOf(tx, event));
  if (ofOrders.length > 0) await queueMails(tx, await addressed(tx, ofOrders));
  const low = events.filter(({ type }) => type === 'product.low_stock');
  if (low.length > 0) await warnOwner(tx, low);
}

function orderMailsOf(tx: TxContext, { type, json, about }: PendingEvent): (OrderMail & { order: Order })[] {
  const mails = mailsOf[type];
  if (!mails) return [];
  const order = JSON.parse(json) as Order;
  return mails(order, about)
    .filter(({ kind }) => sendsKind(tx.store, kind))
    .map((mail) => ({ ...mail, order }));
}

const emailsOf = preparedPerLength<{ storeId: string }, { id: string; email: string | null }>((db, p, ids) =>
  db
    .selectFrom('orders')
    .leftJoin('customers', (join) =>
      join.onRef('customers.store_id', '=', 'orders.store_id').onRef('customers.id', '=', 'orders.customer_id'),
    )
    .select([
      'orders.id',
      'orders.customer_id',
      sql<string | null>`coalesce(orders.email, customers.email)`.as('email'),
    ])
    .where('orders.store_id', '=', p('storeId'))
    .where('orders.id', 'in', ids),
);

/** Domains of RFC 2606 that no mail reaches: of demonstrations, and of anonymised buyers. */
const nowhere = ['.example', '.invalid', '.localhost'];

function canExist(email: string): boolean {
  return !nowhere.some((end) => email.toLowerCase().endsWith(end));
}

/** The mails with their addresses: that which the buyer had with the order, or the owner's. */
async function addressed(tx: TxContext, mails: readonly (OrderMail & { order: Order })[]): Promise<NewMail[]> {
  const { ownerAddress } = tx.store.settings.mail;
  const ids = [...new Set(mails.map(({ order }) => order.id))];
  const rows = await emailsOf(tx.db, { storeId: tx.store.id }, ids);
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  return mails.flatMap(({ kind, facts, order }) => {
    const isOwners = kind.startsWith('owner.');
    const email = emails.get(order.id) ?? null;
    const to = isOwners ? ownerAddress : email;
    return to === null || (email !== null && !canExist(email))
      ? []
      : [{ kind, to, facts, orderId: order.id, locale: isOwners ? null : order.locale }];
  });
}

async function warnOwner(tx: TxContext, events: readonly PendingEvent[]): Promise<void> {
  const { ownerAddress } = tx.store.settings.mail;
  if (ownerAddress === null || !sendsKind(tx.store, 'owner.low_stock')) return;
  const products = events.slice(0, maxProducts).map(({ json }) => {
    const { title, sku, stock } = JSON.parse(json) as Product;
    return { title, sku, stock };
  });
  await queueMails(tx, [{ kind: 'owner.low_stock', to: ownerAddress, facts: { products } }]);
}
