import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listAllDeliveries,
  listDeliveries,
  listWebhooks,
  redeliver,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@commerce/core';
import { item, list, record } from './answers.ts';
import { crudRoutes } from './crud.ts';
import { type Route, route } from './router.ts';

export const webhookRoutes: readonly Route[] = [
  ...crudRoutes(
    '/webhooks',
    'webhook',
    {
      schema: 'Webhook',
      plural: 'Webhooks',
      one: 'a webhook subscription',
      many: 'webhook subscriptions',
      deletion: '; its waiting deliveries are cancelled',
    },
    {
      list: listWebhooks,
      create: createWebhook,
      read: getWebhook,
      update: updateWebhook,
      delete: deleteWebhook,
    },
  ),
  route('POST', '/webhooks/{id}/rotate-secret', 'webhook.write', {
    name: 'rotateWebhookSecret',
    summary: 'Give a subscription a new secret, which the answer shows',
    description: 'For 24 hours `webhook-signature` carries a signature of the old one beside that of the new one.',
    answer: item('Webhook'),
    run: rotateWebhookSecret,
  }),
  route('POST', '/webhooks/{id}/test', 'webhook.write', {
    name: 'testWebhook',
    summary: 'Send a subscription an event of the type `webhook.test`',
    errors: ['conflict'],
    answer: record('Delivery', 202),
    run: testWebhook,
  }),
  route('POST', '/webhooks/{id}/replay', 'webhook.write', {
    name: 'replayWebhook',
    summary: 'Send a subscription the events it missed since a time',
    description:
      'Sends the events it asks for that were not delivered to it, also those from before it existed, as far as they are kept: 30 days. `all` sends delivered ones, too.',
    body: 'ReplayInput',
    errors: ['conflict'],
    answer: record('Replay', 202),
    run: replayWebhook,
  }),
  route('GET', '/webhooks/{id}/deliveries', 'webhook.read', {
    name: 'listDeliveries',
    summary: 'List the deliveries to a subscription, sent and waiting, newest first',
    description: 'Kept for 30 days.',
    query: 'DeliveryQuery',
    answer: list('Delivery'),
    run: listDeliveries,
  }),
  route('GET', '/webhooks/{id}/deliveries/{deliveryId}', 'webhook.read', {
    name: 'getDelivery',
    summary: 'Get one delivery with its attempts',
    answer: record('Delivery'),
    run: getDelivery,
  }),
  route('POST', '/webhooks/{id}/deliveries/{deliveryId}/redeliver', 'webhook.write', {
    name: 'redeliver',
    summary: 'Send an event to a subscription once more',
    description:
      'Creates a delivery with the same event id; one that waits for its next attempt is attempted now instead.',
    errors: ['conflict'],
    answer: record('Delivery', 202),
    run: redeliver,
  }),
  route('GET', '/deliveries', 'webhook.read', {
    name: 'listAllDeliveries',
    summary: 'List the deliveries to all subscriptions, sent and waiting, newest first',
    description: 'Kept for 30 days.',
    query: 'DeliveryQuery',
    answer: list('Delivery'),
    run: listAllDeliveries,
  }),
];
