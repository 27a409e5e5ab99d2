import { formatMoney, type Minor, minorOf, parseRate } from '../../kernel/money.ts';
import type { Order, OrderTax } from '../../orders/fields.ts';
import { spread } from '../../providers/checkout-sums.ts';
import { byRate, shareOfPieces, sharesOf } from './shares.ts';

/** An order, or a part of it, by what its taxes fall on. Amounts are in minor units. */
export interface TaxParts {
  /** One for each of the order's taxes, in their order. */
  entries: { base: Minor; tax: Minor }[];
  untaxedShipping: Minor;
}

/** What of an order was refunded. */
export interface RefundedParts extends TaxParts {
  /** Pieces that were refunded by lines, by the id of the line. */
  pieces: ReadonlyMap<string, number>;
}

/** A refund of an order. The amount counts; lines and shipping say what it falls on. */
export interface SplitRefund {
  amount: Minor;
  lines: readonly { itemId: string; quantity: number }[] | null;
  shipping: boolean;
}

/** The order's amounts that its taxes and refunds are reckoned from. */
export type TaxedOrder = Pick<
  Order,
  'taxes' | 'tax' | 'taxRate' | 'taxIncluded' | 'items' | 'discount' | 'shipping' | 'total'
>;

/** The taxes of an order. Those of an order of before there were several rates follow from its one rate. */
export function taxesOfOrder({ taxes, tax, taxRate, total, shipping, taxIncluded }: TaxedOrder): readonly OrderTax[] {
  if (taxes.length > 0 || minorOf(tax) === 0n) return taxes;
  const base = minorOf(total) - minorOf(tax) - (taxIncluded ? 0n : minorOf(shipping));
  const decimals = total.includes('.') ? total.length - total.indexOf('.') - 1 : 0;
  return [{ country: null, region: null, rate: taxRate, name: null, base: formatMoney(base, decimals), amount: tax }];
}

/** The whole order: base and tax of all entries, and the untaxed shipping, are its total. */
export function taxPartsOf(order: TaxedOrder): TaxParts {
  const entries = taxesOfOrder(order).map(({ base, amount }) => ({ base: minorOf(base), tax: minorOf(amount) }));
  const taxed = entries.reduce((sum, { base, tax }) => sum + base + tax, 0n);
  return { entries, untaxedShipping: minorOf(order.total) - taxed };
}

/** Nothing of an order. */
export function noParts(order: TaxedOrder): RefundedParts {
  return {
    entries: taxesOfOrder(order).map(() => ({ base: 0n, tax: 0n })),
    untaxedShipping: 0n,
    pieces: new Map(),
  };
}

/** The amount of some parts. */
export function sumOfParts({ entries, untaxedShipping }: TaxParts): Minor {
  return entries.reduce((sum, { base, tax }) => sum + base + tax, untaxedShipping);
}

/**
 * The parts of an order that a refund falls on: those of its lines and of the shipping, or what is left of all parts in proportion to base +
 * tax. Parts add up to the amount, and none is more than is left of it. Base and tax are rounded cumulatively, so that in whatever portions
 * an order is refunded, the parts add up to its own.
 * @param before all that was refunded before
 */
export function partsOfRefund(order: TaxedOrder, refund: SplitRefund, before: RefundedParts): TaxParts {
  const done = slotsOf(before);
  const left = slotsOf(taxPartsOf(order)).map((slot, i) => slot - (done[i] ?? 0n));
  const parts = fit(refund.amount, wantedSlots(order, refund, before, left), left);
  return between(
    order,
    done,
    done.map((slot, i) => slot + (parts[i] ?? 0n)),
  );
}

/**
 * The parts of a refund that failed after it was counted, so that the order is charged with them again.
 * @param given the parts of that refund, as far as known
 * @param before all that was refunded before it failed
 */
export function partsOfFailure(order: TaxedOrder, amount: Minor, given: TaxParts | null, before: TaxParts): TaxParts {
  const done = slotsOf(before);
  const wanted = given ? slotsOf(given) : done.map(() => 0n);
  const parts = fit(amount, wanted, done);
  return between(
    order,
    done.map((slot, i) => slot - (parts[i] ?? 0n)),
    done,
  );
}

/** What was refunded, together with a further refund. */
export function withRefund(
  before: RefundedParts,
  { lines }: Pick<SplitRefund, 'lines'>,
  parts: TaxParts,
): RefundedParts {
  return added(before, parts, lines, 1);
}

/** What was refunded, without a refund that failed. */
export function withoutRefund(
  before: RefundedParts,
  { lines }: Pick<SplitRefund, 'lines'>,
  parts: TaxParts,
): RefundedParts {
  return added(before, parts, lines, -1);
}

