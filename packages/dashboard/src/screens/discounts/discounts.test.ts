import { afterEach, describe, expect, it } from 'vitest';
import { bodyOf, readValues } from '../../kit/form/kinds.ts';
import { setLanguage } from '../../words/locales.ts';
import { randomCode } from './code.ts';
import { discountFields } from './fields.ts';
import { discountOf, summaryOf } from './summary.ts';

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
      '$5.00 off orders from $20.00, starting Dec 1, 2026, 12:00 AM until Jan 1, 2027, 12:00 AM, at most 100 times.',
    ],
  ])('%j', (discount, sentence) =>
    expect(summaryOf(discount, 'USD', 'Asia/Tokyo').replaceAll('\u202f', ' ')).toBe(sentence),
  );

  it.each([
    ['no text', { value: '', minSubtotal: null, usageLimit: null }],
    ['no percentage', { value: 'x', minSubtotal: null, usageLimit: null }],
    ['no amount', { value: '10', minSubtotal: 'x', usageLimit: null }],
    ['no number', { value: '10', minSubtotal: null, usageLimit: 'often' }],
    ['nothing off', { value: '0.00', minSubtotal: null, usageLimit: null }],
  ])('is missing for a form with %s', (_, body) => expect(discountOf(() => body)).toBeUndefined());

  it('is missing for a form whose value cannot be sent', () => {
    const fields = discountFields(() => 'percent');
    const body = (value: string) => () => bodyOf(fields, { ...readValues(fields), value });
    expect(discountOf(body('101'))).toBeUndefined();
    expect(discountOf(body('7,5 %'))).toMatchObject({ type: 'percent', value: '7.5' });
  });
});

it('proposes codes without letters that look alike', () => {
  const codes = new Set(Array.from({ length: 50 }, randomCode));
  expect(codes.size).toBe(50);
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
});
