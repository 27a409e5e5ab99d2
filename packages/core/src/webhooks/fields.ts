import * as z from 'zod';
import type { AddressGuard } from '../address-guard.ts';
import type { Context } from '../context.ts';
import type { Cause } from '../errors.ts';
import { type EventType, eventTypes, expandEvents } from '../events/events.ts';
import { maxRetries } from '../limits.ts';
import { paging } from '../paging.ts';
import { fields, flag, integer, isPlaceholder, oneOf, secretOf, text } from '../parse.ts';
import type * as described from '../schemas/described.ts';
import { parseUrl } from '../url.ts';
import { type SignatureFormat, signatureFormats } from './formats.ts';

/** A subscription as every interface answers it. */
export interface Webhook {
  id: string;
  storeId: string;
  url: string;
  /** Wildcards are expanded when the subscription is saved. */
  events: EventType[];
  /** Whole on creation and for keys with `webhook.write`; masked to its last four characters for others. */
  secret: string;
  isActive: boolean;
  /** Reason for which the service switched it off; null otherwise, and once it is switched on again. */
  disabledReason: string | null;
  /** Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex. */
  signatureFormat: SignatureFormat;
  /** Number of attempts that may follow a failed first one, 0 to 4. */
  retries: number;
  /** Time of the last successful delivery, to the second. */
  lastTriggeredAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const events = z
  .array(z.string('must be a text'), 'must be a list of event names')
  .min(1, 'must name at least one event')
  .transform((entries, check) => {
    const unknown = entries.findIndex((entry) => expandEvents([entry]) === undefined);
    if (unknown === -1) return expandEvents(entries) ?? [];
    const message = `must be event names or <resource>.*; the events are ${eventTypes.join(', ')}`;
    check.addIssue({ code: 'custom', message, input: entries[unknown] });
    return z.NEVER;
  });

/** A signing secret of a caller, long enough not to be guessed. */
export const secretField = secretOf(
  text(255, 16).refine(
    (value) => !isPlaceholder(value),
    'must be the secret itself, not what stands for it in a manual',
  ),
);

/** A host name, an IPv4 address, or an IPv6 address in brackets; `URL` alone would also accept braces and the like. */
const hostPattern = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;

/** Input schemas of subscriptions. With a guard, only https addresses that it allows; without, any address. */
export function webhookFields(guard: AddressGuard | null) {
  const expected = `must be an ${guard ? '' : 'http or '}https address without user name and password`;
  const url = text(2048, 1).transform((value, check) => {
    const refuse = (message: string, cause: Cause = {}) => {
      check.addIssue({ code: 'custom', message, input: value, params: cause });
      return z.NEVER;
    };
    const parsed = parseUrl(value);
    const scheme = parsed?.protocol === 'https:' || (guard === null && parsed?.protocol === 'http:');
    if (!parsed || !scheme || parsed.username || parsed.password) return refuse(expected);
    if (!hostPattern.test(parsed.hostname)) return refuse('must have a host of letters, digits, dots and hyphens');
    const refused = guard?.refuseHost(parsed.hostname);
    if (refused) {
      const cause: Cause = { reason: 'addressRefused', about: refused.address };
      return refuse(`must be on the public internet: ${refused.reason}`, cause);
    }
    // Two spellings of one address must be one subscription: drops the host's final dot, and the fragment, never sent.
    parsed.hostname = parsed.hostname.replace(/\.$/, '');
    parsed.hash = '';
    // Encodes characters that `URL` accepts and RFC 3986 does not: brackets are allowed around a numeric host alone, and a
    // percent sign only before two hexadecimal digits.
    const [origin, rest] = [parsed.origin, parsed.href.slice(parsed.origin.length)];
    return origin + rest.replace(/[{}|^`\\"<>[\]]|%(?![\da-f]{2})/gi, encodeURIComponent);
  });
  const update = fields({
    url,
    events,
    secret: secretField,
    isActive: flag,
    signatureFormat: oneOf(signatureFormats),
    retries: integer(0, maxRetries),
  }).partial();
  return { update, create: update.required({ url: true, events: true }) };
}

type Schemas = ReturnType<typeof webhookFields>;
const schemasOf = new WeakMap<object, Schemas>();

/** Schemas with the engine's guard, built once per engine, because a Zod schema compiles on its first use. */
export function webhookSchemas({ engine }: Context): Schemas {
  const schemas = schemasOf.get(engine) ?? webhookFields(engine.webhookGuard);
  schemasOf.set(engine, schemas);
  return schemas;
}

export type WebhookInput = described.WebhookInput & z.input<Schemas['create']>;
export type WebhookChanges = described.WebhookChanges & z.input<Schemas['update']>;

export const RotationFields = fields({
  /** The new secret; created in the form of Standard Webhooks when absent. */
  secret: secretField.optional(),
});
export type RotationInput = z.input<typeof RotationFields>;

export const WebhookQuery = fields(paging);
export type WebhookQueryInput = described.WebhookQueryInput & z.input<typeof WebhookQuery>;
