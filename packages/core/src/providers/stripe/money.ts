import { invalid } from '../../kernel/errors.ts';
import { formatMoney, readMoney } from '../../kernel/money.ts';
import type { AttemptNotice } from '../notice.ts';
import { integerAt, textAt } from '../reading.ts';

// docs.stripe.com/currencies. Not ISO 4217: MGA is sent without decimals, ISK and UGX with two.
const noDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const threeDecimals = new Set('BHD JOD KWD OMR TND'.split(' '));

/** @param less deduction in Stripe's minor units */
export function amountOf(object: object, field: string, less = 0): Pick<AttemptNotice, 'amount' | 'currency'> {
  const currency = textAt(object, 'currency')?.toUpperCase() ?? null;
  const minor = integerAt(object, field);
  if (currency === null || minor === null) return { amount: null, currency };
  return { amount: formatMoney(BigInt(Math.max(0, minor - less)), stripeDecimals(currency)), currency };
}

/** Decimals of a currency as Stripe sends and takes it. */
export function stripeDecimals(currency: string): number {
  return noDecimals.has(currency) ? 0 : threeDecimals.has(currency) ? 3 : 2;
}

/** An amount in Stripe's minor units of the currency, which sometimes differ from ISO 4217. */
export function stripeMinor(amount: string, currency: string): number {
  const minor = readMoney(amount, stripeDecimals(currency));
  if (minor === undefined) throw invalid('amount', `Stripe cannot express ${amount} ${currency}`);
  return Number(minor);
}
