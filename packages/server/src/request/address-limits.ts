import { isIPv4, isIPv6 } from 'node:net';

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

/**
 * Network of a client whose requests are counted together. For IPv4 it is the address, with or without a port. For IPv6 it is the first 64
 * bits, because a subscriber can choose the rest. Texts that are not an address count together too.
 */
export function networkOf(address: string | undefined): string {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address ?? '') ?? [];
  const [host = ''] = (bracketed ?? dotted ?? address ?? '').split('%');
  if (isIPv4(host)) return host;
  if (!isIPv6(host)) return 'unknown';
  const groups = groupsOf(host);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6], groups[7]].map((group = 0) => `${group >> 8}.${group & 255}`).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The last four bytes can be written in the form of IPv4.
  const plain = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return groups(head);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}
