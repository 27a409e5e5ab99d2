import { listStores, type Plan, plans, publicStore, type Store, updateStore } from '@commerce/core';
import { Command, Option } from 'commander';
import { cli, storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { forField } from '../input/flags.ts';
import { newCommand, parseCount, parseSwitch } from '../input/options.ts';
import { pairs, print, table } from '../output/print.ts';

type Options = DatabaseOptions & { json?: boolean };
interface UpdateOptions extends Options {
  name?: string;
  strictCategoryDepth?: boolean;
  manualPayments?: boolean;
  plan?: Plan;
  rate?: number | 'none';
  burst?: number;
}

export function storesCommand(): Command {
  return new Command('stores')
    .description('create and show stores')
    .addCommand(
      newCommand('create', 'create a store', [
        'stores create --name "Second shop" --currency EUR',
        'stores create --name "Second shop" --currency JPY --json',
      ])
        .requiredOption('--name <name>', 'the name of the store')
        .requiredOption('--currency <code>', 'its currency, ISO 4217, such as USD; cannot be changed later')
        .action((options: Options & { name: string; currency: string }) =>
          withCommerce(options, async (commerce) => printStore(options, await commerce.createStore(options, cli))),
        ),
    )
    .addCommand(
      newCommand('list', 'list the stores, oldest first', ['stores list', 'stores list --json']).action(
        (options: Options) =>
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
      newCommand('show', 'show a store', ['stores show "My shop"', 'stores show 0193d3ef-c080 --json'])
        .argument('<store>', 'its id or name')
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printStore(options, publicStore((await storeContext(commerce, id)).store)),
          ),
        ),
    )
    .addCommand(
      newCommand('update', 'change a store; a running server applies it within a second', [
        'stores update "My shop" --name "Our shop"',
        'stores update "Our shop" --plan enterprise --rate 600 --burst 100',
      ])
        .argument('<store>', 'its id or name')
        .option('--name <name>', 'a new name')
        .option(
          '--strict-category-depth [yes or no]',
          'do not allow moving a category with children below another',
          parseSwitch,
        )
        .option(
          '--manual-payments [yes or no]',
          'allow recording payments received without a provider, such as a bank transfer',
          parseSwitch,
        )
        .addOption(new Option('--plan <plan>', 'the rate limit, shared by all keys of the store').choices(plans))
        .addOption(
          forField(
            'rateLimit',
            new Option(
              '--rate <number>',
              'requests per minute with the enterprise plan; `none` removes the limit',
            ).argParser(parseRate),
          ),
        )
        .option('--burst <number>', 'burst size with the enterprise plan; by default, a sixth of the rate', parseCount)
        .action((id: string, options: UpdateOptions, command: Command) => {
          const { name, strictCategoryDepth, manualPayments, plan, rate, burst } = options;
          if (burst !== undefined && typeof rate !== 'number') {
            command.error('error: --burst requires --rate <number>');
          }
          const changes = {
            ...(name === undefined ? {} : { name }),
            ...(strictCategoryDepth === undefined ? {} : { strictCategoryDepth }),
            ...(manualPayments === undefined ? {} : { manualPayments }),
            ...(plan === undefined ? {} : { plan }),
            ...(rate === undefined ? {} : { rateLimit: rateLimit(rate, burst) }),
          };
          if (Object.keys(changes).length === 0) command.error('error: no change is given; --help lists the options');
          return withCommerce(options, async (commerce) =>
            printStore(options, await updateStore(await storeContext(commerce, id), changes)),
          );
        }),
    );
}

function rateLimit(rate: number | 'none', burst: number | undefined) {
  return rate === 'none' ? null : { requestsPerMinute: rate, ...(burst === undefined ? {} : { burst }) };
}

function parseRate(value: string): number | 'none' {
  return value === 'none' ? value : parseCount(value);
}

function printStore(options: Options, store: Store): void {
  print(options, { item: store }, () =>
    pairs({
      id: store.id,
      name: store.name,
      currency: store.currency,
      'strict category depth': store.strictCategoryDepth ? 'yes' : 'no',
      'manual payments': store.manualPayments ? 'yes' : 'no',
      plan: store.plan,
      'rate limit': store.rateLimit
        ? `${store.rateLimit.requestsPerMinute} a minute, ${store.rateLimit.burst} at once`
        : 'none',
      created: store.createdAt,
    }),
  );
}
