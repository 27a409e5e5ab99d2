import { expect, it } from 'vitest';
import { refusal } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';
import { inTaxWords, taxText } from './tax.ts';

it('A tax is named with its rate and its country', () => {
  const tax = { country: 'DE', region: null, rate: '0.19', name: 'MwSt.' };
  expect(taxText(tax, true)).toBe('MwSt. 19% (included) · Germany');
  expect(taxText({ ...tax, country: 'US', region: 'CA', rate: '0.0725', name: null }, false)).toBe(
    'Tax 7.25% · United States, CA',
  );
  expect(taxText({ ...tax, country: null, name: null }, false)).toBe('Tax 19%');
});

it('A wrong VAT number and a wrong region are told in words, other refusals as usual', () => {
  const detail = (field: string, code: string) => ({ field, reason: 'x', code });
  const error = refusal('x', 'x').with([
    detail('customer.vatId', 'WRONG_TYPE'),
    detail('shippingAddress.region', 'NOT_OFFERED'),
    detail('vatId', 'TOO_LONG'),
  ]);
  expect(inTaxWords(error).details.map((one) => reasonOf(one))).toEqual([
    expect.stringContaining('such as ATU12345675'),
    expect.stringContaining('such as CA'),
    'Enter at most 1 character.',
  ]);
  expect(reasonOf({ code: 'REGION_REQUIRED' })).toMatch(/region/);
});
