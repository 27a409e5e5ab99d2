import * as z from 'zod';
import type { ApiKey as ApiKeyEntity, CreatedApiKey as CreatedApiKeyEntity } from '../api-keys/api-keys.ts';
import type { WhoAmI as WhoAmIEntity } from '../api-keys/whoami.ts';
import { scopes } from '../engine/scopes.ts';
import { id, optionalTime, optionalWords, time, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { type ErrorCode, errorCodes } from '../kernel/errors.ts';
import { keyKinds } from '../storage/tables/api-keys.ts';
import { plans } from '../storage/tables/stores.ts';
import { exactly } from './exactly.ts';

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
