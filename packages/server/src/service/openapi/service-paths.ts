import type { ErrorKind } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { errorAnswers } from './errors.ts';
import { exampleOf } from './examples.ts';
import { feedPaths } from './feed-paths.ts';
import { headers } from './headers.ts';
import { parameterRef, queryParameters } from './parameters.ts';
import { paymentTag, serviceTag } from './prose.ts';
import { signInPaths } from './sign-in-paths.ts';
import { ucpPaths } from './ucp-paths.ts';

/** Paths without a key: notifications of payment providers, files, health, documentation and metrics. */
export function servicePaths(schemas: Record<string, Json>): Record<string, Record<string, Json>> {
  return {
    '/api/webhooks/{provider}': { post: receiver('receiveNotification', [provider], schemas) },
    '/api/webhooks/{provider}/{storeId}': {
      post: receiver('receiveNotificationOfStore', [provider, { $ref: '#/components/parameters/StoreId' }], schemas),
    },
    '/checkout/return/{checkoutId}': { get: checkoutReturn },
    ...signInPaths(schemas),
    ...feedPaths,
    ...ucpPaths,
    '/media/{storeId}/{file}': { get: mediaFile(schemas) },
    '/healthz': {
      get: page('getHealth', 'Check whether the process is up', {
        json: { ...status('ok'), description: 'The process is up.' },
        errors: ['methodNotAllowed'],
      }),
    },
    '/readyz': {
      get: page('getReadiness', 'Check whether the service is ready: the database answers and has every migration', {
        json: {
          ...status('ready', { blockedWebhooks, unreadableSecrets, storesWithoutMail }),
          description: 'The service is ready.',
        },
        errors: ['internal', 'unavailable'],
      }),
    },
    '/openapi.json': {
      get: page('getDocument', 'This document', {
        json: { type: 'object', description: 'An OpenAPI 3.1 document.' },
        versioned: true,
        errors: ['unavailable'],
      }),
    },
    '/docs': {
      get: page('getReference', 'A page to browse this document', {
        type: 'text/html',
        versioned: true,
        errors: ['unavailable'],
      }),
    },
    '/docs/{asset}': {
      get: page('getReferenceAsset', 'A file of that page', {
        type: 'text/javascript',
        also: { 'text/plain': { schema: { type: 'string' } } },
        versioned: true,
        parameters: [
          {
            name: 'asset',
            in: 'path',
            required: true,
            description: 'The name of the file.',
            schema: { type: 'string', enum: ['redoc.js', 'page.js', 'licences.txt'] },
          },
        ],
        errors: ['notFound', 'unavailable'],
      }),
    },
    '/metrics': {
      get: page('getMetrics', 'Metrics for Prometheus, if enabled', {
        type: 'text/plain',
        errors: ['notFound', 'unavailable'],
      }),
    },
  };
}

const provider: Json = {
  name: 'provider',
  in: 'path',
  required: true,
  description: 'The provider that sends it.',
  schema: { type: 'string', enum: ['stripe', 'paypal', 'square'] },
};

