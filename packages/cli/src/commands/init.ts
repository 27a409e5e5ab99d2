import { CommerceError, createFirstStore, publicStore } from '@commerce/core';
import type { Command } from 'commander';
import { cli } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { pairs, print } from '../output/print.ts';

interface InitOptions extends DatabaseOptions {
  name: string;
  currency: string;
  json?: boolean;
}

export function initCommand(): Command {
  return newCommand('init', 'create a database with a first store and an API key with full access', [
    'init --name "My shop" --currency EUR',
    'init --name "My shop" --currency USD --db postgres://shop@127.0.0.1/shop --json',
  ])
    .requiredOption('--name <name>', 'the name of the store')
    .requiredOption('--currency <code>', 'its currency, ISO 4217, such as USD; cannot be changed later')
    .action((options: InitOptions) =>
      withCommerce(
        options,
        async (commerce) => {
          const made = await createFirstStore(commerce.engine, cli, options);
          if (!made) {
            throw new CommerceError(
              'conflict',
              `${commerce.engine.storage.location} already has a store; run \`commerce stores create\` to create another`,
            );
          }
          const store = publicStore(made.store);
          print(options, { store, apiKey: made.apiKey }, () =>
            pairs({ store: store.id, currency: store.currency, key: `${made.apiKey.key}  (shown only now)` }),
          );
        },
        { isMaking: true },
      ),
    );
}
