import type { Context, TxContext } from '../context.ts';
import { fromJson, type Json, type List, toJson } from '../json.ts';
import { parse } from '../parse.ts';
import type { Quantity } from '../products/stock.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import { itemsOf } from '../resources/items.ts';
import { listJson } from '../resources/list-json.ts';
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
  const { limit, offset, status, paymentStatus, customerId, orderNumber } = parse(OrderQuery, query);
  const storeId = ctx.store.id;
  return snapshotOrScan(ctx, async (db, maxRows) => {
    let matches = db.selectFrom('orders').where('store_id', '=', storeId);
    if (status) matches = matches.where('status', '=', status);
    if (paymentStatus) matches = matches.where('payment_status', '=', paymentStatus);
    if (customerId) matches = matches.where('customer_id', '=', customerId);
    if (orderNumber) matches = matches.where('number', '=', parseOrderNumber(orderNumber));
    const total =
      customerId || orderNumber
        ? (await matches.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
        : await countByStatus(db, storeId, status, paymentStatus);
    if (Math.min(offset, total) > maxRows) return undefined;
    const page = matches.select('json').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset);
    return (await listJson<Order>(db, page, String(total)).executeTakeFirstOrThrow()).list;
  });
}

/** As `listOrdersJson`, for use inside an application. */
export async function listOrders(ctx: Context, query: OrderQueryInput = {}): Promise<List<Order>> {
  return fromJson(await listOrdersJson(ctx, query));
}

/** Number of the customer's orders. */
export async function countOrdersOf(tx: TxContext, customerId: string): Promise<number> {
  const { n } = await tx.db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('store_id', '=', tx.store.id)
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return n;
}

/** Total for either filter, or both: counts are kept per pair of statuses and summed here. */
async function countByStatus(db: Db, storeId: string, status?: string, paymentStatus?: string): Promise<number> {
  const counts = await listCounts(db, storeId, 'orders.status');
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
