// The dashboard shows the sum of a refund with these functions before it is made, so this file imports nothing but sums.
import { type Minor, minorOf, parseRate } from '../../kernel/money.ts';
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
  taxIncluded: boolean;
  taxes: readonly { rate: string; base: string; amount: string }[];
  items: readonly { id: string; quantity: number; unitPrice: string; lineDiscount: string; taxRate: string }[];
}

/** What of an order has one rate of tax. */
export interface RateGroup {
  rate: string;
  /** Places of its lines in the order. */
  lines: number[];
  /** The part of the shipping that it falls on, in the order's prices. */
  shipping: Minor;
  base: Minor;
  tax: Minor;
}

/** An order by rates of tax: its lines after the discount, in the order's prices, and what has each rate. */
export interface ByRate {
  lines: Minor[];
  groups: RateGroup[];
  untaxedShipping: Minor;
}

/** Splits an order by its rates of tax. The shipping of a rate is what its lines leave of its base, or of base and tax. */
export function byRate({ items, discount, shipping, taxIncluded, taxes }: SharedOrder): ByRate {
  const before = items.map((item) => minorOf(item.unitPrice) * BigInt(item.quantity) - minorOf(item.lineDiscount));
  const discounts = spread(minorOf(discount), before);
  const lines = before.map((amount, i) => amount - (discounts[i] ?? 0n));
  const groups = new Map<bigint, RateGroup>();
  const groupOf = (rate: string): RateGroup => {
    // "0.2" and "0.20" are one rate.
    const key = parseRate(rate)?.numerator ?? 0n;
    const group = groups.get(key) ?? { rate, lines: [], shipping: 0n, base: 0n, tax: 0n };
    groups.set(key, group);
    return group;
  };
  for (const { rate, base, amount } of taxes) {
    const group = groupOf(rate);
    group.base += minorOf(base);
    group.tax += minorOf(amount);
    group.shipping += minorOf(base) + (taxIncluded ? minorOf(amount) : 0n);
  }
  for (const [i, { taxRate }] of items.entries()) {
    const group = groupOf(taxRate);
    group.lines.push(i);
    group.shipping -= lines[i] ?? 0n;
  }
  const taxedShipping = [...groups.values()].reduce((sum, group) => sum + group.shipping, 0n);
  return { lines, groups: [...groups.values()], untaxedShipping: minorOf(shipping) - taxedShipping };
}

/**
 * Splits an order's total. The discount of the order falls on the lines in proportion, and a tax that prices do not contain on the lines
 * and the shipping of its rate, all by largest remainder, ties to the earlier line.
 */
export function sharesOf(order: SharedOrder): Shares {
  const { lines, groups } = byRate(order);
  let shipping = minorOf(order.shipping);
  if (order.taxIncluded) return { lines, shipping };
  const shares = [...lines];
  for (const group of groups) {
    const taxes = spread(group.tax, [...group.lines.map((i) => lines[i] ?? 0n), group.shipping]);
    for (const [n, i] of group.lines.entries()) shares[i] = (shares[i] ?? 0n) + (taxes[n] ?? 0n);
    shipping += taxes.at(-1) ?? 0n;
  }
  return { lines: shares, shipping };
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
