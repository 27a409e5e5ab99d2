import { expect, it } from 'vitest';
import { averageOf, changeOf } from './change.ts';

it('a change is counted in thousandths, and from nothing there is none', () => {
  expect(changeOf(10_000n, 11_200n)).toBe(120);
  expect(changeOf(3n, 2n)).toBe(-333);
  expect(changeOf(5n, 5n)).toBe(0);
  expect(changeOf(0n, 5n)).toBe(undefined);
});

it('an average is a whole number of minor units', () => {
  expect([averageOf(1000n, 3), averageOf(1001n, 2), averageOf(0n, 5), averageOf(0n, 0)]).toEqual([333n, 501n, 0n, 0n]);
});
