import { parseMeasure } from '../products/unit-price.ts';
import type { UnitPricing } from '../products/unit-pricing.ts';
import type { FeedRow } from './columns.ts';

/** Google's names of the units that have another one. */
const names: Readonly<Record<string, string>> = { m2: 'sqm', m3: 'cbm', piece: 'ct' };

/** Amounts that Google takes as the base of a price: these numbers of any unit, and a few more. */
const baseAmounts = new Set(['1', '2', '4', '8', '10', '100']);
const furtherBases = new Set(['75cl', '750ml', '50kg', '1000kg']);

/** Grams above which a weight is left out. */
const maxGrams = 1_000_000;

function written(text: string): { amount: string; unit: string } | undefined {
  if (!parseMeasure(text)) return undefined;
  const [amount = '', unit = ''] = text.split(' ');
  return { amount, unit: names[unit] ?? unit };
}

/** The measure of a piece and the base of its price. A base that Google does not take is left out, and the measure stays. */
export function measureOf(
  pricing: UnitPricing | null,
): Pick<FeedRow, 'unit_pricing_measure' | 'unit_pricing_base_measure'> {
  const measure = pricing && written(pricing.measure);
  const base = pricing && written(pricing.base);
  if (!measure || !base) return {};
  const isTaken = baseAmounts.has(base.amount) || furtherBases.has(base.amount + base.unit);
  return {
    unit_pricing_measure: `${measure.amount} ${measure.unit}`,
    ...(isTaken && { unit_pricing_base_measure: `${base.amount} ${base.unit}` }),
  };
}

/** The weight that shipping is reckoned with; undefined for none. */
export function weightOf(grams: number | null): string | undefined {
  return grams === null || grams === 0 || grams > maxGrams ? undefined : `${grams} g`;
}
