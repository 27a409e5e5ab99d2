import * as z from 'zod';
import { type Changes, type Entity, entity, type Input, made, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { choice, decimal, integer, kind, madeCount, money, nullable, time } from '../fields/kinds.ts';
import { noted } from '../fields/notes.ts';
import { identity, stampsOf } from '../fields/stamps.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { foldCase } from '../kernel/fold.ts';
import { applyRate, formatMoney, type Minor, parseMoney } from '../kernel/money.ts';
import { paging } from '../kernel/paging.ts';
import { fields, ruled, text as textRule } from '../kernel/parse.ts';

export const discountTypes = ['percent', 'amount'] as const;
export type DiscountType = (typeof discountTypes)[number];

/** From 0 to 100 with up to two decimals. */
const percentPattern = /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/;

const decimalWords = "A decimal string with at most the currency's decimals.";

const shape = {
  ...identity(exampleIds.discount),
  /** The code as entered by the shop; buyers can enter it in any case. */
  code: written(
    kind(
      textRule(64, 1)
        .refine((code) => /^\S+$/.test(code), ruled('must not contain spaces', 'NOT_A_SLUG'))
        .meta({ examples: ['WELCOME10'] }),
      () => z.string(),
      'text',
    ),
    {
      words: 'The code as entered by the shop; buyers can enter it in any case.',
      example: 'WELCOME10',
      input: { words: 'Unique in the store, case-insensitive; without spaces.' },
      required: true,
    },
  ),
  /** How `value` is interpreted. */
  type: written(choice(discountTypes), { words: 'How `value` is interpreted.', example: 'percent', required: true }),
  /** A percentage of the subtotal, or an amount. */
  value: written(
    kind(
      z
        .string('must be a decimal string such as "10"')
        .refine(
          (value) => /^\d{1,12}(\.\d{1,4})?$/.test(value),
          ruled('must be a decimal string such as "10"', 'NOT_AN_AMOUNT'),
        ),
      () => z.string().meta(decimal),
      'decimal',
    ),
    {
      words: 'A percentage of the subtotal, or an amount.',
      example: '10',
      input: { words: `A percentage with at most two decimals, or an amount. ${decimalWords}`, example: '10' },
      required: true,
    },
  ),
  /** The minimum subtotal; null for none. */
  minSubtotal: written(nullable(money()), {
    words: 'The minimum subtotal; null for none.',
    example: '20.00',
    input: { words: `The minimum subtotal. ${decimalWords}` },
  }),
  /** Time from which it is valid; null for no start. */
  startsAt: written(nullable(time()), { words: 'Time from which it is valid; null for no start.' }),
  /** Time at which it expires; null for never. */
  endsAt: written(nullable(time()), { words: 'Time at which it expires; null for never.' }),
  /** Maximum number of orders that can use it; null for no limit. */
  usageLimit: written(nullable(integer(1, 1_000_000_000)), {
    words: 'Maximum number of orders that can use it; null for no limit.',
    example: 100,
    input: { words: 'Maximum number of orders that can use it; null for no limit.' },
  }),
  /** Orders that use it; orders that expire or are cancelled before payment do not count. */
  used: made(madeCount, {
    words: 'Orders that use it; orders that expire or are cancelled before payment do not count.',
    example: 3,
  }),
  ...stampsOf('Time of the last manual change, UTC.'),
};

export const discountEntity = entity(shape, {
  words: 'A code that lowers the price of an order.',
  strict: true,
  create: {
    words: 'A new discount code.',
    example: { code: 'WELCOME10', type: 'percent', value: '10', usageLimit: 100 },
  },
  update: {
    words: 'Changes of a discount: absent fields keep their values.',
    example: { endsAt: '2026-12-31T23:00:00Z' },
  },
});

/** A code that lowers the price of an order, as all interfaces answer it. */
export type Discount = Entity<typeof shape>;
export type DiscountInput = Input<typeof shape>;
export type DiscountChanges = Changes<typeof shape>;

export const DiscountQuery = noted(
  fields({
    ...paging,
    /** The exact code, case-insensitive. */
    code: textRule(64).optional().describe('The exact code, case-insensitive.'),
  }),
  {
    description: 'Filters of a list of discounts.',
  },
);
export type DiscountQueryInput = z.input<typeof DiscountQuery>;

/** The form in which codes are compared. */
export function codeKey(code: string): string {
  return foldCase(code);
}

/**
 * Checks a discount's value against its type, and its end against its start.
 * @returns the value with the decimals of its type
 * @throws CommerceError `validation`
 */
export function checkedValue(
  { type, value, startsAt, endsAt }: Pick<Discount, 'type' | 'value' | 'startsAt' | 'endsAt'>,
  decimals: number,
): string {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    throw invalid('endsAt', `must be later than startsAt ${quote(startsAt)}, not ${quote(endsAt)}`, {
      code: 'CONFLICTING',
    });
  }
  if (type === 'percent') {
    if (percentPattern.test(value)) return value;
    throw invalid(
      'value',
      `must be from "0" to "100" with at most two decimals for a percentage, not ${quote(value)}`,
      { code: 'NOT_AN_AMOUNT', limits: { min: '0', max: '100', decimals: 2 } },
    );
  }
  const minor = parseMoney(value, decimals);
  if (minor !== undefined) return formatMoney(minor, decimals);
  throw invalid('value', `must be an amount with at most ${decimals} decimals, not ${quote(value)}`, {
    code: 'NOT_AN_AMOUNT',
    limits: { decimals },
  });
}

/** The amount that a discount takes off a subtotal, in minor units, rounded half up; never more than the subtotal. */
export function discountOn(subtotal: Minor, { type, value }: Discount, decimals: number): Minor {
  if (type === 'percent') {
    const hundredths = parseMoney(value, 2) ?? 0n;
    return applyRate(subtotal, { numerator: hundredths, denominator: 10_000n });
  }
  const amount = parseMoney(value, decimals) ?? 0n;
  return amount < subtotal ? amount : subtotal;
}
