import { shop } from './shop.js';

// Amounts come as decimal strings with all decimals of the currency. The page shows them and adds nothing up.

/**
 * An amount as people of the shop's language read it.
 * @param {string} amount such as "12.50"
 */
export function money(amount) {
  const format = new Intl.NumberFormat(shop.locale, {
    style: 'currency',
    currency: shop.currency,
    minimumFractionDigits: shop.decimals,
    maximumFractionDigits: shop.decimals,
  });
  return format.format(/** @type {Intl.StringNumericLiteral} */ (amount));
}

/** @param {string} amount */
export const isZero = (amount) => !/[1-9]/.test(amount);

/** Whether one amount is above another. @param {string} one @param {string} other */
export const isAbove = (one, other) => Number(one) > Number(other);

/**
 * Fraction by which a price is below another, in whole percent, such as 0.25. Rounded down, so that no page promises too much.
 * @param {string} price
 * @param {string} prior of the same currency, so with as many decimals
 */
export function percentOff(price, prior) {
  const minor = (/** @type {string} */ amount) => BigInt(amount.replace('.', ''));
  return Number(((minor(prior) - minor(price)) * 100n) / minor(prior)) / 100;
}

/** @param {string} rate such as "0.19" */
export const percent = (rate) =>
  new Intl.NumberFormat(shop.locale, { style: 'percent', maximumFractionDigits: 2 }).format(Number(rate));
