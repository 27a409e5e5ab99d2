import { formatAddress } from 'localized-address-format';
import { codeOf } from '../customers/postal-codes.ts';
import type { AddressSnapshot } from './fields.ts';

/**
 * An address in lines, as its country writes them. The country is named in that language unless it is `home`, the shop's own.
 */
export function addressLines(address: AddressSnapshot, locale: string, home: string | null): string[] {
  const { firstName, lastName, company, address1, address2, postalCode, city, region, country } = address;
  const code = country === null ? undefined : codeOf(country);
  const given = (text: string | null) => (text === null || text.trim() === '' ? undefined : text);
  const lines = formatAddress({
    ...(code !== undefined && { postalCountry: code }),
    ...optional('administrativeArea', given(region)),
    ...optional('locality', given(city)),
    ...optional('postalCode', given(postalCode)),
    ...optional('organization', given(company)),
    ...optional('name', given([firstName, lastName].filter((name) => given(name) !== undefined).join(' '))),
    addressLines: [address1, address2].filter((line): line is string => given(line) !== undefined),
  });
  if (country === null || code === home) return lines;
  return [...lines, code === undefined ? country : (countryName(code, locale) ?? country)];
}

function optional<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<K, string>>;
}

function countryName(code: string, locale: string): string | undefined {
  return new Intl.DisplayNames([locale, 'en'], { type: 'region', fallback: 'none' }).of(code);
}
