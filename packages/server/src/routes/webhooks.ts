import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '@commerce/core';
import { type Route, route } from '../router.ts';
import { item, list, nothing } from './answers.ts';

export const webhookRoutes: readonly Route[] = [
  route('GET', '/webhooks', 'webhook.read', (ctx, { query }) => listWebhooks(ctx, query).then(list)),
  route('POST', '/webhooks', 'webhook.write', (ctx, { body }) => createWebhook(ctx, body).then(item), 201),
  route('GET', '/webhooks/{id}', 'webhook.read', (ctx, { params }) => getWebhook(ctx, params.id).then(item)),
  route('PUT', '/webhooks/{id}', 'webhook.write', (ctx, { params, body }) =>
    updateWebhook(ctx, params.id, body).then(item),
  ),
  route(
    'DELETE',
    '/webhooks/{id}',
    'webhook.delete',
    (ctx, { params }) => deleteWebhook(ctx, params.id).then(nothing),
    204,
  ),
];
