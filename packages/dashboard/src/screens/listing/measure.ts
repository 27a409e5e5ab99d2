import {
  areComparable,
  formatMeasure,
  type MeasureUnit,
  measureUnits,
  parseMeasure,
  unitPrice,
} from '../../../../core/src/products/unit-price.ts';
import { refusal } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';
import { amountText, readAmount } from '../../kit/amount.ts';
import { type FieldKind, own } from '../../kit/form/kinds.ts';
import { decimalsOf, fromMinorUnits, minorUnits } from '../../kit/money.ts';
import { t } from '../../words/words.ts';

// The price of a unit: "750 ml, shown per 1 l". Units and sums are those of core.

const words = t.listing.unitPrice;

/** What is typed: how much is in a piece, and what the price is shown for. Without a number, the goods have no price per unit. */
export interface UnitPrice {
  measure: string;
  unit: MeasureUnit;
  base: string;
  baseUnit: MeasureUnit;
}

export const noUnitPrice: UnitPrice = { measure: '', unit: 'g', base: '1', baseUnit: 'kg' };

export { measureUnits };

/** Units that measure the same. */
export function unitsLike(unit: MeasureUnit): MeasureUnit[] {
  const one = { thousandths: 1000n, unit };
  return measureUnits.filter((other) => areComparable(one, { thousandths: 1000n, unit: other }));
}

/** Units that prices are usually shown for. */
const usual: readonly MeasureUnit[] = ['kg', 'l', 'm', 'm2', 'm3', 'piece'];

/** With another unit; the base follows if it measures something else. */
export function withUnit(typed: UnitPrice, unit: MeasureUnit): UnitPrice {
  const like = unitsLike(unit);
  if (like.includes(typed.baseUnit)) return { ...typed, unit };
  return { ...typed, unit, base: '1', baseUnit: usual.find((one) => like.includes(one)) ?? unit };
}

/** The number and the unit of a stored measure. */
function partsOf(stored: string): [number: string, unit: MeasureUnit] | undefined {
  const read = parseMeasure(stored);
  return read && [formatMeasure(read).split(' ')[0] ?? '', read.unit];
}

/** The stored spelling of a typed measure; undefined for one that is none. */
function measureOf(typed: string, unit: MeasureUnit): string | undefined {
  const number = readAmount(typed, 3);
  const read = number === undefined ? undefined : parseMeasure(`${number} ${unit}`);
  return read && formatMeasure(read);
}

/** The price of the base as a decimal string, for a price of a piece; undefined as long as something of it is missing. */
export function priceOf({ measure, unit, base, baseUnit }: UnitPrice, price: string, currency: string) {
  const [one, other] = [measureOf(measure, unit), measureOf(base, baseUnit)].map((text) => text && parseMeasure(text));
  if (!one || !other || !/^\d+(?:\.\d+)?$/.test(price)) return undefined;
  const decimals = decimalsOf(currency);
  return fromMinorUnits(unitPrice(minorUnits(price, decimals), one, other), decimals);
}

/** A measure for people: `0,75 l`. */
export function measureText(stored: string): string {
  const parts = partsOf(stored);
  return parts ? `${amountText(parts[0])} ${words.units[parts[1]]}` : stored;
}

export const unitPriceField: FieldKind<UnitPrice> = {
  ...own<UnitPrice>(words.title, noUnitPrice),
  read(stored) {
    const { measure = '', base = '' } = (stored ?? {}) as Partial<NonNullable<Schemas['Product']['unitPricing']>>;
    const [one, other] = [partsOf(measure), partsOf(base)];
    if (!one || !other) return noUnitPrice;
    return { measure: amountText(one[0]), unit: one[1], base: amountText(other[0]), baseUnit: other[1] };
  },
  sent({ measure, unit, base, baseUnit }) {
    if (measure.trim() === '') return null;
    const [one, other] = [measureOf(measure, unit), measureOf(base.trim() || '1', baseUnit)];
    if (one && other) return { measure: one, base: other };
    throw refusal('unitPricing', words.notNumber);
  },
};
