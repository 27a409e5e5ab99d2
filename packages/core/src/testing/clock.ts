import type { Clock } from '../kernel/clock.ts';

export interface FakeClock extends Clock {
  /** Moves the time forward by that many milliseconds. */
  advance(ms: number): void;
}

/** A clock that stands still until `advance` moves it. */
export function fakeClock(start: string | number = '2026-01-01T00:00:00.000Z'): FakeClock {
  let now = new Date(start).getTime();
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
