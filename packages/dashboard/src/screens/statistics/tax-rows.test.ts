import { expect, it } from 'vitest';
import { netTax, sumOf } from './tax-rows.ts';

const taxes = [
  { base: '100.00', tax: '20.00', refundedBase: '10.00', refundedTax: '2.00' },
  { base: '0.00', tax: '0.00', refundedBase: '0.05', refundedTax: '0.01' },
];

it('taxes are added exactly, and a refund of an earlier quarter makes less than nothing', () => {
  expect(taxes.map((one) => netTax(one, 2))).toEqual(['18.00', '-0.01']);
  const sum = sumOf(taxes, 2);
  expect(sum).toEqual({ base: '100.00', tax: '20.00', refundedBase: '10.05', refundedTax: '2.01' });
  expect(netTax(sum, 2)).toBe('17.99');
  expect(sumOf([], 0)).toEqual({ base: '0', tax: '0', refundedBase: '0', refundedTax: '0' });
});
