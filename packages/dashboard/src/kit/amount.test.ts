import { describe, expect, it } from 'vitest';
import { amountText, readAmount } from './amount.ts';

describe('a typed amount', () => {
  it.each([
    // The language, the decimals of the currency, the text, and what it means.
    ['de', 2, '48,50', '48.50'],
    ['de', 2, '48.50', '48.50'],
    ['de', 2, '48.5', '48.5'],
    ['de', 2, '1.234,50', '1234.50'],
    ['de', 2, '1.234', '1234'],
    ['de', 2, '1.234.567', '1234567'],
    ['de', 2, '1 234,50', '1234.50'],
    ['de', 2, '1\u202f234\u00a0567,5', '1234567.5'],
    ['de', 2, ' 0048 ', '48'],
    ['de', 2, '1,234', undefined],
    ['de', 2, '1,234.50', undefined],
    ['de', 3, '1,234', '1.234'],
    ['de', 3, '1.234', '1234'],
    ['en', 2, '48.50', '48.50'],
    ['en', 2, '48,50', '48.50'],
    ['en', 2, '1,234', '1234'],
    ['en', 2, '1,234.50', '1234.50'],
    ['en', 2, '12,34,567', undefined],
    ['en-IN', 2, '12,34,567.5', '1234567.5'],
    ['en', 2, '1.234', undefined],
    ['en', 2, '1.234,50', undefined],
    ['en', 2, '1,2345', undefined],
    ['en', 2, '48.505', undefined],
    ['en', 3, '1.234', '1.234'],
    ['en', 0, '1,234', '1234'],
    ['en', 0, '48.50', undefined],
    ['de', 0, '1.234', '1234'],
    ['de-AT', 2, '1.234,50', '1234.50'],
    ['de-AT', 2, '1.234', undefined],
    ['de-CH', 2, "1'234.50", '1234.50'],
    ['de-CH', 2, '1’234', '1234'],
    ['de-CH', 2, '48,50', '48.50'],
  ])('in %s with %i decimals: %s', (language, decimals, typed, amount) => {
    expect(readAmount(typed, decimals, [language])).toBe(amount);
  });

  it('is nothing for a text that is no amount', () => {
    const texts = ['', ' ', '-1', '+1', ',50', '48,', '1e3', '€ 5', '5 %', '1..5', '1,5,5', '1 23', '１', 'ten'];
    for (const language of ['de', 'en', 'de-CH']) {
      expect(texts.map((text) => readAmount(text, 2, [language]))).toEqual(texts.map(() => undefined));
    }
  });
});

it('An amount in a field has the decimal separator of the language, and is read back', () => {
  expect(amountText('48.50', ['de'])).toBe('48,50');
  expect(amountText('1234.5', ['en'])).toBe('1234.5');
  expect(amountText('1234', ['de'])).toBe('1234');
  expect(amountText('ten', ['de'])).toBe('ten');
  for (const language of ['de', 'en', 'de-CH', 'de-AT', 'en-IN']) {
    for (const amount of ['0', '0.05', '48.50', '1234.50', '123456789012.99']) {
      expect(readAmount(amountText(amount, [language]), 2, [language])).toBe(amount);
    }
  }
});
