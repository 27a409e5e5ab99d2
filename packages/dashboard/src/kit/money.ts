import { locales } from '../words/locales.ts';

const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount in the format of its currency. It is formatted from the decimal string, never from a float.
 * @param amount a decimal string such as `"12.30"`
 */
export function formatMoney(amount: string, currency: string, languages: string[] = locales): string {
  const name = `${currency} ${languages.join()}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.NumberFormat(languages, { style: 'currency', currency });
    formats.set(name, format);
  }
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Decimals of a currency: 2 for the euro, 0 for the yen. */
export function decimalsOf(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** A decimal string as a whole number of minor units, for comparing and adding: `"12.3"` with 2 decimals is 1230. */
export function minorUnits(amount: string, decimals: number): bigint {
  const [whole = '0', part = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole + part.padEnd(decimals, '0').slice(0, decimals));
  return amount.startsWith('-') ? -units : units;
}

/** The decimal string of minor units: 1230 with 2 decimals is `"12.30"`. */
export function fromMinorUnits(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`;
  return units < 0n ? `-${text}` : text;
}
