import {
  createWebhook,
  type Delivery,
  deliveryStatuses,
  listDeliveries,
  listWebhooks,
  redeliver,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseSince, parseWindow, storeOption, switchOption } from '../options.ts';
import { pairs, print, table } from '../print.ts';
import { listenCommand } from './listen.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

/** Subscriptions at the command line. Deliveries queued here are sent by the server that runs on the same database. */
export function webhooksCommand(): Command {
  return new Command('webhooks')
    .description('manage subscriptions to events, and their deliveries')
    .addCommand(
      newCommand('list', 'list the subscriptions, newest first')
        .addOption(storeOption())
        .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
        .option('--offset <n>', 'entries to skip', parseWindow, 0)
        .action((options: Options & { limit: number; offset: number }) =>
          withCommerce(options, async (commerce) => {
            const { limit, offset } = options;
            const webhooks = await listWebhooks(await storeContext(commerce, options.store), { limit, offset });
            print(options, webhooks, () =>
              table(webhooks.items, {
                id: (one) => one.id,
                url: (one) => one.url,
                events: (one) => one.events.length,
                state: (one) => (one.isActive ? 'on' : `off${one.disabledReason ? `: ${one.disabledReason}` : ''}`),
                'last success': (one) => one.lastTriggeredAt,
              }),
            );
          }),
        ),
    )
    .addCommand(
      newCommand('create', 'subscribe an address to events; the secret is shown')
        .addOption(storeOption())
        .requiredOption('--url <url>', 'the https address to send them to')
        .requiredOption('--events <events>', 'names or <resource>.*, separated by commas', splitList)
        .addOption(
          new Option('--secret <secret>', 'the signing secret; generated when left out').env('COMMERCE_WEBHOOK_SECRET'),
        )
        .addOption(
          switchOption(
            '--allow-insecure-webhooks',
            'allow plain HTTP and any address, for development',
            'COMMERCE_ALLOW_INSECURE_WEBHOOKS',
          ),
        )
        .action(
          (options: Options & { url: string; events: string[]; secret?: string; allowInsecureWebhooks: boolean }) => {
            const { url, events, secret, allowInsecureWebhooks } = options;
            return withCommerce(
              options,
              async (commerce) => {
                const shop = await storeContext(commerce, options.store);
                const input = { url, events, ...(secret === undefined ? {} : { secret }) };
                printWebhook(options, await createWebhook(shop, input));
              },
              false,
              { allowInsecureWebhooks },
            );
          },
        ),
    )
    .addCommand(
      newCommand('rotate-secret', 'give a subscription a new secret; for 24 hours the old one signs, too')
        .argument('<webhook>', 'the subscription')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printWebhook(options, await rotateWebhookSecret(await storeContext(commerce, options.store), id)),
          ),
        ),
    )
    .addCommand(
      newCommand('deliveries', 'list the deliveries to a subscription, sent and waiting, newest first')
        .argument('<webhook>', 'the subscription')
        .addOption(storeOption())
        .addOption(new Option('--status <status>', 'only those with this status').choices(deliveryStatuses))
        .option('--event <event>', 'only those of this event')
        .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
        .option('--offset <n>', 'entries to skip', parseWindow, 0)
        .action(
          (
            id: string,
            options: Options & { status?: Delivery['status']; event?: string; limit: number; offset: number },
          ) =>
            withCommerce(options, async (commerce) => {
              const { status, event, limit, offset } = options;
              const query = {
                limit,
                offset,
                ...(status ? { status } : {}),
                ...(event ? { event: event as never } : {}),
              };
              const deliveries = await listDeliveries(await storeContext(commerce, options.store), id, query);
              print(options, deliveries, () =>
                table(deliveries.items, {
                  id: (one) => one.id,
                  created: (one) => one.createdAt,
                  event: (one) => one.event,
                  status: (one) => one.status,
                  attempts: (one) => one.attempts.length,
                  last: (one) => lastAttempt(one),
                  next: (one) => one.nextAttemptAt,
                }),
              );
            }),
        ),
    )
    .addCommand(
      newCommand('test', 'send a subscription an event of the type webhook.test')
        .argument('<webhook>', 'the subscription')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printDelivery(options, await testWebhook(await storeContext(commerce, options.store), id)),
          ),
        ),
    )
    .addCommand(
      newCommand('redeliver', 'send an event to a subscription once more')
        .argument('<webhook>', 'the subscription')
        .argument('<delivery>', 'the delivery, as `webhooks deliveries` shows it')
        .addOption(storeOption())
        .action((id: string, delivery: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printDelivery(options, await redeliver(await storeContext(commerce, options.store), id, delivery)),
          ),
        ),
    )
    .addCommand(
      newCommand('replay', 'send a subscription the events it missed since a time')
        .argument('<webhook>', 'the subscription')
        .addOption(storeOption())
        .requiredOption(
          '--since <time>',
          'a time such as 2026-11-20T08:00:00Z, or how long ago, such as 2h',
          parseSince,
        )
        .option('--all', 'also events that were delivered already')
        .action((id: string, options: Options & { since: Date; all?: boolean }) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const input = { since: options.since.toISOString(), all: options.all ?? false };
            const replay = await replayWebhook(shop, id, input);
            print(options, { item: replay }, () => `${replay.queued} queued`);
          }),
        ),
    )
    .addCommand(listenCommand());
}

function splitList(value: string): string[] {
  return value.split(',').map((entry) => entry.trim());
}

function lastAttempt({ attempts }: Delivery): string | null {
  const last = attempts.at(-1);
  return last ? (last.error ?? String(last.responseCode ?? 'done')) : null;
}

function printWebhook(options: Options, webhook: Webhook): void {
  print(options, { item: webhook }, () =>
    pairs({
      id: webhook.id,
      url: webhook.url,
      events: webhook.events.join(', '),
      secret: webhook.secret,
      state: webhook.isActive ? 'on' : 'off',
    }),
  );
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
