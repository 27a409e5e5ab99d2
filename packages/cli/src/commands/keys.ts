import {
  type ApiKey,
  type ApiKeyInput,
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  type Scope,
  scopePresets,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { forField } from '../input/flags.ts';
import { newCommand, storeOption } from '../input/options.ts';
import { pairs, print } from '../output/print.ts';
import { listCommand } from '../resource/lists.ts';
import { destructiveCommand } from '../resource/resource.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

interface CreateOptions extends Options {
  name: string;
  scopes?: string;
  preset?: keyof typeof scopePresets | 'storefront';
  expires?: string;
}

export function keysCommand(): Command {
  return new Command('keys')
    .description('create, list and revoke API keys')
    .addCommand(
      newCommand('create', 'create a key; it is shown only once', [
        'keys create --name Page --preset storefront',
        'keys create --name Reports --preset read',
        'keys create --name Feed --scopes product.read,product.write --expires 2030-01-31T00:00:00Z',
      ])
        .addOption(storeOption())
        .requiredOption('--name <name>', 'the purpose of the key')
        .addOption(new Option('--scopes <list>', 'its scopes, such as product.read,product.write').conflicts('preset'))
        .addOption(
          new Option('--preset <name>', 'a set of scopes; a `storefront` key is safe to use in public pages').choices([
            ...Object.keys(scopePresets),
            'storefront',
          ]),
        )
        .addOption(forField('expiresAt', new Option('--expires <time>', 'expiry time, such as 2030-01-31T00:00:00Z')))
        .action((options: CreateOptions, command: Command) => {
          if (!options.scopes && !options.preset) command.error('error: --scopes or --preset is required');
          return createKey(options);
        }),
    )
    .addCommand(
      listCommand<ApiKey>(
        'list the keys of a store, newest first',
        ['keys list', 'keys list --columns id,name,lastUsedAt'],
        {
          item: 'ApiKey',
          filters: {},
          columns: {
            id: (key) => key.id,
            prefix: (key) => key.prefix,
            kind: (key) => key.kind,
            name: (key) => key.name,
            'last used': (key) => key.lastUsedAt,
            expires: (key) => key.expiresAt,
            scopes: (key) => (key.scopes.length === scopePresets.full.length ? 'all' : key.scopes.join(',')),
          },
          read: listApiKeys,
        },
      ),
    )
    .addCommand(
      destructiveCommand<ApiKey>(
        'revoke',
        'revoke a key permanently; a running server applies it within a second',
        ['keys revoke Storefront', 'keys revoke ck_live_abcd --yes'],
        {
          kind: 'key',
          noun: 'key',
          names: 'its id, name or prefix, as `keys list` shows it',
          title: (key) => `${key.prefix}… (${key.name})`,
          show: getApiKey,
        },
        async (shop, { id }) => {
          await revokeApiKey(shop, id);
          return { revoked: id };
        },
        ({ revoked }: { revoked: string }) => `revoked ${revoked}`,
      ),
    );
}

/** Kind and scopes of a new key. */
function grantOf({ preset, scopes = '' }: CreateOptions): Pick<ApiKeyInput, 'kind' | 'scopes'> {
  if (preset === 'storefront') return { kind: 'storefront' };
  // Unknown ones, and other spellings, are for the operation to read.
  const named = scopes.split(',').map((scope) => scope.trim() as Scope);
  return { scopes: preset ? [...scopePresets[preset]] : named };
}

function createKey(options: CreateOptions): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const key = await createApiKey(await storeContext(commerce, options.store), {
      name: options.name,
      ...grantOf(options),
      ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
    });
    print(options, { item: key }, () =>
      pairs({ id: key.id, kind: key.kind, name: key.name, key: `${key.key}  (shown only now)` }),
    );
  });
}
