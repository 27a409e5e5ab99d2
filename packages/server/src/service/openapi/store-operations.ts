import type { ErrorKind, Scope } from '@commerce/core';
import { uploadLimits } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import type { AnswerForm } from '../../routes/answers.ts';
import type { ClosedRoute, Route } from '../../routes/router.ts';
import { errorAnswers } from './errors.ts';
import { exampleOf } from './examples.ts';
import { exchangeParameters, exchangeResponses } from './exchanges.ts';
import { headers } from './headers.ts';
import { parameterRef, parameters, pathParameter, queryParameters } from './parameters.ts';
import { resources } from './prose.ts';

/**
 * The operations of a line of the route table, by method: PUT includes PATCH, which does the same.
 * @param schemas components that can be referred to
 * @param shared takes the answers that many operations refer to
 */
export function storeOperations(
  line: Route | ClosedRoute,
  schemas: Record<string, Json>,
  shared: Record<string, Json>,
): Record<string, Json> {
  const operation = operationOf(line, schemas, shared);
  const method = line.method.toLowerCase();
  if (line.method !== 'PUT') return { [method]: operation };
  const patch = {
    ...operation,
    operationId: String(operation.operationId).replace(/^[a-z]+/, 'patch'),
    description: `The same as PUT. ${operation.description}`,
  };
  return { put: operation, patch };
}

function operationOf(line: Route | ClosedRoute, schemas: Record<string, Json>, shared: Record<string, Json>): Json {
  const route = 'open' in line ? line.open : line;
  const resource = resources[route.path.split('/')[1] ?? ''];
  if (!resource) throw new Error(`${route.path} has no tag in the document`);
  const { method, scope } = route;
  const sentences = [
    ...('closed' in line ? [`**Disabled on this service:** ${line.closed}.`] : []),
    ...(route.description ? [route.description] : []),
    route.forUsers
      ? 'Only a user who has signed in to the dashboard has this; no key is accepted.'
      : scope === null
        ? route.exchange
          ? 'Any secret key is accepted, with the tools of its scopes.'
          : 'Any key is accepted.'
        : `Needs the scope \`${scope}\`${deprecatedScopes.has(scope) ? ', which is deprecated but still required here' : ''}.`,
  ];
  const query = route.query && schemas[route.query];
  const responses = {
    [route.answer.status]: successOf(route, schemas),
    ...(method === 'GET' && route.answer.versioned ? { 304: notModified(route.answer) } : {}),
    ...errorAnswers(errorKindsOf(line), shared),
  };
  return {
    operationId: route.name,
    tags: [resource.tag],
    summary: route.summary,
    description: sentences.join(' '),
    'x-required-scope': scope,
    ...(route.forUsers ? { security: [{ session: [] }] } : {}),
    parameters: [
      parameterRef('StoreId'),
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
        pathParameter(name, name === 'id' ? resource.one : spaced(name)),
      ),
      ...(query ? queryParameters(query) : []),
      ...(route.exchange ? exchangeParameters : []),
      ...(method === 'POST' && !route.changesNothing && !route.exchange ? [parameterRef('IdempotencyKey')] : []),
      ...(method === 'PUT' || method === 'DELETE' ? [parameterRef('IfMatch')] : []),
      ...(method === 'GET' && route.answer.versioned ? [parameterRef('IfNoneMatch')] : []),
      ...(route.secretHeader ? [secretParameter(route)] : []),
      ...(route.mayLag ? [parameterRef('Position')] : []),
      parameterRef('Prefer'),
    ],
    ...(route.body ? { requestBody: bodyOf(route.body, schemas) } : {}),
    responses: route.exchange ? exchangeResponses(responses) : responses,
  };
}

/** The header with a secret; required where the operation has no other way to find what it is about. */
function secretParameter({ secretHeader, method, path }: Route): Json {
  const reference = parameterRef(secretHeader === 'Order-Token' ? 'OrderToken' : 'CheckoutSecret');
  if (secretHeader !== 'Order-Token' || method !== 'GET' || !path.startsWith('/orders/by-token')) return reference;
  return { ...parameters.OrderToken, required: true };
}

const deprecatedScopes: ReadonlySet<Scope> = new Set(['order.write', 'order.delete']);

/** A parameter in words: `deliveryId` is `delivery`. */
function spaced(parameter: string): string {
  return parameter
    .replace(/Id$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
}

/** Kinds of errors of a route: by its form, and its own. */
function errorKindsOf(line: Route | ClosedRoute): ErrorKind[] {
  const route = 'open' in line ? line.open : line;
  const { method, body } = route;
  return [
    // At least for an unknown parameter, if the request prefers `handling=strict`.
    'validation',
    'unauthorized',
    'forbidden',
    ...(route.path.includes('{') ? (['notFound'] as const) : []),
    ...('closed' in line ? (['methodNotAllowed'] as const) : []),
    // For an Idempotency-Key that was used for another request.
    ...(method === 'POST' && !route.changesNothing && !route.exchange ? (['conflict'] as const) : []),
    ...(route.errors ?? []),
    ...(body ? (['tooLarge', 'unsupportedMediaType'] as const) : []),
    'rateLimited',
    'internal',
    'unavailable',
  ];
}

/** A file in one of its accepted forms. */
const importBody: Json = {
  required: true,
  description: 'The file itself, or the field `files` of a form.',
  content: {
    'text/csv': { schema: { type: 'string' }, example: 'slug,title,price\nblue-mug,Blue mug,12.50\n' },
    'application/x-ndjson': {
      schema: { type: 'string' },
      example: '{"slug":"blue-mug","title":"Blue mug","price":"12.50"}\n',
    },
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { files: { type: 'string', format: 'binary', description: 'The file.' } },
        required: ['files'],
      },
    },
  },
};

