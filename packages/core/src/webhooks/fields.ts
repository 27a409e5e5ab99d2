import * as z from 'zod';
import type { Context } from '../engine/context.ts';
import type { EventPattern } from '../event-types.ts';
import { eventTypes, expandEvents } from '../events/events.ts';
import { id, once, optionalTime, optionalWords, time, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import type { Cause } from '../kernel/errors.ts';
import { maxRetries } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, flag, given, integer, isPlaceholder, oneOf, ruled, secretOf, text } from '../kernel/parse.ts';
import { parseUrl } from '../kernel/url.ts';
import type { AddressGuard } from '../network/address-guard.ts';
import { signatureFormats } from '../storage/tables/webhooks.ts';

export const webhookAnswer = once(() =>
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.webhook),
      storeId: id('The store it belongs to.', exampleIds.store),
      url: words('The address to which events are sent.', 'https://shop.test/hooks').meta({ format: 'uri' }),
      /** Wildcards are expanded when the subscription is saved. */
      events: z.array(z.enum(eventTypes)).meta({
        description: 'The subscribed events. Wildcards are expanded when the subscription is saved.',
        examples: [['order.paid', 'order.updated']],
      }),
      /** Whole on creation and for keys with `webhook.write`; masked to its last four characters for others. */
      secret: words(
        'The secret that signs deliveries. Shown whole on creation and to keys with `webhook.write`; masked to its last four characters for others.',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ),
      isActive: yesOrNo('False when it is switched off and receives nothing.', true),
      /** Reason for which the service switched it off; null otherwise, and once it is switched on again. */
      disabledReason: optionalWords(
        'Reason for which the service switched it off; null otherwise, and once it is switched on again.',
        'every delivery since 2026-11-20T08:00:00.000Z has failed',
      ),
      /** Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex. */
      signatureFormat: z.enum(signatureFormats).meta({
        description: 'Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex.',
        examples: ['sha256'],
      }),
      /** Number of attempts that may follow a failed first one, 0 to 4. */
      retries: z
        .int()
        .min(0)
        .max(4)
        .meta({ description: 'Number of attempts that may follow a failed first one.', examples: [4] }),
      /** Time of the last successful delivery, to the second. */
      lastTriggeredAt: optionalTime('Time of the last successful delivery, UTC.'),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last change, UTC.'),
    })
    .meta({ description: 'A subscription of an address to events.' }),
);

/** A subscription as every interface answers it. */
export type Webhook = z.output<ReturnType<typeof webhookAnswer>>;

const events = z
  .array(z.string('must be a text'), 'must be a list of event names')
  .min(1, 'must name at least one event')
  .transform((entries, check) => {
    const unknown = entries.findIndex((entry) => expandEvents([entry]) === undefined);
    if (unknown === -1) return expandEvents(entries) ?? [];
    const message = `must be event names or <resource>.*; the events are ${eventTypes.join(', ')}`;
    check.addIssue({
      code: 'custom',
      message,
      input: entries[unknown],
      params: { code: 'NOT_OFFERED', limits: { values: eventTypes } },
    });
    return z.NEVER;
  });

const subscribed = {
  description: 'Names of events, or `<resource>.*` for all events of a resource.',
  items: { type: 'string', enum: [...eventTypes, ...new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))] },
  examples: [['order.*']],
} as const;

const subscriptions = given<readonly EventPattern[]>()(events);

/** A signing secret of a caller, long enough not to be guessed. */
export const secretField = secretOf(
  text(255, 16).refine(
    (value) => !isPlaceholder(value),
    ruled('must be the secret itself, not a placeholder from a manual', 'NOT_OFFERED'),
  ),
);

/** A host name, an IPv4 address, or an IPv6 address in brackets; `URL` by itself would also accept braces and similar characters. */
const hostPattern = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;

/** Input schemas of subscriptions. With a guard, only https addresses that it allows; without, any address. */
export function webhookFields(guard: AddressGuard | null) {
  const expected = `must be an ${guard ? '' : 'http or '}https address without user name and password`;
  const url = text(2048, 1).transform((value, check) => {
    const refuse = (message: string, cause: Cause = {}) => {
      check.addIssue({ code: 'custom', message, input: value, params: { code: 'NOT_A_URL', ...cause } });
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
    // Encodes characters that `URL` accepts and RFC 3986 does not. Brackets are allowed only around a numeric host, and a percent sign only
    // before two hexadecimal digits.
    const [origin, rest] = [parsed.origin, parsed.href.slice(parsed.origin.length)];
    return origin + rest.replace(/[{}|^`\\"<>[\]]|%(?![\da-f]{2})/gi, encodeURIComponent);
  });
  const update = fields({
    /** The address to which events are sent: https, without user name and password, on the public internet. One subscription per address. */
    url,
    /** Names of events, or `<resource>.*` for all events of a resource. */
    events: subscriptions,
    /** The secret that signs deliveries; created in the form of Standard Webhooks when absent. */
    secret: secretField.describe(
      'The secret that signs deliveries; created in the form of Standard Webhooks when absent.',
    ),
    /** False when it is switched off and receives nothing. */
    isActive: flag,
    /** Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex. */
    signatureFormat: oneOf(signatureFormats),
    /** Number of attempts that may follow a failed first one. */
    retries: integer(0, maxRetries),
  }).partial();
  const facts = {
    url: {
      format: 'uri',
      description:
        'The address to which events are sent: https, without user name and password, on the public internet. One subscription per address.',
    },
    events: subscribed,
  };
  return {
    update: noted(update, {
      description: 'Changes of a subscription: absent fields keep their values.',
      like: 'Webhook',
      fields: facts,
      example: { isActive: false },
    }),
    create: noted(update.required({ url: true, events: true }), {
      description: 'A new subscription.',
      like: 'Webhook',
      fields: facts,
      example: { url: 'https://shop.test/hooks', events: ['order.*', 'product.updated'] },
    }),
  };
}

type Schemas = ReturnType<typeof webhookFields>;
const schemasOf = new WeakMap<object, Schemas>();

/** Schemas with the engine's guard, built once per engine, because a Zod schema compiles on its first use. */
export function webhookSchemas({ engine }: Context): Schemas {
  const schemas = schemasOf.get(engine) ?? webhookFields(engine.webhookGuard);
  schemasOf.set(engine, schemas);
  return schemas;
}

export type WebhookInput = z.input<Schemas['create']>;
export type WebhookChanges = z.input<Schemas['update']>;

export const RotationFields = fields({
  /** The new secret; created in the form of Standard Webhooks when absent. */
  secret: secretField.optional(),
});
export type RotationInput = z.input<typeof RotationFields>;

export const WebhookQuery = noted(fields(paging), {
  description: 'The window of a list of subscriptions.',
});
export type WebhookQueryInput = z.input<typeof WebhookQuery>;
