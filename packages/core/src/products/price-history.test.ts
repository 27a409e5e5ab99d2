import { type PriceChange as Change, priorPriceByRule as oracle } from '@commerce/test-support/suites/prior-price';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxEntries, noHistory, noted, type PriceHistory, printHistory, readHistory } from './price-history.ts';

const day = 24 * 3_600_000;
const hour = 3_600_000;

/** The prior price after some changes, and the history. */
function after(changes: readonly Change[]): { prior: number | null | undefined; history: PriceHistory } {
  let history = noHistory;
  let now = 0;
  for (const { wait, ...priced } of changes) {
    now += wait;
    history = readHistory(printHistory(noted(history, priced, now)));
  }
  return { prior: history.reduction?.prior, history };
}

const change = (wait: number, price: number, compareAt: number | null = null, offered = true): Change => ({
  ...{ wait, price, compareAt, offered },
});

describe('the prior price', () => {
  it.each<[string, Change[], number | null | undefined]>([
    ['is none without a reduction', [change(0, 100), change(40 * day, 80)], undefined],
    ['is the price before the fall', [change(0, 100), change(40 * day, 80, 100)], 100],
    [
      'is the lowest of 30 days',
      [change(0, 100), change(20 * day, 70), change(day, 100), change(10 * day, 80, 100)],
      70,
    ],
    ['is not one of before', [change(0, 70), change(5 * day, 100), change(31 * day, 80, 100)], 100],
    ['counts what ended within the 30 days', [change(0, 70), change(10 * day, 100), change(29 * day, 80, 100)], 70],
    // C-330/23: the price of the reduction is announced on the prior price, however often it falls.
    ['stays when the price falls further', [change(0, 100), change(40 * day, 80, 100), change(5 * day, 60, 100)], 100],
    [
      'is another one for a fall after a rise',
      [change(0, 100), change(40 * day, 60, 100), change(5 * day, 90, 100), change(5 * day, 80, 100)],
      60,
    ],
    ['is null for a new product', [change(0, 100), change(29 * day, 80, 100)], null],
    ['is null for one that was never offered', [change(0, 100, null, false), change(40 * day, 80, 100)], null],
    [
      'is null for one that was not offered in the 30 days',
      [change(0, 100), change(day, 100, null, false), change(40 * day, 80, 100)],
      null,
    ],
    [
      'is that of before the fall, if compareAtPrice follows within a day',
      [change(0, 100), change(40 * day, 80), change(hour, 80, 100)],
      100,
    ],
    [
      'is the low price, if compareAtPrice follows later',
      [change(0, 100), change(40 * day, 80), change(2 * day, 80, 100)],
      80,
    ],
    [
      'is that of before the first of several falls',
      [change(0, 100), change(40 * day, 90), change(hour, 80), change(hour, 70, 100)],
      100,
    ],
    [
      'is that of before the fall after a rise',
      [change(0, 100), change(40 * day, 80), change(hour, 95), change(hour, 70, 100)],
      80,
    ],
    ['ends with the reduction', [change(0, 100), change(40 * day, 80, 100), change(day, 80)], undefined],
    [
      'leaves out the days on which it was not offered',
      [change(0, 100), change(20 * day, 50, null, false), change(day, 100), change(10 * day, 80, 100)],
      100,
    ],
  ])('%s', (_, changes, expected) => {
    expect(after(changes).prior).toBe(expected);
  });

  const anyChange = fc.record({
    wait: fc.oneof(
      fc.integer({ min: 0, max: 3 * day }),
      fc.integer({ min: 0, max: 40 * day }),
      fc.constantFrom(day, 30 * day),
    ),
    price: fc.integer({ min: 1, max: 8 }),
    compareAt: fc.option(fc.integer({ min: 1, max: 9 })),
    offered: fc.constantFrom(true, true, true, false),
  });

  it('is what the rule says, over random histories', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { minLength: 1, maxLength: 25 }), (changes) => {
        expect(after(changes).prior).toBe(oracle(changes));
      }),
      { numRuns: 5000 },
    );
  });

  it('is kept in a short text, however often the price changes, and is then never too high', () => {
    const often = Array.from({ length: 500 }, (_, i) => change(hour, 100 + (i % 7)));
    const { history } = after([...often, change(hour, 90, 200)]);
    expect(history.entries.length).toBeLessThanOrEqual(maxEntries);
    const long = after([change(0, 100), ...Array.from({ length: 900 }, (_, i) => change(hour, 101 + (i % 7)))]);
    expect(long.history.entries.length).toBeLessThanOrEqual(maxEntries);
    expect(printHistory(long.history).length).toBeLessThan(1200);
    const reduced = noted(long.history, { price: 50, compareAt: 100, offered: true }, 901 * hour);
    expect(reduced.reduction?.prior).toBeLessThanOrEqual(101);
  });

  it('forgets prices of before the 30 days, also if the price changes often', () => {
    // A price that was wrong for half a day, then two changes a day.
    const often = Array.from({ length: 200 }, (_, i) => change(12 * hour, 100 + (i % 7)));
    const { history, prior } = after([change(0, 1), ...often, change(12 * hour, 90, 200)]);
    expect(history.entries.length).toBeLessThanOrEqual(maxEntries);
    expect(prior).toBe(100);
  });

  it('knows the falls of the last day, also if the price changes often', () => {
    const often = Array.from({ length: 200 }, (_, i) => change(12 * hour, 100 + (i % 7)));
    const falls = [change(hour, 90), change(hour, 80), change(hour, 70, 200)];
    expect(after([...often, ...falls]).prior).toBe(100);
  });
});
