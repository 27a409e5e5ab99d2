import { taxRuleOf } from '../../../../../core/src/sales/pricing/tax-rules.ts';
import { taxesOf } from '../../../../../core/src/sales/pricing/taxes.ts';
import { fromMinorUnits, minorUnits } from '../../../kit/money.ts';
import { unionStates } from '../../../kit/terms/countries.ts';
import type { Taxes } from '../form/tax-values.ts';

/** What the taxes of an order follow from. */
export interface Facts {
  plan: Taxes;
  /** The country of the shop. */
  home: string;
  /** The rate of the shop's country if the plan gives it none. */
  taxRate: string;
  taxIncluded: boolean;
}

/** Amounts are decimal strings. */
export interface Sample {
  goods: string;
  taxClass: string;
  shipping: string;
}

/** What a sample pays in a place. Amounts are decimal strings. */
export interface Reckoned {
  place: Place;
  /** Fractions with the name of their tax. */
  rates: { rate: string; name: string | null }[];
  net: string;
  tax: string;
  total: string;
}

/** A country with the code of its part, or the countries without a rate of their own: those of the union, and all others. */
export type Place = { country: string; region: string | null } | 'union' | 'others';

/** Places at most; the last two are those without a rate of their own. */
const most = 30;

/** What a sample pays in the shop's country, in each place with a rate, and elsewhere. */
export function reckon(facts: Facts, sample: Sample, decimals: number): Reckoned[] {
  return placesOf(facts).map((place) => reckonIn(place, facts, sample, decimals));
}

function placesOf({ plan: { rates }, home }: Facts): Place[] {
  const named = new Map<string, Place>();
  const add = (country: string, region: string | null) => named.set(`${country} ${region ?? ''}`, { country, region });
  const isByRegion = (country: string) => {
    const own = rates.filter((row) => row.country === country);
    return own.length > 0 && own.every(({ region }) => region !== null);
  };
  // Without its region, an order from such a country is refused.
  if (!isByRegion(home)) add(home, null);
  for (const { country, region } of rates) add(country, region);
  const isLent =
    unionStates.includes(home) && unionStates.some((code) => !rates.some(({ country }) => country === code));
  return [...[...named.values()].slice(0, most), ...(isLent ? (['union'] as const) : []), 'others'];
}

function reckonIn(place: Place, facts: Facts, sample: Sample, decimals: number): Reckoned {
  const { plan, taxIncluded, home, taxRate } = facts;
  const ruleOf = (taxClass: string) =>
    taxRuleOf({ home, scope: plan.scope, rows: plan.rates, taxRate }, destinationOf(place, facts), taxClass);
  const shippingTax = plan.shipping ?? (taxIncluded ? 'proportional' : 'none');
  const { entries, tax, total } = taxesOf({
    lines: [{ amount: minorUnits(sample.goods, decimals), rule: ruleOf(sample.taxClass) }],
    discount: 0n,
    shipping: minorUnits(sample.shipping, decimals),
    shippingTax: shippingTax === 'proportional' || shippingTax === 'none' ? shippingTax : ruleOf(shippingTax),
    taxIncluded,
  });
  return {
    place,
    rates: entries.map(({ rate, name }) => ({ rate, name })),
    net: fromMinorUnits(total - tax, decimals),
    tax: fromMinorUnits(tax, decimals),
    total: fromMinorUnits(total, decimals),
  };
}

/** One of the countries that a place stands for. */
function destinationOf(place: Place, { plan }: Facts): { country: string; region: string | null } {
  if (typeof place === 'object') return place;
  const unnamed = unionStates.find((code) => !plan.rates.some(({ country }) => country === code));
  return { country: place === 'union' && unnamed ? unnamed : 'ZZ', region: null };
}
