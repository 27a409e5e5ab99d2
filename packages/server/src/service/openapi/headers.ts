import type { JsonSchema as Json } from '@commerce/core/schemas';

/** Headers of answers by their names. The `required` ones are in each answer that lists them. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'The id of the request: yours, if you sent one of 1 to 128 letters, digits and `_ . : -`.',
    required: true,
    schema: { type: 'string', examples: ['7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b'] },
  },
  ETag: {
    description: 'The version of the item, for `If-None-Match` and `If-Match`.',
    required: true,
    schema: { type: 'string', examples: ['"3bq0Jx6ojrE4nF1WdT7vYkLzQ2a"'] },
  },
  'Commerce-Position': {
    description:
      'If the service reads from replicas: the position of the database at the time of this response. Send it with a read to see at least that state.',
    schema: { type: 'string', examples: ['23912304'] },
  },
  'Idempotent-Replayed': {
    description: '`true` in the repeated answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Preference-Applied': {
    description: '`handling=strict` if the request preferred it.',
    schema: { type: 'string', enum: ['handling=strict'] },
  },
  'RateLimit-Limit': {
    description: 'If the store has a limit: requests per minute.',
    schema: { type: 'integer', examples: [100] },
  },
  'RateLimit-Remaining': {
    description: 'If the store has a limit: remaining requests.',
    schema: { type: 'integer', examples: [99] },
  },
  'RateLimit-Reset': {
    description: 'If the store has a limit: seconds until it is fully available again.',
    schema: { type: 'integer', examples: [1] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', examples: [1] },
  },
  'WWW-Authenticate': {
    description: 'The scheme of the key.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  Allow: {
    description: 'The allowed methods.',
    required: true,
    schema: { type: 'string', examples: ['GET, HEAD, OPTIONS'] },
  },
} as const satisfies Record<string, Json>;

/** References to the headers of these names. */
export function headers(...names: (keyof typeof answerHeaders)[]): Record<string, Json> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
