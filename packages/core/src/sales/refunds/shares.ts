// The dashboard shows the sum of a refund with these functions before it is made, so this file imports nothing but sums.
import { type Minor, minorOf } from '../../kernel/money.ts';
import { spread } from '../../providers/checkout-sums.ts';

/** The parts of an order's total: of each line, in the order of the lines, and of the shipping. They add up to the total. */
export interface Shares {
  lines: Minor[];
  shipping: Minor;
}

/** The amounts of an order, as interfaces answer them. */
export interface SharedOrder {
  discount: string;
  shipping: string;
  tax: string;
  taxIncluded: boolean;
  items: readonly { id: string; quantity: number; unitPrice: string; lineDiscount: string }[];
}

/**
 * Splits an order's total. The discount of the order and a tax that prices do not contain fall on the lines in proportion, by largest
 * remainder, ties to the earlier line. Shipping is taxed only if prices contain the tax, so its share is its price.
 */
export function sharesOf(order: SharedOrder): Shares {
  const before = order.items.map(
    (item) => minorOf(item.unitPrice) * BigInt(item.quantity) - minorOf(item.lineDiscount),
  );
  const discounts = spread(minorOf(order.discount), before);
  const lines = before.map((amount, i) => amount - (discounts[i] ?? 0n));
  const shipping = minorOf(order.shipping);
  if (order.taxIncluded) return { lines, shipping };
  const taxes = spread(minorOf(order.tax), lines);
  return { lines: lines.map((amount, i) => amount + (taxes[i] ?? 0n)), shipping };
}

/**
 * The part of a line's share for pieces `done + 1` to `done + quantity` of `ordered`. Rounded cumulatively, so that the pieces of a line
 * add up to its share in whatever portions they are refunded.
 */
export function shareOfPieces(share: Minor, done: number, quantity: number, ordered: number): Minor {
  return upTo(share, done + quantity, ordered) - upTo(share, done, ordered);
}

/** share × pieces ÷ ordered, rounded half up. */
function upTo(share: Minor, pieces: number, ordered: number): Minor {
  return (2n * share * BigInt(pieces) + BigInt(ordered)) / (2n * BigInt(ordered));
}
