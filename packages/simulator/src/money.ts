/**
 * Decimals of amounts as each provider publishes them. Repeated here on purpose: shared with the program that calls the providers, a
 * mistake in its lists would go unnoticed.
 */
const stripeNone = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const stripeThree = new Set('BHD JOD KWD OMR TND'.split(' '));
const paypalNone = new Set('HUF JPY TWD'.split(' '));
const squareNone = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const squareThree = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** docs.stripe.com/currencies */
export function stripeDecimals(currency: string): number {
  return stripeNone.has(currency) ? 0 : stripeThree.has(currency) ? 3 : 2;
}

/** developer.paypal.com/api/rest/reference/currency-codes */
export function paypalDecimals(currency: string): number {
  return paypalNone.has(currency) ? 0 : 2;
}

/** Square counts in the minor units of ISO 4217. */
export function squareDecimals(currency: string): number {
  return squareNone.has(currency) ? 0 : squareThree.has(currency) ? 3 : 2;
}

/** 1050n with two decimals is "10.50". */
export function formatMoney(minor: bigint, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
