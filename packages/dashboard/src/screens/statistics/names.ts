import { locales, t } from '../../words/words.ts';
import { type Days, endOf, type Interval } from './period.ts';

const formats: Record<'day' | 'short' | 'month' | 'shortMonth', Intl.DateTimeFormatOptions> = {
  day: { dateStyle: 'medium' },
  short: { month: 'short', day: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short', year: '2-digit' },
};

/** A day is a date without a zone, which is read and written in UTC. */
const formatOf = (form: keyof typeof formats) =>
  new Intl.DateTimeFormat(locales, { ...formats[form], timeZone: 'UTC' });

export function dayName(date: string): string {
  return formatOf('day').format(Date.parse(date));
}

/** Days, such as "Nov 1 – 30, 2026". */
export function daysName({ from, to }: Days): string {
  return formatOf('day').formatRange(Date.parse(from), Date.parse(to));
}

const quarterOf = (date: string) => Math.ceil(Number(date.slice(5, 7)) / 3);

/** The name of the interval that begins on a day, such as "November 2026". */
export function intervalName(from: string, interval: Interval, period: Days): string {
  switch (interval) {
    case 'day':
      return dayName(from);
    case 'week':
      return daysName({ from, to: endOf(from, interval, period) });
    case 'month':
      return formatOf('month').format(Date.parse(from));
    case 'quarter':
      return t.statistics.quarter(quarterOf(from), from.slice(0, 4));
    case 'year':
      return from.slice(0, 4);
  }
}

/** A short name of an interval, for an axis. */
export function shortName(from: string, interval: Interval): string {
  if (interval === 'year') return from.slice(0, 4);
  if (interval === 'quarter') return t.statistics.quarter(quarterOf(from), from.slice(2, 4));
  return formatOf(interval === 'month' ? 'shortMonth' : 'short').format(Date.parse(from));
}
