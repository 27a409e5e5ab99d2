import { expect, it } from 'vitest';
import { numberLike } from './invoice-number.ts';

it('The number of an invoice has its beginning, the year and its digits', () => {
  expect(numberLike('INV-{year}-', '4', '2026')).toBe('INV-2026-0001');
  expect(numberLike(' R{year}/{year} ', '1', '2027')).toBe('R2027/20271');
  expect(numberLike('', 'many', '2026')).toBe('1');
  expect(numberLike('A', '99', '2026')).toBe('A000000000001');
});
