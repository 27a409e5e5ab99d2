import { invalid } from '../kernel/errors.ts';
import type { Minor } from '../kernel/money.ts';

export interface Line {
  unitPrice: Minor;
  quantity: number;
  lineDiscount: Minor;
}

/**
 * Σ(unitPrice × quantity − lineDiscount), in minor units.
 * @throws CommerceError `validation` if a line's discount exceeds its price
 */
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

/** @throws CommerceError `validation` for a discount above the subtotal */
export function refuseDiscount(discount: Minor, subtotal: Minor): void {
  if (discount > subtotal) throw invalid('discount', 'must not exceed the subtotal', { code: 'TOO_LARGE' });
}

/**
 * @param max the largest amount that a payment can have
 * @throws CommerceError `validation` for an amount above it
 */
export function refuseExcess(amounts: readonly Minor[], max: Minor): void {
  for (const amount of amounts) {
    if (amount > max)
      throw invalid('items', `come to ${amount} minor units, above the maximum of ${max}`, { code: 'TOO_LARGE' });
  }
}
