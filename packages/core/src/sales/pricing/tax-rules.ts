// The dashboard shows these taxes, too, so this file imports only what needs nothing else.
import { isMemberState } from '../../engine/settings/member-states.ts';
import { standardClass, type TaxRow } from '../../engine/settings/tax-rows.ts';
import type { TaxRule } from './taxes.ts';

/** What the settings say about tax. */
export interface TaxFacts {
  /** Where the shop is. */
  home: string;
  /** `origin`: the shop's own rates in its country and, in the EU, in all member states. */
  scope: 'origin' | 'destination';
  rows: readonly TaxRow[];
  /** The one rate of shops without rows, and of the shop's country where no row gives one. */
  taxRate: string;
}

/** Where the goods go. */
export interface Destination {
  country: string;
  region: string | null;
}

/** True if both are member states. */
function isWithinUnion(one: string, other: string): boolean {
  return isMemberState(one) && isMemberState(other);
}

/** The place whose rates count: by `origin`, the shop's own country also stands for the rest of the Union. */
export function placeOf({ home, scope }: TaxFacts, destination: Destination): Destination {
  if (scope === 'destination' || destination.country === home) return destination;
  return isWithinUnion(home, destination.country) ? { country: home, region: null } : destination;
}

/** True if the tax of a destination depends on a region that is not known: its country has no row of its own. */
export function lacksRegion(facts: TaxFacts, destination: Destination): boolean {
  const { country, region } = placeOf(facts, destination);
  const rows = facts.rows.filter((row) => row.country === country);
  return region === null && rows.length > 0 && rows.every((row) => row.region !== null);
}

/**
 * The tax that falls on goods of a class: of the region, else of the country, by their class, else by the standard one. Without a row of the
 * country: the shop's own rate in its country and, from one member state to another, there, too; else 0.
 */
export function taxRuleOf(facts: TaxFacts, destination: Destination, taxClass: string): TaxRule {
  const place = placeOf(facts, destination);
  const row = rowOf(facts.rows, place, taxClass);
  if (row) return ruleOf(row);
  const { home, taxRate } = facts;
  const isLent = place.country !== home && isWithinUnion(home, place.country);
  if (place.country !== home && !isLent) return { country: place.country, region: null, rate: '0', name: null };
  const own = isLent ? rowOf(facts.rows, { country: home, region: null }, taxClass) : undefined;
  return own ? ruleOf(own) : { country: home, region: null, rate: taxRate, name: null };
}

const ruleOf = ({ country, region, rate, name }: TaxRow): TaxRule => ({ country, region, rate, name });

function rowOf(rows: readonly TaxRow[], { country, region }: Destination, taxClass: string): TaxRow | undefined {
  for (const wanted of [taxClass, standardClass]) {
    const ofClass = rows.filter((row) => row.country === country && row.class === wanted);
    const row =
      ofClass.find((one) => one.region !== null && one.region === region) ?? ofClass.find((one) => one.region === null);
    if (row) return row;
  }
  return undefined;
}
