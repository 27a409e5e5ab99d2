// The dashboard shows these sums, too, so this file imports nothing but sums.
import { applyRate, formatMoney, type Minor, parseRate, type Rate, shortDecimal } from '../../kernel/money.ts';
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
  /** What the buyer pays: base and tax of all entries, and shipping that no tax falls on. */
  total: Minor;
}

/** A part of the order that a tax falls on. */
interface Part {
  key: string;
  rule: TaxRule;
  amount: Minor;
}

/**
 * Reckons the taxes of an order. Amounts are in minor units.
 *
 * The discount falls on the lines in proportion to their amounts. Proportional shipping falls on the rules in proportion to the lines after
 * the discount; if these are all 0, before it; if these are 0, too, on the rule of the first line. All by largest remainder, ties to the
 * earlier one, so parts always add up. The tax of a rule is rounded once, half up: contained in its amount, or added to it.
 */
export function taxesOf(cart: TaxedCart): Taxed {
  const { shipping, taxIncluded } = cart;
  const { ofLines, ofShipping } = partsOf(cart);
  const entries = new Map<string, TaxEntry & { sum: Minor }>();
  for (const { key, rule, amount } of [...ofLines, ...ofShipping]) {
    const entry = entries.get(key) ?? { ...rule, base: 0n, amount: 0n, sum: 0n };
    entry.sum += amount;
    entries.set(key, entry);
  }
  const taxed = [...entries.values()].map(({ sum, ...entry }) => {
    const amount = taxIncluded ? containedTax(sum, entry.rate) : applyRate(sum, rateOf(entry.rate));
    return { ...entry, base: taxIncluded ? sum - amount : sum, amount };
  });
  const tax = taxed.reduce((all, { amount }) => all + amount, 0n);
  const sumOfLines = ofLines.reduce((all, { amount }) => all + amount, 0n);
  return {
    entries: taxed.filter(({ base, amount }) => base > 0n || amount > 0n),
    tax,
    total: sumOfLines + shipping + (taxIncluded ? 0n : tax),
  };
}

/** The shipping of a cart whose prices include the tax, without that tax: each rule's share less the tax of its rate. */
export function netShipping(cart: TaxedCart): Minor {
  const { ofShipping } = partsOf(cart);
  return ofShipping.reduce((left, { rule, amount }) => left - containedTax(amount, rule.rate), cart.shipping);
}

/** What taxes fall on: the lines after the discount, and the shipping in parts. */
function partsOf({ lines, discount, shipping, shippingTax }: TaxedCart): { ofLines: Part[]; ofShipping: Part[] } {
  const discounts = spread(
    discount,
    lines.map(({ amount }) => amount),
  );
  const keys = new Map([...new Set(lines.map(({ rule }) => rule))].map((rule) => [rule, taxKey(rule)]));
  const ofLines = lines.map(({ rule, amount }, i) => ({
    key: keys.get(rule) ?? '',
    rule,
    amount: amount - (discounts[i] ?? 0n),
  }));
  return { ofLines, ofShipping: shippingParts(lines, ofLines, shipping, shippingTax) };
}

/** Shipping in parts, one for each rule that it is taxed by; none if it is not taxed. */
function shippingParts(
  lines: TaxedCart['lines'],
  ofLines: readonly Part[],
  shipping: Minor,
  shippingTax: TaxedCart['shippingTax'],
): Part[] {
  if (shippingTax === 'none' || (shippingTax === 'proportional' && lines.length === 0)) return [];
  if (shippingTax !== 'proportional') return [{ key: taxKey(shippingTax), rule: shippingTax, amount: shipping }];
  const rules = [...new Map(ofLines.map(({ key, rule }) => [key, rule]))];
  const sums = (amounts: readonly Minor[]) =>
    rules.map(([key]) => ofLines.reduce((all, part, i) => (part.key === key ? all + (amounts[i] ?? 0n) : all), 0n));
  const reduced = sums(ofLines.map(({ amount }) => amount));
  const before = sums(lines.map(({ amount }) => amount));
  const weights = [reduced, before].find((some) => some.some((sum) => sum > 0n)) ?? rules.map((_, i) => (i ? 0n : 1n));
  const shares = spread(shipping, weights);
  return rules.map(([key, rule], i) => ({ key, rule, amount: shares[i] ?? 0n }));
}

/** The same for taxes that are one entry. */
export function taxKey({ country, region, rate, name }: TaxRule): string {
  // "0.2" and "0.20" are one rate.
  return JSON.stringify([country, region, String(rateOf(rate).numerator), name]);
}

/** A rate as a fraction of whole numbers; its denominator is always the same. */
function rateOf(rate: string): Rate {
  return parseRate(rate) ?? { numerator: 0n, denominator: 1n };
}

/** The tax in an amount that includes it: amount × rate ÷ (1 + rate), rounded half up. */
export function containedTax(amount: Minor, rate: string): Minor {
  const { numerator, denominator } = rateOf(rate);
  return applyRate(amount, { numerator, denominator: denominator + numerator });
}

/**
 * The rate to show of several: the only one, else tax ÷ base to four decimals, rounded half up.
 * @param rules of all lines, for an order that costs nothing
 */
export function meanRate(entries: readonly TaxEntry[], rules: readonly TaxRule[]): string {
  const [first, ...others] = entries.length > 0 ? entries : rules;
  if (!first) return '0';
  if (others.every(({ rate }) => rateOf(rate).numerator === rateOf(first.rate).numerator)) return first.rate;
  const sum = (of: (entry: TaxEntry) => Minor) => entries.reduce((all, entry) => all + of(entry), 0n);
  const base = sum((entry) => entry.base);
  const units = base === 0n ? 0n : applyRate(10_000n, { numerator: sum((entry) => entry.amount), denominator: base });
  return shortDecimal(formatMoney(units, 4));
}
