import { changedFields } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import { endPageOf } from '../../checkouts/end-page.ts';
import { countUse } from '../../discounts/uses.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { invalid } from '../../kernel/errors.ts';
import type { CancelReason, Order, OrderStatus } from '../../orders/fields.ts';
import type { Fulfilment, Tracking } from '../../orders/fulfilment-fields.ts';
import { hasReservation, hasTakenStock } from '../../orders/fulfilments.ts';
import { readDiscountId, writeOrder } from '../../orders/orders.ts';
import { restockAll } from '../../orders/restock.ts';
import { writeTracking } from '../../orders/search.ts';
import { checkMove } from '../../orders/status.ts';
import { releaseStock } from '../../products/stock.ts';
import { fulfilOrder } from './ship.ts';

/**
 * Changes the status of a locked order, its note, or the tracking of its newest parcel. `fulfilled` ships all that is left; see `fulfilOrder`.
 * @param given.cancelReason defaults to `requested`
 * @throws CommerceError `conflict` for a status change that is not allowed; `validation` for the tracking of an order without a parcel
 */
export async function moveOrder(
  tx: TxContext,
  before: Order,
  given: {
    merchantNote?: string | null;
    status?: OrderStatus;
    cancelReason?: CancelReason;
    tracking?: Tracking | null;
    metadata?: Record<string, string>;
    tags?: string[];
  },
): Promise<Order> {
  const now = toTimestamp(tx.now);
  const status = given.status ?? before.status;
  const moves = status !== before.status;
  if (moves) checkMove(before, status);
  const cancels = moves && status === 'cancelled';
  if (moves && status === 'fulfilled') {
    const {
      tracking = null,
      merchantNote = before.merchantNote,
      metadata = before.metadata,
      tags = before.tags,
    } = given;
    return fulfilOrder(tx, before, tracking, { merchantNote, metadata, tags });
  }
  const newest = before.fulfilments.at(-1);
  if (given.tracking && !newest) {
    throw invalid('tracking', `must come with the status "fulfilled"; the order is ${status}`, { code: 'CONFLICTING' });
  }
  const { tracking, ...others } = given;
  const order: Order = {
    ...before,
    ...others,
    ...(tracking !== undefined && newest && withTracking(before, { ...newest, tracking })),
    cancelReason: status === 'cancelled' ? (given.cancelReason ?? before.cancelReason ?? 'requested') : null,
    cancelledAt: cancels ? now : before.cancelledAt,
    reservedUntil: cancels ? null : before.reservedUntil,
    updatedAt: now,
  };
  if (cancels) await giveUp(tx, before);
  const json = await writeOrder(tx, before, order);
  if (tracking !== undefined && tracking?.number !== before.tracking?.number) await writeTracking(tx, order);
  emit(tx, 'order.updated', order.id, json);
  if (cancels) emit(tx, 'order.cancelled', order.id, json);
  audit(tx, {
    action: moves ? `order.${status}` : 'order.updated',
    resourceType: 'order',
    resourceId: order.id,
    changes: changedFields(before, order),
  });
  return order;
}

function withTracking({ fulfilments }: Order, newest: Fulfilment): Pick<Order, 'fulfilments' | 'tracking'> {
  return { fulfilments: [...fulfilments.slice(0, -1), newest], tracking: newest.tracking };
}

/** Gives back stock that a cancelled order took or reserved, and its use of a discount unless it was paid. Closes its payment page. */
async function giveUp(tx: TxContext, order: Order): Promise<void> {
  // Discounts are locked before products.
  const discountId = order.paidAt === null ? await readDiscountId(tx, order) : null;
  if (discountId !== null) await countUse(tx, discountId, -1);
  if (hasTakenStock(order)) await restockAll(tx, order);
  if (order.paidAt !== null) return;
  if (hasReservation(order)) await releaseStock(tx, order.id);
  await endPageOf(tx, order.id);
}
