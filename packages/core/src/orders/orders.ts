import { sql } from 'kysely';
import type { Context, TxContext } from '../context.ts';
import { fromJson, type Json, type List, toJson } from '../json.ts';
import { parse } from '../parse.ts';
import type { Quantity } from '../products/stock.ts';
import { countUpTo } from '../resources/bounded.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import { itemsOf, readNewest } from '../resources/items.ts';
import { unindexedText } from '../storage/planner.ts';
import { changedColumns, preparedColumn, preparedUpdate } from '../storage/prepared.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { type Order, OrderQuery, type OrderQueryInput } from './fields.ts';
import { isMove } from './status.ts';
import type { OrderTable } from './table.ts';

const orders = itemsOf<Order>('orders', 'order', false);

/** @throws CommerceError `notFound`, also for the id of another store's order and for a malformed one. */
export const getOrderJson = orders.read;

/** As `getOrderJson`, for use inside an application. */
export async function getOrder(ctx: Context, id: string): Promise<Order> {
  return fromJson(await getOrderJson(ctx, id));
}

/**
 * A page of the store's orders, newest first, with the exact total of matching orders.
 * @throws CommerceError `validation` for a filter or a window out of range.
 */
export async function listOrdersJson(ctx: Context, query: OrderQueryInput = {}): Promise<Json<List<Order>>> {
  const { status, paymentStatus, customerId, orderNumber, ...window } = parse(OrderQuery, query);
  const storeId = ctx.store.id;
  return snapshotOrScan(ctx, async (db, maxRows) => {
    let among = db.selectFrom('orders').where('store_id', '=', storeId);
    if (orderNumber || customerId) {
      if (orderNumber) among = among.where('number', '=', parseOrderNumber(orderNumber));
      if (customerId) among = among.where('customer_id', '=', customerId);
      let matches = among;
      // No other index is to be chosen for these: it leads to every order of that status.
      if (status) matches = matches.where(unindexedText(sql.ref('status')), '=', status);
      if (paymentStatus) matches = matches.where(unindexedText(sql.ref('payment_status')), '=', paymentStatus);
      return readNewest<Order>(db, { among, matches }, window, maxRows);
    }
    const counts = await listCounts(db, storeId, 'orders.status');
    const total = sumOf(counts, status, paymentStatus);
    // Walks the orders by the index of the rarer filter alone.
    const [rarer, other] = [
      ...(status ? [{ column: 'status' as const, value: status, n: sumOf(counts, status) }] : []),
      ...(paymentStatus
        ? [{ column: 'payment_status' as const, value: paymentStatus, n: sumOf(counts, undefined, paymentStatus) }]
        : []),
    ].sort((a, b) => a.n - b.n);
    if (rarer) among = among.where(rarer.column, '=', rarer.value);
    const matches = other ? among.where(unindexedText(sql.ref(other.column)), '=', other.value) : among;
    return readNewest<Order>(db, { among, count: rarer?.n ?? total, matches, total }, window, maxRows);
  });
}

/** As `listOrdersJson`, for use inside an application. */
export async function listOrders(ctx: Context, query: OrderQueryInput = {}): Promise<List<Order>> {
  return fromJson(await listOrdersJson(ctx, query));
}

/** Number of the customer's orders; undefined where they are more than `maxCountedOrders`. */
export async function countOrdersOf(tx: TxContext, customerId: string): Promise<number | undefined> {
  const orders = tx.db.selectFrom('orders').where('store_id', '=', tx.store.id).where('customer_id', '=', customerId);
  return countUpTo(tx.db, orders, maxCountedOrders);
}

/** Orders of a customer that are counted for a message. */
export const maxCountedOrders = 1000;

/** Total for either filter, or both: counts are kept per pair of statuses and summed here. */
function sumOf(counts: ReadonlyMap<string, number>, status?: string, paymentStatus?: string): number {
  let total = 0;
  for (const [value, n] of counts) {
    const [counted, payment] = value.split(' ');
    if ((!status || status === counted) && (!paymentStatus || paymentStatus === payment)) total += n;
  }
  return total;
}

