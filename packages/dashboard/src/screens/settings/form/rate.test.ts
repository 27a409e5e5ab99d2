import { describe, expect, it } from 'vitest';
import { percentOf, rateOf } from './rate.ts';

describe('a tax rate', () => {
  it.each([
    ['0', '0'],
    ['0.19', '19'],
    ['0.081', '8.1'],
    ['0.07', '7'],
    ['0.1', '10'],
    ['0.00125', '0.125'],
    ['1', '100'],
  ])('%s is %s per cent, and back', (rate, percent) => {
    expect(percentOf(rate)).toBe(percent);
    expect(rateOf(percent)).toBe(rate);
  });

  it('is read as people write it, and refused where it is none', () => {
    expect(['19 %', ' 8,1', '19.00', '07'].map(rateOf)).toEqual(['0.19', '0.081', '0.19', '0.07']);
    expect(['', '-1', '100.1', '101', 'a', '1.2.3', '1e2'].map(rateOf)).toEqual(Array(7).fill(undefined));
    expect(percentOf('0.190')).toBe('19');
  });
});
