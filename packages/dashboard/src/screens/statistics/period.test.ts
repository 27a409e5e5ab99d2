import { describe, expect, it } from 'vitest';
import { daysIn, endOf, intervalsOf, periodOf, quartersUpTo, usualInterval } from './period.ts';

const of = (search: string, today = '2028-03-31') => periodOf(new URLSearchParams(search), today);

describe('the period of an address', () => {
  it('is the last 30 days unless it says otherwise, compared with the 30 days before', () => {
    const usual = {
      name: '30',
      from: '2028-03-02',
      to: '2028-03-31',
      before: { from: '2028-02-01', to: '2028-03-01' },
    };
    expect(of('')).toEqual(usual);
    expect(of('period=all')).toEqual(usual);
    expect(of('period=7')).toMatchObject({ from: '2028-03-25', before: { from: '2028-03-18', to: '2028-03-24' } });
  });

  it('compares a month and a year with the same days of those before, which can be shorter', () => {
    expect(of('period=month')).toMatchObject({
      from: '2028-03-01',
      to: '2028-03-31',
      before: { from: '2028-02-01', to: '2028-02-29' },
    });
    expect(of('period=month', '2028-01-15').before).toEqual({ from: '2027-12-01', to: '2027-12-15' });
    expect(of('period=year', '2028-02-29')).toMatchObject({
      from: '2028-01-01',
      before: { from: '2027-01-01', to: '2027-02-28' },
    });
  });

  it('takes two days in either order, and at most ten years of them', () => {
    const days = { from: '2028-01-01', to: '2028-01-10', before: { from: '2027-12-22', to: '2027-12-31' } };
    expect(of('period=custom&from=2028-01-01&to=2028-01-10')).toMatchObject(days);
    expect(of('period=custom&to=2028-01-01&from=2028-01-10')).toMatchObject(days);
    expect(of('period=custom&from=2028-02-30&to=x')).toMatchObject({ from: '2028-03-02', to: '2028-03-31' });
    const long = of('period=custom&from=1900-01-01');
    expect([long.to, daysIn(long)]).toEqual(['2028-03-31', 3660]);
  });

  it('is divided into at most 400 intervals', () => {
    const year = { from: '2028-01-01', to: '2028-12-31' };
    expect(intervalsOf(year)).toEqual(['day', 'week', 'month', 'quarter', 'year']);
    expect(intervalsOf({ from: '2018-12-25', to: '2028-12-31' })).toEqual(['month', 'quarter', 'year']);
    expect(usualInterval({ from: '2028-01-01', to: '2028-03-31' })).toBe('day');
    expect(usualInterval(year)).toBe('month');
    expect(usualInterval({ from: '2020-01-01', to: '2028-12-31' })).toBe('year');
  });

  it('knows where an interval ends', () => {
    const all = { from: '2028-01-01', to: '2028-11-20' };
    const ends = (['day', 'week', 'month', 'quarter', 'year'] as const).map((one) => endOf('2028-02-09', one, all));
    expect(ends).toEqual(['2028-02-09', '2028-02-13', '2028-02-29', '2028-03-31', '2028-11-20']);
  });
});

it('quarters are whole, up to that of today', () => {
  expect(quartersUpTo('2028-02-29', 3)).toEqual([
    { from: '2028-01-01', to: '2028-03-31' },
    { from: '2027-10-01', to: '2027-12-31' },
    { from: '2027-07-01', to: '2027-09-30' },
  ]);
  expect(quartersUpTo('2028-12-31', 8).at(-1)).toEqual({ from: '2027-01-01', to: '2027-03-31' });
});
