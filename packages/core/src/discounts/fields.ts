import * as z from 'zod';
import { invalid, quote } from '../errors.ts';
import { applyRate, formatMoney, type Minor, parseMoney } from '../money.ts';
import { paging } from '../paging.ts';
import { documented, fields, integer, oneOf, text } from '../parse.ts';
import { money } from '../resources/money.ts';
import type * as described from '../schemas/described.ts';
import { foldText } from '../storage/storage.ts';

export const discountTypes = ['percent', 'amount'] as const;
export type DiscountType = (typeof discountTypes)[number];

/** A code that lowers the price of an order, as every interface answers it. */
export interface Discount {
  id: string;
  storeId: string;
  /** As the shop spells it; buyers may write it in any case. */
  code: string;
  type: DiscountType;
  /** A decimal string: per cent of the subtotal, or an amount in the store's currency. */
  value: string;
  /** Subtotal from which it is valid; null for any. */
  minSubtotal: string | null;
  startsAt: string | null;
  /** Time from which it is not valid any more; null for never. */
  endsAt: string | null;
  /** Orders that may use it; null for any number. */
  usageLimit: number | null;
  /** Orders that use it: pending, paid or later ones, but none that expired or was cancelled before it was paid. */
  used: number;
  createdAt: string;
  updatedAt: string;
}

/** A time with an offset, kept as UTC. */
const time = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as "2030-01-31T00:00:00Z"' })
  .transform((at) => new Date(at).toISOString())
  .nullable();

/** Between 0 and 100 with at most two decimals. */
const percentPattern = /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/;

function schemasFor(decimals: number) {
  const changes = fields({
    code: documented(
      text(64, 1).refine((code) => /^\S+$/.test(code), 'must not contain blanks'),
      { examples: ['WELCOME10'] },
    ),
    type: oneOf(discountTypes),
    value: z
      .string('must be a decimal string such as "10"')
      .refine((value) => /^\d{1,12}(\.\d{1,4})?$/.test(value), 'must be a decimal string such as "10"'),
    minSubtotal: money(decimals).nullable(),
    startsAt: time,
    endsAt: time,
    usageLimit: integer(1, 1_000_000_000).nullable(),
  }).partial();
  return { update: changes, create: changes.required({ code: true, type: true, value: true }) };
}

const schemas = new Map<number, ReturnType<typeof schemasFor>>();

/** The inputs of discounts in a currency with that many decimals. */
export function discountFields(decimals: number): ReturnType<typeof schemasFor> {
  const found = schemas.get(decimals) ?? schemasFor(decimals);
  schemas.set(decimals, found);
  return found;
}

export type DiscountInput = described.DiscountInput & z.input<ReturnType<typeof schemasFor>['create']>;
export type DiscountChanges = described.DiscountChanges & z.input<ReturnType<typeof schemasFor>['update']>;

export const DiscountQuery = fields({
  ...paging,
  /** Exact, in any case. */
  code: text(64).optional(),
});
export type DiscountQueryInput = described.DiscountQueryInput & z.input<typeof DiscountQuery>;

/** The spelling by which codes are compared. */
export function codeKey(code: string): string {
  return foldText(code);
}

/**
 * Holds a discount's value to its type, and its end to its start.
 * @returns the value with the decimals of its kind
 * @throws CommerceError `validation`
 */
export function checkedValue(
  { type, value, startsAt, endsAt }: Pick<Discount, 'type' | 'value' | 'startsAt' | 'endsAt'>,
  decimals: number,
): string {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw invalid('endsAt', `must be later than startsAt ${quote(startsAt)}, not ${quote(endsAt)}`);
  }
  if (type === 'percent') {
    if (percentPattern.test(value)) return value;
    throw invalid('value', `must be from "0" to "100" with at most two decimals for per cent, not ${quote(value)}`);
  }
  const minor = parseMoney(value, decimals);
  if (minor !== undefined) return formatMoney(minor, decimals);
  throw invalid('value', `must be an amount with at most ${decimals} decimals, not ${quote(value)}`);
}

/** The amount that a discount takes off a subtotal, rounded half up; never more than that. In minor units. */
export function discountOn(subtotal: Minor, { type, value }: Discount, decimals: number): Minor {
  if (type === 'percent') {
    const hundredths = parseMoney(value, 2) ?? 0n;
    return applyRate(subtotal, { numerator: hundredths, denominator: 10_000n });
  }
  const amount = parseMoney(value, decimals) ?? 0n;
  return amount < subtotal ? amount : subtotal;
}
