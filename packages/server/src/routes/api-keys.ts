import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '@commerce/core';
import { created, item, list, nothing } from './answers.ts';
import { type Route, route } from './router.ts';

export const apiKeyRoutes: readonly Route[] = [
  route('GET', '/api-keys', 'apiKey.read', {
    name: 'listApiKeys',
    summary: 'List the keys of the store, newest first; a key itself is shown only when it is created',
    query: 'Window',
    answer: list('ApiKey'),
    run: listApiKeys,
  }),
  route('POST', '/api-keys', 'apiKey.write', {
    errors: ['conflict'],
    name: 'createApiKey',
    summary: 'Create a key; the answer is the only one that shows it',
    description:
      'A key cannot grant scopes that it does not hold itself. A `storefront` key has scopes of its own: it sees published things alone, and may stand in a public page.',
    body: 'ApiKeyInput',
    answer: created('CreatedApiKey'),
    run: createApiKey,
  }),
  route('GET', '/api-keys/{id}', 'apiKey.read', {
    name: 'getApiKey',
    summary: 'Get a key, without the key itself',
    answer: item('ApiKey'),
    run: getApiKey,
  }),
  route('DELETE', '/api-keys/{id}', 'apiKey.delete', {
    name: 'revokeApiKey',
    summary: 'Revoke a key: at once, and for good',
    errors: ['conflict'],
    answer: nothing,
    run: revokeApiKey,
  }),
];
