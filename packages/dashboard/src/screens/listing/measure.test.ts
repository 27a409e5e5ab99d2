import { describe, expect, it } from 'vitest';
import { measureText, noUnitPrice, priceOf, unitPriceField, unitsLike, withUnit } from './measure.ts';

describe('the price of a unit', () => {
  const wine = unitPriceField.read({ measure: '750 ml', base: '1 l', price: '7.99' });

  it('is sent as it was read, and not at all without a number', () => {
    expect(wine).toEqual({ measure: '750', unit: 'ml', base: '1', baseUnit: 'l' });
    expect(unitPriceField.sent(wine)).toEqual({ measure: '750 ml', base: '1 l' });
    expect(unitPriceField.sent(unitPriceField.read(null))).toBeNull();
    expect(unitPriceField.read(undefined)).toEqual(noUnitPrice);
    expect(unitPriceField.sent({ ...wine, base: '' })).toEqual({ measure: '750 ml', base: '1 l' });
    expect(unitPriceField.sent({ ...wine, measure: ' 0.75 ', unit: 'l' })).toEqual({ measure: '0.75 l', base: '1 l' });
  });

  it.each(['much', '0', '-1', '1.2345', '12345678'])('is refused for %s', (measure) => {
    expect(() => unitPriceField.sent({ ...wine, measure })).toThrow();
  });

  it('is shown for what measures the same', () => {
    expect(unitsLike('g')).toEqual(['mg', 'g', 'kg']);
    expect(unitsLike('piece')).toEqual(['piece']);
    expect(withUnit(wine, 'cl')).toEqual({ ...wine, unit: 'cl' });
    expect(withUnit(wine, 'm2')).toEqual({ measure: '750', unit: 'm2', base: '1', baseUnit: 'm2' });
    expect(withUnit(wine, 'mg')).toMatchObject({ base: '1', baseUnit: 'kg' });
  });

  it('follows from the price that is typed', () => {
    expect(priceOf(wine, '5.99', 'EUR')).toBe('7.99');
    expect(priceOf({ ...wine, base: '100', baseUnit: 'ml' }, '5.99', 'EUR')).toBe('0.80');
    expect(priceOf(wine, '600', 'JPY')).toBe('800');
    for (const price of ['', 'x']) expect(priceOf(wine, price, 'EUR')).toBeUndefined();
    expect(priceOf({ ...wine, measure: '' }, '5.99', 'EUR')).toBeUndefined();
    expect(priceOf({ ...wine, base: 'x' }, '5.99', 'EUR')).toBeUndefined();
  });

  it('is read by people with usual signs', () => {
    expect(measureText('1.5 m2')).toBe('1.5 m²');
    expect(measureText('?')).toBe('?');
  });
});
