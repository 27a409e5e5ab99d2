import { expect, it } from 'vitest';
import { gtinOf } from './gtin.ts';

it.each<[barcode: string | null, gtin: string | null, why: string]>([
  ['4006381333931', '4006381333931', 'an EAN of 13 digits'],
  ['96385074', '96385074', 'one of 8'],
  ['036000291452', '036000291452', 'a UPC of 12'],
  ['10012345678902', '10012345678902', 'a carton of 14'],
  ['978-3-16-148410-0', '9783161484100', 'an ISBN with dashes'],
  ['4006381333932', null, 'a wrong check digit'],
  ['400638133393', null, 'a digit too few'],
  ['2001234567893', null, 'a number that the shop gave out itself'],
  ['0212345678905', null, 'one of goods that are weighed'],
  ['00000000', null, 'nothing but zeros'],
  ['0000000000000', null, 'nothing but zeros'],
  ['MUG-1', null, 'no number'],
  ['', null, 'an empty text'],
  [null, null, 'none'],
])('the GTIN of %j is %j: %s', (barcode, gtin) => {
  expect(gtinOf(barcode)).toBe(gtin);
});
