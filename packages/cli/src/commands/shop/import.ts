import { descriptionForms, encodings, type ImportedResource, matchFields, repeatedSkus } from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { withMediaAddressOptions } from '../../media-address.ts';
import { withMediaFileOptions } from '../../media-options.ts';
import type { ImportCommandOptions } from '../../transfer/import.ts';

/** Adds `import` to the group of a resource. */
export function addImport(group: Command, resource: ImportedResource): Command {
  const command = newCommand('import', `create and change ${resource} from a file: CSV or JSON Lines`, [
    `${resource} import ${resource}.csv`,
    `${resource} import ${resource}.jsonl --on-error skip --report refused.csv`,
  ])
    .argument('<file>', 'the file; - is standard input')
    .addOption(storeOption())
    .addOption(
      new Option('--format <format>', 'told by the ending .jsonl or .ndjson, and by the content otherwise').choices([
        'csv',
        'jsonl',
      ]),
    )
    .addOption(new Option('--encoding <name>', 'of a file that is not UTF-8').choices(encodings))
    .option('--map <theirs=ours>', 'what a column of the file means; repeatable, or a JSON file', collect, [])
    .addOption(
      new Option(
        '--match <field>',
        `a row changes the one with the same; ${matchFields[resource][0]} by default`,
      ).choices(matchFields[resource]),
    )
    .addOption(new Option('--on-error <action>', 'what a refused row does').choices(['stop', 'skip']).default('stop'))
    .option('--report <file>', 'write the refused rows there: line, column, value and reason')
    .option('--dry-run', 'check everything and write nothing')
    .option('--no-events', 'tell no subscriber')
    .option('--quiet', 'show no progress');
  if (resource === 'products') {
    command
      .option('--overwrite-stock', 'set the stock also where orders have moved it since it was last set')
      .addOption(
        new Option(
          '--repeated-sku <action>',
          'refuse a row with the SKU of an earlier row, or clear its SKU: clear for files of other shops by default',
        ).choices(repeatedSkus),
      )
      .addOption(
        new Option(
          '--descriptions <form>',
          'HTML as text, with its paragraphs and lists as lines, or as html; text for files of other shops by default',
        ).choices(descriptionForms),
      )
      .option('--images', 'fetch the images of products')
      .addOption(
        new Option(
          '--images-allow <ranges>',
          'ranges of your own network that images may be fetched from, such as 10.1.0.0/16',
        ).argParser((value) => value.split(',').map((range) => range.trim())),
      );
    withMediaAddressOptions(withMediaFileOptions(command));
    withGroups(command, {
      'What is written': ['--overwrite-stock', '--no-events', '--quiet'],
      'Files of other shops': ['--encoding', '--repeated-sku', '--descriptions'],
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