function bodyOf(body: NonNullable<Route['body']>, schemas: Record<string, Json>): Json {
  if (body === 'import') return importBody;
  if (body !== 'files') {
    const schema = { $ref: `#/components/schemas/${body}` };
    const example = exampleOf(schema, schemas);
    return { required: true, content: { 'application/json': { schema, example } } };
  }
  const { files, fileBytes, pixels } = uploadLimits;
  return {
    required: true,
    description: `At most ${files} files of ${fileBytes / 1024 / 1024} MiB and ${pixels / 1e6} megapixels each, 50 MiB in all. The type of a file is determined from its bytes.`,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            files: {
              type: 'array',
              minItems: 1,
              maxItems: files,
              description: 'The images: JPEG, PNG, WebP or GIF.',
              items: { type: 'string', format: 'binary' },
            },
          },
          required: ['files'],
        },
        encoding: { files: { contentType: 'image/jpeg, image/png, image/webp, image/gif' } },
      },
    },
  };
}

const limitHeaders = headers('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');

function notModified(answer: AnswerForm): Json {
  return {
    description: 'The client already has this version.',
    headers: { ...headers('X-Request-Id', 'ETag', 'Preference-Applied'), ...cacheHeaders(answer), ...limitHeaders },
  };
}

function cacheHeaders({ cacheControl }: AnswerForm): Record<string, Json> {
  if (cacheControl === undefined) return {};
  const description = 'Caches may keep the answer for so many seconds.';
  return { 'Cache-Control': { description, required: true, schema: { type: 'string', enum: [cacheControl] } } };
}

function successOf({ answer, method, body, exchange }: Route, schemas: Record<string, Json>): Json {
  const schema = wrapped(answer, schemas);
  return {
    description: successText(answer, method, body !== undefined),
    headers: {
      ...headers('X-Request-Id', 'Preference-Applied'),
      ...(answer.versioned ? headers('ETag') : {}),
      ...cacheHeaders(answer),
      ...(method === 'POST' && !exchange ? headers('Idempotent-Replayed') : {}),
      ...(method === 'GET' ? {} : headers('Commerce-Position')),
      ...limitHeaders,
    },
    ...(schema ? { content: { 'application/json': { schema, example: exampleOf(schema, schemas) } } } : {}),
    ...(answer.headers ? { content: { [mediaType(answer)]: { schema: { type: 'string' } } } } : {}),
  };
}

function mediaType({ headers }: AnswerForm): string {
  return headers?.['Content-Type']?.split(';')[0] ?? 'text/plain';
}

function successText({ status, wrap }: AnswerForm, method: Route['method'], hasBody: boolean): string {
  if (wrap === 'nothing') return 'The item is deleted. The body is empty.';
  if (wrap === 'file') return 'The file.';
  if (wrap === 'stream') return 'The file, streamed. If the connection ends early, the file is incomplete.';
  if (wrap === 'list') return 'A page of the list, and the total.';
  if (status === 201) return wrap === 'items' ? 'The created items, in the order of the form.' : 'The created item.';
  if (status === 202) return 'The work has started.';
  return method === 'GET' || !hasBody ? 'The result.' : 'The changed item.';
}

function fieldsOf(also: NonNullable<AnswerForm['also']>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(also).map(([field, one]) => [field, { $ref: `#/components/schemas/${one}` }]),
  );
}

/** Schema of the whole body; undefined without one. */
function wrapped({ wrap, schema: name, also = {} }: AnswerForm, schemas: Record<string, Json>): Json | undefined {
  if (name === undefined) return undefined;
  if (!schemas[name]) throw new Error(`unknown schema ${name}`);
  const schema = { $ref: `#/components/schemas/${name}` };
  switch (wrap) {
    case 'item':
      return {
        type: 'object',
        properties: { item: schema, ...fieldsOf(also) },
        required: ['item', ...Object.keys(also)],
      };
    case 'items':
      return { type: 'object', properties: { items: { type: 'array', items: schema } }, required: ['items'] };
    case 'list':
      return {
        type: 'object',
        properties: {
          items: { type: 'array', items: schema },
          total: {
            type: 'integer',
            minimum: 0,
            description: 'Exact number of matches; the page can contain fewer.',
            examples: [1],
          },
          ...fieldsOf(also),
        },
        required: ['items', 'total'],
      };
    case 'plain':
      return schema;
    case 'nothing':
    case 'file':
    case 'stream':
      return undefined;
  }
}
