import { type Command, CommanderError } from 'commander';
import { groups } from './groups.ts';
import { printError, tell } from './output/errors.ts';
import { makeProgram } from './program.ts';

// A reader that has read enough, such as `head`, is no error; neither is one that leaves a server.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout) process.stderr.write(`error: cannot write the output: ${error.message}\n`);
    process.exitCode = 1;
  });
}

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('-'));
const called = named[0] === 'help' ? named[1] : named[0];

void run();

async function run(): Promise<void> {
  let running: Command | undefined;
  try {
    const program = await makeProgram(groups.some(({ name }) => name === called) ? called : undefined);
    program.hook('preAction', (_, command) => {
      running = command;
    });
    await program.parseAsync();
  } catch (error) {
    // Commander has printed the help or the version that was requested, or the help of a group that was called without a command.
    const isPrinted = error instanceof CommanderError && /^commander\.(help|version)/.test(error.code);
    if (isPrinted) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      const told = tell(error, running);
      const isJson = args.includes('--json');
      printError(told, isJson);
      if (told.exitCode === 2 && !isJson) process.stderr.write('(--help shows the options)\n');
      process.exitCode = told.exitCode;
    }
  }
}
