import { isDeepStrictEqual } from 'node:util';
import { changedFields } from '../../audit/audit.ts';
import type { Context } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { CommerceError, notFound, quote } from '../../kernel/errors.ts';
import { toJson } from '../../kernel/json.ts';
import { definedOnly, parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { OrderChangeFields, type OrderChanges } from '../../orders/inputs.ts';
import { lockOrder } from '../../orders/orders.ts';
import { lockPaymentsOfOrder } from '../../payments/payments.ts';
import { requireVersion } from '../../resources/versions.ts';
import { moveOrder } from '../moves/move.ts';
import { settleAgain } from '../settle/apply.ts';

/**
 * Changes the merchant note, metadata, tags, the status and the tracking of an order. Status changes are pending to cancelled, paid to fulfilled or
 * cancelled, and refunded to cancelled unless it was fulfilled. An order that ships before it is paid can also change from pending to
 * fulfilled, and from fulfilled to cancelled. Other fields are accepted with their stored values, so a client can send back an edited answer.
 * Cancelling returns to the stock what the order still holds. `status: "cancelled"` without `cancelReason` cancels an expired order for
 * good: later money does not reopen it. Emits `order.updated`, with it `order.shipped` and `order.fulfilled`, or `order.cancelled`, and
 * `product.updated` for changed stock; nothing if nothing changes.
 * @throws CommerceError `validation`, also for a read-only field that differs; `notFound`; `conflict` for a status change that is not
 * allowed
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

const writable = new Set(['merchantNote', 'metadata', 'tags', 'status', 'tracking', 'updatedAt']);

function checkReadOnly(order: Order, input: object): void {
  const details = Object.entries(order).flatMap(([field, stored]) => {
    const sent = (input as Record<string, unknown>)[field];
    if (writable.has(field) || sent === undefined || isDeepStrictEqual(sent, stored)) return [];
    return [{ field, reason: `is read-only: leave it out or send its stored value, not ${quote(sent)}` }];
  });
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
}
