import { migrate, migrationStatus, openingError, type Storage, systemClock } from '@commerce/core';
import type { Command } from 'commander';
import { type DatabaseOptions, openStorage } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { UsageError } from '../output/errors.ts';
import { print, table } from '../output/print.ts';

type Options = DatabaseOptions & { json?: boolean; grantTo?: string };

export function migrateCommand(): Command {
  return newCommand('migrate', 'bring the tables of the database up to date; `serve` does so by itself', [
    'migrate',
    'migrate --db postgres://shop@127.0.0.1/shop',
    'migrate --db postgres://owner@127.0.0.1/shop --grant-to shop',
  ])
    .option(
      '--grant-to <role>',
      'let this role of PostgreSQL read and write rows, and no more: `serve` needs no other rights',
    )
    .action((options: Options) =>
      withStorage(options, true, async (storage) => {
        const { grantTo } = options;
        if (grantTo !== undefined && !storage.grant) {
          throw new UsageError('--grant-to names a role of PostgreSQL; --db is a SQLite file, which has none');
        }
        const { applied } = await migrate(storage, systemClock);
        if (grantTo !== undefined) await storage.grant?.(grantTo);
        print(options, { applied, ...(grantTo === undefined ? {} : { grantedTo: grantTo }) }, () =>
          [
            applied.length === 0 ? 'nothing to do: the database is up to date' : `applied ${applied.join(', ')}`,
            ...(grantTo === undefined ? [] : [`${grantTo} may read and write rows`]),
          ].join('\n'),
        );
      }),
    )
    .addCommand(
      newCommand('status', 'show the migrations that the database has, and those it lacks', [
        'migrate status',
        'migrate status --json',
      ]).action((_: unknown, command: Command) => {
        const options = command.optsWithGlobals<Options>();
        return withStorage(options, false, async (storage) => {
          const status = await migrationStatus(storage);
          const rows = [
            ...status.applied.map((name) => ({ name, state: 'applied' })),
            ...status.pending.map((name) => ({ name, state: 'pending' })),
          ];
          print(options, status, () => table(rows, { migration: (row) => row.name, state: (row) => row.state }));
        });
      }),
    );
}

async function withStorage(options: Options, make: boolean, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(options, make);
  try {
    await work(storage);
  } catch (error) {
    throw openingError(storage, error);
  } finally {
    await storage.close();
  }
}
