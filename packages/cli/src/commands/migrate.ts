import { migrate, migrationStatus, openingError, type Storage, systemClock } from '@commerce/core';
import type { Command } from 'commander';
import { type DatabaseOptions, openStorage } from '../database.ts';
import { newCommand } from '../input/options.ts';
import {
  type MigrationBackup,
  type MigrationOptions,
  migrating,
  textOf,
  withMigrationOptions,
} from '../migration-backup.ts';
import { print, table } from '../output/print.ts';

type Options = DatabaseOptions & MigrationOptions & { json?: boolean };

export function migrateCommand(): Command {
  return withMigrationOptions(
    newCommand('migrate', 'bring the tables of the database up to date; `serve` does so by itself', [
      'migrate',
      'migrate --db postgres://shop@127.0.0.1/shop',
    ]),
  )
    .action((options: Options) =>
      withStorage(options, true, async (storage) => {
        let backup: MigrationBackup | undefined;
        const mind = migrating(storage, options, (copy) => {
          backup = copy;
        });
        const { applied } = await migrate(storage, systemClock, mind);
        print(options, { applied, ...(backup ? { backup } : {}) }, () =>
          [
            ...(backup ? [textOf(backup)] : []),
            applied.length === 0 ? 'nothing to do: the database is up to date' : `applied ${applied.join(', ')}`,
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
