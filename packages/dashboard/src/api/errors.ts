import type { components } from '@commerce/server/api';
import type { Limits } from '../words/en.ts';
import { t } from '../words/words.ts';

/** `reason` says what is in the way of the whole request, such as `orderStatus`. */
type Envelope = components['schemas']['ErrorEnvelope']['error'] & { reason?: string };

/** One problem of a request: `field` is a path such as `items.0.quantity`, empty for the whole. */
export interface Detail {
  field: string;
  /** The sentence of the interface, for developers. */
  reason: string;
  /** What is wrong, such as `TOO_LONG`. */
  code?: string;
  limits?: Limits;
  /** The sentence for people, if these pages have found the problem themselves. */
  said?: string;
}

interface Facts {
  status: number;
  code: string;
  message: string;
  reason?: string | undefined;
  details?: readonly Detail[];
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  isAnswer?: boolean;
}

/** A request that was refused, or that did not arrive. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** Whether the message is a sentence of the interface. Otherwise these pages have written it, for people. */
  readonly isAnswer: boolean;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Code of the interface, such as `VALIDATION_ERROR`; `OFFLINE` without an answer. */
  readonly code: string;
  /** Reason of the interface, such as `orderStatus`, if it has one. */
  readonly reason: string | undefined;
  readonly details: readonly Detail[];
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the answer said so. */
  readonly retryAfter: number | undefined;

  constructor(facts: Facts) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.reason = facts.reason;
    this.isAnswer = facts.isAnswer ?? false;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }

  /** The same error with other details. */
  with(details: readonly Detail[]): ApiError {
    const { message } = this;
    return new ApiError({ ...this, message, details });
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
    message: error?.message ?? `HTTP ${response.status}`,
    reason: error?.reason,
    isAnswer: true,
    details: error?.details ?? [],
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 600) : undefined,
  });
}

/** Refuses a field before anything is sent. @param said a sentence for people */
export function refusal(field: string, said: string): ApiError {
  return new ApiError({
    status: 400,
    code: 'VALIDATION_ERROR',
    message: said,
    details: [{ field, reason: said, said }],
  });
}

/** The error of a request without an answer. */
export function noAnswer(): ApiError {
  const message = navigator.onLine ? t.kit.refusals.noAnswerHint : t.kit.refusals.offlineHint;
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
  return new ApiError({ status: 0, code: 'FAULT', message: t.kit.refusals.fault });
}
