import { networkOf } from '@commerce/core';

/** Requests per minute that one client can send with storefront keys. */
export interface StorefrontLimits {
  reads: number;
  writes: number;
}

export const defaultStorefrontLimits: StorefrontLimits = { reads: 600, writes: 60 };

/** Level of one request. With this value a bucket's level falls by the requests per minute each millisecond, and stays an integer. */
const unit = 60_000;

/** Maximum buckets kept. The least recently used are dropped, and an address that returns later has a full bucket. */
const maxBuckets = 20_000;

/** Token buckets of clients by address, only of this process. */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, { level: number; at: number }>();

  /** @param perMinute requests regained per minute, and allowed at once */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /**
   * Counts a request of a client.
   * @param now in milliseconds
   * @returns 0, or the seconds until the next request is allowed if this one is not
   */
  take(address: string | undefined, now: number): number {
    const name = networkOf(address);
    const level = this.#levelOf(name, now);
    const wait = this.#waitAt(level);
    if (wait > 0) return wait;
    this.#buckets.delete(name);
    this.#buckets.set(name, { level: level + unit, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxBuckets && oldest !== undefined) this.#buckets.delete(oldest);
    return 0;
  }

  /** Like `take`, without counting: for requests that count only once they have failed. */
  wait(address: string | undefined, now: number): number {
    return this.#waitAt(this.#levelOf(networkOf(address), now));
  }

  #levelOf(name: string, now: number): number {
    const known = this.#buckets.get(name);
    return known ? Math.max(0, known.level - Math.max(0, now - known.at) * this.#perMinute) : 0;
  }

  #waitAt(level: number): number {
    const beyond = level + unit - this.#perMinute * unit;
    return beyond > 0 ? Math.ceil(beyond / this.#perMinute / 1000) : 0;
  }

  /** Clients that are remembered. */
  get size(): number {
    return this.#buckets.size;
  }
}
