import { Command, Help, type Option } from 'commander';
import { type Group, groups } from './groups.ts';
import { shownOptions } from './input/help-groups.ts';
import { isRequired } from './input/required.ts';
import { version } from './version.ts';

const help = new Help();

/**
 * The program with the called command in full and the others by name: a start loads only what it runs.
 * @param called the name of the command; `all` loads every one
 */
export async function makeProgram(called: string | undefined | { all: true }): Promise<Command> {
  const program = new Command('commerce')
    .description('A headless commerce backend on one SQLite file or PostgreSQL.')
    .version(version)
    .addHelpText('after', '\nExamples:\n  commerce serve\n  commerce products list --filter status=draft\n');
  for (const group of groups) {
    const isWanted = typeof called === 'object' || called === group.name;
    program.addCommand(isWanted ? await group.load(() => makeProgram({ all: true })) : placeholder(group));
  }
  return prepared(program);
}

function placeholder({ name, description }: Group): Command {
  return new Command(name).description(description);
}

/** Makes Commander throw instead of exiting, for a command and its subcommands, so that one place decides the exit code. */
function prepared(command: Command): Command {
  command
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({
      optionDescription: describeOption,
      visibleOptions: (one) => shownOptions(help.visibleOptions(one)),
    });
  for (const below of command.commands) prepared(below);
  return command;
}

function describeOption(option: Option): string {
  const text = help.optionDescription(option);
  return isRequired(option) ? `(required) ${text}` : text;
}
