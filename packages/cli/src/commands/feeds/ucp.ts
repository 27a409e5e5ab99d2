import { CommerceError, ucpProfile } from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { newCommand, parseBaseUrl, storeOption } from '../../input/options.ts';
import { print } from '../../output/print.ts';
import type { Options } from '../../resource/resource.ts';

interface ProfileOptions extends Options {
  origin: string;
}

export function ucpCommand(): Command {
  const profile = newCommand(
    'profile',
    'print the profile of a store, as a file for a website that serves its own /.well-known/ucp',
    [
      'ucp profile --origin https://api.shop.example',
      'ucp profile --origin https://api.shop.example > .well-known/ucp',
    ],
  )
    .addOption(storeOption())
    .addOption(
      new Option('--origin <url>', 'address of the service, to which agents send their requests')
        .argParser(parseBaseUrl)
        .makeOptionMandatory(),
    )
    .action((options: ProfileOptions) =>
      withCommerce(options, async (commerce) => {
        const { store } = await storeContext(commerce, options.store);
        if (!store.settings.ucp.enabled) {
          const how = 'commerce settings update --ucp \'{"enabled": true}\'';
          throw new CommerceError('conflict', `the store has no catalogue for agents; switch it on with ${how}`);
        }
        const item = ucpProfile(options.origin, store.id);
        print(options, item, () => JSON.stringify(item, null, 2));
      }),
    );
  return new Command('ucp').description('print what shopping agents need to find a store').addCommand(profile);
}
