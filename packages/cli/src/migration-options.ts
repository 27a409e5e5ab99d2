import { type Command, Option } from 'commander';
import { parseSwitch, switchOption } from './input/options.ts';

export interface MigrationOptions {
  migrationBackup: boolean;
  ignoreOlderServers: boolean;
}

/** Adds the help on migrations to a command that runs them. */
export function withMigrationOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--migration-backup [yes or no]',
        'keep a copy of a SQLite file beside it before a migration that rewrites what is stored',
      )
        .env('COMMERCE_MIGRATION_BACKUP')
        .preset('yes')
        .argParser(parseSwitch)
        .default(true, 'yes'),
    )
    .option('--no-migration-backup', 'migrate without one')
    .addOption(
      switchOption(
        '--ignore-older-servers',
        'migrate also where servers of an older version use the database that the migration breaks',
        'COMMERCE_IGNORE_OLDER_SERVERS',
      ),
    );
}
