import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '@commerce/server';
import type { Command } from 'commander';
import { bareCommand } from '../input/options.ts';

export function openapiCommand(): Command {
  // Not `newCommand`: it needs no database, and always prints JSON.
  return bareCommand(
    'openapi',
    'print the OpenAPI 3.1 document of the HTTP interface, with every optional route open',
    ['openapi > openapi.json', 'openapi --out openapi.json'],
  )
    .option('--out <file>', 'write it to a file instead of to standard output')
    .action(async (options: { out?: string }) => {
      const text = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;
      if (options.out === undefined) process.stdout.write(text);
      else await writeFile(options.out, text);
    });
}
