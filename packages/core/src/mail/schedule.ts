const minute = 60_000;

/** Waits after the first failures. Mail servers turn unknown senders away for 5 to 15 minutes. */
const firstWaits = [1, 5, 15, 30].map((minutes) => minutes * minute);

const laterWait = 60 * minute;

/** Milliseconds after the first attempt in which a mail is tried. */
const triedFor = 24 * 60 * minute;

/**
 * Milliseconds until the next attempt after a failed one; undefined if no further attempt follows.
 * @param attempts number of attempts so far, including this one
 * @param startedAt time of the first one
 */
export function mailWaitAfter(attempts: number, startedAt: number, now: number): number | undefined {
  const wait = firstWaits[attempts - 1] ?? laterWait;
  return now + wait - startedAt <= triedFor ? wait : undefined;
}
