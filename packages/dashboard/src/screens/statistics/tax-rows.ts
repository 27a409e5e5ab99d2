import type { Schemas } from '../../api/types.ts';
import { fromMinorUnits, minorUnits } from '../../kit/money.ts';

export type Tax = Schemas['TaxStatistics'];

/** The amounts of a tax, as decimal strings. */
export type TaxAmounts = Pick<Tax, 'base' | 'tax' | 'refundedBase' | 'refundedTax'>;

/** The tax of sales less that of refunds; below 0 if more was refunded. */
export function netTax({ tax, refundedTax }: TaxAmounts, decimals: number): string {
  return fromMinorUnits(minorUnits(tax, decimals) - minorUnits(refundedTax, decimals), decimals);
}

/** The amounts of all rates together. */
export function sumOf(taxes: readonly TaxAmounts[], decimals: number): TaxAmounts {
  const sum = (name: keyof TaxAmounts) =>
    fromMinorUnits(
      taxes.reduce((all, one) => all + minorUnits(one[name], decimals), 0n),
      decimals,
    );
  return { base: sum('base'), tax: sum('tax'), refundedBase: sum('refundedBase'), refundedTax: sum('refundedTax') };
}
