import type { maxRetries } from '../kernel/limits.ts';

/** Waits before each further attempt, in milliseconds after the previous failure. */
export const retryDelays = [5_000, 25_000, 120_000, 600_000] as const satisfies { length: typeof maxRetries };

/** Part by which each wait is randomly shorter or longer, so deliveries that failed together are not retried together. */
const jitter = 0.2;

/** Longest wait that a subscriber can ask for, in milliseconds. */
const maxWait = 3_600_000;

const gone = 410;

/** A failed attempt. */
export interface Failure {
  /** The status of the answer; null without an answer. */
  status: number | null;
  /** Wait that the subscriber asked for, in milliseconds. */
  retryAfter: number | undefined;
}

/**
 * The wait after a failed attempt, in milliseconds; undefined if no further attempt follows.
 * @param attempts number of attempts so far, including this one
 * @param retries maximum number of attempts after the first
 * @param random returns a number from 0 to less than 1
 */
export function waitAfter(
  attempts: number,
  retries: number,
  { status, retryAfter = 0 }: Failure,
  random: () => number,
): number | undefined {
  const delay = attempts > retries ? undefined : retryDelays[attempts - 1];
  // 410 says that this message will never be accepted; other messages are still sent.
  if (delay === undefined || status === gone) return undefined;
  return Math.max(Math.round(delay * (1 + jitter * (2 * random() - 1))), Math.min(retryAfter, maxWait));
}

/** The wait that a `Retry-After` header asks for, in milliseconds. Its value is whole seconds or a date. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = /[A-Za-z]{3}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
