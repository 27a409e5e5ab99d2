import { changedFields } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import { endPageOf } from '../../checkouts/end-page.ts';
import { countUse } from '../../discounts/uses.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/errors.ts';
import type { CancelReason, Order, OrderStatus, Tracking } from '../../orders/fields.ts';
import { readDiscountId, writeOrder } from '../../orders/orders.ts';
import { restockAll } from '../../orders/restock.ts';
import { writeTracking } from '../../orders/search.ts';
import { checkMove } from '../../orders/status.ts';
import { releaseStock } from '../../products/stock.ts';

/**
 * Changes the status of a locked order, its note or its tracking.
 * @param given.cancelReason defaults to `requested`
 * @throws CommerceError `conflict` for a status change that is not allowed; `validation` for the tracking of an order that is not fulfilled
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
    throw invalid('tracking', `must come with the status "fulfilled"; the order is ${status}`, { code: 'CONFLICTING' });
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
  if (order.tracking?.number !== before.tracking?.number) await writeTracking(tx, order);
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

/** Gives back stock that a cancelled order took or reserved, and its use of a discount unless it was paid. Closes its payment page. */
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