function added(before: RefundedParts, parts: TaxParts, lines: SplitRefund['lines'], sign: 1 | -1): RefundedParts {
  const pieces = new Map(before.pieces);
  for (const { itemId, quantity } of lines ?? []) {
    pieces.set(itemId, Math.max(0, (pieces.get(itemId) ?? 0) + sign * quantity));
  }
  const by = BigInt(sign);
  return {
    entries: before.entries.map(({ base, tax }, i) => ({
      base: base + by * (parts.entries[i]?.base ?? 0n),
      tax: tax + by * (parts.entries[i]?.tax ?? 0n),
    })),
    untaxedShipping: before.untaxedShipping + by * parts.untaxedShipping,
    pieces,
  };
}

/** Base and tax of each entry in one amount, then the untaxed shipping. */
function slotsOf({ entries, untaxedShipping }: TaxParts): Minor[] {
  return [...entries.map(({ base, tax }) => base + tax), untaxedShipping];
}

/** The parts of an order between two sums of each of its slots. */
function between(order: TaxedOrder, from: readonly Minor[], to: readonly Minor[]): TaxParts {
  const { entries } = taxPartsOf(order);
  return {
    entries: entries.map(({ base, tax }, i) => {
      const [start, end] = [from[i] ?? 0n, to[i] ?? 0n];
      const part = taxUpTo(tax, end, base + tax) - taxUpTo(tax, start, base + tax);
      return { base: end - start - part, tax: part };
    }),
    untaxedShipping: (to.at(-1) ?? 0n) - (from.at(-1) ?? 0n),
  };
}

/** tax × amount ÷ whole, rounded half up. */
function taxUpTo(tax: Minor, amount: Minor, whole: Minor): Minor {
  return whole === 0n ? 0n : (2n * tax * amount + whole) / (2n * whole);
}

/** An amount in parts: as wanted as far as that is left, and the rest of what is left in proportion. */
function fit(amount: Minor, wanted: readonly Minor[], left: readonly Minor[]): Minor[] {
  const sum = wanted.reduce((all, one) => all + one, 0n);
  const shares = sum > amount ? spread(amount, wanted) : wanted;
  const taken = left.map((most, i) => least(shares[i] ?? 0n, most));
  const rest = spread(
    amount - taken.reduce((all, one) => all + one, 0n),
    left.map((most, i) => most - (taken[i] ?? 0n)),
  );
  return taken.map((one, i) => one + (rest[i] ?? 0n));
}

function least(a: Minor, b: Minor): Minor {
  return a < b ? a : b;
}

/** What the lines and the shipping of a refund come to, by slots. */
function wantedSlots(order: TaxedOrder, refund: SplitRefund, before: RefundedParts, left: readonly Minor[]): Minor[] {
  const wanted = left.map(() => 0n);
  if (!refund.lines && !refund.shipping) return wanted;
  const taxes = taxesOfOrder(order);
  const shares = sharesOf({ ...order, taxes });
  const { groups, untaxedShipping } = byRate({ ...order, taxes });
  const ofLines = shares.lines.map(() => 0n);
  const done = new Map(before.pieces);
  for (const { itemId, quantity } of refund.lines ?? []) {
    const i = order.items.findIndex(({ id }) => id === itemId);
    const item = order.items[i];
    if (!item) continue;
    const was = done.get(itemId) ?? 0;
    const pieces = Math.min(quantity, item.quantity - was);
    if (pieces <= 0) continue;
    ofLines[i] = (ofLines[i] ?? 0n) + shareOfPieces(shares.lines[i] ?? 0n, was, pieces, item.quantity);
    done.set(itemId, was + pieces);
  }
  for (const { rate, lines, base, tax } of groups) {
    const whole = lines.reduce((sum, i) => sum + (shares.lines[i] ?? 0n), 0n);
    const own = lines.reduce((sum, i) => sum + (ofLines[i] ?? 0n), 0n);
    const amount = own + (refund.shipping ? most(base + tax - whole, 0n) : 0n);
    // Several taxes of one rate: a line does not say which of them is its own.
    const places = taxes.flatMap((one, i) => (sameRate(one.rate, rate) ? [i] : []));
    const weights = places.map((i) => left[i] ?? 0n);
    const sum = weights.reduce((all, one) => all + one, 0n);
    const parts = spread(least(amount, sum), weights);
    for (const [n, i] of places.entries()) wanted[i] = parts[n] ?? 0n;
  }
  if (refund.shipping) wanted[wanted.length - 1] = most(untaxedShipping, 0n);
  return wanted;
}

function most(a: Minor, b: Minor): Minor {
  return a > b ? a : b;
}

function sameRate(a: string, b: string): boolean {
  return parseRate(a)?.numerator === parseRate(b)?.numerator;
}
