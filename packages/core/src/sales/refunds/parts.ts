import { type CommerceError, invalid, quote } from '../../kernel/errors.ts';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import { type Refund, type RefundedLine, refundedPiecesOf } from '../../payments/refund-ledger.ts';
import { shareOfPieces, sharesOf } from '../shares/shares.ts';

/** What a refund is for. */
export interface Parts {
  lines: readonly RefundedLine[] | null;
  shipping: boolean;
}

/**
 * The amount of pieces and shipping that were not refunded before.
 * @param refunds of the order, without failed ones
 * @throws CommerceError `validation` on the line for one that the order does not have, or for more pieces than are left of it; on
 * `shipping` if it was refunded before
 */
export function amountOfParts(order: Order, { lines, shipping }: Parts, refunds: readonly Refund[]): Minor {
  const shares = sharesOf(order);
  let amount = 0n;
  const done = refundedPiecesOf(refunds);
  lines?.forEach(({ itemId, quantity }, i) => {
    const index = order.items.findIndex(({ id }) => id === itemId);
    const item = order.items[index];
    if (!item)
      throw invalid(`lines.${i}.itemId`, `must be a line of order ${order.orderNumber}, not ${quote(itemId)}`, {
        code: 'NOT_FOUND',
      });
    const before = done.get(itemId) ?? 0;
    const left = item.quantity - before;
    if (quantity > left) {
      const reason = `must be at most ${left}, the pieces of ${item.quantity} that were not refunded, not ${quantity}`;
      throw invalid(`lines.${i}.quantity`, reason, { code: 'TOO_LARGE', limits: { max: left } });
    }
    amount += shareOfPieces(shares.lines[index] ?? 0n, before, quantity, item.quantity);
    // A line can be named twice.
    done.set(itemId, before + quantity);
  });
  if (!shipping) return amount;
  if (refunds.some((refund) => refund.shipping))
    throw invalid('shipping', `must not be true: the shipping of order ${order.orderNumber} was refunded before`, {
      code: 'CONFLICTING',
    });
  return amount + shares.shipping;
}

/** How a refund's amount was given, for messages about it. */
export interface GivenAmount {
  /** As typed; undefined if it follows from lines and shipping. */
  typed: string | undefined;
  decimals: number;
}

/** @throws CommerceError `validation` for an amount of 0 */
export function refuseNothing(amount: Minor, { typed, decimals }: GivenAmount): void {
  if (amount > 0n) return;
  const reason = typed === undefined ? 'must come to more than 0' : `must be more than 0, not ${quote(typed)}`;
  throw invalid(fieldOf(typed), reason, { code: 'TOO_SMALL', limits: { decimals } });
}

/** The error for an amount above what is left. @param of what is refunded, such as `the total 32.00` */
export function tooMuch(amount: Minor, left: Minor, of: string, { typed, decimals }: GivenAmount): CommerceError {
  const max = formatMoney(left > 0n ? left : 0n, decimals);
  const reason =
    typed === undefined
      ? `come to ${formatMoney(amount, decimals)}, and must be at most ${max}, the rest of ${of}`
      : `must be at most ${max}, the rest of ${of}, not ${quote(typed)}`;
  return invalid(fieldOf(typed), reason, { code: 'TOO_LARGE', limits: { max, decimals } });
}

function fieldOf(typed: string | undefined): string {
  return typed === undefined ? 'lines' : 'amount';
}
