import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { changedFields } from '../audit/audit.ts';
import { toTimestamp } from '../clock.ts';
import { audit, type Context, emit, type TxContext } from '../context.ts';
import { CommerceError, notFound, quote } from '../errors.ts';
import { toJson } from '../json.ts';
import { definedOnly, fields, oneOf, parse, text } from '../parse.ts';
import { returnStock } from '../products/stock.ts';
import { transact } from '../transaction.ts';
import { requireVersion } from '../versions.ts';
import { type Order, type OrderStatus, orderStatuses } from './fields.ts';
import { lockOrder, readStockTaken, writeOrder } from './orders.ts';
import { checkMove } from './status.ts';

export const OrderChangeFields = fields({
  merchantNote: text(5000).nullable(),
  status: oneOf(orderStatuses),
}).partial();
export type OrderChanges = z.input<typeof OrderChangeFields>;

/**
 * Changes the merchant note and the status of an order: pending to cancelled, paid to fulfilled or cancelled. Any other field
 * of an order may be there while it says what is stored, so that what was read can be sent back. Cancelling a paid order puts
 * back what it took off the stock. Emits `order.updated`, with it `order.fulfilled` or `order.cancelled`, and `product.updated`
 * for stock that returns; nothing when nothing changes.
 * @throws CommerceError `validation`, also for a read-only field that differs; `notFound`; `conflict` for another move.
 */
export async function updateOrder(ctx: Context, id: string, input: OrderChanges): Promise<Order> {
  const given = definedOnly(parse(OrderChangeFields, input));
  return transact(ctx, async (tx) => {
    const before = await lockOrder(tx, id);
    if (!before) throw notFound('order', id);
    requireVersion(tx, id, () => toJson(before));
    checkReadOnly(before, input);
    const changes = changedFields(before, { ...before, ...given });
    if (Object.keys(changes).length === 0) return before;
    return moveOrder(tx, before, given);
  });
}

/** @throws CommerceError `conflict` when the order cannot become that. */
export async function moveOrder(
  tx: TxContext,
  before: Order,
  given: { merchantNote?: string | null; status?: OrderStatus },
): Promise<Order> {
  const now = toTimestamp(tx.now);
  const status = given.status ?? before.status;
  const moves = status !== before.status;
  if (moves) checkMove(before.orderNumber, before.status, status);
  const order: Order = {
    ...before,
    ...given,
    fulfilledAt: moves && status === 'fulfilled' ? now : before.fulfilledAt,
    cancelledAt: moves && status === 'cancelled' ? now : before.cancelledAt,
    updatedAt: now,
  };
  if (moves && status === 'cancelled' && before.status === 'paid') {
    await returnStock(tx, await readStockTaken(tx, before));
  }
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

const writable = new Set(['merchantNote', 'status', 'updatedAt']);

function checkReadOnly(order: Order, input: object): void {
  const details = Object.entries(order).flatMap(([field, stored]) => {
    const sent = (input as Record<string, unknown>)[field];
    if (writable.has(field) || sent === undefined || isDeepStrictEqual(sent, stored)) return [];
    return [{ field, reason: `is read-only, and is not ${quote(sent)}` }];
  });
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
}
