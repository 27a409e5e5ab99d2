import { standardClass, taxClassRule, zeroClass } from '../../engine/settings/taxes.ts';
import { areComparable, formatMeasure, type Measure, measureUnits, parseMeasure } from '../../products/unit-price.ts';
import { type DecimalSign, readDecimal, readFlag } from '../files/cells.ts';
import { readWeight, type WeightUnit } from '../files/weights.ts';

/** True if a cell says no; a blank one does not. */
export function isNo(cell: string): boolean {
  const flag = readFlag(cell);
  return 'value' in flag && !flag.value;
}

/** The weight in a cell; a blank one clears it, and one that cannot be read changes nothing. @param warn gets the reason */
export function weightIn(
  cell: string,
  unit: WeightUnit,
  warn: (reason: string) => void,
  sign?: DecimalSign,
): { weight?: number | null } {
  if (cell === '') return { weight: null };
  const grams = readWeight(cell, unit, sign);
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

const maxBrand = 255;

/** The brand in a cell; a blank one clears it, and one that is too long changes nothing. @param warn gets the reason */
export function brandIn(cell: string, warn: (reason: string) => void): { brand?: string | null } {
  const brand = cell.trim();
  if ([...brand].length <= maxBrand) return { brand: brand || null };
  warn(`is too long for a brand, which has at most ${maxBrand} characters, and is ignored`);
  return {};
}

/** Names of our units in files of other shops. */
const otherUnits = new Map([
  ['item', 'piece'],
  ['items', 'piece'],
]);

/** An amount and its unit as cells of a file. */
interface MeasureCells {
  amount: string;
  unit: string;
}

/** Reads two cells such as `750` and `ml`; undefined if it is not a measure here. */
function measureIn({ amount, unit }: MeasureCells, sign: DecimalSign | undefined): Measure | undefined {
  const read = readDecimal(amount, 3, sign);
  const word = unit.trim().toLowerCase();
  return 'value' in read ? parseMeasure(`${read.value} ${otherUnits.get(word) ?? word}`) : undefined;
}

/**
 * The price of a unit in the cells of a file; blank ones clear it, and those that cannot be read change nothing.
 * @param warn gets the reason
 */
export function unitPricingIn(
  given: MeasureCells,
  base: MeasureCells,
  warn: (reason: string) => void,
  sign?: DecimalSign,
): { unitPricing?: { measure: string; base: string } | null } {
  if (given.amount.trim() === '' && base.amount.trim() === '') return { unitPricing: null };
  const [one, other] = [measureIn(given, sign), measureIn(base, sign)];
  if (one && other && areComparable(one, other)) {
    return { unitPricing: { measure: formatMeasure(one), base: formatMeasure(other) } };
  }
  const words = [given, base].map(({ amount, unit }) => `${amount.trim()} ${unit.trim()}`.trim() || 'nothing');
  const reason =
    one && other ? 'do not measure the same' : `must both be an amount and one of ${measureUnits.join(', ')}`;
  warn(`${words.join(' for ')}: ${reason}; the price of a unit is ignored`);
  return {};
}
