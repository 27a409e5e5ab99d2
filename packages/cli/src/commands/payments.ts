import { configureProvider, providerNames } from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, storeOption } from '../options.ts';
import { print } from '../print.ts';

interface ConfigureOptions extends DatabaseOptions {
  json?: boolean;
  store?: string;
  provider: string;
  webhookSecret: string;
}

export function paymentsCommand(): Command {
  return new Command('payments').description('set up payment providers').addCommand(
    newCommand('configure', 'set how a provider’s notifications are verified; a running server uses it at once')
      .addOption(storeOption())
      .addOption(new Option('--provider <name>', 'the payment provider').choices(providerNames).makeOptionMandatory())
      .addOption(
        new Option('--webhook-secret <secret>', 'Stripe: the signing secret of the endpoint, whsec_…')
          .env('COMMERCE_WEBHOOK_SECRET')
          .makeOptionMandatory(),
      )
      .action((options: ConfigureOptions) =>
        withCommerce(options, async (commerce) => {
          const { provider, webhookSecret } = options;
          const item = await configureProvider(await storeContext(commerce, options.store), provider, {
            webhookSecret,
          });
          print(
            options,
            { item },
            () => `${provider} is set up; send its notifications to /api/webhooks/${provider}/${item.storeId}`,
          );
        }),
      ),
  );
}
