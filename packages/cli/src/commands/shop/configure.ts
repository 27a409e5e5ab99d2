import { configureProvider, providerNames } from '@commerce/core';
import { type Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { type DatabaseOptions, withCommerce } from '../../database.ts';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, parseHours, parseSwitch, storeOption } from '../../input/options.ts';
import { refuseRetiredSecret } from '../../input/retired.ts';
import { print } from '../../output/print.ts';

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
    new Option('--methods <list>', 'Stripe: payment methods, such as card,link,ideal; unchanged if omitted').argParser(
      parseList,
    ),
    new Option(
      '--allow-delayed [yes or no]',
      'Stripe: allow methods whose money is decided days later, such as sepa_debit; unchanged if omitted',
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
  'methods',
  'allowDelayed',
  'accessToken',
  'apiBase',
  'locationId',
  'merchantId',
  'secretKey',
]);
const apiBase = new Option('--api-base <url>', 'address of the provider’s API, such as its sandbox');

function parseList(value: string): string[] {
  return value.split(',').map((entry) => entry.trim());
}

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

/** Options of the provider; an option of another provider on the command line is an error. */
function settingsFor(provider: string, options: ConfigureOptions, command: Command): Record<string, unknown> {
  const own = [...settings[provider as keyof typeof settings], apiBase];
  const given: Record<string, unknown> = {};
  for (const option of [...Object.values(settings).flat(), apiBase]) {
    const name = option.attributeName();
    if (!own.includes(option)) {
      const typed = command.getOptionValueSource(name) === 'cli';
      if (typed) command.error(`error: ${option.long} is not an option of ${provider}`);
    } else if (options[name] !== undefined) {
      given[name] = options[name];
    } else if (!optional.has(name)) {
      command.error(`error: ${provider} requires ${option.long}`);
    }
  }
  return given;
}
