import { listStores, publicStore, requireStore, type Store } from '@commerce/core';
import { Command } from 'commander';
import { cli } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand } from '../options.ts';
import { pairs, print, table } from '../print.ts';

type Options = DatabaseOptions & { json?: boolean };

export function storesCommand(): Command {
  return new Command('stores')
    .description('make and show stores')
    .addCommand(
      newCommand('create', 'make a store')
        .requiredOption('--name <name>', 'the name of the store')
        .requiredOption('--currency <code>', 'its currency, ISO 4217, such as USD; it cannot be changed later')
        .action((options: Options & { name: string; currency: string }) =>
          withCommerce(
            options,
            async (commerce) => printStore(options, await commerce.createStore(options, cli)),
            true,
          ),
        ),
    )
    .addCommand(
      newCommand('list', 'list the stores, oldest first').action((options: Options) =>
        withCommerce(options, async (commerce) => {
          const stores = await listStores(commerce.engine);
          print(options, stores, () =>
            table(stores.items, {
              id: (s) => s.id,
              name: (s) => s.name,
              currency: (s) => s.currency,
              created: (s) => s.createdAt,
            }),
          );
        }),
      ),
    )
    .addCommand(
      newCommand('show', 'show a store')
        .argument('<id>', 'the store')
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printStore(options, publicStore(await requireStore(commerce.engine, id))),
          ),
        ),
    );
}

function printStore(options: Options, store: Store): void {
  print(options, { item: store }, () =>
    pairs({ id: store.id, name: store.name, currency: store.currency, created: store.createdAt }),
  );
}
