/** Where time comes from: milliseconds since 1970, UTC. SQL never says `now()`. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A stored instant as the interface shows it: UTC, milliseconds, `Z`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
