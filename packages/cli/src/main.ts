import { Command, CommanderError } from 'commander';
import { serveCommand } from './commands/serve.ts';
import { version } from './version.ts';

const program = new Command('commerce')
  .description('A headless commerce backend on one SQLite file or PostgreSQL.')
  .version(version)
  .showHelpAfterError('(--help shows the options)')
  .exitOverride();

// A process that serves loads nothing that it has no use for.
const commands = process.argv[2] === 'serve' ? [serveCommand] : (await import('./commands/all.ts')).commands;
for (const make of commands) program.addCommand(throwing(make()));

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
    const { describeError } = await import('./errors.ts');
    process.stderr.write(`error: ${describeError(error)}\n`);
    process.exitCode = 1;
  }
}
