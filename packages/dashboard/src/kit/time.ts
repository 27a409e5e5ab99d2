import { locales } from '../words/locales.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions, languages: string[]) {
  const name = JSON.stringify([timeZone, options, languages]);
  let format = formats.get(name);
  if (!format) {
    format = new Intl.DateTimeFormat(languages, { timeZone, ...options });
    formats.set(name, format);
  }
  return format;
}

export type TimeForm = 'minute' | 'day' | 'exact';

const forms: Record<TimeForm, Intl.DateTimeFormatOptions> = {
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  exact: { dateStyle: 'full', timeStyle: 'long' },
};

/**
 * A time of the interface in a zone, such as the shop's.
 * @param at ISO 8601
 */
export function formatTime(at: string, timeZone: string, form: TimeForm = 'minute', languages = locales): string {
  return formatOf(timeZone, forms[form], languages).format(Date.parse(at));
}

/** The exact time in the zone and in UTC, for comparing with a log. */
export function exactTime(at: string, timeZone: string, languages = locales): string {
  return `${formatTime(at, timeZone, 'exact', languages)} (${new Date(at).toISOString()})`;
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 60],
  ['day', 24],
  ['month', 30],
  ['year', 12],
];

const ages = new Map<string, Intl.RelativeTimeFormat>();

/**
 * Age of a time, such as "3 hours ago".
 * @param now milliseconds
 */
export function formatAge(at: string, now: number, languages = locales): string {
  const name = String(languages);
  const format = ages.get(name) ?? new Intl.RelativeTimeFormat(languages, { numeric: 'auto' });
  ages.set(name, format);
  let value = (Date.parse(at) - now) / 1000;
  let unit: Intl.RelativeTimeFormatUnit = 'second';
  for (const [next, size] of steps) {
    if (Math.abs(value) < size) break;
    value /= size;
    unit = next;
  }
  return format.format(Math.trunc(value), unit);
}

/** The local date of a time in a zone, such as `2026-11-22`. */
export function dateIn(timeZone: string, at: number): string {
  return formatOf(timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' }, ['en-CA']).format(at);
}
