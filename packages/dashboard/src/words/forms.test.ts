import { expect, it } from 'vitest';
import { filled } from './filled.ts';
import { formatList, plural } from './forms.ts';

it('choose the form of a number', () => {
  const forms = { one: '# order', other: '# orders' };
  expect([0, 1, 2, 5023].map((count) => plural(count, forms))).toEqual([
    '0 orders',
    '1 order',
    '2 orders',
    '5,023 orders',
  ]);
  expect(plural(1, { other: 'only #' })).toBe('only 1');
});

it('put elements into their places', () => {
  expect(filled('in {zone}, {missing}now', { zone: 7 })).toEqual(['in ', 7, ', ', undefined, 'now']);
});

it('join texts', () => {
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c');
});
