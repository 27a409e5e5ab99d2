import {
  distribute,
  migrate,
  migrationStatus,
  openingError,
  type PlacementReport,
  placementReport,
  type Storage,
  systemClock,
} from '@commerce/core';
import type { Command } from 'commander';
import { type DatabaseOptions, isPostgres, openStorage } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { type MigrationBackup, migrationSettings, textOf } from '../migration-backup.ts';
import { type MigrationOptions, withMigrationOptions } from '../migration-options.ts';
import { print, table } from '../output/print.ts';
import { UsageError } from '../usage-error.ts';

type Options = DatabaseOptions & MigrationOptions & { json?: boolean; distribute?: boolean; grantTo?: string };

export function migrateCommand(): Command {
  return withMigrationOptions(
    newCommand('migrate', 'apply pending migrations to the database; `serve` does this automatically', [
      'migrate',
      'migrate --db postgres://shop@127.0.0.1/shop',
      'migrate --db postgres://shop@127.0.0.1/shop --distribute',
      'migrate --db postgres://owner@127.0.0.1/shop --grant-to shop',
    ]),
  )
    .option('--distribute', 'distribute the tables over Citus servers by store, including tables of later versions')
    .option(
      '--grant-to <role>',
      'grant this PostgreSQL role only read and write access to rows, which is all that `serve` needs',
    )
    .action(async (options: Options) => {
      if (options.grantTo !== undefined && !isPostgres(options.db)) {
        throw new UsageError('--grant-to requires PostgreSQL; --db is a SQLite file');
      }
      if (options.distribute && !isPostgres(options.db)) {
        throw new UsageError('--distribute requires PostgreSQL with the Citus extension: use --db postgres://…');
      }
      await withStorage(options, true, (storage) => migrateAll(storage, options));
    })
    .addCommand(
      newCommand('status', 'show the version of the database, its pending migrations and the number of its servers', [
        'migrate status',
        'migrate status --json',
        'migrate status --check',
      ])
        .option('--check', 'exit with 1 if migrations are pending, before a deployment or in a health check')
        .action((_: unknown, command: Command) => {
          const options = command.optsWithGlobals<Options & { check?: boolean }>();
          return withStorage(options, false, async (storage) => {
            const status = await migrationStatus(storage);
            const version = status.applied.at(-1) ?? null;
            const placement = await placementReport(storage);
            const rows = [
              ...status.applied.map((name) => ({ name, state: 'applied' })),
              ...status.pending.map((name) => ({ name, state: 'pending' })),
            ];
            if (options.check && status.pending.length > 0) process.exitCode = 1;
            print(options, { version, ...status, placement }, () =>
              [
                table(rows, { migration: (row) => row.name, state: (row) => row.state }),
                '',
                `version: ${version ?? 'none'}; ${status.pending.length} pending`,
                ...placementLines(placement),
              ].join('\n'),
            );
          });
        }),
    );
}

/** Migrates; distributes and grants if asked to. */
async function migrateAll(storage: Storage, options: Options): Promise<void> {
  const { grantTo } = options;
  let backup: MigrationBackup | undefined;
  const settings = migrationSettings(storage, options, (copy) => {
    backup = copy;
  });
  const done: { applied: string[]; distributed?: string[] } = options.distribute
    ? await distribute(storage, systemClock, settings)
    : { applied: (await migrate(storage, systemClock, settings)).applied };
  if (grantTo !== undefined) await storage.grant?.(grantTo);
  const granted = grantTo === undefined ? {} : { grantedTo: grantTo };
  print(options, { ...done, ...granted, ...(backup ? { backup } : {}) }, () =>
    [
      ...(backup ? [textOf(backup)] : []),
      done.applied.length === 0 ? 'nothing to do: the database is up to date' : `applied ${done.applied.join(', ')}`,
      ...(done.distributed ? [distributedLine(done.distributed)] : []),
      ...(grantTo === undefined ? [] : [`${grantTo} can now read and write rows`]),
    ].join('\n'),
  );
}

function distributedLine(tables: readonly string[]): string {
  return tables.length === 0
    ? 'nothing to distribute: every table is already placed correctly'
    : `distributed ${tables.join(', ')}`;
}

function placementLines({ extension, isDistributed, servers, tables }: PlacementReport): string[] {
  if (!isDistributed) {
    const may = extension === null ? '' : `; --distribute distributes it by ${extension}`;
    return [`placement: one server${may}`];
  }
  const words = { store: 'by store', everywhere: 'on every server', coordinator: 'on the coordinator' } as const;
  return [
    `placement: on ${servers} ${servers === 1 ? 'server' : 'servers'} by ${extension}`,
    '',
    table(tables, {
      table: (row) => row.table,
      placement: (row) => words[row.placement],
      shards: (row) => row.shards,
      fault: (row) => row.fault ?? '',
    }),
  ];
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
