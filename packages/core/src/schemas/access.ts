import { z } from 'zod';
import type { ApiKey as ApiKeyEntity, CreatedApiKey as CreatedApiKeyEntity } from '../api-keys/api-keys.ts';
import { scopes } from '../api-keys/scopes.ts';
import type { AuditLog as AuditLogEntity } from '../audit/audit.ts';
import type { Actor } from '../context.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { eventTypes } from '../events/events.ts';
import type { Webhook as WebhookEntity } from '../webhooks/fields.ts';
import { signatureFormats } from '../webhooks/formats.ts';
import { exactly, exampleIds, id, optionalTime, optionalWords, time, words, yesOrNo } from './values.ts';

const storeId = id('The store it belongs to.', exampleIds.store);
const createdAt = time('When it was made, UTC.');

const apiKey = {
  id: id('The id of the key, which is no secret.', exampleIds.apiKey),
  storeId,
  name: words('What it is for, in words of the shop.', 'Storefront'),
  prefix: words('The first 12 characters of the key, to know it by.', 'ck_live_9fXa'),
  scopes: z.array(z.enum(scopes)).meta({
    description: 'What it may do. `write` does not imply `read`. `order.delete` guards nothing.',
    examples: [['product.read', 'category.read']],
  }),
  lastUsedAt: optionalTime('When it was last used, at most a minute late.'),
  expiresAt: optionalTime('From when on it is refused; null for never.'),
  createdAt,
  createdBy: optionalWords(
    'The id of the key that made this one: it expires no later than that, and is revoked with it. Null where it was no key.',
    exampleIds.apiKey,
  ),
};

export const ApiKey = exactly<ApiKeyEntity>()(
  z.object(apiKey).meta({ description: 'What is known of an API key; never the key itself.' }),
);

export const CreatedApiKey = exactly<CreatedApiKeyEntity>()(
  z
    .object({
      ...apiKey,
      key: words(
        'The whole key. Only its hash is stored, so this is the one time that it can be read.',
        'ck_live_9fXaT0mWq3ZsK7yBv1LrC5uJd8HgN2pEiR4oVwMxYtQk',
      ),
    })
    .meta({ description: 'An API key that was just made.' }),
);

export const Webhook = exactly<WebhookEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.webhook),
      storeId,
      url: words('Where events are sent.', 'https://shop.test/hooks').meta({ format: 'uri' }),
      events: z.array(z.enum(eventTypes)).meta({
        description: 'What is sent. Wildcards are expanded when the subscription is saved.',
        examples: [['order.paid', 'order.updated']],
      }),
      secret: words(
        'What deliveries are signed with. Whole when it was just made and to keys with `webhook.write`; otherwise only its last four characters are shown.',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      ),
      isActive: yesOrNo('A subscription that is switched off gets nothing.', true),
      disabledReason: optionalWords(
        'Why the service switched it off; null where it did not, and once it is switched on again.',
        'every delivery since 2026-11-20T08:00:00.000Z has failed',
      ),
      signatureFormat: z.enum(signatureFormats).meta({
        description: 'How `X-Webhook-Signature` is written: `sha256=<hex>` or the bare hex.',
        examples: ['sha256'],
      }),
      retries: z
        .int()
        .min(0)
        .max(4)
        .meta({ description: 'How many attempts may follow a first one that failed.', examples: [4] }),
      lastTriggeredAt: optionalTime('The last delivery that succeeded, UTC.'),
      createdAt,
      updatedAt: time('When it was last changed, UTC.'),
    })
    .meta({ description: 'A subscription of an address to events.' }),
);

const actorTypes = ['apiKey', 'provider', 'cli', 'system', 'embedder'] as const satisfies readonly Actor['type'][];

export const AuditLog = exactly<AuditLogEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.auditLog),
      storeId,
      actorType: z.enum(actorTypes).meta({ description: 'What kind of actor did it.', examples: ['apiKey'] }),
      actorId: optionalWords(
        "The API key's id or the provider's name; null where there is nothing to name.",
        exampleIds.apiKey,
      ),
      action: words('`<resource>.<what happened>`.', 'product.updated'),
      resourceType: words('What kind of resource it was done to.', 'product'),
      resourceId: words('The id of what it was done to.', exampleIds.product),
      changes: z.record(z.string(), z.unknown()).meta({
        description:
          'The fields that changed, each as `{ from, to }`, or facts about the action. Long texts are cut short; secrets are never in it. Of a customer, empty for a key without `customer.read`.',
        examples: [{ price: { from: '10.00', to: '12.50' } }],
      }),
      requestId: optionalWords(
        'The `X-Request-Id` of the request that did it.',
        '7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b',
      ),
      createdAt,
    })
    .meta({
      description: 'Who did what to which resource. Written in the transaction of the change, and never changed.',
    }),
);

const codes = Object.values(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** What every refusal looks like. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(codes).meta({ description: 'For machines; see the table of errors.' }),
      message: z.string().meta({ description: 'For people: it quotes what was wrong and says what would be right.' }),
      details: z
        .array(
          z.object({
            field: z.string().meta({ description: 'A path such as `items.0.quantity`, or the name of a parameter.' }),
            reason: z.string().meta({ description: 'What would be right.' }),
            message: z.string().meta({ description: 'The same text as `reason`.' }),
          }),
        )
        .optional()
        .meta({ description: 'One entry for each field that was refused.' }),
    }),
  })
  .meta({ description: 'The envelope of every error.' });
