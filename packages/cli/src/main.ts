import { readFileSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { printError, tell } from './errors/tell.ts';
import { groups } from './groups.ts';
import { makeProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

// A reader that has read enough, such as `head`, is not an error; nor is one that disconnects from a server.
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
    readFiles(process.env);
    const program = await makeProgram(groups.some(({ name }) => name === called) ? called : undefined);
    program.hook('preAction', (_, command) => {
      running = command;
    });
    await program.parseAsync();
  } catch (error) {
    // Commander has printed the requested help or version, or the help of a group that was called without a command.
    const isPrinted = error instanceof CommanderError && /^commander\.(help|version)/.test(error.code);
    if (isPrinted) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
    } else {
      const told = tell(error, running);
      const isJson = args.includes('--json');
      printError(told, isJson);
      if (told.exitCode === 2 && !isJson) process.stderr.write('(run --help to see the options)\n');
      process.exitCode = told.exitCode;
    }
  }
}

/**
 * Sets each variable `X` from the file that `X_FILE` names, as Docker and Kubernetes pass secrets: `docker inspect` shows the environment
 * itself.
 * @throws UsageError if a file cannot be read, or `X` is set as well
 */
function readFiles(environment: NodeJS.ProcessEnv): void {
  for (const [name, file] of Object.entries(environment)) {
    const [, variable] = /^(COMMERCE_[A-Z0-9_]+)_FILE$/.exec(name) ?? [];
    if (variable === undefined || !file) continue;
    if (environment[variable]) throw new UsageError(`${name} and ${variable} are both set; unset one of them`);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(`${name}: the file ${JSON.stringify(file)} cannot be read (${code})`);
    }
    // Editors and `echo` end a file with a newline.
    environment[variable] = text.replace(/\r?\n$/, '');
    // The processes of `serve` inherit the variable.
    Reflect.deleteProperty(environment, name);
  }
}
