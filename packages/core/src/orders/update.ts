import { isDeepStrictEqual } from 'node:util';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { endPageOf } from '../checkouts/ended.ts';
import { toTimestamp } from '../clock.ts';
import type { Context, TxContext } from '../context.ts';
import { countUse } from '../discounts/uses.ts';
import { CommerceError, invalid, notFound, quote } from '../errors.ts';
import { emit } from '../events/emit.ts';
import { toJson } from '../json.ts';
import { definedOnly, parse } from '../parse.ts';
import { settleAgain } from '../payments/apply.ts';
import { lockPaymentsOfOrder } from '../payments/payments.ts';
import { releaseStock } from '../products/stock.ts';
import { requireVersion } from '../resources/versions.ts';
import { transact } from '../transaction.ts';
import {
  type CancelReason,
  type Order,
  OrderChangeFields,
  type OrderChanges,
  type OrderStatus,
  type Tracking,
} from './fields.ts';
import { lockOrder, readDiscountId, writeOrder } from './orders.ts';
import { restockAll } from './restock.ts';
import { checkMove } from './status.ts';

/**
 * Changes the merchant note, the status and the tracking of an order: pending to cancelled, paid to fulfilled or cancelled, refunded to
 * cancelled unless it was fulfilled. Other fields are accepted with their stored values, so that an edited answer can be sent
 * back. Cancelling returns to the stock what the order still holds. `status: "cancelled"` without `cancelReason` cancels an
 * expired order for good: later money does not reopen it. Emits `order.updated`, with it `order.fulfilled` or
 * `order.cancelled`, and `product.updated` for returned stock; nothing when nothing changes.
 * @throws CommerceError `validation`, also for a read-only field that differs; `notFound`; `conflict` for a status change that
 * is not allowed.
 */
export async function updateOrder(ctx: Context, id: string, input: OrderChanges): Promise<Order> {
  const given = definedOnly(parse(OrderChangeFields, input));
  return transact(ctx, async (tx) => {
    // Payments are locked before their order.
    const payments = given.status === 'cancelled' ? await lockPaymentsOfOrder(tx, id) : [];
    const before = await lockOrder(tx, id);
    if (!before) throw notFound('order', id);
    requireVersion(tx, id, () => toJson(before));
    checkReadOnly(before, input);
    const forGood = given.status === 'cancelled' && before.cancelReason === 'expired' && !('cancelReason' in input);
    const changes = changedFields(before, { ...before, ...given });
    if (Object.keys(changes).length === 0 && !forGood) return before;
    const order = await moveOrder(tx, before, forGood ? { ...given, cancelReason: 'requested' } : given);
    if (order.status === 'cancelled' && order.paidAt === null) {
      for (const payment of payments) await settleAgain(tx, payment, order);
    }
    return order;
  });
}

/**
 * Changes the status of a locked order, its note or its tracking.
 * @param given.cancelReason defaults to `requested`
 * @throws CommerceError `conflict` for a status change that is not allowed; `validation` for a tracking of what is not fulfilled.
 */
export async function moveOrder(
  tx: TxContext,
  before: Order,
  given: {
    merchantNote?: string | null;
    status?: OrderStatus;
    cancelReason?: CancelReason;
    tracking?: Tracking | null;
  },
): Promise<Order> {
  const now = toTimestamp(tx.now);
  const status = given.status ?? before.status;
  const moves = status !== before.status;
  if (moves) checkMove(before, status);
  const cancels = moves && status === 'cancelled';
  if (given.tracking && status !== 'fulfilled') {
    throw invalid('tracking', `must come with the status "fulfilled"; the order is ${status}`);
  }
  const order: Order = {
    ...before,
    ...given,
    cancelReason: status === 'cancelled' ? (given.cancelReason ?? before.cancelReason ?? 'requested') : null,
    fulfilledAt: moves && status === 'fulfilled' ? now : before.fulfilledAt,
    cancelledAt: cancels ? now : before.cancelledAt,
    reservedUntil: cancels ? null : before.reservedUntil,
    updatedAt: now,
  };
  if (cancels) await giveUp(tx, before);
  const json = await writeOrder(tx, before, order);
  emit(tx, 'order.updated', order.id, json);
  if (moves && (status === 'fulfilled' || status === 'cancelled')) emit(tx, `order.${status}`, order.id, json);
  audit(tx, {
    action: moves ? `order.${status}` : 'order.updated',
    resourceType: 'order',
    resourceId: order.id,
    changes: changedFields(before, order),
  });
  return order;
}

/**
 * Gives back what a cancelled order holds: stock that it took or reserved, and its use of a discount unless it was paid. The page to pay
 * at is closed.
 */
async function giveUp(tx: TxContext, order: Order): Promise<void> {
  if (order.paidAt !== null) {
    await restockAll(tx, order);
    return;
  }
  const discountId = await readDiscountId(tx, order);
  if (discountId !== null) await countUse(tx, discountId, -1);
  if (order.reservedUntil !== null) await releaseStock(tx, order.id);
  await endPageOf(tx, order.id);
}

const writable = new Set(['merchantNote', 'status', 'tracking', 'updatedAt']);

function checkReadOnly(order: Order, input: object): void {
  const details = Object.entries(order).flatMap(([field, stored]) => {
    const sent = (input as Record<string, unknown>)[field];
    if (writable.has(field) || sent === undefined || isDeepStrictEqual(sent, stored)) return [];
    return [{ field, reason: `is read-only: leave it out or send its stored value, not ${quote(sent)}` }];
  });
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
}
