import type { AppRequest } from '../http.ts';

const exposed = [
  'Commerce-Position',
  'ETag',
  'Idempotent-Replayed',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
].join(', ');

const accepted = [
  'Authorization',
  'Checkout-Secret',
  'Commerce-Position',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Order-Token',
  'Prefer',
  'X-API-Key',
  'X-Request-Id',
].join(', ');

/**
 * Headers that let a browser's pages of these origins read the answer. The page sends the key, the browser never does by itself, so
 * credentials are not allowed.
 * @param origins such as `https://shop.example`; `*` means all
 */
export function corsHeaders(origins: readonly string[], { method, headers }: AppRequest): Record<string, string> {
  const { origin } = headers;
  const any = origins.includes('*');
  // Caches must not give the answer for one origin to another.
  const vary = any ? {} : { Vary: 'Origin' };
  if (origin === undefined || !(any || origins.includes(origin))) return vary;
  const allowed = { ...vary, 'Access-Control-Allow-Origin': any ? '*' : origin };
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
    return { ...allowed, 'Access-Control-Expose-Headers': exposed };
  }
  return {
    ...allowed,
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': accepted,
    'Access-Control-Max-Age': '86400',
  };
}
