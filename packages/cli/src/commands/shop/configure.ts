import { checkProvider, configureProvider, connectProvider, disconnectProvider, providerNames } from '@commerce/core';
import { type Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { type DatabaseOptions, withCommerce } from '../../database.ts';
import { parseList } from '../../input/field-options.ts';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, parseBaseUrl, parseHours, parseSwitch, storeOption } from '../../input/options.ts';
import { refuseRetiredSecret } from '../../input/retired.ts';
import { pairs, print } from '../../output/print.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

interface ConfigureOptions extends Options {
  provider: string;
  keepPrevious: number;
  makeOrders?: boolean;
  [setting: string]: unknown;
}

/** Settings of each provider, by option; secrets come from environment variables, which the process list does not show. */
const settings = {
  stripe: [
    new Option('--webhook-secret <secret>', 'Stripe: the signing secret of the endpoint, whsec_…').env(
      'COMMERCE_STRIPE_WEBHOOK_SECRET',
    ),
    new Option(
      '--secret-key <key>',
      'Stripe: the secret key for its payment pages; sk_… or rk_…, unchanged if omitted',
    ).env('COMMERCE_STRIPE_SECRET_KEY'),
    new Option(
      '--methods <list>',
      'Stripe: the ways to pay of its pages, such as card,link,ideal; at first card,link',
    ).argParser(parseList),
    new Option(
      '--allow-delayed [yes or no]',
      'Stripe: allow methods whose money comes or fails days later, such as sepa_debit',
    ).argParser(parseSwitch),
  ],
  paypal: [
    new Option('--client-id <id>', 'PayPal: the client id of the app').env('COMMERCE_PAYPAL_CLIENT_ID'),
    new Option('--client-secret <secret>', 'PayPal: its secret').env('COMMERCE_PAYPAL_CLIENT_SECRET'),
    new Option('--webhook-id <id>', 'PayPal: the id of the webhook, as listed by PayPal'),
    new Option('--merchant-id <id>', 'PayPal: the account to be paid; payments to other accounts do not count'),
  ],
  square: [
    new Option('--signature-key <key>', 'Square: the signature key of the webhook subscription').env(
      'COMMERCE_SQUARE_SIGNATURE_KEY',
    ),
    new Option('--notification-url <url>', 'Square: the address of the subscription, exactly as registered'),
    new Option(
      '--access-token <token>',
      'Square: the access token for its payment pages and for orders created at Square; unchanged if omitted',
    ).env('COMMERCE_SQUARE_ACCESS_TOKEN'),
    new Option('--location-id <id>', 'Square: the location for its payment pages'),
  ],
};
/** Optional settings. */
const optional = new Set([
  'accessToken',
  'allowDelayed',
  'apiBase',
  'locationId',
  'merchantId',
  'methods',
  'secretKey',
]);
const apiBase = new Option('--api-base <url>', 'address of the provider’s API, such as its sandbox');

