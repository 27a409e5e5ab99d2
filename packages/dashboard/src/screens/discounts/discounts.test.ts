import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../words/locales.ts';
import { randomCode } from './code.ts';
import { summaryOf } from './summary.ts';

afterEach(() => setLanguage('en'));

const open = {
  type: 'percent',
  value: '10',
  minSubtotal: null,
  startsAt: null,
  endsAt: null,
  usageLimit: null,
} as const;
const limited = {
  type: 'amount',
  value: '5.00',
  minSubtotal: '20.00',
  startsAt: '2026-11-30T15:00:00.000Z',
  endsAt: '2026-12-31T15:00:00.000Z',
  usageLimit: 100,
} as const;

describe('a discount in one sentence', () => {
  it.each([
    [open, '10% off any order.'],
    [{ ...open, value: '7.5', usageLimit: 1 }, '7.5% off any order, at most once.'],
    [{ ...open, endsAt: limited.endsAt }, '10% off any order, until Jan 1, 2027, 12:00 AM.'],
    [
      limited,
      '$5.00 off orders from $20.00, from Dec 1, 2026, 12:00 AM until Jan 1, 2027, 12:00 AM, at most 100 times.',
    ],
  ])('%j', (discount, sentence) =>
    expect(summaryOf(discount, 'USD', 'Asia/Tokyo').replaceAll('\u202f', ' ')).toBe(sentence),
  );
});

it('proposes codes without letters that look alike', () => {
  const codes = new Set(Array.from({ length: 50 }, randomCode));
  expect(codes.size).toBe(50);
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
});
