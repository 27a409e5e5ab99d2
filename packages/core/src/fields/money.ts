import * as z from 'zod';
import type { RefusalCode } from '../kernel/errors.ts';
import { formatMoney, parseMoney, parseRate } from '../kernel/money.ts';
import { refusing, ruled } from '../kernel/parse.ts';

/** A decimal string, answered with the currency's decimals: "10" is "10.00" in euros. */
export function money(decimals: number) {
  const example = formatMoney(1050n * 10n ** BigInt(decimals), decimals);
  const expected = `must be a decimal string such as "${example}", with at most 12 digits before the point and ${
    decimals === 0 ? 'none' : `at most ${decimals}`
  } after it`;
  const schema = z.string(expected).transform((value, check) => {
    const minor = parseMoney(value, decimals);
    if (minor !== undefined) return formatMoney(minor, decimals);
    check.addIssue({ code: 'custom', message: expected, input: value, params: { code: codeOfAmount(value) } });
    return z.NEVER;
  });
  // No currency has more than four decimals. One document describes all stores, so it cannot say how many decimals a store's currency has.
  return refusing(schema.meta({ pattern: '^\\d{1,12}(\\.\\d{1,4})?$' }), { limits: { decimals } });
}

function codeOfAmount(value: string): RefusalCode {
  return value.trim() === '' ? 'REQUIRED' : 'NOT_AN_AMOUNT';
}

/** A rate of tax as a fraction, `"0.08"` for 8 %. */
export const taxRate = z
  .string('must be a decimal string such as "0.08" for 8 %')
  .refine(
    (rate) => parseRate(rate) !== undefined,
    ruled('must be a fraction from "0" to "1" such as "0.08" for 8 %', 'NOT_AN_AMOUNT'),
  );
