import type { AttemptNotice } from '../notice.ts';
import { textAt } from '../reading.ts';

/** PayPal's amounts are decimal strings; "1", "1.0" and ".5" all occur. */
export function moneyOf(resource: object, ...path: string[]): Pick<AttemptNotice, 'amount' | 'currency'> {
  const value = textAt(resource, ...path, 'value');
  const amount = value !== null && /^(\d+|\d*\.\d+)$/.test(value) ? value.replace(/^\./, '0.') : null;
  return { amount, currency: textAt(resource, ...path, 'currency_code') };
}
