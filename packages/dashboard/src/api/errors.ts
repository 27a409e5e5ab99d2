import type { components } from '@commerce/server/api';

type Envelope = components['schemas']['ErrorEnvelope']['error'];

/** One problem of a request: `field` is a path such as `items.0.quantity`, empty for the whole. */
export interface Detail {
  field: string;
  reason: string;
}

/** A request that was refused, or that did not arrive. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Code of the interface, such as `VALIDATION_ERROR`; `OFFLINE` without an answer. */
  readonly code: string;
  readonly details: readonly Detail[];
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the answer said so. */
  readonly retryAfter: number | undefined;

  constructor(facts: {
    status: number;
    code: string;
    message: string;
    details?: readonly Detail[];
    requestId?: string | undefined;
    retryAfter?: number | undefined;
  }) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/**
 * The error of an answer.
 * @param body the parsed body, if it is an error of the interface
 */
export function errorOf(response: Response, body: unknown): ApiError {
  const error = (body as { error?: Partial<Envelope> } | undefined)?.error;
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: error?.code ?? 'INTERNAL_ERROR',
    message: error?.message ?? `the service answered with ${response.status} and no reason`,
    details: error?.details ?? [],
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 600) : undefined,
  });
}

/** Refuses a field before anything is sent. */
export function refusal(field: string, reason: string): ApiError {
  return new ApiError({
    status: 400,
    code: 'VALIDATION_ERROR',
    message: `${field} ${reason}`,
    details: [{ field, reason }],
  });
}

/** The error of a request without an answer. */
export function noAnswer(): ApiError {
  const message = navigator.onLine
    ? 'the service did not answer; it is starting, or the connection was lost'
    : 'this device is offline; nothing was sent, and your input is kept';
  return new ApiError({ status: 0, code: 'OFFLINE', message });
}

/** Whether an error comes from a request that was cancelled on purpose. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Any error as an ApiError: a bug of these pages is shown, too, and not swallowed. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  console.error(error);
  return new ApiError({ status: 0, code: 'FAULT', message: `the page failed: ${String(error)}` });
}
