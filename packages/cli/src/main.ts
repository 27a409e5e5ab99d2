import { Command, CommanderError } from 'commander';
import { customersCommand } from './commands/customers.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { keysCommand } from './commands/keys.ts';
import { mediaCommand } from './commands/media.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openapiCommand } from './commands/openapi.ts';
import { ordersCommand } from './commands/orders.ts';
import { paymentsCommand } from './commands/payments.ts';
import { secretsCommand } from './commands/secrets.ts';
import { serveCommand } from './commands/serve.ts';
import { storesCommand } from './commands/stores.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { describeError } from './errors.ts';
import { version } from './version.ts';

const program = new Command('commerce')
  .description('A headless commerce backend on one SQLite file or PostgreSQL.')
  .version(version)
  .showHelpAfterError('(--help shows the options)')
  .exitOverride();

const commands = [
  serveCommand,
  initCommand,
  migrateCommand,
  storesCommand,
  keysCommand,
  paymentsCommand,
  ordersCommand,
  customersCommand,
  mediaCommand,
  webhooksCommand,
  secretsCommand,
  openapiCommand,
];
for (const make of commands) program.addCommand(make());
for (const resource of ['products', 'categories', 'customers', 'pages'] as const) {
  addExport(addImport(group(resource), resource), resource);
}
addExport(group('orders'), 'orders');
throwing(program);

/** The group of a resource, made where nothing else is in it. */
function group(name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name).description(`import and export ${name}`);
}

/** Lets a command and those below it throw usage errors, so that one place decides how the process ends. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const below of command.commands) throwing(below);
  return command;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the error, or the help or version that was requested.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`error: ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}
