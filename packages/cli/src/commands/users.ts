import {
  createUser,
  getUser,
  listUsers,
  type Role,
  removeUser,
  resetUser,
  roleNames,
  type User,
  type UserChanges,
  updateUser,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseBaseUrl, storeOption } from '../input/options.ts';
import { pairs, print, shown } from '../output/print.ts';
import { resolveId } from '../resolve.ts';
import { listCommand } from '../resource/lists.ts';
import { describeFields, destructiveCommand } from '../resource/resource.ts';
import { addressOf } from '../serve/address-file.ts';
import { signInLink } from '../serve/announce.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string; publicUrl?: string };

const naming = 'the e-mail or the id';

export function usersCommand(): Command {
  return new Command('users')
    .description('invite, list, change and remove the people who sign in to the dashboard')
    .addCommand(
      linkCommand('add', 'invite a user; prints a link that signs in once, within 24 hours', [
        'users add ada@shop.example --role owner --name "Ada Lovelace"',
        'users add packing@shop.example --role fulfilment',
      ])
        .argument('<email>', 'the address to sign in with')
        .addOption(roleOption().default('manager'))
        .option('--name <name>', 'the name as others read it')
        .action((email: string, options: Options & { role: Role; name?: string }) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const { role, name } = options;
            printLink(options, await createUser(shop, { email, role, ...(name === undefined ? {} : { name }) }));
          }),
        ),
    )
    .addCommand(
      listCommand<User>('list the users of a store, oldest first', ['users list', 'users list --json'], {
        item: 'User',
        filters: {},
        columns: {
          id: (user) => user.id,
          email: (user) => user.email,
          name: (user) => user.name,
          role: (user) => user.role,
          status: (user) => user.status,
          passkeys: (user) => user.passkeys.length,
          'last sign-in': (user) => user.lastSignInAt,
        },
        read: listUsers,
      }),
    )
    .addCommand(
      newCommand('update', 'change a user: a running server applies it within a second', [
        'users update ada@shop.example --role reader',
        'users update ada@shop.example --status disabled',
      ])
        .argument('<user>', naming)
        .addOption(storeOption())
        .addOption(roleOption())
        .addOption(new Option('--status <status>', 'whether the user can sign in').choices(['active', 'disabled']))
        .option('--name <name>', 'the name as others read it')
        .option('--email <email>', 'the address to sign in with')
        .action((text: string, options: Options & UserChanges, command: Command) => {
          const changes = Object.fromEntries(
            (['role', 'status', 'name', 'email'] as const)
              .filter((field) => options[field] !== undefined)
              .map((field) => [field, options[field]]),
          ) as UserChanges;
          if (Object.keys(changes).length === 0)
            command.error('error: nothing to change: give --role, --status, --name or --email');
          return withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const item = await updateUser(shop, await resolveId(shop, 'user', text), changes);
            print(options, { item }, () => describeFields(item));
          });
        }),
    )
    .addCommand(
      destructiveCommand<User>(
        'remove',
        'remove a user and end the sessions; a running server applies it within a second',
        ['users remove ada@shop.example', 'users remove ada@shop.example --yes'],
        { kind: 'user', noun: 'user', names: naming, title: ({ email }) => email, show: getUser },
        async (shop, { id }) => {
          await removeUser(shop, id);
          return { removed: id };
        },
        ({ removed }: { removed: string }) => `removed ${removed}`,
      ),
    )
    .addCommand(
      linkCommand('reset', 'end the sessions and the password of a user; prints a link to set another', [
        'users reset ada@shop.example',
        'users reset ada@shop.example --public-url https://shop.example',
      ])
        .argument('<user>', naming)
        .action((text: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const id = await resolveId(shop, 'user', text);
            const link = await resetUser(shop, id);
            printLink(options, { ...(await getUser(shop, id)), ...link });
          }),
        ),
    );
}

function linkCommand(...about: Parameters<typeof newCommand>): Command {
  return newCommand(...about)
    .addOption(storeOption())
    .addOption(
      new Option('--public-url <url>', 'address of the service; by default, the service that uses this SQLite file')
        .env('COMMERCE_PUBLIC_URL')
        .argParser(parseBaseUrl),
    );
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the user can do').choices(roleNames);
}

/** Prints a user with the link, or with the code if the address of the service is not known. */
function printLink(options: Options, { code, expiresAt, ...user }: User & { code: string; expiresAt: string }): void {
  const address = options.publicUrl ?? addressOf(options.db);
  const link = address === undefined ? {} : { url: signInLink(address, code) };
  print(options, { item: { ...user, code, expiresAt, ...link } }, () =>
    pairs({
      id: user.id,
      email: shown(user.email),
      role: user.role,
      link: link.url ?? `/dashboard#code=${code}`,
      expires: expiresAt,
      ...(address === undefined ? { note: 'no running service was found: put its address before the link' } : {}),
    }),
  );
}
