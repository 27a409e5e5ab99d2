import { type Commerce, CommerceError, type RateLimit, type StoreContext } from '@commerce/core';
import type { AppRequest, RequestFacts } from '../http.ts';
import { AddressLimit, type StorefrontLimits } from '../request/address-limits.ts';
import { clientAddress } from '../request/origin.ts';

/**
 * Counts a request against the limit of its store, and adds headers with the remaining requests to its answer.
 * @returns the refusal if none remain
 */
export async function countRequest(
  { rateLimits }: Commerce,
  store: StoreContext,
  limit: RateLimit,
  facts: RequestFacts,
): Promise<CommerceError | undefined> {
  const decision = await rateLimits.take(store, limit);
  facts.headers = {
    ...facts.headers,
    'RateLimit-Limit': String(decision.limit),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(decision.reset),
  };
  if (decision.allowed) return undefined;
  facts.headers['Retry-After'] = String(decision.retryAfter);
  const { requestsPerMinute, burst } = limit;
  return new CommerceError(
    'rateLimited',
    `the store's plan (${store.plan}) allows ${requestsPerMinute} requests a minute and ${burst} at once; try again in ${decision.retryAfter} s`,
  );
}

/** Kinds of requests of buyers, each counted separately. */
type BuyerRequest = 'reads' | 'writes' | 'returns';

/** Limits of each client that uses a storefront key, which any visitor can take from a page, or that comes back from paying. */
export class StorefrontLimit {
  readonly #perMinute: Readonly<Record<BuyerRequest, number>>;
  readonly #limits: Readonly<Record<BuyerRequest, AddressLimit>>;
  readonly #trustProxy: boolean;

  constructor({ reads, writes }: StorefrontLimits, trustProxy: boolean) {
    this.#perMinute = { reads, writes, returns: writes };
    this.#limits = {
      reads: new AddressLimit(reads),
      writes: new AddressLimit(writes),
      returns: new AddressLimit(writes),
    };
    this.#trustProxy = trustProxy;
  }

  /**
   * Counts a request of its client.
   * @throws CommerceError `rateLimited` if none remain
   */
  count(request: AppRequest, kind: BuyerRequest, now: number, facts: RequestFacts): void {
    const wait = this.#limits[kind].take(clientAddress(request, this.#trustProxy), now);
    if (wait === 0) return;
    facts.headers = { ...facts.headers, 'Retry-After': String(wait) };
    const what = `${this.#perMinute[kind]} ${kind} a minute${kind === 'returns' ? '' : ' with a storefront key'}`;
    throw new CommerceError('rateLimited', `the limit for one network address is ${what}; try again in ${wait} s`);
  }
}
