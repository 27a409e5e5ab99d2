/** Where time comes from: milliseconds since 1970, UTC. SQL never says `now()`. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A stored instant as the API shows it: UTC, milliseconds, `Z`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** True if a value is an instant as `toTimestamp` writes it. */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && toTimestamp(ms) === value;
}