function receiver(operationId: string, parameters: Json[], schemas: Record<string, Json>): Json {
  const schema = { $ref: '#/components/schemas/ReceiverAnswer' };
  const named = operationId !== 'receiveNotification';
  return {
    operationId,
    tags: [paymentTag],
    summary: `Receive a notification of a payment provider${named ? ' for one store' : ''}`,
    description: `${
      named
        ? "Only this store's secret is checked."
        : 'The secrets of all stores that configured the provider are checked.'
    } A provider sends a notification again after 500, and only then: every temporary error is 500, also \`INSUFFICIENT_STOCK\`, \`CONFLICT\` and \`UNAVAILABLE\`. A \`warning\` explains why the money matched no order.`,
    security: [],
    parameters,
    requestBody: {
      required: true,
      description: 'The event of the provider, with its signature.',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    responses: {
      200: {
        description: 'The notification was verified and stored.',
        headers: headers('X-Request-Id'),
        content: { 'application/json': { schema, example: exampleOf(schema, schemas) } },
      },
      ...errorAnswers(['validation', 'notFound', 'tooLarge', 'internal']),
    },
  };
}

const blockedWebhooks: Json = {
  type: 'integer',
  description: 'Subscriptions that this process cannot send to, for reasons unrelated to them; absent if none.',
};

const storesWithoutMail: Json = {
  type: 'integer',
  description:
    'Stores that send no mail although some kind is on, because they have no sender or no mail server; absent if none.',
};

const unreadableSecrets: Json = {
  type: 'array',
  maxItems: 100,
  description:
    'Secrets that this process cannot read, because they were encrypted with another key; absent if there is none. Notifications and webhooks that need them are refused.',
  items: {
    type: 'object',
    properties: {
      storeId: { type: 'string', format: 'uuid', description: 'The store.' },
      of: { type: 'string', description: 'A payment provider, or `webhook` and the id of a subscription.' },
    },
    required: ['storeId', 'of'],
  },
};

function status(value: string, also: Record<string, Json> = {}): Json {
  return {
    type: 'object',
    properties: { status: { type: 'string', enum: [value], examples: [value] }, ...also },
    required: ['status'],
  };
}

interface PageFacts {
  /** The schema of an answer in JSON; answers of other types have none. */
  json?: Json;
  type?: string;
  also?: Json;
  versioned?: boolean;
  parameters?: Json[];
  errors: ErrorKind[];
}

function page(operationId: string, summary: string, facts: PageFacts): Json {
  const { json, type = 'application/json', also, versioned = false, parameters, errors } = facts;
  const { description = 'The content.', ...schema } = json ?? { type: 'string' };
  const ownHeaders = headers('X-Request-Id', ...(versioned ? (['ETag'] as const) : []));
  const conditions = versioned ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : [];
  return {
    operationId,
    tags: [serviceTag],
    summary,
    security: [],
    ...(parameters || versioned ? { parameters: [...(parameters ?? []), ...conditions] } : {}),
    responses: {
      200: { description, headers: ownHeaders, content: { [type]: { schema }, ...also } },
      ...(versioned ? { 304: { description: 'The client already has this version.', headers: ownHeaders } } : {}),
      ...errorAnswers(['methodNotAllowed', ...errors]),
    },
  };
}

const fileHeaders: Json = {
  ...headers('X-Request-Id', 'ETag', 'Preference-Applied'),
  'Cache-Control': {
    description: 'A file never changes under its name.',
    required: true,
    schema: { type: 'string', enum: ['public, max-age=31536000'] },
  },
  'Last-Modified': { description: 'Time of storage.', required: true, schema: { type: 'string' } },
};

const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const bytes = Object.fromEntries(imageTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

const mediaFile = (schemas: Record<string, Json>): Json => ({
  operationId: 'getMediaFile',
  tags: [serviceTag],
  summary: 'The file of an image, or a variant of it',
  description: 'A variant is created at the first request, and is never larger than the original.',
  security: [],
  parameters: [
    { $ref: '#/components/parameters/StoreId' },
    {
      name: 'file',
      in: 'path',
      required: true,
      description: 'The last part of the `url` of an image: its id and an extension.',
      schema: { type: 'string', pattern: '^[0-9a-f-]{36}\\.(jpg|png|webp|gif)$' },
    },
    ...queryParameters(schemas.VariantQuery as Json),
    { name: 'Range', in: 'header', description: 'One range of bytes.', schema: { type: 'string' } },
    parameterRef('IfNoneMatch'),
    parameterRef('Prefer'),
  ],
  responses: {
    200: { description: 'The file.', headers: fileHeaders, content: bytes },
    206: { description: 'The requested part of the file.', headers: fileHeaders, content: bytes },
    304: { description: 'The client already has this version.', headers: fileHeaders },
    416: { description: 'The file does not have those bytes.', headers: headers('X-Request-Id') },
    ...errorAnswers(['validation', 'notFound', 'methodNotAllowed', 'internal', 'unavailable']),
  },
});

const checkoutReturn: Json = {
  operationId: 'returnFromProvider',
  tags: [paymentTag],
  summary: 'Receive a buyer returning from a wallet',
  description:
    "Captures the approved payment, once, and redirects the browser to the checkout's `successUrl`, or to its `cancelUrl` with `reason=declined` or `reason=expired`. Only providers use this address.",
  security: [],
  parameters: [
    {
      name: 'checkoutId',
      in: 'path',
      required: true,
      description: 'The id of the checkout.',
      schema: { type: 'string', format: 'uuid' },
    },
    {
      name: 'store',
      in: 'query',
      required: true,
      description: 'The id of its store.',
      schema: { type: 'string', format: 'uuid' },
    },
    { name: 'token', in: 'query', description: "PayPal's id of its order.", schema: { type: 'string' } },
  ],
  responses: {
    303: {
      description: "A redirect to the shop's page.",
      headers: {
        ...headers('X-Request-Id'),
        Location: {
          description: "The address of the shop's page.",
          required: true,
          schema: { type: 'string', format: 'uri' },
        },
      },
    },
    ...errorAnswers(['notFound', 'methodNotAllowed', 'rateLimited', 'internal', 'unavailable']),
  },
};
