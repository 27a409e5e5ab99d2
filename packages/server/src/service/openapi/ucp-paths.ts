import type { ErrorKind } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { errorAnswers } from './errors.ts';
import { headers } from './headers.ts';
import { parameterRef } from './parameters.ts';
import { ucpTag } from './prose.ts';

const store: Json = { $ref: '#/components/parameters/StoreId' };

const object = (description: string): Json => ({ type: 'object', description });
const objects = (description: string): Json => ({ type: 'array', items: { type: 'object' }, description });

const statement = object('`version`, `status` and `capabilities`, as in every answer of the protocol.');
const messages = objects('Warnings, what was not found, and what buyers must be told; absent if there are none.');

/** Fields that every request can have. */
const common: Record<string, Json> = {
  filters: {
    type: 'object',
    description: 'Applied together.',
    properties: {
      categories: {
        type: 'array',
        maxItems: 20,
        items: { type: 'string', maxLength: 255 },
        description: 'In one of these categories or below it: the slug or the id of a category.',
      },
      price: {
        type: 'object',
        description: 'In minor units of the currency, such as cents.',
        properties: { min: { type: 'integer', minimum: 0 }, max: { type: 'integer', minimum: 0 } },
      },
    },
  },
  context: {
    type: 'object',
    description:
      'Of it, only `currency` is read: that of the price filter. With another one than that of the store, prices are not filtered.',
    properties: { currency: { type: 'string', maxLength: 255 } },
  },
  signals: object('Not read.'),
  attribution: object('Not read.'),
};

const others: readonly ErrorKind[] = [
  'notFound',
  'methodNotAllowed',
  'unsupportedMediaType',
  'internal',
  'unavailable',
];

const id: Json = { type: 'string', minLength: 1, maxLength: 300 };

/** Paths for shopping agents. */
export const ucpPaths: Record<string, Record<string, Json>> = {
  '/.well-known/ucp': {
    get: {
      operationId: 'getUcpProfile',
      tags: [ucpTag],
      summary: 'The profile by which shopping agents find the catalogue of the store that the host names',
      description:
        'The store whose setting `ucp.host` is the host of the request, or the only store of the service if it has none. 404 for a store that does not enable it.',
      security: [],
      parameters: [parameterRef('IfNoneMatch')],
      responses: {
        200: {
          description: 'The profile.',
          headers: headers('X-Request-Id', 'ETag'),
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  ucp: object('The version of the protocol, its services with their addresses, and what they can do.'),
                },
                required: ['ucp'],
              },
            },
          },
        },
        304: { description: 'The client already has this version.', headers: headers('X-Request-Id', 'ETag') },
        ...limitedBy(errorAnswers(['notFound', 'methodNotAllowed', 'internal', 'unavailable'])),
      },
    },
  },
  '/ucp/{storeId}/catalog/search': {
    post: operation('searchUcpCatalog', 'Search the published products for an agent', {
      description: 'Sorted by relevance; without `query` by age, the newest first. `query` or a filter is required.',
      properties: {
        query: { type: 'string', maxLength: 200, description: 'Words that each occur in a product.' },
        pagination: {
          type: 'object',
          properties: {
            cursor: { type: 'string', maxLength: 100, description: 'That of the previous answer.' },
            limit: {
              type: 'integer',
              minimum: 1,
              description: 'Products of a page: 10 unless said; more than 50 count as 50.',
            },
          },
        },
      },
      example: { query: 'mug', filters: { price: { max: 2000 } } },
      answer: {
        products: objects('One for each variant group.'),
        pagination: object('`has_next_page`, `total_count`, and the `cursor` of the next page.'),
      },
      required: ['products', 'pagination'],
    }),
  },
  '/ucp/{storeId}/catalog/lookup': {
    post: operation('lookupUcpCatalog', 'Look up products and variants for an agent', {
      description:
        'By the id of a product or a variant, a slug or a SKU. Each variant tells in `inputs` which id named it.',
      properties: { ids: { type: 'array', minItems: 1, maxItems: 50, items: id } },
      required: ['products'],
      needed: ['ids'],
      example: { ids: ['group:mugs'] },
      answer: { products: objects('Each with the variants that were named, or the one that represents it.') },
    }),
  },
  '/ucp/{storeId}/catalog/product': {
    post: operation('getUcpProduct', 'Read a product with its options for an agent', {
      description: 'With the variants that match the selected options. An unknown id is 200 with `ucp.status` "error".',
      properties: {
        id,
        selected: {
          type: 'array',
          maxItems: 100,
          description: 'Options that the buyer has chosen, each once.',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', maxLength: 255 },
              label: { type: 'string', maxLength: 255 },
              id: { type: 'string', maxLength: 255, description: 'Not read.' },
            },
            required: ['name', 'label'],
          },
        },
        preferences: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', maxLength: 255 },
          description: 'Names of options: the last ones give way first if no variant has all that is selected.',
        },
      },
      needed: ['id'],
      example: { id: 'group:mugs' },
      answer: { product: object('The product; absent if there is none.') },
      required: [],
    }),
  },
  '/ucp/{storeId}/mcp': {
    post: {
      operationId: 'callUcpTool',
      tags: [ucpTag],
      summary: 'The same by the Model Context Protocol: the tools search_catalog, lookup_catalog and get_product',
      description:
        'One JSON-RPC message a request, without a session: of the revision 2026-07-28, and of clients that begin with `initialize`. Every answer is JSON.',
      security: [],
      parameters: [store],
      requestBody: {
        required: true,
        description: 'A message of JSON-RPC, at most 64 KiB.',
        content: {
          'application/json': {
            schema: { type: 'object' },
            example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          },
        },
      },
      responses: {
        200: {
          description: 'The result, or an error of the operation.',
          headers: headers('X-Request-Id'),
          content: rpc(),
        },
        202: { description: 'A notification was taken.', headers: headers('X-Request-Id') },
        ...Object.fromEntries(
          [
            [400, 'The message is not valid.'],
            [404, 'There is no such method, or no catalogue for agents at this address.'],
            [413, 'The body has more than 64 KiB.'],
            [415, 'The media type of the body is not JSON.'],
          ].map(([status, description]) => [status, { description, headers: headers('X-Request-Id'), content: rpc() }]),
        ),
        429: { description: 'Too many requests.', headers: headers('X-Request-Id', 'Retry-After'), content: rpc() },
        ...errorAnswers(['methodNotAllowed', 'internal', 'unavailable']),
      },
    },
  },
};

