import type { ExportedResource } from '@commerce/core';
import { type Command, Option } from 'commander';
import type { DatabaseOptions } from '../database.ts';
import { newCommand, storeOption } from '../input/options.ts';
import { type MediaAddressOptions, withMediaAddressOptions } from '../media-address.ts';

/** Options of `export`. */
export interface ExportCommandOptions extends DatabaseOptions, MediaAddressOptions {
  json?: boolean;
  store?: string;
  format?: 'csv' | 'jsonl';
  excel?: boolean;
  quiet?: boolean;
}

/** Adds `export` to the group of a resource. */
export function addExport(group: Command, resource: ExportedResource): Command {
  const command = newCommand('export', `write all ${resource} to a file: CSV or JSON Lines`, [
    `${resource} export ${resource}.csv`,
    `${resource} export - --format jsonl`,
  ])
    .argument('<file>', 'the file; - is standard output')
    .addOption(storeOption())
    .addOption(new Option('--format <format>', 'by the ending of the file otherwise').choices(['csv', 'jsonl']))
    .option('--excel', 'CSV that Excel opens with a double click')
    .option('--quiet', 'show no progress');
  withMediaAddressOptions(command);
  return group.addCommand(
    command.action(async (file: string, options: ExportCommandOptions) => {
      const { runExport } = await import('../transfer/export.ts');
      await runExport(resource, file, options);
    }),
  );
}
