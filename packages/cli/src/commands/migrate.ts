import { migrate, migrationStatus, type Storage, systemClock } from '@commerce/core';
import type { Command } from 'commander';
import { type DatabaseOptions, openStorage } from '../database.ts';
import { newCommand } from '../options.ts';
import { print, table } from '../print.ts';

type Options = DatabaseOptions & { json?: boolean };

export function migrateCommand(): Command {
  return newCommand('migrate', 'bring the tables of the database up to date; `serve` does so by itself')
    .action((options: Options) =>
      withStorage(options, true, async (storage) => {
        const { applied } = await migrate(storage, systemClock);
        print(options, { applied }, () =>
          applied.length === 0 ? 'nothing to do: the database is up to date' : `applied ${applied.join(', ')}`,
        );
      }),
    )
    .addCommand(
      newCommand('status', 'show the migrations that the database has, and those it lacks').action(
        (_: unknown, command: Command) => {
          const options = command.optsWithGlobals<Options>();
          return withStorage(options, false, async (storage) => {
            const status = await migrationStatus(storage);
            const rows = [
              ...status.applied.map((name) => ({ name, state: 'applied' })),
              ...status.pending.map((name) => ({ name, state: 'pending' })),
            ];
            print(options, status, () => table(rows, { migration: (row) => row.name, state: (row) => row.state }));
          });
        },
      ),
    );
}

async function withStorage(options: Options, make: boolean, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(options, make);
  try {
    await work(storage);
  } finally {
    await storage.close();
  }
}
