import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const webhookRoutes = crudRoutes(
  '/webhooks',
  'webhook',
  {
    schema: 'Webhook',
    plural: 'Webhooks',
    one: 'a webhook subscription',
    many: 'webhook subscriptions',
    deletion: '; what waits for it is cancelled',
  },
  {
    list: listWebhooks,
    create: createWebhook,
    read: getWebhook,
    update: updateWebhook,
    delete: deleteWebhook,
  },
);
