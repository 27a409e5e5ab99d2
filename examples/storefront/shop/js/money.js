import config from '../config.js';

// Amounts come as decimal strings with all decimals of the currency, and are added as whole numbers of its smallest unit.

/** @param {string} amount */
const decimalsOf = (amount) => amount.split('.')[1]?.length ?? 0;

/**
 * An amount as people of the shop's language read it.
 * @param {string} amount such as "12.50"
 */
export function money(amount) {
  const digits = decimalsOf(amount);
  const format = new Intl.NumberFormat(config.locale, {
    style: 'currency',
    currency: config.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(/** @type {Intl.StringNumericLiteral} */ (amount));
}

/** @param {string} amount */
export const toMinor = (amount) => BigInt(amount.replace('.', ''));

/**
 * @param {bigint} minor not negative
 * @param {string} like an amount with the decimals that are wanted
 */
export function toAmount(minor, like) {
  const decimals = decimalsOf(like);
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * The part of an amount, rounded half up, as the store does it.
 * @param {bigint} minor
 * @param {string} rate a fraction such as "0.19"
 */
export function applyRate(minor, rate) {
  const denominator = 10n ** BigInt(decimalsOf(rate));
  return (2n * minor * toMinor(rate) + denominator) / (2n * denominator);
}

/** @param {string} rate such as "0.19" */
export const percent = (rate) =>
  new Intl.NumberFormat(config.locale, { style: 'percent', maximumFractionDigits: 2 }).format(Number(rate));
