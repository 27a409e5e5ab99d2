import {
  configureProvider,
  getNotification,
  listNotifications,
  type PaymentNotification,
  providerNames,
  replayNotification,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseHours, parseWindow, storeOption } from '../options.ts';
import { pairs, print, table } from '../print.ts';
import { simulateCommand } from './simulate.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

interface ConfigureOptions extends Options {
  provider: string;
  keepPrevious: number;
  [setting: string]: unknown;
}

/** The settings of each provider, by option; what is a secret has an environment variable, which no process list shows. */
const settings = {
  stripe: [
    new Option('--webhook-secret <secret>', 'Stripe: the signing secret of the endpoint, whsec_…').env(
      'COMMERCE_WEBHOOK_SECRET',
    ),
  ],
  paypal: [
    new Option('--client-id <id>', 'PayPal: the client id of the app').env('COMMERCE_PAYPAL_CLIENT_ID'),
    new Option('--client-secret <secret>', 'PayPal: its secret').env('COMMERCE_PAYPAL_CLIENT_SECRET'),
    new Option('--webhook-id <id>', 'PayPal: the id of the webhook as PayPal lists it'),
  ],
  square: [
    new Option('--signature-key <key>', 'Square: the signature key of the webhook subscription').env(
      'COMMERCE_SQUARE_SIGNATURE_KEY',
    ),
    new Option('--notification-url <url>', 'Square: the address of the subscription, exactly as it was registered'),
    new Option('--access-token <token>', 'Square: lets the items of an order be read that does not exist here').env(
      'COMMERCE_SQUARE_ACCESS_TOKEN',
    ),
  ],
};
/** What may be left out. */
const optional = new Set(['accessToken', 'apiBase']);
const apiBase = new Option('--api-base <url>', 'PayPal, Square: where its interface is, such as that of the sandbox');
const takesApiBase = new Set(['paypal', 'square']);

export function paymentsCommand(): Command {
  return new Command('payments')
    .description('set up payment providers; see what they sent')
    .addCommand(configureCommand())
    .addCommand(simulateCommand())
    .addCommand(
      newCommand('list', 'list the notifications that were received, newest first')
        .addOption(storeOption())
        .option('--unmatched', 'only those whose money was not applied')
        .option('--limit <n>', 'how many, at most 200', parseWindow, 50)
        .option('--offset <n>', 'how many to leave out', parseWindow, 0)
        .action((options: Options & { unmatched?: boolean; limit: number; offset: number }) =>
          withCommerce(options, async (commerce) => {
            const { limit, offset, unmatched = false } = options;
            const shop = await storeContext(commerce, options.store);
            const notifications = await listNotifications(shop, { limit, offset, unmatched });
            print(options, notifications, () =>
              table(notifications.items, {
                id: (one) => one.id,
                received: (one) => one.receivedAt,
                provider: (one) => one.provider,
                event: (one) => one.eventType,
                outcome: (one) => one.outcome,
                payment: (one) => one.paymentId,
                order: (one) => one.orderId,
              }),
            );
          }),
        ),
    )
    .addCommand(
      newCommand('show', 'show a notification with its body as it was received')
        .argument('<id>', 'the notification, as `payments list` shows it')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const notification = await getNotification(await storeContext(commerce, options.store), id);
            print(options, { item: notification }, () => `${describe(notification)}\n\n${notification.payload}`);
          }),
        ),
    )
    .addCommand(
      newCommand('replay', 'look at a notification again whose money was not applied')
        .argument('<id>', 'the notification, as `payments list` shows it')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const notification = await replayNotification(await storeContext(commerce, options.store), id);
            print(options, { item: notification }, () => describe(notification));
          }),
        ),
    );
}

function configureCommand(): Command {
  const command = newCommand(
    'configure',
    'set how a provider’s notifications are verified; a running server uses it at once',
  )
    .addOption(storeOption())
    .addOption(new Option('--provider <name>', 'the payment provider').choices(providerNames).makeOptionMandatory());
  for (const option of [...Object.values(settings).flat(), apiBase]) command.addOption(option);
  return command
    .option(
      '--keep-previous <hours>',
      'how long the settings that this replaces count as well, while a secret is rotated',
      parseHours,
      0,
    )
    .action((options: ConfigureOptions, self: Command) => {
      const { provider, keepPrevious } = options;
      const given = settingsFor(provider, options, self);
      return withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await configureProvider(shop, provider, given, { keepPrevious });
        print(
          options,
          { item },
          () => `${provider} is set up; send its notifications to /api/webhooks/${provider}/${item.storeId}`,
        );
      });
    });
}

/** The provider's own options; one of another provider on the command line is a mistake. */
function settingsFor(provider: string, options: ConfigureOptions, command: Command): Record<string, unknown> {
  const own = [...settings[provider as keyof typeof settings], ...(takesApiBase.has(provider) ? [apiBase] : [])];
  const given: Record<string, unknown> = {};
  for (const option of [...Object.values(settings).flat(), apiBase]) {
    const name = option.attributeName();
    if (!own.includes(option)) {
      const typed = command.getOptionValueSource(name) === 'cli';
      if (typed) command.error(`error: ${option.long} is not an option of ${provider}`);
    } else if (options[name] !== undefined) {
      given[name] = options[name];
    } else if (!optional.has(name)) {
      command.error(`error: ${provider} needs ${option.long}`);
    }
  }
  return given;
}

function describe(notification: PaymentNotification): string {
  return pairs({
    id: notification.id,
    received: notification.receivedAt,
    provider: notification.provider,
    event: `${notification.eventType} ${notification.eventId}`,
    payment: notification.paymentId,
    order: notification.orderId,
    outcome: notification.outcome,
    warning: notification.warning,
  });
}
