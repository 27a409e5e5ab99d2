import { expect, it } from 'vitest';
import { planOf, taxesField } from './tax-values.ts';

const field = taxesField('Rates');

it('Taxes by country are typed in per cent, and sent as they were read', () => {
  const stored = {
    scope: 'origin',
    rates: [
      { country: 'DE', region: null, class: 'standard', rate: '0.19', name: 'MwSt.' },
      { country: 'US', region: 'CA', class: 'books', rate: '0.0725', name: null },
    ],
    shipping: null,
  };
  const value = field.read(stored);
  expect(value).toMatchObject({ isOn: true, shipping: '' });
  expect(value.rates[1]).toEqual({ country: 'US', region: 'CA', class: 'books', rate: '7.25', name: '' });
  expect(field.sent(value)).toEqual(stored);
  expect(field.sent({ ...value, isOn: false })).toBeNull();
  expect(field.read(null)).toMatchObject({ isOn: false, rates: [] });
});

it('A rate that is no percentage is refused at its row, and left out of what is reckoned', () => {
  const row = { country: 'DE', region: ' ', class: 'Reduced', rate: '7', name: '' };
  const value = { isOn: true, scope: 'destination' as const, rates: [row, { ...row, rate: 'much' }], shipping: 'none' };
  expect(() => field.sent(value)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ field: 'taxes.rates.1.rate' })] }),
  );
  expect(planOf({ ...value, rates: [...value.rates, { ...row, country: '' }] })).toEqual({
    scope: 'destination',
    rates: [{ country: 'DE', region: null, class: 'reduced', rate: '0.07', name: null }],
    shipping: 'none',
  });
});