/** Configures a provider. */
export function configureCommand(): Command {
  const command = newCommand(
    'configure',
    'set the credentials of a payment provider; a running server uses them at once',
    [
      'payments configure --provider stripe --webhook-secret "$STRIPE_SIGNING_SECRET" --secret-key "$STRIPE_SECRET_KEY"',
      'payments configure --provider square --signature-key "$KEY" --notification-url https://shop.example/api/webhooks/square',
    ],
  )
    .addOption(storeOption())
    .addOption(new Option('--provider <name>', 'the payment provider').choices(providerNames).makeOptionMandatory());
  for (const option of [...Object.values(settings).flat(), apiBase]) command.addOption(option);
  command
    .option(
      '--keep-previous <hours>',
      'hours for which the replaced settings stay valid while a secret is rotated',
      parseHours,
      0,
    )
    .option(
      '--make-orders [yes or no]',
      'let payments that include items create the orders they name; unchanged if omitted',
      parseSwitch,
    )
    .action((options: ConfigureOptions, self: Command) => {
      const { provider, keepPrevious, makeOrders } = options;
      if (provider === 'stripe' && options.webhookSecret === undefined) {
        refuseRetiredSecret('COMMERCE_STRIPE_WEBHOOK_SECRET');
      }
      const own = settingsFor(provider, options, self);
      const given = makeOrders === undefined ? own : { ...own, makeOrders };
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
  return withGroups(command, {
    'Further settings': [
      '--methods',
      '--allow-delayed',
      '--merchant-id',
      '--location-id',
      '--api-base',
      '--keep-previous',
      '--make-orders',
    ],
  });
}

/** A command about the connection with a provider. */
function connectionCommand(...words: Parameters<typeof newCommand>): Command {
  return newCommand(...words)
    .addOption(storeOption())
    .addOption(providerOption())
    .addOption(publicUrlOption());
}

/** Connects a provider: its endpoint of notifications is made at the provider. */
export function connectCommand(): Command {
  const command = connectionCommand(
    'connect',
    'set up a payment provider with its key; its notifications are set up there',
    [
      'payments connect --provider stripe --secret-key "$STRIPE_SECRET_KEY" --public-url https://shop.example',
      'payments connect --provider square --access-token "$TOKEN" --location-id L123 --public-url https://shop.example',
    ],
  );
  for (const option of [...Object.values(settings).flat(), apiBase]) {
    if (!provedByConnect.has(option.attributeName())) command.addOption(option);
  }
  return command.action((options: ConnectCommandOptions, self: Command) => {
    const given = settingsFor(options.provider, options, self, { isPartial: true });
    return withCommerce(options, async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      const item = await connectProvider(shop, options.provider, given, { publicUrl: options.publicUrl });
      print(options, { item }, () => `${item.provider} is connected`);
    });
  });
}

/** Ends a connection: deletes the endpoint at the provider, and the settings. */
export function disconnectCommand(): Command {
  return connectionCommand('disconnect', 'delete the endpoint at a payment provider, and its settings here', [
    'payments disconnect --provider stripe --public-url https://shop.example',
    'payments disconnect --provider paypal --json',
  ]).action((options: ConnectCommandOptions) =>
    withCommerce(options, async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      await disconnectProvider(shop, options.provider, { publicUrl: options.publicUrl });
      print(options, { disconnected: options.provider }, () => `${options.provider} is disconnected`);
    }),
  );
}

/** Compares the endpoint at a provider with what the service needs. */
export function checkCommand(): Command {
  return connectionCommand('check', 'compare the endpoint at a payment provider with what the service needs', [
    'payments check --provider stripe --public-url https://shop.example',
    'payments check --provider square --json',
  ]).action((options: ConnectCommandOptions) =>
    withCommerce(options, async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      const item = await checkProvider(shop, options.provider, { publicUrl: options.publicUrl });
      print(options, { item }, () => pairs({ status: item.status, url: item.url, result: item.message }));
      if (item.status !== 'ok') process.exitCode = 1;
    }),
  );
}

type ConnectCommandOptions = ConfigureOptions & { publicUrl?: string };

/** Settings that the provider answers when its endpoint is made. */
const provedByConnect = new Set(['webhookSecret', 'webhookId', 'signatureKey', 'notificationUrl']);

function providerOption(): Option {
  return new Option('--provider <name>', 'the payment provider').choices(providerNames).makeOptionMandatory();
}

function publicUrlOption(): Option {
  return new Option('--public-url <url>', 'the public https address of the service, to which providers send')
    .env('COMMERCE_PUBLIC_URL')
    .argParser(parseBaseUrl);
}

/** Options of the provider; an option of another provider on the command line is an error. */
function settingsFor(
  provider: string,
  options: ConfigureOptions,
  command: Command,
  { isPartial = false } = {},
): Record<string, unknown> {
  const own = [...settings[provider as keyof typeof settings], apiBase];
  const given: Record<string, unknown> = {};
  for (const option of [...Object.values(settings).flat(), apiBase]) {
    const name = option.attributeName();
    if (!own.includes(option)) {
      const typed = command.getOptionValueSource(name) === 'cli';
      if (typed) command.error(`error: ${option.long} is not an option of ${provider}`);
    } else if (options[name] !== undefined) {
      given[name] = options[name];
    } else if (!isPartial && !optional.has(name)) {
      command.error(`error: ${provider} requires ${option.long}`);
    }
  }
  return given;
}
