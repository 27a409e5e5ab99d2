import { type Commerce, CommerceError, type RateLimit, type StoreContext } from '@commerce/core';
import { AddressLimit, type StorefrontLimits } from '../edge/address-limits.ts';
import { clientAddress } from '../edge/origin.ts';
import type { AppRequest, RequestFacts } from '../http.ts';

/**
 * Counts a request against the limit of its store; its answer has headers that say how much of it is left.
 * @throws CommerceError `rateLimited` where nothing is left
 */
export async function countRequest(
  { rateLimits }: Commerce,
  store: StoreContext,
  limit: RateLimit,
  facts: RequestFacts,
): Promise<void> {
  const decision = await rateLimits.take(store, limit);
  facts.headers = {
    ...facts.headers,
    'RateLimit-Limit': String(decision.limit),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(decision.reset),
  };
  if (decision.allowed) return;
  facts.headers['Retry-After'] = String(decision.retryAfter);
  const { requestsPerMinute, burst } = limit;
  throw new CommerceError(
    'rateLimited',
    `the store's plan (${store.plan}) allows ${requestsPerMinute} requests a minute and ${burst} at once; try again in ${decision.retryAfter} s`,
  );
}

/** Limits of each client that comes with a storefront key, which anybody can take out of a page. */
export class StorefrontLimit {
  readonly #limits: StorefrontLimits;
  readonly #reads: AddressLimit;
  readonly #writes: AddressLimit;
  readonly #trustProxy: boolean;

  constructor(limits: StorefrontLimits, trustProxy: boolean) {
    this.#limits = limits;
    this.#reads = new AddressLimit(limits.reads);
    this.#writes = new AddressLimit(limits.writes);
    this.#trustProxy = trustProxy;
  }

  /**
   * Counts a request of its client.
   * @throws CommerceError `rateLimited` where nothing is left
   */
  count(request: AppRequest, now: number, facts: RequestFacts): void {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const wait = (isRead ? this.#reads : this.#writes).take(clientAddress(request, this.#trustProxy), now);
    if (wait === 0) return;
    facts.headers = { ...facts.headers, 'Retry-After': String(wait) };
    const { reads, writes } = this.#limits;
    throw new CommerceError(
      'rateLimited',
      `one network address may make ${isRead ? `${reads} reads` : `${writes} writes`} a minute with a storefront key; try again in ${wait} s`,
    );
  }
}
