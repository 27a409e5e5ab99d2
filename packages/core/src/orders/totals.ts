import { invalid } from '../errors.ts';
import { applyRate, type Minor, maxMinor, type Rate } from '../money.ts';

export interface Line {
  unitPrice: Minor;
  quantity: number;
  lineDiscount: Minor;
}

export interface Charges {
  taxRate: Rate;
  shipping: Minor;
  discount: Minor;
}

export interface Totals {
  subtotal: Minor;
  tax: Minor;
  total: Minor;
}

/**
 * subtotal = Σ(unitPrice × quantity − lineDiscount); tax = (subtotal − discount) × taxRate, rounded half up to the minor
 * unit; total = subtotal − discount + tax + shipping. All in minor units.
 * @throws CommerceError `validation` when a discount exceeds its base, or the total exceeds `maxMinor`.
 */
export function orderTotals(lines: readonly Line[], charges: Charges): Totals {
  let subtotal = 0n;
  lines.forEach((line, i) => {
    const gross = line.unitPrice * BigInt(line.quantity);
    if (line.lineDiscount > gross) throw invalid(`items.${i}.lineDiscount`, 'must not exceed the price of the line');
    subtotal += gross - line.lineDiscount;
  });
  if (charges.discount > subtotal) throw invalid('discount', 'must not exceed the subtotal');
  const taxed = subtotal - charges.discount;
  const tax = applyRate(taxed, charges.taxRate);
  const total = taxed + tax + charges.shipping;
  if (total > maxMinor) throw invalid('items', `come to a total above the maximum of ${maxMinor} minor units`);
  return { subtotal, tax, total };
}
