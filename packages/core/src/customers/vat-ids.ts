import * as jsvat from 'jsvat-next';
import { ruled, text } from '../kernel/parse.ts';

// A CommonJS module, whose names not every supported version of Node.js finds.
type Names = Pick<typeof jsvat, 'checkVAT' | 'countries' | 'norway'>;
const { checkVAT, countries, norway } = (jsvat as Names & { default?: Names }).default ?? jsvat;

const expected = 'must be a VAT identification number with the code of its country, such as "ATU12345675"';

const norwegian = /^NO(\d{9})(MVA)?$/;

function isVatId(number: string): boolean {
  // jsvat-next knows Norwegian numbers only without the code of the country, and then takes them for Australian ones.
  const digits = norwegian.exec(number)?.[1];
  return (digits === undefined ? checkVAT(number, countries) : checkVAT(`${digits}MVA`, [norway])).isValid;
}

/** A VAT identification number in upper case, without blanks, points and dashes. Only its form is checked, check digits included. */
export const vatIdRule = text(40)
  .transform((number) => number.replace(/[\s.\-/]/g, '').toUpperCase())
  // Greece has another code in VAT numbers than in addresses.
  .transform((number) => number.replace(/^GR/, 'EL'))
  .refine((number) => number !== '', ruled(expected, 'REQUIRED'))
  .refine(isVatId, ruled(expected, 'WRONG_TYPE'));
