import * as z from 'zod';
import { toTimestamp } from './clock.ts';
import { invalid, quote } from './errors.ts';
import { refusing } from './parse.ts';

/** Time zones differ from UTC by whole quarters of an hour, so sales are summed by them; in milliseconds. */
export const quarter = 15 * 60_000;

const day = 24 * 3_600_000;

/** Longest difference of a local time from UTC, in either direction, with a margin. */
const maxOffset = 26 * 3_600_000;

/** Calendar of a time zone. */
export interface Calendar {
  /** The local date of a time. */
  dateOf(ms: number): string;
  /**
   * Time at which a local date begins. This is not midnight if clocks are put forward at midnight.
   * @param guess time to try first
   */
  startOf(date: string, guess?: number): number;
}

const maxCalendars = 100;
const calendars = new Map<string, Calendar>();

/**
 * Calendar of an IANA time zone; undefined for an unknown name. A difference such as `+02:00` is not a zone: it does not say when clocks
 * change.
 */
export function calendarOf(timeZone: string): Calendar | undefined {
  const known = calendars.get(timeZone);
  if (known) return known;
  const format = formatOf(timeZone);
  if (!format) return undefined;
  const calendar = new ZoneCalendar(format);
  if (calendars.size >= maxCalendars) calendars.clear();
  calendars.set(timeZone, calendar);
  return calendar;
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Za-z][\w+\-/]*$/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  } catch {
    return undefined;
  }
}

class ZoneCalendar implements Calendar {
  readonly #format: Intl.DateTimeFormat;

  constructor(format: Intl.DateTimeFormat) {
    this.#format = format;
  }

  dateOf(ms: number): string {
    const parts = new Map(this.#format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  }

  startOf(date: string, guess?: number): number {
    if (guess !== undefined && this.dateOf(guess - quarter) < date && this.dateOf(guess) >= date) return guess;
    const midnight = Date.parse(`${date}T00:00:00Z`);
    // The first quarter of an hour on this date or a later one, because a zone can skip a date.
    let before = midnight - maxOffset;
    let at = midnight + maxOffset;
    while (at - before > quarter) {
      const middle = before + Math.floor((at - before) / quarter / 2) * quarter;
      if (this.dateOf(middle) < date) before = middle;
      else at = middle;
    }
    return at;
  }
}

/** The calendar date that many days later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}

const lastYear = 2199;

/** A date, or a time with its difference from UTC. */
export const dateOrTime = refusing(
  z
    .union(
      [z.iso.date(), z.iso.datetime({ offset: true })],
      'must be a date such as "2026-11-01" or a time such as "2026-11-01T08:00:00Z"',
    )
    .refine((value) => isInRange(value), `must be between 1970-01-02 and ${lastYear}-12-31`)
    .meta({ type: 'string', examples: ['2026-11-01'] }),
  { codeOf: () => 'NOT_A_TIME' },
);

function isInRange(value: string): boolean {
  const ms = Date.parse(value);
  return ms >= 24 * 3_600_000 && ms < Date.UTC(lastYear + 1, 0, 1);
}

/** Milliseconds of a `dateOrTime` value; for a date, of its beginning. */
export function momentOf(calendar: Calendar, value: string): number {
  return value.length === 10 ? calendar.startOf(value) : Date.parse(value);
}

/** Milliseconds at which a `dateOrTime` value is over: a date at the end of the day, a time one millisecond later. */
export function endOf(calendar: Calendar, value: string): number {
  return value.length === 10 ? calendar.startOf(addDays(value, 1)) : Date.parse(value) + 1;
}

/** @throws CommerceError `validation` if the range ends before it begins */
export function checkRange(from: number, to: number, field = 'to'): void {
  if (from >= to)
    throw invalid(field, `must be later than from, ${quote(toTimestamp(from))}, not ${quote(toTimestamp(to))}`, {
      code: 'CONFLICTING',
    });
}

/** Start of the quarter of an hour that contains a time, as the sums of sales name it. */
export function quarterOf(ms: number): string {
  return new Date(Math.floor(ms / quarter) * quarter).toISOString().slice(0, 16);
}
