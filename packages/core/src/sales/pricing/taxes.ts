// The dashboard shows these sums, too, so this file imports nothing but sums.
import { applyRate, type Minor, parseRate, type Rate } from '../../kernel/money.ts';
import { spread } from '../../providers/checkout-sums.ts';

/** The tax that falls on something: the rate, and the row of the settings that it comes from. */
export interface TaxRule {
  /** Whose tax it is, ISO 3166-1 alpha-2; null if no row of the settings gives the rate. */
  country: string | null;
  /** ISO 3166-2 without the country. */
  region: string | null;
  /** A fraction: "0.19" is 19 %. */
  rate: string;
  /** The shop's name of the tax, such as "VAT". */
  name: string | null;
}

/** The tax of one rule, and the amount without tax that it falls on. */
export interface TaxEntry extends TaxRule {
  base: Minor;
  amount: Minor;
}

export interface TaxedCart {
  /** Lines after their own discounts, each with its tax. */
  lines: readonly { amount: Minor; rule: TaxRule }[];
  /** The discount of the order, at most the sum of the lines. */
  discount: Minor;
  shipping: Minor;
  /** `proportional` to the lines, `none`, or a tax of its own. */
  shippingTax: 'proportional' | 'none' | TaxRule;
  /** True if lines and shipping include the tax. */
  taxIncluded: boolean;
}

export interface Taxed {
  /** One for each country, region, rate and name, in the order of the lines. None for a rate of 0 without a base. */
  entries: TaxEntry[];
  /** The sum of the entries. */
  tax: Minor;
  /** What the buyer pays. Σ base + tax + untaxed shipping = total. */
  total: Minor;
  /** Shipping that no tax falls on. */
  untaxedShipping: Minor;
  /** Parts of the total: of each line, and of the shipping. They add up to the total. */
  shares: { lines: Minor[]; shipping: Minor };
}

/** A part of the order that a tax falls on. */
interface Part {
  key: string;
  rule: TaxRule;
  amount: Minor;
}

/**
 * Reckons the taxes of an order, and how its total falls on lines and shipping. Amounts are in minor units.
 *
 * The discount falls on the lines in proportion to their amounts. Proportional shipping falls on the rules in proportion to the lines after
 * the discount; if these are all 0, before it; if these are 0, too, on the rule of the first line. All by largest remainder, ties to the
 * earlier one, so parts always add up. The tax of a rule is rounded once, half up: contained in its amount, or added to it.
 */
export function taxesOf({ lines, discount, shipping, shippingTax, taxIncluded }: TaxedCart): Taxed {
  const discounts = spread(
    discount,
    lines.map(({ amount }) => amount),
  );
  const reduced = lines.map(({ amount }, i) => amount - (discounts[i] ?? 0n));
  const ofLines: Part[] = lines.map(({ rule }, i) => ({ key: keyOf(rule), rule, amount: reduced[i] ?? 0n }));
  const ofShipping = shippingParts(lines, ofLines, shipping, shippingTax);
  const untaxedShipping = ofShipping.length === 0 ? shipping : 0n;

  const parts = [...ofLines, ...ofShipping];
  const keys = [...new Set(parts.map(({ key }) => key))];
  const added = parts.map(() => 0n);
  const entries: TaxEntry[] = [];
  for (const key of keys) {
    const own = parts.flatMap((part, i) => (part.key === key ? [{ ...part, i }] : []));
    const sum = own.reduce((all, { amount }) => all + amount, 0n);
    const { rule } = own[0] as Part;
    const rate = parseRate(rule.rate) ?? { numerator: 0n, denominator: 1n };
    const amount = taxIncluded ? containedTax(sum, rate) : applyRate(sum, rate);
    entries.push({ ...rule, base: taxIncluded ? sum - amount : sum, amount });
    if (taxIncluded) continue;
    // Each part of the order costs its part of the tax.
    const shares = spread(
      amount,
      own.map((part) => part.amount),
    );
    for (const [n, { i }] of own.entries()) added[i] = shares[n] ?? 0n;
  }
  const share = (i: number) => (parts[i]?.amount ?? 0n) + (added[i] ?? 0n);
  const tax = entries.reduce((all, { amount }) => all + amount, 0n);
  const sumOfLines = reduced.reduce((all, amount) => all + amount, 0n);
  return {
    entries: entries.filter(({ base, amount }) => base > 0n || amount > 0n),
    tax,
    total: sumOfLines + shipping + (taxIncluded ? 0n : tax),
    untaxedShipping,
    shares: {
      lines: lines.map((_, i) => share(i)),
      shipping: untaxedShipping + ofShipping.reduce((all, _, n) => all + share(lines.length + n), 0n),
    },
  };
}

/** Shipping in parts, one for each rule that it is taxed by; none if it is not taxed. */
function shippingParts(
  lines: TaxedCart['lines'],
  ofLines: readonly Part[],
  shipping: Minor,
  shippingTax: TaxedCart['shippingTax'],
): Part[] {
  if (shippingTax === 'none' || (shippingTax === 'proportional' && lines.length === 0)) return [];
  if (shippingTax !== 'proportional') return [{ key: keyOf(shippingTax), rule: shippingTax, amount: shipping }];
  const rules = [...new Map(ofLines.map(({ key, rule }) => [key, rule]))];
  const sums = (amounts: readonly Minor[]) =>
    rules.map(([key]) => ofLines.reduce((all, part, i) => (part.key === key ? all + (amounts[i] ?? 0n) : all), 0n));
  const reduced = sums(ofLines.map(({ amount }) => amount));
  const before = sums(lines.map(({ amount }) => amount));
  const weights = [reduced, before].find((some) => some.some((sum) => sum > 0n)) ?? rules.map((_, i) => (i ? 0n : 1n));
  const shares = spread(shipping, weights);
  return rules.map(([key, rule], i) => ({ key, rule, amount: shares[i] ?? 0n }));
}

function keyOf({ country, region, rate, name }: TaxRule): string {
  // "0.2" and "0.20" are one rate.
  const numerator = parseRate(rate)?.numerator ?? 0n;
  return JSON.stringify([country, region, String(numerator), name]);
}

/** The tax in an amount that includes it: amount × rate ÷ (1 + rate). */
function containedTax(amount: Minor, { numerator, denominator }: Rate): Minor {
  return applyRate(amount, { numerator, denominator: denominator + numerator });
}
