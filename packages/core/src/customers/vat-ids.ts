import { checkVAT, countries } from 'jsvat-next';
import { ruled, text } from '../kernel/parse.ts';

const expected = 'must be a VAT identification number with the code of its country, such as "ATU12345675"';

/** A VAT identification number in upper case, without blanks, points and dashes. Only its form is checked, check digits included. */
export const vatIdRule = text(40)
  .transform((number) => number.replace(/[\s.\-/]/g, '').toUpperCase())
  .refine((number) => number !== '', ruled(expected, 'REQUIRED'))
  .refine((number) => checkVAT(number, countries).isValid, ruled(expected, 'WRONG_TYPE'));
