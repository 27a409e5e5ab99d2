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
  const list = newCommand('list', 'list the last imports of a resource, newest first', [
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
  const stop = newCommand(
    'stop',
    'stop an import that waits or is under way, in any process; what it has written stays',
    [
      'imports stop 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52',
      'imports stop 0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52 --resource customers',
    ],
  )
    .argument('<import>', 'its id, as `imports list` shows it')
    .addOption(storeOption())
    .addOption(resourceOption())
    .addOption(
      new Option('--import-dir <folder>', 'that of `serve`, whose file of the import is removed').env(
        'COMMERCE_IMPORT_DIR',
      ),
    )
    .action((id: string, options: ImportsOptions) =>
      withCommerce(
        options,
        async (commerce) => {
          await stopImport(await storeContext(commerce, options.store), id, { resource: options.resource });
          print(options, { stopped: id }, () => `stopped ${id}: the batch in hand is its last`);
        },
        options.importDir === undefined ? {} : { imports: { directory: options.importDir } },
      ),
    );
  return new Command('imports').description('list imports, and stop one').addCommand(list).addCommand(stop);
}
