import { audit } from '../../audit/entry.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { formatMoney, type Minor, parseMoney } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import { writeOrder } from '../../orders/orders.ts';

/**
 * Sets the refunded amount of a locked, paid order, up to its total. Emits `order.refunded` if the amount grows, and `order.updated` if it
 * changes.
 * @param sum of all counted refunds, in minor units
 * @param facts about the refund, for the audit log
 * @returns the order, the same object if nothing changes
 */
export async function recordRefunded(
  tx: TxContext,
  before: Order,
  sum: Minor,
  facts: Record<string, unknown> = {},
): Promise<Order> {
  const { decimals } = tx.store;
  const total = parseMoney(before.total, decimals) ?? 0n;
  const was = parseMoney(before.refundedAmount, decimals) ?? 0n;
  const is = sum > total ? total : sum;
  if (is === was) return before;
  const whole = is === total;
  const paid = before.fulfilledAt === null ? 'paid' : 'fulfilled';
  const order: Order = {
    ...before,
    refundedAmount: formatMoney(is, decimals),
    paymentStatus: is === 0n ? 'succeeded' : whole ? 'refunded' : 'partially_refunded',
    status: before.status === 'cancelled' ? 'cancelled' : whole ? 'refunded' : paid,
    updatedAt: toTimestamp(tx.now),
  };
  const json = await writeOrder(tx, before, order);
  if (is > was) emit(tx, 'order.refunded', order.id, json);
  emit(tx, 'order.updated', order.id, json);
  audit(tx, {
    action: is > was ? 'order.refunded' : 'order.refund_failed',
    resourceType: 'order',
    resourceId: order.id,
    changes: { ...facts, refundedAmount: { from: before.refundedAmount, to: order.refundedAmount } },
  });
  return order;
}
