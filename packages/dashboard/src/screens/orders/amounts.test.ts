import { expect, it } from 'vitest';
import { lineTotal } from './amounts.ts';

it('The total of a line is its price times its quantity, less its discount', () => {
  expect(lineTotal({ unitPrice: '12.50', quantity: 3, lineDiscount: '0.00' }, 'EUR')).toBe('37.50');
  expect(lineTotal({ unitPrice: '0.10', quantity: 3, lineDiscount: '0.05' }, 'EUR')).toBe('0.25');
  expect(lineTotal({ unitPrice: '1200', quantity: 2, lineDiscount: '0' }, 'JPY')).toBe('2400');
  expect(lineTotal({ unitPrice: '99999999999.99', quantity: 1000, lineDiscount: '0' }, 'EUR')).toBe(
    '99999999999990.00',
  );
});
