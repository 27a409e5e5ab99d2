import { type ImportedResource, importedResources, listImports, stopImport } from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { print, table } from '../../output/print.ts';
import type { Options } from '../../resource/resource.ts';

interface ImportsOptions extends Options {
  resource: ImportedResource;
  importDir?: string;
}

const resourceOption = () =>
  new Option('--resource <name>', 'what it imports').choices(importedResources).default('products');

export function importsCommand(): Command {
  const list = newCommand('list', 'list the latest imports of a resource, newest first', [
    'imports list',
    'imports list --resource customers --json',
  ])
    .addOption(storeOption())
    .addOption(resourceOption())
    .action((options: ImportsOptions) =>
      withCommerce(options, async (commerce) => {
        const found = await listImports(await storeContext(commerce, options.store), {
          resource: options.resource,
          limit: 200,
        });
        print(options, found, () =>
          table(found.items, {
            // Not as `id`, which a terminal may cut: stopping the import needs the whole id.
            import: (one) => one.id,
            status: (one) => one.status,
            begun: (one) => one.createdAt,
            rows: (one) => one.rows,
            refused: (one) => one.refused,
            file: (one) => one.fileName,
          }),
        );
      }),
    );
  const stop = newCommand('stop', 'stop a waiting or running import, in any process; rows already written are kept', [
    'imports stop 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52',
    'imports stop 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52 --resource customers',
  ])
    .argument('<import>', 'its id, as `imports list` shows it')
    .addOption(storeOption())
    .addOption(resourceOption())
    .addOption(
      new Option('--import-dir <folder>', 'the folder of `serve` that contains the import file, which is removed').env(
        'COMMERCE_IMPORT_DIR',
      ),
    )
    .action((id: string, options: ImportsOptions) =>
      withCommerce(
        options,
        async (commerce) => {
          await stopImport(await storeContext(commerce, options.store), id, { resource: options.resource });
          print(options, { stopped: id }, () => `stopped ${id} after the current batch`);
        },
        options.importDir === undefined ? {} : { imports: { directory: options.importDir } },
      ),
    );
  return new Command('imports').description('list and stop imports').addCommand(list).addCommand(stop);
}
