import { createApiKey, listApiKeys, revokeApiKey, type Scope, scopePresets } from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseWindow, storeOption } from '../options.ts';
import { pairs, print, table } from '../print.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

interface CreateOptions extends Options {
  name: string;
  scopes?: string;
  preset?: keyof typeof scopePresets;
  expires?: string;
}

export function keysCommand(): Command {
  return new Command('keys')
    .description('create, list and revoke API keys')
    .addCommand(
      newCommand('create', 'create a key; it is shown this once')
        .addOption(storeOption())
        .requiredOption('--name <name>', 'the purpose of the key')
        .addOption(
          new Option('--scopes <list>', 'scopes it grants, such as product.read,product.write').conflicts('preset'),
        )
        .addOption(new Option('--preset <name>', 'a set of scopes').choices(Object.keys(scopePresets)))
        .option('--expires <time>', 'time of its expiry, such as 2030-01-31T00:00:00Z')
        .action((options: CreateOptions, command: Command) => {
          if (!options.scopes && !options.preset) command.error('error: one of --scopes and --preset is needed');
          return createKey(options);
        }),
    )
    .addCommand(
      newCommand('list', 'list the keys of a store, newest first')
        .addOption(storeOption())
        .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
        .option('--offset <n>', 'entries to skip', parseWindow, 0)
        .action((options: Options & { limit: number; offset: number }) =>
          withCommerce(options, async (commerce) => {
            const { limit, offset } = options;
            const keys = await listApiKeys(await storeContext(commerce, options.store), { limit, offset });
            print(options, keys, () =>
              table(keys.items, {
                id: (key) => key.id,
                prefix: (key) => key.prefix,
                name: (key) => key.name,
                'last used': (key) => key.lastUsedAt,
                expires: (key) => key.expiresAt,
                scopes: (key) => (key.scopes.length === scopePresets.full.length ? 'all' : key.scopes.join(',')),
              }),
            );
          }),
        ),
    )
    .addCommand(
      newCommand('revoke', 'revoke a key for good; a running server notices within a second')
        .argument('<id>', 'the id of the key, as `keys list` shows it')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            await revokeApiKey(await storeContext(commerce, options.store), id);
            print(options, { revoked: id }, () => `revoked ${id}`);
          }),
        ),
    );
}

function createKey(options: CreateOptions): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const scopes = options.preset
      ? scopePresets[options.preset]
      : (options.scopes ?? '').split(',').map((scope) => scope.trim());
    const key = await createApiKey(await storeContext(commerce, options.store), {
      name: options.name,
      scopes: scopes as Scope[],
      ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
    });
    print(options, { item: key }, () => pairs({ id: key.id, name: key.name, key: `${key.key}  (shown only now)` }));
  });
}
