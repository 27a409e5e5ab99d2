import { changedFields } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, invalid, notFound } from '../../kernel/errors.ts';
import { toJson } from '../../kernel/json.ts';
import { definedOnly, parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import {
  type Fulfilment,
  FulfilmentChangeFields,
  type FulfilmentChanges,
  FulfilmentFields,
  type FulfilmentInput,
} from '../../orders/fulfilment-fields.ts';
import { withFulfilments } from '../../orders/fulfilments.ts';
import { lockOrder, writeOrder } from '../../orders/orders.ts';
import { restockAll } from '../../orders/restock.ts';
import { writeTracking } from '../../orders/search.ts';
import { reserveStock, withoutEnd } from '../../products/stock.ts';
import { requireVersion } from '../../resources/versions.ts';
import { refundedPieces, shipOrder } from '../moves/ship.ts';

/**
 * Records a parcel of a paid order, or of an unpaid one that is paid on delivery, on pick-up or by invoice. Without `lines`, it contains all
 * that is left. The first parcel of an unpaid order takes the stock of the whole order. The last piece fulfils the order. Emits
 * `order.updated` and `order.shipped`, with the last piece `order.fulfilled`, and `product.updated` for stock that was taken.
 * @throws CommerceError `validation`, also for more pieces than are left to ship; `notFound`; `conflict` if nothing can be shipped;
 * `insufficientStock`
 */
export async function createFulfilment(
  ctx: Context,
  orderId: string,
  input: FulfilmentInput = {},
): Promise<Fulfilment> {
  const given = parse(FulfilmentFields, input);
  return transact(ctx, async (tx) => {
    const shippedAt = given.shippedAt ?? tx.now;
    checkPast(tx, 'shippedAt', shippedAt);
    const before = await locked(tx, orderId);
    requireVersion(tx, orderId, () => toJson(before));
    const parcel = { lines: given.lines, tracking: given.tracking ?? null, shippedAt };
    return (await shipOrder(tx, before, parcel)).fulfilment;
  });
}

/**
 * Changes the tracking of a parcel, or records its delivery; absent fields keep their values. Emits `order.updated`, and `order.delivered`
 * once all parcels of a fulfilled order are delivered; nothing if nothing changes.
 * @throws CommerceError `validation`, also for a time in the future or a delivery before the parcel left; `notFound`
 */
export async function updateFulfilment(
  ctx: Context,
  orderId: string,
  id: string,
  input: FulfilmentChanges,
): Promise<Fulfilment> {
  const { tracking, deliveredAt } = definedOnly(parse(FulfilmentChangeFields, input));
  return transact(ctx, async (tx) => {
    const before = await locked(tx, orderId);
    const old = parcelOf(before, id);
    if (deliveredAt != null) {
      checkPast(tx, 'deliveredAt', deliveredAt);
      if (deliveredAt < Date.parse(old.shippedAt)) {
        throw invalid('deliveredAt', `must not be before ${old.shippedAt}, when the parcel left`, {
          code: 'TOO_SMALL',
          limits: { min: old.shippedAt },
        });
      }
    }
    const changed: Fulfilment = {
      ...old,
      ...(tracking !== undefined && { tracking }),
      ...(deliveredAt !== undefined && { deliveredAt: deliveredAt === null ? null : toTimestamp(deliveredAt) }),
    };
    const changes = changedFields(old, changed);
    if (Object.keys(changes).length === 0) return old;
    const parcels = before.fulfilments.map((parcel) => (parcel.id === id ? changed : parcel));
    const order = await withParcels(tx, before, parcels);
    const json = await writeOrder(tx, before, order);
    if (tracking !== undefined) await writeTracking(tx, order);
    const isDelivered = before.deliveredAt === null && order.deliveredAt !== null;
    emit(tx, 'order.updated', order.id, json);
    if (isDelivered) emit(tx, 'order.delivered', order.id, json);
    const action = isDelivered ? 'order.delivered' : 'order.updated';
    audit(tx, { action, resourceType: 'order', resourceId: order.id, changes: { fulfilment: id, ...changes } });
    return changed;
  });
}

/**
 * Removes a parcel that was recorded by mistake. A fulfilled order becomes paid again, or pending if it is unpaid. Without a parcel, an
 * unpaid order reserves its stock again. Emits `order.updated`, and `product.updated` for returned stock.
 * @throws CommerceError `notFound`; `conflict` if the parcel is delivered or its order is cancelled; `insufficientStock` if other orders
 * hold the returned stock
 */
export async function deleteFulfilment(ctx: Context, orderId: string, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const before = await locked(tx, orderId);
    const old = parcelOf(before, id);
    const kept = (why: string) =>
      new CommerceError('conflict', `the parcel cannot be removed: ${why}`, { reason: 'orderStatus' });
    if (old.deliveredAt !== null) throw kept(`it was delivered at ${old.deliveredAt}`);
    if (before.status === 'cancelled') throw kept(`order ${before.orderNumber} is cancelled`);
    const parcels = before.fulfilments.filter((parcel) => parcel.id !== id);
    const order = await withParcels(tx, before, parcels);
    const isBack = before.paidAt === null && parcels.length === 0;
    if (isBack) {
      await restockAll(tx, before);
      await reserveStock(tx, before.id, before.items, withoutEnd);
    }
    const json = await writeOrder(tx, before, order, isBack ? null : undefined);
    if (old.tracking?.number) await writeTracking(tx, order);
    emit(tx, 'order.updated', order.id, json);
    audit(tx, {
      action: 'order.parcel_deleted',
      resourceType: 'order',
      resourceId: order.id,
      changes: { fulfilment: old },
    });
  });
}

/** The order with other parcels, and the status that follows from them. */
async function withParcels(tx: TxContext, before: Order, parcels: Fulfilment[]): Promise<Order> {
  const { refunded } = await refundedPieces(tx, before);
  const order = withFulfilments(before, parcels, refunded);
  const unshipped = before.paidAt === null ? 'pending' : 'paid';
  const isOpen = before.status === 'fulfilled' && order.fulfilmentStatus !== 'fulfilled';
  return { ...order, status: isOpen ? unshipped : before.status, updatedAt: toTimestamp(tx.now) };
}

async function locked(tx: TxContext, orderId: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw notFound('order', orderId);
  return order;
}

function parcelOf(order: Order, id: string): Fulfilment {
  const parcel = order.fulfilments.find((one) => one.id === id);
  if (!parcel) throw notFound('fulfilment', id);
  return parcel;
}

function checkPast(tx: TxContext, field: string, time: number): void {
  if (time <= tx.now) return;
  throw invalid(field, `must not be in the future, not ${toTimestamp(time)}`, {
    code: 'TOO_LARGE',
    limits: { max: toTimestamp(tx.now) },
  });
}
