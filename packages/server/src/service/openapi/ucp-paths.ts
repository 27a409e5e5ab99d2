import type { ErrorKind } from '@commerce/core';
import type { JsonSchema as Json, SchemaName } from '@commerce/core/schemas';
import { errorAnswers } from './errors.ts';
import { headers } from './headers.ts';
import { parameterRef } from './parameters.ts';
import { ucpTag } from './prose.ts';

const store: Json = { $ref: '#/components/parameters/StoreId' };

const object = (description: string): Json => ({ type: 'object', description });
const objects = (description: string): Json => ({ type: 'array', items: { type: 'object' }, description });

const statement = object('`version`, `status` and `capabilities`, as in every answer of the protocol.');
const messages = objects('Warnings, what was not found, and what buyers must be told; absent if there are none.');

const others: readonly ErrorKind[] = [
  'notFound',
  'methodNotAllowed',
  'unsupportedMediaType',
  'internal',
  'unavailable',
];

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
      body: 'UcpSearchInput',
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
      required: ['products'],
      body: 'UcpLookupInput',
      answer: { products: objects('Each with the variants that were named, or the one that represents it.') },
    }),
  },
  '/ucp/{storeId}/catalog/product': {
    post: operation('getUcpProduct', 'Read a product with its options for an agent', {
      description: 'With the variants that match the selected options. An unknown id is 200 with `ucp.status` "error".',
      body: 'UcpProductInput',
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
  body: SchemaName;
  answer: Record<string, Json>;
  /** Fields that every answer has. */
  required: string[];
}

function operation(operationId: string, summary: string, facts: Facts): Json {
  const { description, body, answer, required } = facts;
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
          schema: { $ref: `#/components/schemas/${body}` },
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
