import { addDays, type Calendar } from '../kernel/calendar.ts';

export const intervals = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof intervals)[number];

/** Part of a range, in milliseconds: from its first quarter of an hour up to the first one after it. */
export interface Span {
  /** The local date on which it begins. */
  date: string;
  from: number;
  to: number;
}

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** The first date of the interval after a date's; weeks begin on Monday, quarters and years in January. */
function nextDate(date: string, interval: Interval): string {
  if (interval === 'day') return addDays(date, 1);
  const at = new Date(`${date}T00:00:00Z`);
  if (interval === 'week') return addDays(date, 7 - ((at.getUTCDay() + 6) % 7));
  const months = monthsOf[interval];
  const first = Math.floor(at.getUTCMonth() / months) * months;
  return new Date(Date.UTC(at.getUTCFullYear(), first + months, 1)).toISOString().slice(0, 10);
}

/**
 * The intervals of a range in a calendar, oldest first. The first begins and the last ends with the range, even in the middle of a week,
 * month, quarter or year.
 * @returns undefined for more than `max` intervals
 */
export function spansOf(
  calendar: Calendar,
  { from, to }: { from: number; to: number },
  interval: Interval,
  max: number,
): Span[] | undefined {
  const spans: Span[] = [];
  let date = calendar.dateOf(from);
  for (let start = from; start < to; ) {
    if (spans.length === max) return undefined;
    const next = nextDate(date, interval);
    // The same length later, unless clocks change in between.
    const guess = start + (Date.parse(next) - Date.parse(date));
    const end = Math.min(calendar.startOf(next, guess), to);
    spans.push({ date, from: start, to: end });
    [date, start] = [next, end];
  }
  return spans;
}
