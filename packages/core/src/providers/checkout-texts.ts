import type { AddressSnapshot } from '../orders/fields.ts';
import type { PageRequest } from './checkout-page.ts';

/** A text of at most `max` UTF-16 units on one line, cut with an ellipsis. */
export function cut(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (line.length <= max) return line;
  // The cut can split a surrogate pair.
  return `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The name of a line as the buyer reads it at the provider. */
export function nameOf(name: string, max: number): string {
  return cut(name, max) || 'Item';
}

/** Name of the single line when a whole order is shown as one. */
export function orderName({ orderNumber }: PageRequest): string {
  return `Order ${orderNumber}`;
}

/** The two-letter country code of an address; null for a country's name, which providers do not take. */
export function countryOf(address: AddressSnapshot | null): string | null {
  const code = address?.country?.trim().toUpperCase() ?? '';
  if (!/^[A-Z]{2}$/.test(code)) return null;
  return code === 'UK' ? 'GB' : code;
}

/** The name that goods are sent to. */
export function recipientOf({ shippingAddress, customer }: PageRequest): string | null {
  const parts = [shippingAddress?.firstName, shippingAddress?.lastName].filter(Boolean);
  return parts.join(' ').trim() || customer.name?.trim() || null;
}

/** The fields that have a value. */
export function given<T extends Record<string, string | null | undefined>>(texts: T): { [Name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as { [Name in keyof T]?: string };
}
