import { withoutTrailing } from './trailing.ts';
/**
 * Money is a bigint of minor units internally, and a decimal string with the currency's decimals externally. It is never a floating-point
 * number, here or in callers.
 */
export type Minor = bigint;

// ISO 4217 list one, minor units as published by SIX. Intl is not used, because its CLDR data gives HUF and others no decimals.
const twoDecimals =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE ' +
  'CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW ' +
  'KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK ' +
  'PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS ' +
  'UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const decimalsByCurrency = new Map<string, number>([
  ...twoDecimals.split(' ').map((code) => [code, 2] as const),
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

/** The number of decimals of an ISO 4217 currency; undefined for a code that is not one. */
export function currencyDecimals(code: string): number | undefined {
  return decimalsByCurrency.get(code);
}

const decimalPattern = /^(\d{1,12})(?:\.(\d+))?$/;

/**
 * Reads `digits[.digits]` with up to 12 integer digits and up to `decimals` decimals: "10", "10.5", "10.50". Anything else (sign, exponent,
 * comma, blank, too many decimals) is undefined.
 */
export function parseMoney(text: string, decimals: number): Minor | undefined {
  const match = decimalPattern.exec(text);
  if (!match) return undefined;
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) return undefined;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

/** 1050n with two decimals is "10.50". */
export function formatMoney(minor: Minor, decimals: number): string {
  if (minor < 0n) return `-${formatMoney(-minor, decimals)}`;
  if (decimals === 0) return String(minor);
  const digits = String(minor).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The minor units of an amount that `formatMoney` wrote, with all decimals of its currency. */
export function minorOf(amount: string): Minor {
  return BigInt(amount.replace('.', ''));
}

/** The minor units of such an amount for a column; an amount above `maxMinor`, such as a sum of many, counts as that. */
export function minorColumn(amount: string): number {
  const minor = minorOf(amount);
  return Number(minor > maxMinor ? maxMinor : minor);
}

/** The largest amount that the database's 64-bit columns and JavaScript's integers both hold exactly. */
export const maxMinor: Minor = BigInt(Number.MAX_SAFE_INTEGER);

/** The largest amount that `parseMoney` reads with that many decimals and the database holds exactly. */
export function maxAmount(decimals: number): Minor {
  const largest = 10n ** BigInt(12 + decimals) - 1n;
  return largest < maxMinor ? largest : maxMinor;
}

/** A rate such as "0.0825" as an exact fraction. */
export interface Rate {
  numerator: bigint;
  denominator: bigint;
}

const ratePattern = /^(0|1)(?:\.(\d{1,6}))?$/;

/** Reads a fraction from "0" to "1" with at most six decimals; anything else is undefined. */
export function parseRate(text: string): Rate | undefined {
  const match = ratePattern.exec(text);
  if (!match) return undefined;
  const fraction = (match[2] ?? '').padEnd(6, '0');
  const rate = { numerator: BigInt(match[1] + fraction), denominator: 1_000_000n };
  return rate.numerator <= rate.denominator ? rate : undefined;
}

/** amount × rate, rounded half up to the minor unit. The amount is not negative. */
export function applyRate(amount: Minor, rate: Rate): Minor {
  return (amount * rate.numerator * 2n + rate.denominator) / (rate.denominator * 2n);
}

/**
 * An amount from another system, with any number of decimals: "10.00" is 10 in a currency without decimals. Undefined if it is not an
 * amount, or not a whole number of minor units.
 */
export function readMoney(text: string, decimals: number): Minor | undefined {
  const [whole = '', fraction = ''] = text.split('.');
  const needed = withoutTrailing(fraction, '0');
  return parseMoney(needed === '' ? whole : `${whole}.${needed}`, decimals);
}

/** A decimal string without zeros at its end: "0.190" is "0.19", and "1.00" is "1". */
export function shortDecimal(text: string): string {
  return text.includes('.') ? withoutTrailing(withoutTrailing(text, '0'), '.') : text;
}

/** True if two decimal strings are the same amount, regardless of their number of decimals: "10" and "10.00". */
export function sameAmount(a: string, b: string): boolean {
  return normalDecimal(a) === normalDecimal(b);
}

function normalDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}.${withoutTrailing(fraction, '0')}`;
}
