import { type Commerce, CommerceError, type RateLimit, type StoreContext } from '@commerce/core';
import type { RequestFacts } from '../http.ts';

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
