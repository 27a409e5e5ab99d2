import { z } from 'zod';
import type { AddressGuard } from '../address-guard.ts';
import type { Context } from '../context.ts';
import { type EventType, eventTypes, expandEvents } from '../events/events.ts';
import { maxRetries } from '../limits.ts';
import { paging } from '../paging.ts';
import { fields, flag, integer, oneOf, text } from '../parse.ts';
import { type SignatureFormat, signatureFormats } from './formats.ts';

/** A subscription as it is answered. */
export interface Webhook {
  id: string;
  storeId: string;
  url: string;
  /** Wildcards are expanded when the subscription is saved. */
  events: EventType[];
  /** Whole when it was just made and to keys with `webhook.write`; otherwise only its last four characters. */
  secret: string;
  isActive: boolean;
  /** Why the service switched it off; null where it did not, and once it is switched on again. */
  disabledReason: string | null;
  /** How `X-Webhook-Signature` is written: `sha256=<hex>` or the bare hex. */
  signatureFormat: SignatureFormat;
  /** How many attempts may follow a first one that failed, 0 to 4. */
  retries: number;
  /** The last successful delivery. */
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
    const message = `must be event names or <resource>.*; there are ${eventTypes.join(', ')}`;
    check.addIssue({ code: 'custom', message, input: entries[unknown] });
    return z.NEVER;
  });

/** What signs: long enough not to be guessed. */
export const secretField = text(255, 16);

/** A name as the net has it, an IPv4 address, or an IPv6 address in brackets; URL takes braces and the like, too. */
const hostPattern = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;

/** The input schemas for where webhooks may be sent: what the guard lets through, or anywhere. */
export function webhookFields(guard: AddressGuard | null) {
  const expected = `must be an ${guard ? '' : 'http or '}https address without user name and password`;
  const url = text(2048, 1).transform((value, check) => {
    const refuse = (message: string) => {
      check.addIssue({ code: 'custom', message, input: value });
      return z.NEVER;
    };
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    const scheme = parsed?.protocol === 'https:' || (guard === null && parsed?.protocol === 'http:');
    if (!parsed || !scheme || parsed.username || parsed.password) return refuse(expected);
    if (!hostPattern.test(parsed.hostname)) return refuse('must have a host of letters, digits, dots and hyphens');
    const reason = guard?.refuseHost(parsed.hostname);
    if (reason !== undefined) return refuse(`must be on the public internet: ${reason}`);
    // One host has one name here, and the fragment is never sent: two spellings of an address are one subscription.
    parsed.hostname = parsed.hostname.replace(/\.$/, '');
    parsed.hash = '';
    // Characters that URL lets through and RFC 3986 does not: brackets stand around a numeric host alone, and a percent sign
    // before two digits.
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
const made = new WeakMap<object, Schemas>();

/** The schemas for where an engine lets webhooks go; made once, for a Zod schema compiles on its first use. */
export function webhookSchemas({ engine }: Context): Schemas {
  const known = made.get(engine) ?? webhookFields(engine.webhookGuard);
  made.set(engine, known);
  return known;
}

export type WebhookInput = z.input<Schemas['create']>;
export type WebhookChanges = z.input<Schemas['update']>;

export const RotationFields = fields({ secret: secretField.optional() });
export type RotationInput = z.input<typeof RotationFields>;

export const WebhookQuery = fields(paging);
export type WebhookQueryInput = z.input<typeof WebhookQuery>;
