import { CommerceError } from '../errors.ts';
import { Semaphore } from '../semaphore.ts';

/** Calls of providers that may be under way at once to verify notifications that name no store. */
const maxCalls = 8;
/** Notifications of one address for which providers are asked, each second. */
const maxPerSecond = 2;
/** Calls and addresses that are remembered or wait; beyond that, new ones are turned away. */
const maxRemembered = 10_000;
const maxWaiting = 200;
/** How long a failure stands, in milliseconds. */
const failureStands = 60_000;

/**
 * Limits what anonymous notifications on the address that names no store can make providers be asked. In this process; an address
 * that sends more than it may is told to send again later, as providers do.
 */
export class BareLimits {
  readonly #calls = new Semaphore(maxCalls);
  readonly #asked = new Map<string, { second: number; n: number }>();
  readonly #failures = new Map<string, number>();

  /** @throws CommerceError `unavailable` when the address has sent its share of this second */
  countNotification(address: string, now: number): void {
    const second = Math.floor(now / 1000);
    const known = this.#asked.get(address);
    if (known?.second === second) {
      if (known.n >= maxPerSecond) throw busy(`${maxPerSecond} a second are asked about for one address`);
      known.n++;
      return;
    }
    if (this.#asked.size >= maxRemembered) this.#dropOldSeconds(second);
    if (this.#asked.size >= maxRemembered) throw busy('too many addresses send at present');
    this.#asked.set(address, { second, n: 1 });
  }

  #dropOldSeconds(second: number): void {
    for (const [address, known] of this.#asked) if (known.second !== second) this.#asked.delete(address);
  }

  /** Runs a call of a provider as soon as fewer than the most are under way. @throws CommerceError `unavailable` when too many wait */
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#calls.waiting >= maxWaiting) throw busy('too many wait already');
    return this.#calls.run(work);
  }

  /** Whether something failed within the last minute, so that it is not tried again yet. */
  hasFailed(key: string, now: number): boolean {
    const at = this.#failures.get(key);
    return at !== undefined && now - at < failureStands;
  }

  recordFailure(key: string, now: number): void {
    if (this.#failures.size >= maxRemembered) {
      for (const [known, at] of this.#failures) if (now - at >= failureStands) this.#failures.delete(known);
    }
    if (this.#failures.size < maxRemembered) this.#failures.set(key, now);
  }
}

function busy(why: string): CommerceError {
  return new CommerceError('unavailable', `the notification names no store, and cannot be verified at present: ${why}`);
}
