import { type Actor, type Scope, scopePresets, scopes } from '@commerce/core';
import { serveAssistant } from '@commerce/server';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { type DatabaseOptions, withCommerce } from '../../database.ts';
import { newCommand, storeOption } from '../../input/options.ts';

interface McpOptions extends DatabaseOptions {
  store?: string;
  preset: keyof typeof scopePresets;
  scopes?: readonly Scope[];
}

/** Serves one assistant that has started this program. Standard output belongs to the protocol. */
export function mcpCommand(): Command {
  return newCommand('mcp', 'answer an assistant over standard input and output (Model Context Protocol)', [
    'mcp --store "Tea & Co"',
    'mcp --preset full',
    'mcp --scopes product.read,product.write,order.read',
  ])
    .addOption(storeOption())
    .addOption(
      new Option('--preset <name>', 'what the assistant can do, as a set of scopes; `read` changes nothing')
        .choices(Object.keys(scopePresets))
        .default('read'),
    )
    .addOption(
      new Option('--scopes <list>', 'its scopes instead, such as product.read,order.read')
        .argParser(parseScopes)
        .conflicts('preset'),
    )
    .action((options: McpOptions) =>
      withCommerce(options, async (commerce) => {
        const actor: Actor = {
          type: 'cli',
          id: 'commerce mcp',
          scopes: new Set(options.scopes ?? scopePresets[options.preset]),
        };
        const { store } = await storeContext(commerce, options.store);
        await serveAssistant(await commerce.store(store.id, actor), {
          input: process.stdin,
          output: process.stdout,
          onError: (error) => process.stderr.write(`error: ${(error as Error).message}\n`),
        });
      }),
    );
}

function parseScopes(value: string): readonly Scope[] {
  const named = value.split(',').map((scope) => scope.trim());
  const unknown = named.find((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown === undefined) return named as Scope[];
  throw new InvalidArgumentError(`${JSON.stringify(unknown)} is not a scope; the scopes are ${scopes.join(', ')}.`);
}