function rpc(): Json {
  return { 'application/json': { schema: object('A message of JSON-RPC.') } };
}

interface Facts {
  description: string;
  properties: Record<string, Json>;
  /** Fields that a request must have. */
  needed?: string[];
  example: object;
  answer: Record<string, Json>;
  /** Fields that every answer has. */
  required: string[];
}

function operation(operationId: string, summary: string, facts: Facts): Json {
  const { description, properties, needed = [], example, answer, required } = facts;
  return {
    operationId,
    tags: [ucpTag],
    summary,
    description,
    security: [],
    parameters: [store],
    requestBody: {
      required: true,
      description: 'At most 64 KiB.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { ...properties, ...common },
            ...(needed.length > 0 && { required: needed }),
          },
          example,
        },
      },
    },
    responses: {
      200: {
        description: 'The answer, in the words of the protocol.',
        headers: headers('X-Request-Id'),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { ucp: statement, ...answer, messages },
              required: ['ucp', ...required],
            },
          },
        },
      },
      400: coded('The request is not valid.'),
      413: coded('The body has more than 64 KiB.'),
      ...limitedBy(errorAnswers(others)),
    },
  };
}

/** An error with the code of the protocol, beside the envelope of every error. */
function coded(description: string, ...more: 'Retry-After'[]): Json {
  return {
    description,
    headers: headers('X-Request-Id', ...more),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            code: { type: 'string', description: 'The code of the protocol.', examples: ['invalid_request'] },
            content: { type: 'string', description: 'What is wrong.', examples: ['ids: must have at most 50 ids'] },
            error: object('The same as in the envelope of every error of the service.'),
          },
          required: ['code', 'content', 'error'],
        },
      },
    },
  };
}

function limitedBy(answers: Record<string, Json>): Record<string, Json> {
  return { ...answers, 429: coded('Too many requests of this network address, or of the store.', 'Retry-After') };
}
