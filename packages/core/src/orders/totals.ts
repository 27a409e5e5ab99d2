import { invalid } from '../kernel/errors.ts';
import { applyRate, type Minor, maxMinor, type Rate } from '../kernel/money.ts';

export interface Line {
  unitPrice: Minor;
  quantity: number;
  lineDiscount: Minor;
}

export interface Charges {
  taxRate: Rate;
  /** True if prices and shipping include the tax. */
  taxIncluded: boolean;
  shipping: Minor;
  discount: Minor;
}

export interface Totals {
  subtotal: Minor;
  tax: Minor;
  total: Minor;
}

/**
 * subtotal = Σ(unitPrice × quantity − lineDiscount). If prices exclude the tax: tax = (subtotal − discount) × taxRate, total = subtotal −
 * discount + tax + shipping. If prices include the tax: total = subtotal − discount + shipping, tax = the part of the total that is tax.
 * All amounts are in minor units; taxes are rounded half up.
 * @param max the largest amount that a payment can have
 * @throws CommerceError `validation` if a discount exceeds its base, or an amount the maximum
 */
export function orderTotals(lines: readonly Line[], charges: Charges, max: Minor = maxMinor): Totals {
  const subtotal = subtotalOf(lines);
  if (charges.discount > subtotal) throw invalid('discount', 'must not exceed the subtotal', { code: 'TOO_LARGE' });
  const reduced = subtotal - charges.discount;
  const withShipping = reduced + charges.shipping;
  const tax = charges.taxIncluded ? containedTax(withShipping, charges.taxRate) : applyRate(reduced, charges.taxRate);
  const total = charges.taxIncluded ? withShipping : withShipping + tax;
  for (const amount of [subtotal, total]) {
    if (amount > max)
      throw invalid('items', `come to ${amount} minor units, above the maximum of ${max}`, { code: 'TOO_LARGE' });
  }
  return { subtotal, tax, total };
}

/** @throws CommerceError `validation` if a line's discount exceeds its price */
export function subtotalOf(lines: readonly Line[]): Minor {
  let subtotal = 0n;
  lines.forEach((line, i) => {
    const gross = line.unitPrice * BigInt(line.quantity);
    if (line.lineDiscount > gross)
      throw invalid(`items.${i}.lineDiscount`, 'must not exceed the price of the line', { code: 'TOO_LARGE' });
    subtotal += gross - line.lineDiscount;
  });
  return subtotal;
}

/** The tax in an amount that includes it: amount × rate / (1 + rate). */
function containedTax(amount: Minor, { numerator, denominator }: Rate): Minor {
  return applyRate(amount, { numerator, denominator: denominator + numerator });
}
