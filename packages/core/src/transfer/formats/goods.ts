import { standardClass, taxClassRule, zeroClass } from '../../engine/settings/taxes.ts';
import { readFlag } from '../files/cells.ts';
import { readWeight, type WeightUnit } from '../files/weights.ts';

/** True if a cell says no; a blank one does not. */
export function isNo(cell: string): boolean {
  const flag = readFlag(cell);
  return 'value' in flag && !flag.value;
}

/** The weight in a cell; a blank one clears it, and one that cannot be read changes nothing. @param warn gets the reason */
export function weightIn(cell: string, unit: WeightUnit, warn: (reason: string) => void): { weight?: number | null } {
  if (cell === '') return { weight: null };
  const grams = readWeight(cell, unit);
  if ('value' in grams) return { weight: grams.value };
  warn(`${grams.reason}; the weight is ignored`);
  return {};
}

/** Our names for the tax classes that every shop of WooCommerce has. */
const ofWoo = new Map([
  ['', standardClass],
  ['reduced-rate', 'reduced'],
  ['zero-rate', zeroClass],
]);

/** The tax class of a product of WooCommerce; undefined for a name that no class can have here. @param status its "Tax status" */
export function wooTaxClass(status: string, name: string): string | undefined {
  if (status === 'none' || status === 'shipping') return zeroClass;
  const taxClass = ofWoo.get(name) ?? name;
  return taxClassRule.safeParse(taxClass).success ? taxClass : undefined;
}