export function orderCountValue(order: Order): string {
  return `${order.status} ${order.paymentStatus}`;
}

/** The number in `ORD-1001`; −1, which no order has, for a text of any other form. */
function parseOrderNumber(orderNumber: string): number {
  const digits = /^ORD-([1-9]\d{0,14})$/.exec(orderNumber)?.[1];
  return digits ? Number(digits) : -1;
}

/** The order with that id, locked until the transaction ends; undefined when the store has no such order. */
export async function lockOrder(tx: TxContext, id: string): Promise<Order | undefined> {
  return orders.lockIfAny(tx, id);
}

/** Columns of an order: its JSON text and the values that lists filter by. */
export function orderColumns(order: Order) {
  return {
    customer_id: order.customerId,
    status: order.status,
    payment_status: order.paymentStatus,
    payment_provider: order.paymentProvider,
    payment_id: order.paymentId,
    reserved_until: order.reservedUntil === null ? null : Date.parse(order.reservedUntil),
    json: toJson(order),
  } satisfies Partial<OrderTable>;
}

const updateRow = preparedUpdate<OrderTable>('orders');

/**
 * Writes a changed order over the locked one, and updates the counts.
 * @param taken quantities that this change took from the stock
 * @returns the order's JSON text, for events
 */
export async function writeOrder(
  tx: TxContext,
  before: Order,
  order: Order,
  taken?: readonly Quantity[],
): Promise<Json<Order>> {
  if (order.status !== before.status && !isMove(before, order.status)) {
    throw new Error(`order ${order.id} cannot change from ${before.status} to ${order.status}`);
  }
  const columns = orderColumns(order);
  const changes = {
    ...changedColumns(orderColumns(before), columns),
    ...(taken && { stock_taken: JSON.stringify(taken) }),
    json: columns.json,
  };
  const isWritten = await updateRow(tx.db, { store_id: tx.store.id, id: order.id, status: before.status }, changes);
  if (!isWritten) throw new Error(`order ${order.id} changed while it was locked`);
  pendingCounts(tx).move('orders.status', orderCountValue(before), orderCountValue(order));
  return columns.json;
}

/** Quantities that a paid order took from the stock, and those already returned. */
export async function readStockTaken(
  tx: TxContext,
  order: Order,
): Promise<{ taken: Quantity[]; returned: Quantity[] }> {
  const row = await tx.db
    .selectFrom('orders')
    .select(['stock_taken', 'stock_returned'])
    .where('store_id', '=', tx.store.id)
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow();
  // Orders written before `stock_taken` existed took the quantities of their lines.
  const taken = row.stock_taken === null ? order.items : (JSON.parse(row.stock_taken) as Quantity[]);
  return {
    taken: order.paidAt === null ? [] : taken.map(({ productId, quantity }) => ({ productId, quantity })),
    returned: row.stock_returned === null ? [] : JSON.parse(row.stock_returned),
  };
}

const discountOf = preparedColumn<{ storeId: string; id: string }, string | null>((db, p) =>
  db.selectFrom('orders').select('discount_id').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/** The discount whose uses an order counts among; null for none. */
export async function readDiscountId(tx: TxContext, order: Order): Promise<string | null> {
  // A code may also be a note of whoever created the order, but no use is counted without one.
  if (order.discountCode === null) return null;
  const [id] = await discountOf(tx.db, { storeId: tx.store.id, id: order.id });
  return id ?? null;
}

/** Records all quantities of a locked order that were returned to the stock so far. */
export async function writeStockReturned(tx: TxContext, orderId: string, returned: readonly Quantity[]): Promise<void> {
  await tx.db
    .updateTable('orders')
    .set({ stock_returned: JSON.stringify(returned) })
    .where('store_id', '=', tx.store.id)
    .where('id', '=', orderId)
    .execute();
}

const idOfOrder = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
  db.selectFrom('orders').select('id').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

export async function orderExists(db: Db, storeId: string, id: string): Promise<boolean> {
  return (await idOfOrder(db, { storeId, id })).length > 0;
}
