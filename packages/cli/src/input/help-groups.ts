import type { Command, Option } from 'commander';

/** Rarely needed flags, by the heading of their group. `--help` leaves them out; `--help --all` shows them. */
export type OptionGroups = Readonly<Record<string, readonly string[]>>;

/** Options that the help shows without `--all`. */
export const mostShown = 15;

const grouped = new WeakSet<Command>();

/** Groups the options of a command; options without a group are the ones that every user needs. */
export function withGroups(command: Command, groups: OptionGroups): Command {
  for (const [heading, flags] of Object.entries(groups)) {
    for (const flag of flags) {
      const option = command.options.find(({ long }) => long === flag);
      if (!option) throw new Error(`${command.name()} has no ${flag}`);
      option.helpGroup(`${heading}:`);
    }
  }
  if (grouped.has(command)) return command;
  grouped.add(command);
  return command.addHelpText('after', () =>
    isWhole() ? '' : `\n--help --all shows ${command.options.filter(isRare).length} more options.`,
  );
}

/** The options that the help of a command shows. */
export function shownOptions(options: readonly Option[]): Option[] {
  return options.filter((option) => isWhole() || !isRare(option));
}

function isRare({ helpGroupHeading }: Option): boolean {
  return helpGroupHeading !== undefined;
}

/** Whether the full help was requested. `--all` is an argument of the help, so that no command has to define it. */
function isWhole(): boolean {
  return process.argv.includes('--all');
}
