import { type ErrorKind, errorCodes } from '@commerce/core';
import { statusOf } from '../../errors.ts';
import type { Json } from './document.ts';
import { headers } from './headers.ts';

/** When each kind of error comes, and one as it is answered. */
const errors: Record<ErrorKind, { when: string; message: string; details?: [field: string, reason: string] }> = {
  validation: {
    when: 'The input is not valid. Each detail names a field.',
    message: 'limit: must be a whole number from 1 to 200, not "500"',
    details: ['limit', 'must be a whole number from 1 to 200, not "500"'],
  },
  unauthorized: {
    when: 'There is no key, or it is not, or no longer, a key.',
    message: 'the API key is not valid: it is unknown, revoked or expired',
  },
  forbidden: {
    when: 'The key lacks the scope, or is of another store.',
    message: 'insufficient permissions: the API key does not have the scope product.write',
  },
  notFound: {
    when: 'There is none in this store: an id that is malformed, unknown, deleted or of another store.',
    message: 'no product "0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52" in this store',
  },
  methodNotAllowed: {
    when: 'The method is not open here; `Allow` names those that are.',
    message: 'orders are not made over this interface: make a pending one with `commerce orders create`',
  },
  conflict: {
    when: 'It contradicts what is stored: a duplicate, a version that has passed, a move that there is none.',
    message: 'slug "blue-mug" is already used by another product',
    details: ['slug', '"blue-mug" is already used by another product'],
  },
  insufficientStock: {
    when: 'There is not enough in stock.',
    message: 'not enough in stock: 2 of "Blue mug" are wanted, 1 is there',
    details: ['items.0.quantity', 'must be at most 1, which is in stock, not 2'],
  },
  tooLarge: {
    when: 'The body is too long: 1 MiB of JSON, 50 MiB of an upload.',
    message: 'the body must have at most 1048576 bytes',
  },
  unsupportedMediaType: {
    when: 'The body is of another media type.',
    message: 'the body must be sent as application/json, not text/plain',
  },
  rateLimited: {
    when: "The store's limit is reached; `Retry-After` says how many seconds to wait.",
    message: "the store's plan (free) allows 100 requests a minute and 20 at once; try again in 3 s",
  },
  internal: {
    when: 'A fault of ours. The message tells only the request id.',
    message: 'something went wrong on our side; the request id is 7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b',
  },
  unavailable: {
    when: 'The service is stopping, or what it needs does not answer. Try again.',
    message: 'the server is shutting down',
  },
};

/** The body of the example of a kind. */
export function errorExample(kind: ErrorKind): Json {
  const { message, details } = errors[kind];
  const [field, reason] = details ?? [];
  return {
    error: {
      code: errorCodes[kind],
      message,
      ...(details ? { details: [{ field, reason, message: reason }] } : {}),
    },
  };
}

/** The answer to errors of some kinds that have one status, with an example of each. */
function errorAnswer(kinds: readonly ErrorKind[], options: { limited: boolean }): Json {
  return {
    description: kinds.map((kind) => errors[kind].when).join(' Or: '),
    headers: {
      ...headers('X-Request-Id'),
      ...Object.assign({}, ...kinds.map((kind) => headersOf[kind])),
      // The key is looked at first: without one there is no store whose limit could be meant.
      ...(options.limited && !kinds.includes('unauthorized')
        ? headers('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
        : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: Object.fromEntries(kinds.map((kind) => [kind, { value: errorExample(kind) }])),
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
 * The answers to errors of these kinds by their status.
 * @param shared where answers with the headers of a store's limit go that are referred to by name; without it there are no
 * such headers, and the answers stand where they are
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
