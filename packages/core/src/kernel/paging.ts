import * as z from 'zod';
import { given, refusing, wholeKind } from './parse.ts';

/** A list's window, as its query parameters spell it. */
export const paging = {
  /** Maximum number of items. */
  limit: wholeNumber(1, 200).prefault(50).describe('Maximum number of items.'),
  /** Number of items to skip. */
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).prefault(0).describe('Number of items to skip.'),
};

/** A whole number from a query string, or a number from code. */
export function wholeNumber(min: number, max: number) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const expected = `must be a whole number ${range}`;
  const schema = z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,16}$/)
          .transform(Number),
      ],
      expected,
    )
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, expected);
  const described = schema.meta({
    type: 'integer',
    minimum: min,
    ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
  });
  const { codeOf, ...kind } = wholeKind(min, max);
  return given<number>()(
    refusing(described, { ...kind, codeOf: (value) => codeOf?.(isDecimal(value) ? Number(value) : value) }),
  );
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}
