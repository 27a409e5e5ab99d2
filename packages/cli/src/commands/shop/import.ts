import { descriptionForms, encodings, type ImportedResource, matchFields, repeatedSkus } from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { withMediaAddressOptions } from '../../media-address.ts';
import { withMediaFileOptions } from '../../media-options.ts';
import type { ImportCommandOptions } from '../../transfer/import.ts';
import { readLanguage } from './export.ts';

/** Adds `import` to the group of a resource. */
export function addImport(group: Command, resource: ImportedResource): Command {
  const command = newCommand('import', `create and change ${resource} from a file: CSV or JSON Lines`, [
    `${resource} import ${resource}.csv`,
    `${resource} import ${resource}.jsonl --on-error skip --report refused.csv`,
  ])
    .argument('<file>', 'the file; - is standard input')
    .addOption(storeOption())
    .addOption(
      new Option(
        '--format <format>',
        'by default, determined by the extension .jsonl or .ndjson, or by the content',
      ).choices(['csv', 'jsonl']),
    )
    .addOption(new Option('--encoding <name>', 'encoding of a file that is not UTF-8').choices(encodings))
    .addOption(
      new Option(
        '--excel <language>',
        'language of the Excel that wrote the CSV, such as de: tells how 1,800 is read',
      ).argParser(readLanguage),
    )
    .option('--map <theirs=ours>', 'maps a column of the file to a field; repeatable, or a JSON file', collect, [])
    .addOption(
      new Option(
        '--match <field>',
        `field that matches rows with existing items; ${matchFields[resource][0]} by default`,
      ).choices(matchFields[resource]),
    )
    .addOption(
      new Option('--on-error <action>', 'what to do with a rejected row').choices(['stop', 'skip']).default('stop'),
    )
    .option('--report <file>', 'file for rejected rows: line, column, value and reason')
    .option('--dry-run', 'only check, do not write anything')
    .option('--no-events', 'do not notify subscribers')
    .option('--quiet', 'do not show progress');
  if (resource === 'products') {
    command
      .option('--overwrite-stock', 'also set stock that orders have changed since it was last set')
      .addOption(
        new Option(
          '--repeated-sku <action>',
          'reject a row with the SKU of an earlier row, or clear its SKU; by default, clear for files of other shops',
        ).choices(repeatedSkus),
      )
      .addOption(
        new Option(
          '--descriptions <form>',
          'convert HTML to text, or keep it as html; text by default for files of other shops',
        ).choices(descriptionForms),
      )
      .option('--images', 'download product images')
      .addOption(
        new Option(
          '--images-allow <ranges>',
          'private network ranges that images can be downloaded from, such as 10.1.0.0/16',
        ).argParser((value) => value.split(',').map((range) => range.trim())),
      );
    withMediaAddressOptions(withMediaFileOptions(command));
    withGroups(command, {
      Writing: ['--overwrite-stock', '--no-events', '--quiet'],
      'Files of other shops': ['--encoding', '--excel', '--repeated-sku', '--descriptions'],
      'Images and their addresses': [
        '--images-allow',
        '--media-dir',
        '--media-s3-endpoint',
        '--media-s3-bucket',
        '--media-s3-region',
        '--media-s3-prefix',
        '--public-url',
        '--cdn-url',
      ],
    });
  }
  return group.addCommand(
    command.action(async (file: string, options: ImportCommandOptions) => {
      const { runImport } = await import('../../transfer/import.ts');
      await runImport(resource, file, options, command);
    }),
  );
}

function collect(value: string, all: string[]): string[] {
  if (!value.includes('=') && !value.endsWith('.json')) {
    throw new InvalidArgumentError("It must be 'Their column=ourColumn', or a JSON file.");
  }
  return [...all, value];
}
