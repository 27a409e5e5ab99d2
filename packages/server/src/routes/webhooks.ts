import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const webhookRoutes = crudRoutes('/webhooks', 'webhook', {
  list: listWebhooks,
  create: createWebhook,
  read: getWebhook,
  update: updateWebhook,
  delete: deleteWebhook,
});
