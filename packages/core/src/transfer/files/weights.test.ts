import { expect, it } from 'vitest';
import { readWeight, unitOf, type WeightUnit } from './weights.ts';

it.each<[string, WeightUnit, number | string]>([
  ['85.5', 'g', 86],
  ['85.4999', 'g', 85],
  ['', 'g', 'must be a number'],
  ['0.0855', 'kg', 86],
  ['1.250', 'kg', 1250],
  ['1,25', 'kg', 1250],
  ['1,250', 'kg', 'is ambiguous'],
  ['1', 'lbs', 454],
  ['2.20462262185', 'lbs', 1000],
  ['16', 'oz', 454],
  ['1000000', 'kg', 1_000_000_000],
  ['1000000.001', 'kg', 'must be at most 1000000000 g'],
  ['-1', 'kg', 'must be a number'],
  ['heavy', 'kg', 'must be a number'],
  ['1'.repeat(61), 'g', 'must be a weight'],
])('%s %s', (cell, unit, grams) => {
  const read = readWeight(cell, unit);
  if (typeof grams === 'number') expect(read).toEqual({ value: grams });
  else expect(read).toEqual({ reason: expect.stringContaining(grams) });
});

it.each([
  ['Weight (kg)', 'kg'],
  ['weight (LBS)', 'lbs'],
  ['Weight (stone)', 'g'],
  ['Variant Grams', 'g'],
  ['Weight value (grams)', 'g'],
])('the unit of "%s" is %s', (header, unit) => {
  expect(unitOf(header)).toBe(unit);
});
