import { CommerceError } from '../../kernel/errors.ts';
import { FairQueue } from '../../kernel/fair-queue.ts';

/** Calls to providers under way at once for verifying notifications that name no store. */
const maxCalls = 8;
/** Notifications per second from one network address for which providers are called. */
const maxPerSecond = 2;
/** Most remembered addresses and failures, and most waiting calls; more are turned away. */
const maxRemembered = 10_000;
const maxWaiting = 200;
/** Milliseconds for which a failure is remembered. */
const failureKeptFor = 60_000;

/**
 * Limits the provider calls that anonymous notifications without a store cause in this process. An address beyond its limit gets
 * `unavailable`; providers then send again later.
 */
export class BareLimits {
  readonly #calls = new FairQueue({ atOnce: maxCalls, maxWaiting, refusal: busy('too many are waiting') });
  readonly #asked = new Map<string, { second: number; n: number }>();
  readonly #failures = new Map<string, number>();

  /** @throws CommerceError `unavailable` when the address has reached its limit for this second */
  countNotification(address: string, now: number): void {
    const second = Math.floor(now / 1000);
    const known = this.#asked.get(address);
    if (known?.second === second) {
      if (known.n >= maxPerSecond) throw refusal(`at most ${maxPerSecond} per second are verified for one address`);
      known.n++;
      return;
    }
    if (this.#asked.size >= maxRemembered) this.#dropOldSeconds(second);
    if (this.#asked.size >= maxRemembered) throw refusal('too many addresses are sending');
    this.#asked.set(address, { second, n: 1 });
  }

  #dropOldSeconds(second: number): void {
    for (const [address, known] of this.#asked) if (known.second !== second) this.#asked.delete(address);
  }

  /** Runs a call to a provider when fewer than `maxCalls` are under way. @throws CommerceError `unavailable` when too many wait */
  call<T>(work: () => Promise<T>): Promise<T> {
    return this.#calls.run('calls', work);
  }

  /** True when this key failed within the last minute, and so is not to be tried again yet. */
  hasFailed(key: string, now: number): boolean {
    const at = this.#failures.get(key);
    return at !== undefined && now - at < failureKeptFor;
  }

  recordFailure(key: string, now: number): void {
    if (this.#failures.size >= maxRemembered) {
      for (const [known, at] of this.#failures) if (now - at >= failureKeptFor) this.#failures.delete(known);
    }
    if (this.#failures.size < maxRemembered) this.#failures.set(key, now);
  }
}

function refusal(why: string): CommerceError {
  return new CommerceError('unavailable', busy(why));
}

function busy(why: string): string {
  return `the notification does not name a store and cannot be verified now: ${why}; send it again later`;
}
