import { CommerceError, type ErrorKind } from '@commerce/core';
import type { Answer } from './http.ts';

/** The HTTP status of every kind of error; a new kind without one does not compile. */
export const statusOf = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  insufficientStock: 409,
  discountUsedUp: 409,
  tooManyOpenCheckouts: 409,
  tooLarge: 413,
  unsupportedMediaType: 415,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** An error in its envelope; any that is not a CommerceError becomes a bare 500 with only the request id. */
export function toErrorAnswer(error: unknown, requestId: string): Answer {
  const known =
    error instanceof CommerceError
      ? error
      : new CommerceError('internal', `an internal error occurred; the request id is ${requestId}`);
  const { code, message, reason: why, details } = known;
  const envelope = {
    error: {
      code,
      message,
      ...(why && { reason: why }),
      ...(details.length > 0
        ? {
            details: details.map(({ field, reason, code, limits }) => ({
              field,
              reason,
              message: reason,
              code,
              limits,
            })),
          }
        : {}),
    },
  };
  const body = withoutKeys(JSON.stringify(envelope));
  return { status: statusOf[known.kind], headers: headersOf(known), body };
}

/** The refusal of an unknown path. */
export function nothingAt(path: string): CommerceError {
  return new CommerceError('notFound', `no route matches ${path}`);
}

/** A text without keys that were sent in the wrong place, such as in the path: answers are kept and logged, here and by the client. */
export function withoutKeys(text: string): string {
  return text.replace(wholeKey, '$1…');
}

const wholeKey = /(ck_(?:live|pub)_\w{4})\w{39,}/g;

function headersOf({ kind, retryAfter }: CommerceError): Record<string, string> {
  if (retryAfter !== undefined) return { 'Retry-After': String(retryAfter) };
  if (kind === 'unauthorized') return { 'WWW-Authenticate': 'Bearer' };
  if (kind === 'unavailable') return { 'Retry-After': '1' };
  return {};
}
