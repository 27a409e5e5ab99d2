import {
  createWebhook,
  type Delivery,
  deleteWebhook,
  deliveryStatuses,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../context.ts';
import { withCommerce } from '../database.ts';
import { newCommand, parseSince, storeOption, switchOption } from '../input/options.ts';
import { refuseRetiredSecret } from '../input/retired.ts';
import { pairs, print } from '../output/print.ts';
import { resolveId } from '../resolve.ts';
import { listCommand } from '../resource/lists.ts';
import { type Options, type Resource, resourceCommand } from '../resource/resource.ts';
import { listenCommand } from './listen.ts';

const names = 'its id or address';

const webhooks: Resource<Webhook> = {
  kind: 'webhook',
  noun: 'webhook',
  names,
  listing: {
    item: 'Webhook',
    filters: {},
    columns: {
      id: (one) => one.id,
      url: (one) => one.url,
      events: (one) => one.events.length,
      state: stateOf,
      'last success': (one) => one.lastTriggeredAt,
    },
    read: listWebhooks,
  },
  title: (one) => one.url,
  show: getWebhook,
  describe,
  create: {
    schema: 'WebhookInput',
    run(shop, input: { secret?: string }) {
      if (input.secret === undefined) refuseRetiredSecret('COMMERCE_SUBSCRIBER_SECRET');
      return createWebhook(shop, input as never);
    },
  },
  update: { schema: 'WebhookChanges', run: updateWebhook },
  delete: deleteWebhook,
  extend: (command) =>
    /^(create|update)$/.test(command.name())
      ? command.addOption(
          switchOption(
            '--allow-insecure-webhooks',
            'allow plain HTTP and any address, for development',
            'COMMERCE_ALLOW_INSECURE_WEBHOOKS',
          ),
        )
      : command,
  open: ({ allowInsecureWebhooks = false }: { allowInsecureWebhooks?: boolean }) => ({ allowInsecureWebhooks }),
  variables: { secret: 'COMMERCE_SUBSCRIBER_SECRET' },
  texts: {
    list: 'list the subscriptions, newest first',
    show: 'show a subscription',
    create: 'subscribe an address to events; prints the secret',
    update: 'change, enable or disable a subscription',
    delete: 'delete a subscription',
  },
  examples: {
    list: ['webhooks list', 'webhooks list --json'],
    show: ['webhooks show https://example.com/hook', 'webhooks show 0193d3ef-c080 --json'],
    create: [
      'webhooks create --url https://example.com/hook --events order.paid,product.*',
      'webhooks create --url http://127.0.0.1:4242/ --events order.* --allow-insecure-webhooks',
    ],
    update: [
      'webhooks update https://example.com/hook --is-active no',
      'webhooks update https://example.com/hook --events order.*,payment.*',
    ],
    delete: ['webhooks delete https://example.com/hook', 'webhooks delete 0193d3ef-c080 --yes'],
  },
};

/** Subscriptions at the command line. The server on the same database sends the deliveries queued here. */
export function webhooksCommand(): Command {
  const group = resourceCommand('webhooks', 'manage subscriptions to events, and their deliveries', webhooks);
  const rotate = newCommand(
    'rotate-secret',
    'create a new secret for a subscription; the old secret also signs for 24 hours',
    ['webhooks rotate-secret https://example.com/hook', 'webhooks rotate-secret 0193d3ef-c080 --json'],
  )
    .argument('<webhook>', names)
    .addOption(storeOption())
    .action((text: string, options: Options) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await rotateWebhookSecret(shop, await resolveId(shop, 'webhook', text));
        print(options, { item }, () => describe(item));
      }),
    );
  const test = newCommand('test', 'send a webhook.test event to a subscription', [
    'webhooks test https://example.com/hook',
    'webhooks test 0193d3ef-c080 --json',
  ])
    .argument('<webhook>', names)
    .addOption(storeOption())
    .action((text: string, options: Options) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        printDelivery(options, await testWebhook(shop, await resolveId(shop, 'webhook', text)));
      }),
    );
  const again = newCommand('redeliver', 'resend an event to a subscription', [
    'webhooks redeliver https://example.com/hook 0193d3ef-c080-7057-a93a-4fc162809ebd',
    'webhooks redeliver 0193d3ef-c080 0193d3ef-c080-7057-a93a-4fc162809ebd --json',
  ])
    .argument('<webhook>', names)
    .argument('<delivery>', 'its id, as `webhooks deliveries` shows it')
    .addOption(storeOption())
    .action((text: string, delivery: string, options: Options) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const id = await resolveId(shop, 'webhook', text);
        printDelivery(options, await redeliver(shop, id, await resolveId(shop, 'delivery', delivery)));
      }),
    );
  const replay = newCommand('replay', 'resend the events that a subscription missed since a given time', [
    'webhooks replay https://example.com/hook --since 2h',
    'webhooks replay https://example.com/hook --since 2026-11-20T08:00:00Z --all',
  ])
    .argument('<webhook>', names)
    .addOption(storeOption())
    .requiredOption('--since <time>', 'a time such as 2026-11-20T08:00:00Z, or how long ago, such as 2h', parseSince)
    .option('--all', 'also events that were already delivered')
    .action((text: string, options: Options & { since: Date; all?: boolean }) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const input = { since: options.since.toISOString(), all: options.all ?? false };
        const item = await replayWebhook(shop, await resolveId(shop, 'webhook', text), input);
        print(options, { item }, () => `${item.queued} queued`);
      }),
    );
  for (const command of [rotate, deliveriesCommand(), test, again, replay, listenCommand()]) group.addCommand(command);
  return group;
}

function deliveriesCommand(): Command {
  return listCommand<Delivery>(
    'list the deliveries to a subscription, newest first',
    [
      'webhooks deliveries https://example.com/hook --status failed',
      'webhooks deliveries 0193d3ef-c080 --event order.paid --json',
    ],
    {
      item: 'Delivery',
      filters: {
        status: {
          flags: '--status <status>',
          description: 'only deliveries with this status',
          choices: deliveryStatuses,
        },
        event: { flags: '--event <event>', description: 'only deliveries of this event' },
      },
      columns: {
        id: (one) => one.id,
        created: (one) => one.createdAt,
        event: (one) => one.event,
        status: (one) => one.status,
        attempts: (one) => one.attempts.length,
        last: lastAttempt,
        next: (one) => one.nextAttemptAt,
      },
      read: async (shop, query, command) =>
        listDeliveries(shop, await resolveId(shop, 'webhook', command.args[0] ?? ''), query),
    },
    { name: 'deliveries' },
  ).argument('<webhook>', names);
}

function stateOf(webhook: Webhook): string {
  return webhook.isActive ? 'on' : `off${webhook.disabledReason ? `: ${webhook.disabledReason}` : ''}`;
}

function lastAttempt({ attempts }: Delivery): string | null {
  const last = attempts.at(-1);
  return last ? (last.error ?? String(last.responseCode ?? 'done')) : null;
}

function describe(webhook: Webhook): string {
  return pairs({
    id: webhook.id,
    url: webhook.url,
    events: webhook.events.join(', '),
    secret: webhook.secret,
    state: stateOf(webhook),
  });
}

function printDelivery(options: Options, delivery: Delivery): void {
  print(options, { item: delivery }, () =>
    pairs({
      id: delivery.id,
      event: delivery.event,
      'event id': delivery.eventId,
      status: delivery.status,
      next: delivery.nextAttemptAt,
    }),
  );
}
