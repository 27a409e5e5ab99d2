import type { paths } from '@commerce/server/api';

/** Days of the shop's zone, both included. */
export interface Days {
  from: string;
  to: string;
}

/** The periods to choose from, in this order; the first three are the last days up to today. */
export const periodNames = ['7', '30', '90', 'month', 'year', 'custom'] as const;
export type PeriodName = (typeof periodNames)[number];

export interface Period extends Days {
  name: PeriodName;
  /** The days that it is compared with: as many before it, or the same days of the month or year before. */
  before: Days;
}

export type Interval = NonNullable<
  NonNullable<paths['/stores/{storeId}/statistics/sales']['get']['parameters']['query']>['interval']
>;

/** Most days of a period, as the interface allows them. */
const maxDays = 3660;

/** Most intervals of a period, as the interface allows them. */
const maxIntervals = 400;

/** The intervals, from short to long, with the days that the shortest of each has. */
const lengths = { day: 1, week: 7, month: 28, quarter: 90, year: 365 } as const satisfies Record<Interval, number>;

const msPerDay = 86_400_000;

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * msPerDay).toISOString().slice(0, 10);
}

/** Number of days, both included. */
export function daysIn({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / msPerDay) + 1;
}

const isDate = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** The same day some months earlier, or the last day of that month if it has no such day. */
function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, last))).toISOString().slice(0, 10);
}

/**
 * The period that an address names; the last 30 days if it names none.
 * @param today the day of the shop
 */
export function periodOf(params: URLSearchParams, today: string): Period {
  const wanted = params.get('period');
  const name = periodNames.find((one) => one === wanted) ?? '30';
  if (name === 'month' || name === 'year') {
    const from = name === 'month' ? `${today.slice(0, 7)}-01` : `${today.slice(0, 4)}-01-01`;
    const months = name === 'month' ? 1 : 12;
    return { name, from, to: today, before: { from: monthsBefore(from, months), to: monthsBefore(today, months) } };
  }
  const days = name === 'custom' ? customOf(params, today) : { from: addDays(today, 1 - Number(name)), to: today };
  const length = daysIn(days);
  return { name, ...days, before: { from: addDays(days.from, -length), to: addDays(days.from, -1) } };
}

/** The days of an address, in their order and at most ten years; the last 30 days up to the end if the beginning is missing. */
function customOf(params: URLSearchParams, today: string): Days {
  const [first, last] = [params.get('from'), params.get('to')];
  const to = isDate(last) ? last : today;
  const from = isDate(first) ? first : addDays(to, -29);
  const days = from <= to ? { from, to } : { from: to, to: from };
  return daysIn(days) <= maxDays ? days : { from: addDays(days.to, 1 - maxDays), to: days.to };
}

/** The intervals into which a period can be divided, from short to long. */
export function intervalsOf(days: Days): Interval[] {
  const length = daysIn(days);
  const fitting = Object.entries(lengths) as [Interval, number][];
  return fitting.filter(([, least]) => Math.ceil(length / least) < maxIntervals).map(([interval]) => interval);
}

/** The interval in which a period is shown unless another one is chosen. */
export function usualInterval(days: Days): Interval {
  const length = daysIn(days);
  if (length <= 92) return 'day';
  return length <= 3 * 366 ? 'month' : 'year';
}

/** The range of a query of the interface, whose end is not included. */
export function rangeOf({ from, to }: Days): { from: string; to: string } {
  return { from, to: addDays(to, 1) };
}

/** The last day of the interval that begins on a day; the period can end in its middle. */
export function endOf(from: string, interval: Interval, { to }: Days): string {
  return [to, lastDay(from, interval)].sort()[0] ?? to;
}

function lastDay(from: string, interval: Interval): string {
  if (interval === 'day') return from;
  const at = new Date(from);
  // Weeks begin on Monday.
  if (interval === 'week') return addDays(from, 6 - ((at.getUTCDay() + 6) % 7));
  const months = { month: 1, quarter: 3, year: 12 }[interval];
  const first = Math.floor(at.getUTCMonth() / months) * months;
  return new Date(Date.UTC(at.getUTCFullYear(), first + months, 0)).toISOString().slice(0, 10);
}

/** The quarter of a day and those before it, the newest first. */
export function quartersUpTo(today: string, count: number): Days[] {
  const first = `${today.slice(0, 5)}${String(Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`;
  return Array.from({ length: count }, (_, i) => {
    const from = monthsBefore(first, 3 * i);
    return { from, to: lastDay(from, 'quarter') };
  });
}
