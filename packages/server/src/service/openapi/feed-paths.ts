import type { JsonSchema as Json } from '@commerce/core/schemas';
import { errorAnswers } from './errors.ts';
import { headers } from './headers.ts';
import { parameterRef } from './parameters.ts';
import { feedTag } from './prose.ts';

const store: Json = { $ref: '#/components/parameters/StoreId' };

const token: Json = {
  name: 'token',
  in: 'path',
  required: true,
  description: '`feed.token` of the settings. Whoever has it can read the feeds.',
  schema: { type: 'string', pattern: '^[\\w-]{1,100}$' },
};

const file: Json = {
  name: 'n',
  in: 'path',
  required: true,
  description: 'The number of the file, from 1.',
  schema: { type: 'integer', minimum: 1, maximum: 999_999 },
};

/** Paths of feeds and sitemaps. */
export const feedPaths: Record<string, Record<string, Json>> = {
  '/feeds/{storeId}/{token}/products.tsv': {
    get: feed(
      'getProductFeedTsv',
      "The published products as a table with tabs, in Google's product data format",
      'text/tab-separated-values',
    ),
  },
  '/feeds/{storeId}/{token}/products.xml': {
    get: feed('getProductFeedXml', 'The published products as RSS 2.0, with the names of Google', 'application/xml'),
  },
  '/feeds/{storeId}/sitemap.xml': {
    get: sitemap('getSitemap', 'The addresses of published products and pages, or above 50,000 of them an index', [
      store,
    ]),
  },
  '/feeds/{storeId}/sitemap-{n}.xml': {
    get: sitemap('getSitemapFile', 'A file that the index of the sitemap names', [store, file]),
  },
};

function feed(operationId: string, summary: string, type: string): Json {
  return streamed({
    operationId,
    summary,
    description:
      'Products without an image, an address, a price or a brand are left out; `GET /products/feed-report` lists them. Streamed, compressed with gzip if the client takes it; two at once for each store. The `ETag` changes with everything that is shown. A wrong token, and a store without feeds, is 404.',
    parameters: [store, token],
    type,
  });
}

function sitemap(operationId: string, summary: string, parameters: Json[]): Json {
  return streamed({
    operationId,
    summary,
    description: 'Needs the setting `productUrl` or `pageUrl`. Anyone can read it.',
    parameters,
    type: 'application/xml',
  });
}

function streamed({
  type,
  parameters,
  ...about
}: { type: string; parameters: Json[] } & Record<string, unknown>): Json {
  const own = headers('X-Request-Id', 'ETag');
  return {
    ...about,
    tags: [feedTag],
    security: [],
    parameters: [...parameters, parameterRef('IfNoneMatch')],
    responses: {
      200: { description: 'The content.', headers: own, content: { [type]: { schema: { type: 'string' } } } },
      304: { description: 'The client already has this version.', headers: own },
      ...errorAnswers(['notFound', 'methodNotAllowed', 'rateLimited', 'internal', 'unavailable']),
    },
  };
}
