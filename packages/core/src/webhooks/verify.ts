import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CommerceEvent } from '../event-types.ts';

/** Reasons for which a webhook is refused. */
export type WebhookProblem =
  | 'parsed-body'
  | 'missing-signature'
  | 'untimed-signature'
  | 'wrong-signature'
  | 'stale'
  | 'bad-secret'
  | 'too-large'
  | 'malformed-body';

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * An event as a subscriber receives it. Its `type`, such as `order.paid`, determines the type of `data`: the resource as GET answers it, a
 * deleted one in its last state. `webhook.test` is sent only on demand, to try out the receiver. A later version of the service can send
 * further types.
 */
export type WebhookEvent = CommerceEvent | TestEvent;

interface TestEvent {
  id: string;
  type: 'webhook.test';
  timestamp: string;
  storeId: string;
  /** The subscription. */
  data: { webhookId: string; url: string; message: string };
}

export interface VerifyOptions {
  /** Seconds by which the signature's time can differ from now; 300 by default, as in Standard Webhooks. */
  tolerance?: number;
  /** Now, in milliseconds; the system's clock by default. */
  now?: number;
  /**
   * Accepts a webhook with only `X-Webhook-Signature`. That header signs no time, so anyone who has seen a webhook once can send it again
   * at any time. Meant for receivers behind a proxy that drops the other headers; they must remember event ids.
   */
  acceptUntimed?: boolean;
}

/** The headers of a request: node:http's, fetch's `Headers`, or a plain object in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook whose body was read: the received bytes, before any parser. A request of Express with `express.raw()` is one. */
export interface ReceivedWebhook {
  readonly headers: WebhookHeaders;
  readonly body: string | Uint8Array;
}

/** A request whose body was not read: that of node:http, or a `Request` of the Fetch standard. */
export type WebhookRequest =
  | (AsyncIterable<unknown> & { readonly headers: WebhookHeaders })
  | {
      readonly headers: WebhookHeaders;
      readonly body: AsyncIterable<Uint8Array> | null;
      readonly bodyUsed: boolean;
    };

/** Most bytes that are read of a request before its signature is known. */
const maxBody = 8 * 1024 * 1024;

/**
 * Checks that a webhook comes from the service and is not a copy of an old one, and reads it. Accepts every form that is sent: the
 * `webhook-*` headers of Standard Webhooks, which sign the time. With `acceptUntimed` also `X-Webhook-Signature` as `sha256=<hex>` or bare
 * hex, which signs only the body.
 * @param received the headers and the raw body, or a request, of which at most 8 MiB are read
 * @param secret the subscription's secret; both secrets while one is being replaced
 * @returns the event; a promise of it for a request that has to be read
 * @throws WebhookVerificationError whose `problem` names the cause
 */
