import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listAllDeliveries,
  listDeliveries,
  listSubscriberDeliveries,
  listSubscribers,
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
    summary: 'Create a new secret for a subscription; the response shows it',
    description: 'For 24 hours, `webhook-signature` contains signatures with both the new and the old secret.',
    answer: item('Webhook'),
    run: rotateWebhookSecret,
  }),
  route('POST', '/webhooks/{id}/test', 'webhook.write', {
    name: 'testWebhook',
    summary: 'Send a `webhook.test` event to a subscription',
    errors: ['conflict'],
    answer: record('Delivery', 202),
    run: testWebhook,
  }),
  route('POST', '/webhooks/{id}/replay', 'webhook.write', {
    name: 'replayWebhook',
    summary: 'Resend the events that a subscription missed since a given time',
    description:
      'Sends subscribed events that were not delivered, including events from before the subscription existed. Events are kept for 30 days. `all` also sends delivered events.',
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
    summary: 'Get one delivery with its attempts and the body of the request',
    answer: record('DeliveryDetails'),
    run: getDelivery,
  }),
  route('POST', '/webhooks/{id}/deliveries/{deliveryId}/redeliver', 'webhook.write', {
    name: 'redeliver',
    summary: 'Resend an event to a subscription',
    description:
      'Creates a delivery with the same event id. If a delivery is waiting for its next attempt, that attempt is made now instead.',
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
  route('GET', '/subscribers', 'webhook.read', {
    name: 'listSubscribers',
    summary: 'List the subscribers of the application that embeds the store',
    description: 'Handlers of `commerce.on`, by name. A service without an application of its own has none.',
    query: 'SubscriberQuery',
    answer: list('Subscriber'),
    run: listSubscribers,
  }),
  route('GET', '/subscribers/{name}/deliveries', 'webhook.read', {
    name: 'listSubscriberDeliveries',
    summary: 'List the deliveries to a subscriber of the application, handled and waiting, newest first',
    description: 'Kept for 30 days. The `error` of an attempt is the message that the handler threw.',
    query: 'DeliveryQuery',
    answer: list('SubscriberDelivery'),
    run: listSubscriberDeliveries,
  }),
];
