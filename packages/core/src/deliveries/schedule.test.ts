import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter, waitAfter } from './schedule.ts';

const failure = { status: 500, retryAfter: undefined };
const middle = () => 0.5;

describe('the waits between attempts', () => {
  it('are 5 s, 25 s, 2 min and 10 min, and then none', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) => waitAfter(attempts, 4, failure, middle));
    expect(waits).toEqual([5_000, 25_000, 120_000, 600_000, undefined, undefined]);
  });

  it('are up to a fifth shorter or longer', () => {
    expect(waitAfter(2, 4, failure, () => 0)).toBe(20_000);
    expect(waitAfter(2, 4, failure, () => 0.999_999_999)).toBe(30_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, random) => {
          const delay = [5_000, 25_000, 120_000, 600_000][attempts - 1] ?? 0;
          const wait = waitAfter(attempts, 4, failure, () => random) ?? 0;
          expect(wait).toBeGreaterThanOrEqual(delay * 0.8);
          expect(wait).toBeLessThanOrEqual(delay * 1.2);
        },
      ),
    );
  });

  it('are as many as the subscription states', () => {
    const count = (retries: number) =>
      [1, 2, 3, 4, 5].filter((attempts) => waitAfter(attempts, retries, failure, middle) !== undefined).length;
    expect([0, 1, 2, 3, 4].map(count)).toEqual([0, 1, 2, 3, 4]);
  });

  it('are at least as long as the subscriber asks, up to an hour', () => {
    const wait = (retryAfter: number) => waitAfter(1, 4, { status: 429, retryAfter }, middle);
    expect([0, 4_000, 5_001, 90_000, 3_600_000, 3_600_001, 86_400_000].map(wait)).toEqual([
      5_000, 5_000, 5_001, 90_000, 3_600_000, 3_600_000, 3_600_000,
    ]);
  });

  it('end with 410, whatever else the answer says', () => {
    expect(waitAfter(1, 4, { status: 410, retryAfter: 1000 }, middle)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  it.each<[string | string[] | undefined, number | undefined]>([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Fri, 20 Nov 2026 12:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['99999999999', undefined],
    [['1', '2'], undefined],
  ])('of %j is %j', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});
