import { iso31662 } from 'iso-3166';

/** Codes of the parts of each country by its code, ISO 3166-2 without the country. */
let regions: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The codes of a country's parts, without the country; empty if it has none. */
export function regionsOf(country: string): ReadonlySet<string> {
  regions ??= grouped();
  return regions.get(country) ?? new Set();
}

function grouped(): Map<string, Set<string>> {
  const byCountry = new Map<string, Set<string>>();
  for (const { code } of iso31662) {
    const [country = '', region = ''] = code.split('-');
    const known = byCountry.get(country);
    if (known) known.add(region);
    else byCountry.set(country, new Set([region]));
  }
  return byCountry;
}

/** The code of a part of a country, without the country: `us-ca` and `CA` are `CA` in `US`. Undefined if the country has no such part. */
export function regionCode(country: string, text: string): string | undefined {
  const code = text.trim().toUpperCase();
  const region = code.startsWith(`${country}-`) ? code.slice(country.length + 1) : code;
  return regionsOf(country).has(region) ? region : undefined;
}
