import { type ExportedResource, isLanguage } from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { mostShown, withGroups } from '../../input/help-groups.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { withMediaAddressOptions } from '../../media-address.ts';
import { addFilters, type Filters, filtersOf, resolveFilters } from '../../resource/filters.ts';
import type { ExportCommandOptions } from '../../transfer/export.ts';

/** Adds `export` to the group of a resource. */
export function addExport(group: Command, resource: ExportedResource, all: Filters = {}): Command {
  const filters = Object.fromEntries(Object.entries(all).filter(([field]) => !onlyOfLists.has(field)));
  const what = Object.keys(filters).length > 0 ? resource : `all ${resource}`;
  const command = newCommand('export', `write ${what} to a file: CSV or JSON Lines`, [
    `${resource} export ${resource}.csv`,
    `${resource} export - --format jsonl`,
    ...(resource === 'orders' ? ['orders export october.csv --from 2026-10-01 --until 2026-10-31 --lines items'] : []),
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
  addFilters(command, filters);
  withMediaAddressOptions(command);
  if (command.options.length >= mostShown - 2) {
    const rare = [
      '--filter',
      '--quiet',
      '--public-url',
      '--cdn-url',
      '--until',
      '--to-refund',
      '--unpaid-offline',
      '--payment-status',
      '--metadata',
      '--barcode',
      '--min-price',
      '--max-price',
      '--on-sale',
      '--in-stock',
    ];
    const own = new Set(command.options.map(({ long }) => long));
    withGroups(command, { 'Further options': rare.filter((flag) => own.has(flag)) });
  }
  return group.addCommand(
    command.action(async (file: string, options: ExportCommandOptions, self: Command) => {
      const given = filtersOf(options, self, filters);
      const { runExport } = await import('../../transfer/export.ts');
      await runExport(resource, file, options, (shop) => resolveFilters(shop, given, self, filters));
    }),
  );
}

/** The language of `--excel`. */
export function readLanguage(value: string): string {
  if (isLanguage(value)) return value;
  throw new InvalidArgumentError('It must be a language such as de or en-GB. The name of the file goes before it.');
}

/** What a list has in addition to its filters. */
const onlyOfLists = new Set(['sort', 'group', 'facets', 'include']);
