import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areComparable, formatMeasure, type Measure, measureUnits, parseMeasure, unitPrice } from './unit-price.ts';

const read = (text: string): Measure => parseMeasure(text) ?? expect.fail(`${text} is a measure`);

describe('the price of a unit', () => {
  it.each<[price: bigint, measure: string, base: string, expected: bigint]>([
    [599n, '750 ml', '1 l', 799n],
    [250n, '100 g', '1 kg', 2500n],
    [250n, '0.1 kg', '100 g', 250n],
    [1000n, '3 piece', '1 piece', 333n],
    [1n, '2 l', '1 l', 1n],
    [1990n, '1.5 m2', '1 m2', 1327n],
    [500n, '33 cl', '1 l', 1515n],
  ])('of %s for %s is that of %s: %s', (price, measure, base, expected) => {
    expect(unitPrice(price, read(measure), read(base))).toBe(expected);
  });

  it.each([
    ['750ml', '750 ml'],
    [' 0,75 L ', '0.75 l'],
    ['1.500 kg', '1.5 kg'],
    ['2 m²', '2 m2'],
    ['12 pieces', '12 piece'],
  ])('reads %j as %s', (text, expected) => {
    expect(formatMeasure(read(text))).toBe(expected);
  });

  it.each(['', 'ml', '750', '0 ml', '-1 l', '1.2345 l', '12345678 g', '1 oz', '1e3 g', '750 ml 2', '1 constructor'])(
    'does not read %j',
    (text) => {
      expect(parseMeasure(text)).toBeUndefined();
    },
  );

  it('compares what is measured alike', () => {
    expect(areComparable(read('1 mg'), read('2 kg'))).toBe(true);
    expect(areComparable(read('1 l'), read('1 kg'))).toBe(false);
    expect(areComparable(read('1 m2'), read('1 m'))).toBe(false);
  });

  it('prints what it reads again', () => {
    const measure = fc.record({ thousandths: fc.bigInt(1n, 9_999_999_999n), unit: fc.constantFrom(...measureUnits) });
    fc.assert(
      fc.property(measure, (one) => {
        expect(parseMeasure(formatMeasure(one))).toEqual(one);
      }),
    );
  });
});
