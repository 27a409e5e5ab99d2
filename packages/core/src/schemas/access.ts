import * as z from 'zod';
import type { ApiKey as ApiKeyEntity, CreatedApiKey as CreatedApiKeyEntity } from '../api-keys/api-keys.ts';
import { keyKinds } from '../api-keys/key.ts';
import { scopes } from '../api-keys/scopes.ts';
import type { WhoAmI as WhoAmIEntity } from '../api-keys/whoami.ts';
import type { AuditLog as AuditLogEntity } from '../audit/audit.ts';
import type { Actor } from '../context.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { eventTypes } from '../events/events.ts';
import { plans } from '../stores/plans.ts';
import type { Webhook as WebhookEntity } from '../webhooks/fields.ts';
import { signatureFormats } from '../webhooks/formats.ts';
import { exactly, exampleIds, id, optionalTime, optionalWords, time, words, yesOrNo } from './values.ts';

const storeId = id('The store it belongs to.', exampleIds.store);
const createdAt = time('Time of creation, UTC.');

const apiKey = {
  id: id('The id of the key, which is not a secret.', exampleIds.apiKey),
  storeId,
  kind: z.enum(keyKinds).meta({
    description:
      '`secret`, or `storefront` for a key that may stand in a public page: it sees published things alone, and its scopes are fixed.',
    examples: ['secret'],
  }),
  name: words("The shop's name for it.", 'Storefront'),
  prefix: words('The first 12 characters of the key, to recognise it.', 'ck_live_9fXa'),
  scopes: z.array(z.enum(scopes)).meta({
    description: 'Its permissions. `write` does not imply `read`. `order.delete` guards nothing.',
    examples: [['product.read', 'category.read']],
  }),
  lastUsedAt: optionalTime('Time of the last use, written once a minute; null before the first.'),
  expiresAt: optionalTime('Time from which it is refused; null for never.'),
  createdAt,
  createdBy: optionalWords(
    'The id of the key that created this one, which expires no later than that key and is revoked with it. Null when no key created it.',
    exampleIds.apiKey,
  ),
};

export const ApiKey = exactly<ApiKeyEntity>()(z.object(apiKey).meta({ description: 'An API key without its secret.' }));

export const CreatedApiKey = exactly<CreatedApiKeyEntity>()(
  z
    .object({
      ...apiKey,
      key: words(
        'The whole key, readable only in this answer: the store keeps its hash alone.',
        'ck_live_9fXaT0mWq3ZsK7yBv1LrC5uJd8HgN2pEiR4oVwMxYtQk',
      ),
    })
    .meta({ description: 'A newly created API key.' }),
);

export const WhoAmI = exactly<WhoAmIEntity>()(
  z
    .object({
      store: z
        .object({
          id: id('The id of the store.', exampleIds.store),
          name: words('The name of the shop.', 'Tea & Co'),
          currency: words('ISO 4217.', 'EUR'),
          plan: z.enum(plans).meta({ description: 'The plan of the store.', examples: ['enterprise'] }),
          timeZone: words('Zone in which the shop counts its days, by its name in the IANA database.', 'Europe/Berlin'),
        })
        .meta({ description: 'The store of the key.' }),
      key: z
        .object({
          id: apiKey.id,
          name: apiKey.name,
          kind: apiKey.kind,
          scopes: apiKey.scopes,
          expiresAt: apiKey.expiresAt,
        })
        .nullable()
        .meta({ description: 'The key; null when it was revoked meanwhile.' }),
    })
    .meta({ description: 'Who asks, and of which store.' }),
);

export const Webhook = exactly<WebhookEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.webhook),
      storeId,
      url: words('The address to which events are sent.', 'https://shop.test/hooks').meta({ format: 'uri' }),
      events: z.array(z.enum(eventTypes)).meta({
        description: 'The subscribed events. Wildcards are expanded when the subscription is saved.',
        examples: [['order.paid', 'order.updated']],
      }),
      secret: words(
        'The secret that signs deliveries. Shown whole on creation and to keys with `webhook.write`; masked to its last four characters for others.',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ),
      isActive: yesOrNo('False when it is switched off and receives nothing.', true),
      disabledReason: optionalWords(
        'Reason for which the service switched it off; null otherwise, and once it is switched on again.',
        'every delivery since 2026-11-20T08:00:00.000Z has failed',
      ),
      signatureFormat: z.enum(signatureFormats).meta({
        description: 'Form of `X-Webhook-Signature`: `sha256=<hex>` or the bare hex.',
        examples: ['sha256'],
      }),
      retries: z
        .int()
        .min(0)
        .max(4)
        .meta({ description: 'Number of attempts that may follow a failed first one.', examples: [4] }),
      lastTriggeredAt: optionalTime('Time of the last successful delivery, UTC.'),
      createdAt,
      updatedAt: time('Time of the last change, UTC.'),
    })
    .meta({ description: 'A subscription of an address to events.' }),
);

const actorTypes = ['apiKey', 'provider', 'cli', 'system', 'embedder'] as const satisfies readonly Actor['type'][];

export const AuditLog = exactly<AuditLogEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.auditLog),
      storeId,
      actorType: z.enum(actorTypes).meta({ description: 'Kind of the actor.', examples: ['apiKey'] }),
      actorId: optionalWords(
        "The API key's id or the provider's name; null for an actor without either.",
        exampleIds.apiKey,
      ),
      action: words('The action, `<resource>.<what happened>`.', 'product.updated'),
      resourceType: words('Kind of the affected resource.', 'product'),
      resourceId: words('The id of the affected resource.', exampleIds.product),
      changes: z.record(z.string(), z.unknown()).meta({
        description:
          'The fields that changed, each as `{ from, to }`, or facts about the action. Long texts are cut short; secrets are never included. Empty in entries about customers for a key without `customer.read`.',
        examples: [{ price: { from: '10.00', to: '12.50' } }],
      }),
      requestId: optionalWords('The `X-Request-Id` of the request.', '7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b'),
      createdAt,
    })
    .meta({
      description: 'One change: actor, action and resource. Written in the transaction of the change, never altered.',
    }),
);

const codes = Object.values(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The body of every error. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(codes).meta({ description: 'For machines; see the table of errors.' }),
      message: z.string().meta({ description: 'For people: quotes the refused value and says what would be right.' }),
      details: z
        .array(
          z.object({
            field: z.string().meta({ description: 'A path such as `items.0.quantity`, or the name of a parameter.' }),
            reason: z.string().meta({ description: 'What would be right.' }),
            message: z.string().meta({ description: 'The same text as `reason`.' }),
          }),
        )
        .optional()
        .meta({ description: 'One entry for each refused field.' }),
    }),
  })
  .meta({ description: 'The envelope of every error.' });
