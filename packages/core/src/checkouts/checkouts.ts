import type { Context, TxContext } from '../engine/context.ts';
import type { StoreContext } from '../engine/store.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type Order, orderEntity } from '../orders/fields.ts';
import { isOffline } from '../orders/fulfilments.ts';
import { orderLink } from '../orders/link.ts';
import { lockOrder } from '../orders/orders.ts';
import { lockPaymentsOfOrder } from '../payments/payments.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared, preparedColumn, preparedInsert, preparedUpdate } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { CheckoutTable } from '../storage/tables/checkouts.ts';
import type { PaymentTable } from '../storage/tables/payments.ts';
import { withCurrentStore } from '../stores/current.ts';
import type { Checkout, CheckoutFacts, CheckoutStatus } from './fields.ts';
import { requireSecret } from './secret.ts';

/**
 * The outcome of a checkout: its order's number, state and totals, and nothing about the buyer.
 * @param options.secret of the checkout: with it, the answer has the address of the buyer's page of the order
 * @throws CommerceError `notFound`, also for a malformed id and for the id of another store's checkout; `forbidden` for a wrong secret
 */
export async function getCheckout(
  given: Context,
  id: string,
  { secret }: { secret?: string | undefined } = {},
): Promise<Checkout> {
  const ctx = await withCurrentStore(given);
  const row = await findCheckout(ctx, id);
  if (secret !== undefined) requireSecret(ctx, row, secret);
  // An actor who can see the checkout might not be allowed to see its order.
  const [json] = await reading(ctx.engine.storage, (db) => orderJson(db, { storeId: ctx.store.id, id: row.order_id }));
  if (json === undefined) throw notFound('checkout', id);
  const checkout = toCheckout(ctx, row, orderEntity.read(json));
  // The key and the id are not enough: only the secret proves that the caller is the buyer.
  return { ...checkout, orderUrl: secret === undefined ? null : await orderUrlOf(ctx, checkout) };
}

/** The address of the buyer's page of the order of a checkout; null before it is paid or placed, and if the shop has no such page. */
export async function orderUrlOf({ engine, store }: Context, checkout: CheckoutFacts): Promise<string | null> {
  const { status, orderId } = checkout;
  if (status !== 'paid' && status !== 'placed') return null;
  const { orderUrl } = store.settings;
  return reading(engine.storage, (db) => orderLink(db, store.id, orderUrl, orderId, engine.clock.now()));
}

const orderJson = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
  db.selectFrom('orders').select('json').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

const byId = prepared<{ storeId: string; id: string }, CheckoutTable>((db, p) =>
  db.selectFrom('checkouts').selectAll().where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/** @throws CommerceError `notFound` */
export async function findCheckout(ctx: Context, id: string): Promise<CheckoutTable> {
  if (!isId(id)) throw notFound('checkout', id);
  const [row] = await reading(ctx.engine.storage, (db) => byId(db, { storeId: ctx.store.id, id }));
  if (!row) throw notFound('checkout', id);
  return row;
}

const ofOrder = prepared<{ storeId: string; orderId: string }, CheckoutTable>((db, p) =>
  lockRows(
    db,
    db.selectFrom('checkouts').selectAll().where('store_id', '=', p('storeId')).where('order_id', '=', p('orderId')),
  ),
);

/** The checkout of a locked order, locked. Checkouts are locked after their order. */
export async function lockCheckoutOf(tx: TxContext, orderId: string): Promise<CheckoutTable | undefined> {
  const [row] = await ofOrder(tx.db, { storeId: tx.store.id, orderId });
  return row;
}

/** A checkout with its order and the order's payments, all locked. */
export interface LockedCheckout {
  row: CheckoutTable;
  order: Order;
  payments: PaymentTable[];
}

/** @throws CommerceError `notFound` if the order has been erased in the meantime */
export async function lockCheckout(tx: TxContext, { id, order_id }: CheckoutTable): Promise<LockedCheckout> {
  const payments = await lockPaymentsOfOrder(tx, order_id);
  const order = await lockOrder(tx, order_id);
  const row = order && (await lockCheckoutOf(tx, order_id));
  if (!order || !row) throw notFound('checkout', id);
  return { row, order, payments };
}

const insertRow = preparedInsert<CheckoutTable>('checkouts');
const updateRow = preparedUpdate<CheckoutTable>('checkouts');

export async function insertCheckout(tx: TxContext, row: CheckoutTable): Promise<void> {
  await insertRow(tx.db, [row]);
}

/** Changes columns of a locked checkout. */
export async function writeCheckout(
  tx: TxContext,
  row: CheckoutTable,
  changes: Partial<Omit<CheckoutTable, 'store_id' | 'id' | 'order_id'>>,
): Promise<CheckoutTable> {
  // The address of a checkout without a page counts for an hour, whatever becomes of it.
  const isOver = row.state !== 'closed' && (changes.state === 'closed' || changes.state === 'failed');
  const changed = { ...changes, ...(isOver && { address_hash: null }), updated_at: tx.now };
  await updateRow(tx.db, { store_id: tx.store.id, id: row.id }, changed);
  return { ...row, ...changed };
}

/** The fields of a checkout, in the order in which they are printed. The only place that lists them. */
export function toCheckout({ engine, store }: Context, row: CheckoutTable, order: Order): CheckoutFacts {
  const status = statusOf(row, order);
  const isPayable = status === 'open' && row.state === 'open' && row.expires_at > engine.clock.now();
  return {
    id: row.id,
    orderId: order.id,
    orderNumber: order.orderNumber,
    provider: row.provider,
    url: isPayable ? row.url : null,
    status,
    subtotal: order.subtotal,
    discount: order.discount,
    shipping: order.shipping,
    tax: order.tax,
    total: order.total,
    currency: order.currency,
    instructions: instructionsOf(store, order),
    expiresAt: row.provider === null ? order.reservedUntil : toTimestamp(row.expires_at),
  };
}

/** The state of a checkout, derived from its order's. */
function statusOf(row: CheckoutTable, order: Order): CheckoutStatus {
  if (order.paidAt !== null) return 'paid';
  if (order.status !== 'cancelled') {
    if (order.paymentStatus === 'processing') return 'processing';
    return isOffline(order) ? 'placed' : 'open';
  }
  if (row.state === 'failed') return 'failed';
  return order.cancelReason === 'expired' ? 'expired' : 'cancelled';
}

/** What the settings tell the buyer of an unpaid order to do, with its number and amount; null for nothing. */
export function instructionsOf({ settings }: Pick<StoreContext, 'settings'>, order: Order): string | null {
  const { paymentOption, paidAt, status } = order;
  if (paymentOption === null || paidAt !== null || status === 'cancelled') return null;
  const text = settings.paymentMethods.find(({ id }) => id === paymentOption.id)?.instructions;
  return text == null
    ? null
    : text.replace(/\{(orderNumber|total|currency)\}/g, (_, name: 'orderNumber') => order[name]);
}
