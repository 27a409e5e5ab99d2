import { describe, expect, it } from 'vitest';
import { calendarOf } from '../kernel/calendar.ts';
import { type Interval, spansOf } from './intervals.ts';

function spans(timeZone: string, from: string, to: string, interval: Interval = 'day') {
  const calendar = calendarOf(timeZone);
  if (!calendar) throw new Error(`${timeZone} is not known`);
  const range = { from: calendar.startOf(from), to: calendar.startOf(to) };
  return spansOf(calendar, range, interval, 400)?.map(({ date, from, to }) => [date, (to - from) / 3_600_000]);
}

describe('intervals of a time zone', () => {
  it.each<[string, string, string, [string, number][]]>([
    [
      'Europe/Berlin',
      '2026-03-28',
      '2026-03-31',
      [
        ['2026-03-28', 24],
        ['2026-03-29', 23],
        ['2026-03-30', 24],
      ],
    ],
    [
      'Europe/Berlin',
      '2026-10-24',
      '2026-10-27',
      [
        ['2026-10-24', 24],
        ['2026-10-25', 25],
        ['2026-10-26', 24],
      ],
    ],
    [
      'Australia/Lord_Howe',
      '2026-04-04',
      '2026-04-07',
      [
        ['2026-04-04', 24],
        ['2026-04-05', 24.5],
        ['2026-04-06', 24],
      ],
    ],
    // Clocks were put forward at midnight: the day began at one.
    [
      'America/Sao_Paulo',
      '2018-11-03',
      '2018-11-06',
      [
        ['2018-11-03', 24],
        ['2018-11-04', 23],
        ['2018-11-05', 24],
      ],
    ],
    // The day was skipped.
    [
      'Pacific/Apia',
      '2011-12-29',
      '2012-01-01',
      [
        ['2011-12-29', 24],
        ['2011-12-30', 0],
        ['2011-12-31', 24],
      ],
    ],
    [
      'Asia/Kathmandu',
      '2026-12-31',
      '2027-01-02',
      [
        ['2026-12-31', 24],
        ['2027-01-01', 24],
      ],
    ],
  ])('%s from %s to %s', (zone, from, to, expected) => {
    expect(spans(zone, from, to)).toEqual(expected);
  });

  it('begin on the days of the zone', () => {
    const start = (zone: string, date: string) => new Date(calendarOf(zone)?.startOf(date) ?? 0).toISOString();
    expect(start('Asia/Kathmandu', '2026-11-01')).toBe('2026-10-31T18:15:00.000Z');
    expect(start('America/St_Johns', '2026-07-01')).toBe('2026-07-01T02:30:00.000Z');
    expect(start('America/Sao_Paulo', '2018-11-04')).toBe('2018-11-04T03:00:00.000Z');
  });

  it('of weeks begin on Monday, of months on the first, both at the ends of the range in the middle', () => {
    expect(spans('UTC', '2026-12-30', '2027-01-13', 'week')).toEqual([
      ['2026-12-30', 5 * 24],
      ['2027-01-04', 7 * 24],
      ['2027-01-11', 2 * 24],
    ]);
    expect(spans('Europe/Berlin', '2028-01-31', '2028-04-01', 'month')).toEqual([
      ['2028-01-31', 24],
      ['2028-02-01', 29 * 24],
      ['2028-03-01', 31 * 24 - 1],
    ]);
  });

  it('of quarters and years begin in January, both at the ends of the range in the middle', () => {
    const dates = (...range: [string, string, Interval]) => spans('Europe/Berlin', ...range)?.map(([date]) => date);
    expect(dates('2026-02-10', '2027-01-02', 'quarter')).toEqual([
      '2026-02-10',
      '2026-04-01',
      '2026-07-01',
      '2026-10-01',
      '2027-01-01',
    ]);
    expect(spans('UTC', '2027-12-31', '2029-01-02', 'year')).toEqual([
      ['2027-12-31', 24],
      ['2028-01-01', 366 * 24],
      ['2029-01-01', 24],
    ]);
  });

  it('are at most as many as they may be', () => {
    expect(spans('Europe/Berlin', '2026-01-01', '2027-02-05')).toHaveLength(400);
    expect(spans('Europe/Berlin', '2026-01-01', '2027-02-06')).toBeUndefined();
  });

  it('every quarter of an hour of two years is in one day alone', () => {
    const calendar = calendarOf('Africa/Casablanca');
    const range = { from: Date.parse('2026-01-01T00:00Z'), to: Date.parse('2026-12-31T00:00Z') };
    const days = spansOf(calendar as never, range, 'day', 400) ?? [];
    expect(days[0]?.from).toBe(range.from);
    expect(days.at(-1)?.to).toBe(range.to);
    for (const [i, day] of days.entries()) {
      expect(day.from).toBe(days[i - 1]?.to ?? range.from);
      expect(calendar?.dateOf(day.from)).toBe(day.date);
      expect(calendar?.dateOf(day.to - 1)).toBe(day.date);
    }
  });

  it.each(['+02:00', '', 'Europe', 'Mars/Base', 'Europe/Berlin '])('%j is no zone', (name) => {
    expect(calendarOf(name)).toBeUndefined();
  });
});
