import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '@commerce/server';
import type { Command } from 'commander';
import { bareCommand } from '../input/options.ts';

export function openapiCommand(): Command {
  // Not `newCommand`: it needs no database, and always prints JSON.
  return bareCommand('openapi', 'print the OpenAPI 3.1 document of the HTTP API, including every optional route', [
    'openapi > openapi.json',
    'openapi --out openapi.json',
  ])
    .option('--out <file>', 'write to this file instead of standard output')
    .action(async (options: { out?: string }) => {
      const text = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;
      if (options.out === undefined) process.stdout.write(text);
      else await writeFile(options.out, text);
    });
}
