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
        'copy a SQLite file to its folder before a migration that rewrites data',
      )
        .env('COMMERCE_MIGRATION_BACKUP')
        .preset('yes')
        .argParser(parseSwitch)
        .default(true, 'yes'),
    )
    .option('--no-migration-backup', 'migrate without a copy')
    .addOption(
      switchOption(
        '--ignore-older-servers',
        'migrate even if the migration breaks running servers of an older version',
        'COMMERCE_IGNORE_OLDER_SERVERS',
      ),
    );
}
