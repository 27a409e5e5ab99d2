import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '@commerce/core';
import { created, item, list, nothing } from './answers.ts';
import { type Route, route } from './router.ts';

export const apiKeyRoutes: readonly Route[] = [
  route('GET', '/api-keys', 'apiKey.read', {
    name: 'listApiKeys',
    summary: 'List the API keys of the store, newest first; the key itself is shown only when it is created',
    query: 'Window',
    answer: list('ApiKey'),
    run: listApiKeys,
  }),
  route('POST', '/api-keys', 'apiKey.write', {
    errors: ['conflict'],
    name: 'createApiKey',
    summary: 'Create an API key; only this response shows it',
    description:
      'A key cannot grant scopes that it does not hold itself. A `storefront` key has scopes of its own: it sees only published items, and is safe to use in public pages.',
    body: 'ApiKeyInput',
    answer: created('CreatedApiKey'),
    run: createApiKey,
  }),
  route('GET', '/api-keys/{id}', 'apiKey.read', {
    name: 'getApiKey',
    summary: 'Get the description of an API key',
    answer: item('ApiKey'),
    run: getApiKey,
  }),
  route('DELETE', '/api-keys/{id}', 'apiKey.delete', {
    name: 'revokeApiKey',
    summary: 'Revoke an API key immediately and permanently',
    errors: ['conflict'],
    answer: nothing,
    run: revokeApiKey,
  }),
];
