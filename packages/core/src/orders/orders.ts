import { itemsOf } from '../collection/items.ts';
import { countOrder } from '../customers/figures.ts';
import type { TxContext } from '../engine/context.ts';
import { type Json, parsed, toJson } from '../kernel/json.ts';
import { minorColumn } from '../kernel/money.ts';
import { writeLabels } from '../labels/labels.ts';
import { type Quantity, withoutEnd } from '../products/stock.ts';
import { pendingCounts } from '../resources/counts.ts';
import { changedColumns, preparedChange, preparedColumn, preparedUpdate } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { OrderTable } from '../storage/tables/orders.ts';
import { noteChange } from './changes.ts';
import { orderCountValue } from './counted.ts';
import { type Order, orderEntity } from './fields.ts';
import { hasTakenStock, holdsWithoutEnd, isOffline, isPayable, requiresShipping } from './fulfilments.ts';
import { isMove } from './status.ts';
import { countTaxes } from './tax-sums.ts';
import { isToRefund } from './to-refund.ts';

const orders = itemsOf<Order>('orders', 'order', false, { entity: orderEntity });

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's order */
export const getOrderJson = orders.read;

/** Like `getOrderJson`, for use inside an application. */
export const getOrder = parsed(getOrderJson);

/** The order with that id, locked until the transaction ends; undefined if the store has no such order. */
export async function lockOrder(tx: TxContext, id: string): Promise<Order | undefined> {
  return orders.lockIfAny(tx, id);
}

/** The orders with these ids, by id, locked in the order of their ids so that two transactions never deadlock. */
export async function lockOrders(tx: TxContext, ids: readonly string[]): Promise<Map<string, Order>> {
  const locked = new Map<string, Order>();
  for (const id of [...new Set(ids)].sort()) {
    const order = await lockOrder(tx, id);
    if (order) locked.set(id, order);
  }
  return locked;
}

/** Columns of an order: its JSON text and the values that lists filter by. */
export function orderColumns(order: Order) {
  return {
    customer_id: order.customerId,
    status: order.status,
    payment_status: order.paymentStatus,
    payment_provider: order.paymentProvider,
    payment_id: order.paymentId,
    reserved_until: reservedUntil(order),
    total: minorColumn(order.total),
    placed_at: order.placedAt === null ? null : Date.parse(order.placedAt),
    to_refund: isToRefund(order),
    unpaid_offline: unpaidOffline(order),
    no_shipping: requiresShipping(order) ? 0 : 1,
    shape: orderEntity.shapeNumber,
    json: toJson(order),
  } satisfies Partial<OrderTable>;
}

/** Whether an order counts as an unpaid one without a provider; see `OrderTable`. */
function unpaidOffline(order: Order): OrderTable['unpaid_offline'] {
  if (!isPayable(order) || !isOffline(order)) return 0;
  return hasTakenStock(order) ? 2 : 1;
}

function reservedUntil(order: Order): number | null {
  if (order.reservedUntil !== null) return Date.parse(order.reservedUntil);
  return holdsWithoutEnd(order) ? withoutEnd : null;
}

const updateRow = preparedUpdate<OrderTable>('orders');

/**
 * Writes a changed, locked order, and updates the counts and the figures of its customer.
 * @param taken quantities that this change took from the stock; null if it returned all of them
 * @returns the order's JSON text, for events
 */
export async function writeOrder(
  tx: TxContext,
  before: Order,
  order: Order,
  taken?: readonly Quantity[] | null,
): Promise<Json<Order>> {
  if (order.status !== before.status && !isMove(before, order.status)) {
    throw new Error(`order ${order.id} cannot change from ${before.status} to ${order.status}`);
  }
  const columns = orderColumns(order);
  const changes = {
    ...changedColumns(orderColumns(before), columns),
    // An order that is no longer pending does not expire, whatever held it.
    ...(order.status !== before.status && order.status !== 'pending' && { reserved_until: null }),
    ...(taken && { stock_taken: JSON.stringify(taken) }),
    ...(taken === null && { stock_taken: null, stock_returned: null }),
    shape: columns.shape,
    json: columns.json,
  };
  const isWritten = await updateRow(tx.db, { store_id: tx.store.id, id: order.id, status: before.status }, changes);
  if (!isWritten) throw new Error(`order ${order.id} changed while it was locked`);
  await writeLabels(tx, 'orders', [{ before, after: order }]);
  pendingCounts(tx).move('orders.status', orderCountValue(before), orderCountValue(order));
  countOrder(tx, before, order);
  countTaxes(tx, before, order);
  noteChange(tx, before, order);
  return columns.json;
}

const expiryOf = preparedColumn<{ storeId: string; id: string }, number | null>((db, p) =>
  db.selectFrom('orders').select('reserved_until').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/** Time in milliseconds at which a locked pending order expires unless money holds it; null if it does not expire by itself. */
export async function readExpiry(tx: TxContext, { id }: Order): Promise<number | null> {
  const [at] = await expiryOf(tx.db, { storeId: tx.store.id, id });
  return at ?? null;
}

const setExpiry = preparedChange<{ storeId: string; id: string; at: number }>((db, p) =>
  db
    .updateTable('orders')
    .set({ reserved_until: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/** Sets the time at which a locked pending order expires after its reservation, unless money holds it then. */
export async function writeExpiry(tx: TxContext, { id }: Order, at: number): Promise<void> {
  await setExpiry(tx.db, { storeId: tx.store.id, id, at });
}

/** Quantities that a paid order took from the stock, and quantities already returned. */
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
  const quantities = (text: string | null): Quantity[] => (text === null ? [] : JSON.parse(text));
  return { taken: quantities(row.stock_taken), returned: quantities(row.stock_returned) };
}

const discountOf = preparedColumn<{ storeId: string; id: string }, string | null>((db, p) =>
  db.selectFrom('orders').select('discount_id').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/** The discount that counts an order as a use; null for none. */
export async function readDiscountId(tx: TxContext, order: Order): Promise<string | null> {
  // A code can also be only the caller's note, but no use is counted without one.
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
