import { CommerceError } from '@commerce/core';

/** How often it is looked whether the event loop is late, in milliseconds. */
const interval = 500;
/** How late it may be, in milliseconds. */
const maxLateness = 1000;
/** So many times in a row: one slow statement is no overload. */
const maxLateTimes = 3;

const tooMany = new CommerceError('unavailable', 'too many requests are under way; try again');
const tooLate = new CommerceError('unavailable', 'the server is overloaded; try again');

/**
 * How much a process has to do. What it cannot do soon it refuses at once, so that a flood costs those who are being served
 * little and nobody waits for an answer that comes too late to be of use.
 */
export class Load {
  /** Requests that are being worked on: not those whose body is still on its way, for a slow client holds up nobody. */
  underWay = 0;
  readonly #max: number;
  #lateTimes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param max how many requests may be under way at once */
  constructor(max: number) {
    this.#max = max;
  }

  /** What to refuse one of the requests under way with; undefined when it can be worked on. */
  refusal(): CommerceError | undefined {
    if (this.underWay > this.#max) return tooMany;
    return this.#lateTimes >= maxLateTimes ? tooLate : undefined;
  }

  /** Starts to watch the event loop. */
  start(): void {
    let due = performance.now() + interval;
    this.#timer ??= setInterval(() => {
      const now = performance.now();
      this.sample(now - due);
      due = now + interval;
    }, interval).unref();
  }

  /** Takes note of how late the event loop was, in milliseconds. */
  sample(lateness: number): void {
    this.#lateTimes = lateness > maxLateness ? this.#lateTimes + 1 : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lateTimes = 0;
  }
}
