import { changedFields } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { formatMoney, type Minor, parseMoney } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import { withFulfilments } from '../../orders/fulfilments.ts';
import { writeOrder } from '../../orders/orders.ts';
import { refundedPieces } from './ship.ts';

/**
 * Sets the refunded amount of a locked, paid order, up to its total. A refund by lines of all that is left to ship fulfils an order of which
 * something was shipped. Emits `order.refunded` if the amount grows, and `order.updated` if it changes; `order.fulfilled` and
 * `order.delivered` if nothing is left to ship or to deliver now. Call it once the refund is written.
 * @param sum of all counted refunds, in minor units
 * @param facts about the refund, for the audit log
 * @param taken the part of the growth that the provider took back by itself, of which the buyer gets no mail
 * @returns the order, the same object if nothing changes
 */
export async function recordRefunded(
  tx: TxContext,
  before: Order,
  sum: Minor,
  facts: Record<string, unknown> = {},
  taken: Minor = 0n,
): Promise<Order> {
  const { decimals } = tx.store;
  const total = parseMoney(before.total, decimals) ?? 0n;
  const was = parseMoney(before.refundedAmount, decimals) ?? 0n;
  const is = sum > total ? total : sum;
  if (is === was) return before;
  const whole = is === total;
  const shipped = await withoutRefunded(tx, before);
  const paid = shipped.fulfilledAt === null ? 'paid' : 'fulfilled';
  const order: Order = {
    ...shipped,
    refundedAmount: formatMoney(is, decimals),
    paymentStatus: is === 0n ? 'succeeded' : whole ? 'refunded' : 'partially_refunded',
    status: before.status === 'cancelled' ? 'cancelled' : whole ? 'refunded' : paid,
    updatedAt: toTimestamp(tx.now),
  };
  const json = await writeOrder(tx, before, order);
  const given = is - was - taken;
  if (is > was) emit(tx, 'order.refunded', order.id, json, given > 0n ? formatMoney(given, decimals) : undefined);
  emit(tx, 'order.updated', order.id, json);
  if (before.status === 'paid' && order.status === 'fulfilled') emit(tx, 'order.fulfilled', order.id, json);
  if (before.deliveredAt === null && order.deliveredAt !== null) emit(tx, 'order.delivered', order.id, json);
  const { fulfilmentStatus } = changedFields(before, order);
  audit(tx, {
    action: is > was ? 'order.refunded' : 'order.refund_failed',
    resourceType: 'order',
    resourceId: order.id,
    changes: {
      ...facts,
      refundedAmount: { from: before.refundedAmount, to: order.refundedAmount },
      ...(fulfilmentStatus && { fulfilmentStatus }),
    },
  });
  return order;
}

/** The order whose refunded pieces are not waited for. */
async function withoutRefunded(tx: TxContext, order: Order): Promise<Order> {
  if (order.fulfilments.length === 0) return order;
  const { refunded } = await refundedPieces(tx, order);
  return withFulfilments(order, order.fulfilments, refunded);
}
