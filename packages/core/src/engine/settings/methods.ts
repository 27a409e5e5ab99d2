import * as z from 'zod';
import { maxCountries } from '../../kernel/limits.ts';
import { ruled, text } from '../../kernel/parse.ts';

/** Region codes that are not countries, and private codes. */
const notCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The reason why a text in upper case is not the code of a country; undefined if it is. */
export function countryProblem(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return 'must be a country code of two letters, such as "DE"';
  // The European Union's code for Greece. Other replaced codes are in the data of Intl.
  const right = code === 'EL' ? 'GR' : new Intl.Locale(`und-${code}`).region;
  if (right !== code) return `must be "${right}"`;
  if (regions.of(code) !== undefined && !notCountries.has(code)) return undefined;
  return 'must be the code of a country, such as "DE"';
}

/** Code of a country, ISO 3166-1 alpha-2. */
export const country = text(2)
  .transform((code) => code.toUpperCase())
  .superRefine((code, context) => {
    const message = countryProblem(code);
    if (message !== undefined) context.addIssue({ code: 'custom', message, params: { code: 'NOT_A_COUNTRY' } });
  })
  .meta({ pattern: '^[A-Za-z]{2}$' });

/** The id of a way to ship or to pay. */
export const methodId = text(64)
  .refine((id) => /^[\w-]+$/.test(id), ruled('must be of letters, digits, - and _', 'NOT_A_SLUG'))
  .meta({ pattern: '^[\\w-]+$' });

export const countries = z
  .array(country, 'must be a list of country codes, or null for everywhere')
  .min(1, 'must name at least one country, or be null for everywhere')
  .max(maxCountries, `must have at most ${maxCountries} countries`);

/** True if no two methods of a list have one id. New ones have none yet. */
export function uniqueIds(list: readonly { id?: string | undefined }[]): boolean {
  const ids = list.flatMap(({ id }) => id ?? []);
  return new Set(ids).size === ids.length;
}

/** True if a method serves a country, given by its code; null if the country is not known. */
export function serves({ countries }: { countries: readonly string[] | null }, country: string | null): boolean {
  return countries === null || (country !== null && countries.includes(country.trim().toUpperCase()));
}
