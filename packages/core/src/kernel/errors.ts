/** Every kind of error that core throws, with the machine code that clients see. The server adds the HTTP status. */
export const errorCodes = {
  validation: 'VALIDATION_ERROR',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  notFound: 'NOT_FOUND',
  methodNotAllowed: 'METHOD_NOT_ALLOWED',
  conflict: 'CONFLICT',
  tooLarge: 'PAYLOAD_TOO_LARGE',
  unsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  rateLimited: 'RATE_LIMITED',
  insufficientStock: 'INSUFFICIENT_STOCK',
  discountUsedUp: 'DISCOUNT_USED_UP',
  unavailable: 'UNAVAILABLE',
  internal: 'INTERNAL_ERROR',
} as const;

export type ErrorKind = keyof typeof errorCodes;
export type ErrorCode = (typeof errorCodes)[ErrorKind];

/** One refused field. `field` is a path such as `items.0.quantity`; `reason` says what would be right. */
export interface ErrorDetail {
  field: string;
  reason: string;
}

/** Causes that a caller, such as a command, handles specially. An error's message can change; its reason must not. */
export type Reason =
  | 'noStore'
  | 'severalStores'
  | 'noDatabaseFile'
  | 'noTables'
  | 'migrationsPending'
  | 'secretKeyTooShort'
  | 'secretKeyMissing'
  | 'otherSecretKey'
  | 'providerNotConfigured'
  | 'makeOrdersOff'
  | 'accessTokenMissing'
  | 'apiBaseNotLocal'
  | 'wouldReplaceSettings'
  | 'manualPaymentsOff'
  | 'webhookInactive'
  | 'addressRefused'
  | 'tooManySignIns';

/** Cause of a refusal, for callers that add an explanation of their own. */
export interface Cause {
  reason?: Reason | undefined;
  /** Subject of the reason: the payment provider, or the address. */
  about?: string | undefined;
}

/** The one error class of core. `message` quotes the offending value and is safe to show to a client. */
export class CommerceError extends Error {
  override readonly name = 'CommerceError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  // Declared only, so that an error without them is printed without them.
  declare readonly reason?: Reason;
  declare readonly about?: string;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: { details?: readonly ErrorDetail[]; cause?: unknown } & Cause = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = errorCodes[kind];
    this.details = options.details ?? [];
    if (options.reason !== undefined) this.reason = options.reason;
    if (options.about !== undefined) this.about = options.about;
  }
}

export function notFound(what: string, id: string): CommerceError {
  return new CommerceError('notFound', `no ${what} ${quote(id)} in this store`);
}

/** A 400 about one field. The message repeats the reason, because some clients show only messages. */
export function invalid(field: string, reason: string, cause: Cause = {}): CommerceError {
  return new CommerceError('validation', `${field}: ${reason}`, { details: [{ field, reason }], ...cause });
}

/** A value as an error message shows it: JSON, shortened. */
export function quote(value: unknown): string {
  // The text is also cut before it is printed, because printing a million characters takes milliseconds.
  const shown = typeof value === 'string' ? value.slice(0, 100) : value;
  const text = typeof shown === 'bigint' ? String(shown) : printed(shown);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function printed(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested thousands of levels deep: reading it needs no stack, printing it does.
    return 'a value nested so deeply';
  }
}
