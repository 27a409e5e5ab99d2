import { expect, it } from 'vitest';
import { gramsOf, kilogramsOf, weightText } from './weight.ts';

it('A weight is whole grams, and typed in kilograms', () => {
  expect([0, 5, 500, 2500, 31_500, 1_000_000_000].map(kilogramsOf)).toEqual([
    '0',
    '0.005',
    '0.5',
    '2.5',
    '31.5',
    '1000000',
  ]);
  expect(['0', '0.005', '0.5', '2.5', '31.5', ' 2 '].map(gramsOf)).toEqual([0, 5, 500, 2500, 31_500, 2000]);
  expect(['', '-1', '1.2345', '1,5', 'two', '1e3'].map(gramsOf)).toEqual(Array(6).fill(undefined));
  expect([350, 2500].map(weightText)).toEqual(['350 g', '2.5 kg']);
});
