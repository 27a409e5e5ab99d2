import { changedFields } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, type ErrorDetail, invalid, quote } from '../../kernel/errors.ts';
import { maxFulfilments } from '../../kernel/limits.ts';
import type { Order } from '../../orders/fields.ts';
import type { Fulfilment, Tracking } from '../../orders/fulfilment-fields.ts';
import {
  hasReservation,
  hasTakenStock,
  leftToShip,
  type Pieces,
  shipsUnpaid,
  withFulfilments,
} from '../../orders/fulfilments.ts';
import { writeOrder } from '../../orders/orders.ts';
import { writeTracking } from '../../orders/search.ts';
import { readPaymentsOfOrder } from '../../payments/payments.ts';
import { listedOf, refundedPiecesOf } from '../../payments/refund-ledger.ts';
import { readRefunds } from '../../payments/refunds.ts';
import { type Quantity, releaseStock, takeStock } from '../../products/stock.ts';

/** What leaves, with the lines that the caller named; all that is left without them. */
export interface Parcel {
  lines?: readonly Fulfilment['lines'][number][] | undefined;
  tracking: Tracking | null;
  /** Milliseconds. */
  shippedAt: number;
}

/** Pieces of a locked order that nobody waits for any more. */
interface RefundedPieces {
  /** Refunded by lines. */
  refunded: Pieces;
  /** Refunded by lines, or being refunded. */
  withPending: Pieces;
}

/** Reads the pieces of a locked order that were refunded by lines. */
export async function refundedPieces(tx: TxContext, order: Order): Promise<RefundedPieces> {
  if (order.paidAt === null) return { refunded: new Map(), withPending: new Map() };
  const paid = (await readPaymentsOfOrder(tx, order.id)).find(({ matched }) => matched === 'paid');
  const refunds = paid ? listedOf(await readRefunds(tx.db, tx.store.id, paid.id)) : [];
  const made = refunds.filter(({ status }) => status === 'completed');
  const open = refunds.filter(({ status }) => status !== 'failed');
  return { refunded: refundedPiecesOf(made), withPending: refundedPiecesOf(open) };
}

/**
 * Records a parcel of a locked order. The first one of an unpaid order takes the stock of the whole order. Emits `order.updated`,
 * `order.shipped`, with the last piece `order.fulfilled`, and `product.updated` for stock that was taken.
 * @param others changes of the order that are written with it
 * @throws CommerceError `conflict` if nothing can be shipped; `validation` on `lines`; `insufficientStock`
 */
export async function shipOrder(
  tx: TxContext,
  before: Order,
  parcel: Parcel,
  others: Partial<Pick<Order, 'merchantNote' | 'metadata' | 'tags'>> = {},
): Promise<{ order: Order; fulfilment: Fulfilment }> {
  checkShippable(before);
  const { refunded, withPending } = await refundedPieces(tx, before);
  const left = leftToShip(before, withPending);
  const all = [...left].flatMap(([itemId, quantity]) => (quantity > 0 ? [{ itemId, quantity }] : []));
  if (all.length === 0) throw refused(before, 'nothing of it is left to ship');
  if (before.fulfilments.length >= maxFulfilments)
    throw refused(before, `it has ${maxFulfilments} parcels, the maximum`);
  const lines = parcel.lines ? checkedLines(before, parcel.lines, left) : all;
  const fulfilment: Fulfilment = {
    id: tx.engine.ids.next(tx.now),
    lines,
    tracking: parcel.tracking,
    shippedAt: toTimestamp(parcel.shippedAt),
    deliveredAt: null,
  };
  const shipped = withFulfilments(before, [...before.fulfilments, fulfilment], refunded);
  const isWhole = shipped.fulfilmentStatus === 'fulfilled';
  const order: Order = {
    ...shipped,
    ...others,
    status: isWhole ? 'fulfilled' : before.status,
    updatedAt: toTimestamp(tx.now),
  };
  const json = await writeOrder(tx, before, order, await takenStock(tx, before));
  if (parcel.tracking?.number) await writeTracking(tx, order);
  emit(tx, 'order.updated', order.id, json);
  emit(tx, 'order.shipped', order.id, json, fulfilment.id);
  if (isWhole) emit(tx, 'order.fulfilled', order.id, json);
  const { fulfilments: _, ...changes } = changedFields(before, order);
  audit(tx, {
    action: isWhole ? 'order.fulfilled' : 'order.shipped',
    resourceType: 'order',
    resourceId: order.id,
    changes: { ...changes, fulfilment },
  });
  return { order, fulfilment };
}

