/** How slowly the body of a request may come that is not there within the time of a whole request. */
export interface Pace {
  /** Bytes a second at least, on the average from its beginning on; 64,000 by default. */
  bytesPerSecond: number;
  /** Milliseconds at most; an hour by default. */
  maxTime: number;
}

/** A body of a megabyte is never allowed more than a minute by it: that is for files alone. */
export const defaultPace: Pace = { bytesPerSecond: 64_000, maxTime: 60 * 60 * 1000 };

/** What has come of a body that is read as it arrives. */
export class Arrival {
  readonly #startedAt = performance.now();
  bytes = 0;

  keeps({ bytesPerSecond, maxTime }: Pace): boolean {
    const time = performance.now() - this.#startedAt;
    return time <= maxTime && this.bytes >= (time / 1000) * bytesPerSecond;
  }
}
