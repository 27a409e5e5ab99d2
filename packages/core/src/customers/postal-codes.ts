import { formatAddress } from 'localized-address-format';

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

let codes: ReadonlyMap<string, string> | undefined;

/** Codes of countries by their English names in lower case. */
function codesByName(): ReadonlyMap<string, string> {
  if (codes) return codes;
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  // Of two codes with one name, the last is kept: `codeOf` returns GB, not UK.
  codes = new Map(all.map((code) => [regions.of(code)?.toLowerCase() ?? '', code]));
  return codes;
}

/** The ISO 3166 code of a country by its code or its English name; undefined for anything else. */
export function codeOf(country: string): string | undefined {
  const text = country.trim();
  const code = /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : codesByName().get(text.toLowerCase());
  if (code === undefined || code === 'ZZ' || regions.of(code) === undefined) return undefined;
  return new Intl.Locale('und', { region: code }).region;
}

/** A character that no address contains. */
const mark = '\u0001';

/** True if addresses in a country, by its code or English name, have a postal code; also true for an unknown country. */
export function hasPostalCode(country: string): boolean {
  const postalCountry = codeOf(country);
  if (postalCountry === undefined) return true;
  const lines = formatAddress({ postalCountry, postalCode: mark, locality: '-', addressLines: ['-'] });
  return lines.some((line) => line.includes(mark));
}
