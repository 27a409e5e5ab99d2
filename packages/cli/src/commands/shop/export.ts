import type { ExportedResource } from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { newCommand, storeOption } from '../../input/options.ts';
import { withMediaAddressOptions } from '../../media-address.ts';
import type { ExportCommandOptions } from '../../transfer/export.ts';

/** Adds `export` to the group of a resource. */
export function addExport(group: Command, resource: ExportedResource): Command {
  const command = newCommand('export', `write all ${resource} to a file: CSV or JSON Lines`, [
    `${resource} export ${resource}.csv`,
    `${resource} export - --format jsonl`,
  ])
    .argument('<file>', 'the file; - is standard output')
    .addOption(storeOption())
    .addOption(
      new Option('--format <format>', 'by default, determined by the file extension').choices(['csv', 'jsonl']),
    )
    .addOption(
      new Option(
        '--excel [language]',
        'CSV for Excel; a language such as de sets its separator and decimal sign',
      ).argParser(readLanguage),
    )
    .option('--quiet', 'do not show progress');
  withMediaAddressOptions(command);
  return group.addCommand(
    command.action(async (file: string, options: ExportCommandOptions) => {
      const { runExport } = await import('../../transfer/export.ts');
      await runExport(resource, file, options);
    }),
  );
}

function readLanguage(value: string): string {
  try {
    return Intl.getCanonicalLocales(value)[0] ?? value;
  } catch {
    throw new InvalidArgumentError('It must be a language such as de or en-GB. The name of the file goes before it.');
  }
}
