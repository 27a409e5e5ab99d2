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

/** One field that was refused. `field` is a path such as `items.0.quantity`; `reason` says what would be right. */
export interface ErrorDetail {
  field: string;
  reason: string;
}

/** Causes for which a caller has an answer of its own, such as a command. The sentence of an error may change, its reason may not. */
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
  | 'addressRefused';

/** Why something was refused, for callers that have more to say about it. */
export interface Cause {
  reason?: Reason | undefined;
  /** What the reason is about: the payment provider, or the address. */
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

/** A 400 about one field; the message repeats the reason so that a client that shows only messages says enough. */
export function invalid(field: string, reason: string, cause: Cause = {}): CommerceError {
  return new CommerceError('validation', `${field}: ${reason}`, { details: [{ field, reason }], ...cause });
}

/** A value as an error message shows it: JSON, cut short. */
export function quote(value: unknown): string {
  // A text is cut before it is printed as well: one of a million characters takes milliseconds.
  const shown = typeof value === 'string' ? value.slice(0, 100) : value;
  const text = typeof shown === 'bigint' ? String(shown) : printed(shown);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function printed(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested some thousand times, which is read without a stack but not printed.
    return 'a value nested so deeply';
  }
}
