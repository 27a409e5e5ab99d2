import type { ErrorKind } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { statusOf } from '../../errors.ts';
import { errorExamples } from './error-examples.ts';
import { headers } from './headers.ts';

/** Occasion of each kind of error. */
const occasions: Record<ErrorKind, string> = {
  validation: 'The input is invalid. Each detail names a field.',
  unauthorized: 'The key is missing, unknown, revoked or expired.',
  forbidden: 'The key lacks the scope, or belongs to another store.',
  notFound: 'The item does not exist in this store: its id is malformed, unknown, deleted or of another store.',
  methodNotAllowed: 'The method is not allowed here; `Allow` lists the allowed methods.',
  conflict: 'It conflicts with stored data: a duplicate, an outdated version, a status change that is not allowed.',
  insufficientStock: 'There is not enough in stock.',
  discountUsedUp: 'The discount has reached its usage limit.',
  tooManyOpenCheckouts: 'The store takes no more unpaid orders now.',
  tooLarge: 'The body is too long: more than 1 MiB of JSON, or 50 MiB of an upload.',
  unsupportedMediaType: 'The media type of the body is not supported.',
  rateLimited:
    'The rate limit of the store, or of a network address with a storefront key, is reached; `Retry-After` is the number of seconds to wait.',
  internal: 'An internal error. The message contains only the request id.',
  unavailable:
    'The service is stopping or overloaded, the database is busy or locked, or another dependency does not answer. Try again after `Retry-After` seconds.',
};

/** The answer to errors of several kinds with one status, with an example of each. */
function errorAnswer(kinds: readonly ErrorKind[], options: { limited: boolean }): Json {
  return {
    description: kinds.map((kind) => occasions[kind]).join(' Or: '),
    headers: {
      ...headers('X-Request-Id'),
      ...(options.limited ? headers('Preference-Applied') : {}),
      ...Object.assign({}, ...kinds.map((kind) => headersOf[kind])),
      // The key comes first: without one, the limit of a store does not apply.
      ...(options.limited && !kinds.includes('unauthorized')
        ? headers('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
        : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: errorExamples[kind] }])),
      },
    },
  };
}

const headersOf: Partial<Record<ErrorKind, Json>> = {
  unauthorized: headers('WWW-Authenticate'),
  methodNotAllowed: headers('Allow'),
  rateLimited: headers('Retry-After'),
  unavailable: headers('Retry-After'),
};

/**
 * The answers to errors of these kinds by status.
 * @param shared takes the answers, which have the headers of a store's limit and are referred to by name. Without it the answers are
 * inlined and do not have these headers.
 */
export function errorAnswers(kinds: Iterable<ErrorKind>, shared?: Record<string, Json>): Record<string, Json> {
  const byStatus = new Map<number, ErrorKind[]>();
  for (const kind of new Set(kinds)) {
    const status = statusOf[kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, of]) => {
      const answer = errorAnswer(of, { limited: shared !== undefined });
      if (!shared) return [String(status), answer];
      const name = of.map((kind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}`).join('Or');
      shared[name] = answer;
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}