/**
 * Fulfils a locked order: ships all that is left. Without anything to ship, an order of goods that require no shipping is fulfilled without a
 * parcel, which emits `order.updated`, `order.fulfilled`, and `product.updated` for stock that was taken.
 * @param others changes of the order that are written with it
 * @throws CommerceError as `shipOrder` does; `validation` for the tracking of no parcel
 */
export async function fulfilOrder(
  tx: TxContext,
  before: Order,
  tracking: Tracking | null,
  others: Partial<Pick<Order, 'merchantNote' | 'metadata' | 'tags'>>,
): Promise<Order> {
  checkShippable(before);
  const { refunded } = await refundedPieces(tx, before);
  const hasLeft = [...leftToShip(before, refunded).values()].some((quantity) => quantity > 0);
  if (hasLeft || before.items.every((line) => line.requiresShipping)) {
    return (await shipOrder(tx, before, { tracking, shippedAt: tx.now }, others)).order;
  }
  if (tracking) {
    const message = `must be left out: nothing of order ${before.orderNumber} is left to ship`;
    throw invalid('tracking', message, { code: 'CONFLICTING' });
  }
  const now = toTimestamp(tx.now);
  const order: Order = {
    ...before,
    ...others,
    status: 'fulfilled',
    fulfilmentStatus: 'fulfilled',
    fulfilledAt: now,
    updatedAt: now,
  };
  const json = await writeOrder(tx, before, order, await takenStock(tx, before));
  emit(tx, 'order.updated', order.id, json);
  emit(tx, 'order.fulfilled', order.id, json);
  const changes = changedFields(before, order);
  audit(tx, { action: 'order.fulfilled', resourceType: 'order', resourceId: order.id, changes });
  return order;
}

/** Takes the stock of a whole order that is shipped before it is paid, if it was not taken before. */
async function takenStock(tx: TxContext, before: Order): Promise<Quantity[] | undefined> {
  if (hasTakenStock(before)) return undefined;
  const taken = await takeStock(tx, before.id, before.items);
  if (hasReservation(before)) await releaseStock(tx, before.id);
  return taken;
}

/** @throws CommerceError `conflict` */
function checkShippable(order: Order): void {
  if (order.status === 'paid' || (order.status === 'pending' && shipsUnpaid(order))) return;
  if (order.status === 'pending') throw refused(order, 'it is not paid');
  if (order.status === 'fulfilled') throw refused(order, 'nothing of it is left to ship');
  throw refused(order, `it is ${order.status}`);
}

function refused({ orderNumber }: Order, why: string): CommerceError {
  return new CommerceError('conflict', `order ${orderNumber} cannot be shipped: ${why}`, { reason: 'orderStatus' });
}

/** The lines with one entry each. @throws CommerceError `validation` for an unknown line and for more than is left of one */
function checkedLines(
  order: Order,
  lines: readonly Fulfilment['lines'][number][],
  left: Map<string, number>,
): Fulfilment['lines'] {
  const details: ErrorDetail[] = [];
  const sums = new Map<string, number>();
  const unsent = new Set(order.items.filter((line) => !line.requiresShipping).map(({ id }) => id));
  lines.forEach(({ itemId, quantity }, i) => {
    if (unsent.has(itemId)) {
      const reason = `must not be ${quote(itemId)}, a line that requires no shipping`;
      details.push({ field: `lines.${i}.itemId`, reason, code: 'CONFLICTING' });
      return;
    }
    const rest = left.get(itemId);
    if (rest === undefined) {
      const reason = `order ${order.orderNumber} has no line ${quote(itemId)}`;
      details.push({ field: `lines.${i}.itemId`, reason, code: 'NOT_FOUND' });
      return;
    }
    const sum = (sums.get(itemId) ?? 0) + quantity;
    sums.set(itemId, sum);
    if (sum <= rest) return;
    const reason = `must be at most ${rest}, the pieces that are left to ship, not ${sum}`;
    details.push({ field: `lines.${i}.quantity`, reason, code: 'TOO_LARGE', limits: { max: rest } });
  });
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
  return [...sums].map(([itemId, quantity]) => ({ itemId, quantity }));
}