export function verifyWebhook(
  received: ReceivedWebhook,
  secret: string | readonly string[],
  options?: VerifyOptions,
): WebhookEvent;
export function verifyWebhook(
  request: WebhookRequest,
  secret: string | readonly string[],
  options?: VerifyOptions,
): Promise<WebhookEvent>;
export function verifyWebhook(
  received: ReceivedWebhook | WebhookRequest,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent | Promise<WebhookEvent> {
  const { headers } = received;
  const body: unknown = 'body' in received ? received.body : undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return verify(body, headers, secret, options);
  // A parser has looked at the request and left it, so its caller expects no promise, and would not see it rejected.
  if ('body' in received && body === undefined) throw unread();
  // A request of the Fetch standard that was read, or has no body.
  if ('bodyUsed' in received && (received.bodyUsed || body === null)) return Promise.reject(parsed());
  const source = body ?? received;
  if (!isIterable(source)) throw parsed();
  // Before the body is read, which anybody can send.
  if (signatureIn(headers) === undefined) return Promise.reject(unsigned());
  return readAll(source).then((bytes) => verify(bytes, headers, secret, options));
}

function signatureIn(headers: WebhookHeaders): string | undefined {
  return readHeader(headers, 'webhook-signature') ?? readHeader(headers, 'x-webhook-signature');
}

function unsigned(): WebhookVerificationError {
  return new WebhookVerificationError(
    'missing-signature',
    'webhook-signature and X-Webhook-Signature are missing: this request is not a webhook, or a proxy drops its headers',
  );
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function readAll(source: AsyncIterable<unknown>): Promise<Buffer> {
  // A stream that a parser has read ends at once.
  if ('readableEnded' in source && source.readableEnded) throw parsed();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > maxBody) {
      throw new WebhookVerificationError('too-large', `the body has more than ${maxBody} bytes, which no webhook has`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function parsed(): WebhookVerificationError {
  return new WebhookVerificationError(
    'parsed-body',
    'the body must be raw, as text or bytes, and this one is already parsed: read it before a body parser does, for example with express.raw({ type: "application/json" })',
  );
}

function unread(): WebhookVerificationError {
  return new WebhookVerificationError(
    'parsed-body',
    'the body was not read: the parser before this does not take the content type of the request, which is application/json for every webhook',
  );
}

function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now(), acceptUntimed = false }: VerifyOptions,
): WebhookEvent {
  const secrets = typeof secret === 'string' ? [secret] : [...secret];
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === '')) {
    throw new WebhookVerificationError('bad-secret', 'the secret is empty: is the environment variable set?');
  }
  const body = Buffer.from(rawBody as Uint8Array);
  const header = (name: string) => readHeader(headers, name);
  const standard = header('webhook-signature');
  const plain = header('x-webhook-signature');
  if (standard !== undefined) {
    const id = header('webhook-id');
    const seconds = header('webhook-timestamp');
    if (id === undefined || seconds === undefined) {
      throw new WebhookVerificationError('missing-signature', 'webhook-id and webhook-timestamp are missing');
    }
    const signed = (one: string) => hmac(standardKey(one), `${id}.${seconds}.`, body).toString('base64');
    const given = standard.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
    if (!secrets.some((one) => given.some((signature) => isSame(signature, signed(one))))) {
      throw wrong(secrets, (one) => given.some((signature) => isSame(signature, signed(one))));
    }
    checkAge(seconds, tolerance, now);
  } else if (plain !== undefined) {
    const signature = plain.replace(/^sha256=/, '').toLowerCase();
    const matches = (one: string) => isSame(signature, hmac(one, '', body).toString('hex'));
    if (!secrets.some(matches)) throw wrong(secrets, matches);
    if (!acceptUntimed) {
      throw new WebhookVerificationError(
        'untimed-signature',
        'webhook-signature is missing, and X-Webhook-Signature signs no time: this may be a copy of an old request, or a proxy drops the webhook- headers; the option acceptUntimed accepts it',
      );
    }
  } else {
    throw unsigned();
  }
  return readEvent(body);
}

/** The key of Standard Webhooks: the base64 after `whsec_`, or the bytes of a secret without that form. */
export function standardKey(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}

function checkAge(seconds: string, tolerance: number, now: number): void {
  const age = now / 1000 - Number(seconds);
  if (Math.abs(age) <= tolerance) return;
  const how = age > 0 ? `${Math.round(age)} s old` : `${Math.round(-age)} s ahead`;
  throw new WebhookVerificationError(
    'stale',
    `the signature is right, but ${how}, more than the allowed ${tolerance} s: a copy of an old request, or a wrong clock`,
  );
}

/** The error for a signature that does not match, with the cause if a usual mistake with the secret explains it. */
function wrong(secrets: readonly string[], matches: (secret: string) => boolean): WebhookVerificationError {
  for (const secret of secrets) {
    if (secret.trim() !== secret && matches(secret.trim())) {
      return new WebhookVerificationError('bad-secret', 'the secret has blanks or a line break around it: remove them');
    }
    const unquoted = /^(["'])(.*)\1$/.exec(secret)?.[2];
    if (unquoted !== undefined && matches(unquoted)) {
      return new WebhookVerificationError('bad-secret', 'the secret has quotation marks around it: remove them');
    }
    if (matches(`whsec_${secret}`)) {
      return new WebhookVerificationError('bad-secret', 'the secret lacks its prefix whsec_: add it');
    }
    if (secret.includes('•')) {
      return new WebhookVerificationError('bad-secret', 'the secret is masked: rotate it to see the whole one');
    }
  }
  return new WebhookVerificationError(
    'wrong-signature',
    'the signature does not match: the secret belongs to another subscription, or the body was changed on its way, for example by parsing and printing it again',
  );
}

function readEvent(body: Buffer): WebhookEvent {
  try {
    const { id, type, timestamp, storeId, data } = JSON.parse(body.toString('utf8'));
    return { id, type, timestamp, storeId, data };
  } catch {
    throw new WebhookVerificationError('malformed-body', 'the signature is right, but the body is not JSON');
  }
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof (headers as { get?: unknown }).get === 'function') {
    return (headers as { get(name: string): string | null }).get(name) ?? undefined;
  }
  const record = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const value = record[name] ?? Object.entries(record).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function hmac(key: string | Buffer, prefix: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(prefix).update(body).digest();
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
