import { proposedTaxes, starterRates } from '../../../../../core/src/engine/settings/starter-rates.ts';
import { locales } from '../../../words/locales.ts';
import { planOf, rowOf, type TaxesValue } from '../form/tax-values.ts';

/** The value with the standard rates that are proposed for a shop of a country; undefined if none are known. */
export function withStarter(value: TaxesValue, country: string): TaxesValue | undefined {
  const proposed = proposedTaxes(country, planOf(value));
  return proposed && { ...value, rates: proposed.rates.map(rowOf) };
}

/** Whether rates are known for a country. */
export const hasStarter = (country: string): boolean => starterRates.rates[country] !== undefined;

/** The day of the proposed rates. */
export function starterDay(): string {
  return new Intl.DateTimeFormat(locales, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(starterRates.asOf));
}
