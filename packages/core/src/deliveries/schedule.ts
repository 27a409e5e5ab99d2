import type { maxRetries } from '../limits.ts';

/** Waits before each further attempt, in milliseconds, counted from the failure of the one before. */
export const retryDelays = [5_000, 25_000, 120_000, 600_000] as const satisfies { length: typeof maxRetries };

/** What failed together is not tried together again: each wait is up to so much shorter or longer. */
const jitter = 0.2;

/** The longest that a subscriber may ask us to wait. */
const longestWait = 3_600_000;

const gone = 410;

/** What an attempt came to that was no success. */
export interface Failure {
  /** The status of the answer; null where there was none. */
  status: number | null;
  /** What the subscriber asked us to wait, in milliseconds. */
  retryAfter: number | undefined;
}

/**
 * How long to wait after a failed attempt, in milliseconds; undefined where no other follows.
 * @param attempts how many were made, this one included
 * @param retries how many may follow the first one
 * @param random gives a number from 0 to less than 1
 */
export function waitAfter(
  attempts: number,
  retries: number,
  { status, retryAfter = 0 }: Failure,
  random: () => number,
): number | undefined {
  const delay = attempts > retries ? undefined : retryDelays[attempts - 1];
  // Gone for good, it says; whatever else it will be sent is another message.
  if (delay === undefined || status === gone) return undefined;
  return Math.max(Math.round(delay * (1 + jitter * (2 * random() - 1))), Math.min(retryAfter, longestWait));
}

/** The milliseconds that a `Retry-After` asks for: whole seconds, or a date. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = /[A-Za-z]{3}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
