/** Minimum pace of a request body that exceeds the time limit of a whole request. */
export interface Pace {
  /** Minimum bytes per second, as the average since its beginning; 64,000 by default. */
  bytesPerSecond: number;
  /** Maximum milliseconds; an hour by default. */
  maxTime: number;
}

/** A body of a megabyte never gets more than a minute from it: only files do. */
export const defaultPace: Pace = { bytesPerSecond: 64_000, maxTime: 60 * 60 * 1000 };

/** Progress of a body that is read as it arrives. */
export class Arrival {
  readonly #startedAt = performance.now();
  bytes = 0;

  keeps({ bytesPerSecond, maxTime }: Pace): boolean {
    const time = performance.now() - this.#startedAt;
    return time <= maxTime && this.bytes >= (time / 1000) * bytesPerSecond;
  }
}
