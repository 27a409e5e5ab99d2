import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '@commerce/core';
import { type Route, route } from '../router.ts';
import { item, list, nothing } from './answers.ts';

export const apiKeyRoutes: readonly Route[] = [
  route('GET', '/api-keys', 'apiKey.read', (ctx, { query }) => listApiKeys(ctx, query).then(list)),
  route('POST', '/api-keys', 'apiKey.write', (ctx, { body }) => createApiKey(ctx, body).then(item), 201),
  route('GET', '/api-keys/{id}', 'apiKey.read', (ctx, { params }) => getApiKey(ctx, params.id).then(item)),
  route(
    'DELETE',
    '/api-keys/{id}',
    'apiKey.delete',
    (ctx, { params }) => revokeApiKey(ctx, params.id).then(nothing),
    204,
  ),
];
