import { type Commerce, CommerceError, type RateLimit, type StoreContext } from '@commerce/core';

/**
 * Counts a request against the limit of its store.
 * @returns the headers that say how much is left, and the refusal where nothing is
 */
export async function countRequest(
  { rateLimits }: Commerce,
  store: StoreContext,
  limit: RateLimit,
): Promise<{ headers: Record<string, string>; refused?: CommerceError }> {
  const decision = await rateLimits.take(store, limit);
  const headers = {
    'RateLimit-Limit': String(decision.limit),
    'RateLimit-Remaining': String(decision.remaining),
    'RateLimit-Reset': String(decision.reset),
  };
  if (decision.allowed) return { headers };
  const { requestsPerMinute, burst } = limit;
  return {
    headers: { ...headers, 'Retry-After': String(decision.retryAfter) },
    refused: new CommerceError(
      'rateLimited',
      `the store's plan (${store.plan}) allows ${requestsPerMinute} requests a minute and ${burst} at once; try again in ${decision.retryAfter} s`,
    ),
  };
}
