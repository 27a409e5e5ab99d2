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
  tooManyOpenCheckouts: 'TOO_MANY_OPEN_CHECKOUTS',
  unavailable: 'UNAVAILABLE',
  internal: 'INTERNAL_ERROR',
} as const;

export type ErrorKind = keyof typeof errorCodes;
export type ErrorCode = (typeof errorCodes)[ErrorKind];

/** What is wrong with a cart: the codes of the problems of a quote, and of the refusal of the same checkout. */
export const problemCodes = [
  'PRODUCT_NOT_FOUND',
  'BELOW_MINIMUM',
  /** Which shipping methods are offered depends on the country. */
  'COUNTRY_REQUIRED',
  /** No shipping method serves the country. */
  'COUNTRY_NOT_SERVED',
  /** The taxes of the country depend on a part of it. */
  'REGION_REQUIRED',
  'SHIPPING_METHOD_REQUIRED',
  'SHIPPING_METHOD_NOT_OFFERED',
  'DISCOUNT_UNKNOWN',
  'DISCOUNT_NOT_VALID_NOW',
  'DISCOUNT_MINIMUM',
  'DISCOUNT_USED_UP',
  'PAYMENT_METHOD_REQUIRED',
  'PAYMENT_METHOD_NOT_OFFERED',
  /** The provider takes fewer decimals than the total has. */
  'AMOUNT_NOT_CHARGEABLE',
  'INSUFFICIENT_STOCK',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** What is wrong with a field, for programs that say it in their own words. */
export const refusalCodes = [
  /** Missing, null, empty or blank. */
  'REQUIRED',
  'TOO_SHORT',
  'TOO_LONG',
  /** Another JSON type, or characters that cannot be stored. */
  'WRONG_TYPE',
  'NOT_A_NUMBER',
  'NOT_WHOLE',
  'TOO_SMALL',
  'TOO_LARGE',
  'NOT_AN_AMOUNT',
  'NOT_A_SLUG',
  'NOT_AN_EMAIL',
  'NOT_A_URL',
  'NOT_A_TIME',
  'NOT_A_COUNTRY',
  /** None of the values that can be chosen. */
  'NOT_OFFERED',
  /** Another item has it. */
  'TAKEN',
  /** Names something that does not exist in the store. */
  'NOT_FOUND',
  'TOO_MANY',
  /** Not a field of the body, or not a parameter of the query. */
  'UNKNOWN_FIELD',
  'IN_THE_PAST',
  /** Contradicts another field, or what is stored. */
  'CONFLICTING',
  /** A password that attackers try first. */
  'GUESSABLE',
  /** Not the password that is stored. */
  'INCORRECT',
  ...problemCodes,
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** The limits of a field: numbers, or decimal strings for amounts. Of a text they count its characters, of a list its entries. */
export interface Limits {
  min?: number | string;
  max?: number | string;
  /** Most decimals of an amount. */
  decimals?: number;
  /** The values that can be chosen. */
  values?: readonly string[];
}

/** What is wrong with a field, and its limits. */
export interface Refused {
  code?: RefusalCode | undefined;
  limits?: Limits | undefined;
}

/** One refused field. `field` is a path such as `items.0.quantity`; `reason` says what would be right. */
export interface ErrorDetail extends Refused {
  field: string;
  reason: string;
}

/**
 * Causes that a caller, such as a command or the dashboard, handles specially. An error's message can change; its reason must not. Answers
 * contain it, so it is a fixed word without any value.
 */
export type Reason = (typeof reasons)[number];

export const reasons = [
  'noStore',
  'severalStores',
  'noDatabaseFile',
  'noTables',
  'migrationsPending',
  'secretKeyTooShort',
  'secretKeyMissing',
  'otherSecretKey',
  'providerNotConfigured',
  'makeOrdersOff',
  'accessTokenMissing',
  'apiBaseNotLocal',
  'wouldReplaceSettings',
  'manualPaymentsOff',
  'webhookInactive',
  'addressRefused',
  'tooManySignIns',
  /** Nobody could manage the store any more. */
  'lastOwner',
  /** The role can do more than the caller. */
  'roleBeyondOwn',
  'userDisabled',
  'userInvited',
  /** Another item has a value that must be unique. */
  'taken',
  /** `If-Match` named another version. */
  'stale',
  /** The order's status does not allow it. */
  'orderStatus',
  'orderNotPaid',
  /** The refund id is recorded with another amount, or failed. */
  'refundIdUsed',
  /** The payment's money did not come through a provider that can give it back. */
  'notRefundable',
  /** Another refund of the payment is not decided yet. */
  'refundUnderWay',
  /** The payment has paid an order, did not succeed, or was refunded. */
  'paymentStatus',
  'paymentMismatch',
  /** No payment waits that could pay the order. */
  'noPayment',
  'customerHasOrders',
  /** Orders have moved the stock since it was last set. */
  'stockMoved',
  'stockOutOfRange',
  'checkoutPaid',
  /** No payment provider of the store can open a payment page. */
  'noPaymentPages',
  'publicUrlMissing',
  /** The store has the most of them that it can have. */
  'tooMany',
  /** The API key that made the subscription has ended. */
  'keyEnded',
  'eventDeleted',
  /** The idempotency key was used for another request. */
  'idempotencyKeyUsed',
  'importsWaiting',
] as const;

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
  /** Seconds until the request can succeed. */
  declare readonly retryAfter?: number;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: { details?: readonly ErrorDetail[]; cause?: unknown; retryAfter?: number } & Cause = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = errorCodes[kind];
    this.details = options.details ?? [];
    if (options.reason !== undefined) this.reason = options.reason;
    if (options.about !== undefined) this.about = options.about;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }
}

export function notFound(what: string, id: string): CommerceError {
  return new CommerceError('notFound', `no ${what} ${quote(id)} in this store`);
}

/** A 400 about one field. The message repeats the reason, because some clients show only messages. */
export function invalid(
  field: string,
  reason: string,
  { code, limits, ...cause }: Cause & Refused = {},
): CommerceError {
  const details = [detailOf(field, reason, { code, limits })];
  return new CommerceError('validation', `${field}: ${reason}`, { details, ...cause });
}

/** Without a limit, the details of a long list of wrong entries would be longer than the request. */
export const maxDetails = 100;

/** A 400 about the fields of an input. The message says what is wrong with the first of them. */
export function invalidInput(details: readonly ErrorDetail[], cause: Cause = {}): CommerceError {
  const [first] = details;
  const message = first ? `${first.field}: ${first.reason}` : 'the input is not valid';
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new CommerceError('validation', message + more, { details: details.slice(0, maxDetails), ...cause });
}

/** A refused field without the facts that are not known. */
export function detailOf(field: string, reason: string, { code, limits }: Refused): ErrorDetail {
  return { field, reason, ...(code && { code }), ...(limits && { limits }) };
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
