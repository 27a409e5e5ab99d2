import { Argument, type Command } from 'commander';
import { bareCommand } from '../input/options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** @param whole creates the program with every command loaded */
export function completionCommand(whole: () => Promise<Command>): Command {
  return bareCommand('completion', 'print a shell completion script', [
    'completion bash > ~/.local/share/bash-completion/completions/commerce',
    'completion zsh > ~/.zfunc/_commerce',
    'completion fish > ~/.config/fish/completions/commerce.fish',
  ])
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell) => {
      // Loads every command, once; the script itself then loads none.
      process.stdout.write(scripts[shell](wordsOf(await whole())));
    });
}

interface Word {
  text: string;
  about: string;
  /** Values of an option that takes one: its choices, or none if any text is allowed. */
  values?: readonly string[];
}

/** Words that can follow each command, by its path, such as `orders list`; the program has the empty path. */
type Words = Map<string, Word[]>;

function wordsOf(command: Command, path = '', words: Words = new Map()): Words {
  const list: Word[] = [];
  for (const below of command.commands) {
    list.push({ text: below.name(), about: below.description() });
    wordsOf(below, path === '' ? below.name() : `${path} ${below.name()}`, words);
  }
  for (const { argChoices = [] } of command.registeredArguments) {
    for (const text of argChoices) list.push({ text, about: '' });
  }
  for (const { long, description, required, argChoices = [] } of command.options) {
    if (long) list.push({ text: long, about: description, ...(required && { values: argChoices }) });
  }
  list.push({ text: '--help', about: 'display help for command' });
  words.set(path, list);
  return words;
}

const scripts: Record<Shell, (words: Words) => string> = { bash, zsh, fish };

/** Options that take a value, with their choices, as cases of `<path> <option>`. */
function valueCases(words: Words, of: (values: readonly string[]) => string): string {
  const cases = new Map<string, string[]>();
  for (const [path, list] of words) {
    for (const { text, values } of list) {
      if (!values) continue;
      const result = of(values);
      cases.set(result, [...(cases.get(result) ?? []), `'${path} ${text}'`]);
    }
  }
  return [...cases].map(([result, options]) => `    ${options.join(' | ')}) ${result} ;;`).join('\n');
}

/**
 * Finds the command in the words typed so far: a top-level command, and its subcommand. If no word of ours fits, the shell completes file
 * names, also with spaces.
 */
function bash(words: Words): string {
  const cases = [...words].map(([path, list]) => `    '${path}') words='${list.map(({ text }) => text).join(' ')}' ;;`);
  return `# Completion of commerce for bash
_commerce() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${pathCases(words)}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(words, (values) => `words='${values.join(' ')}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _commerce commerce
`;
}

/** Steps from a path to its subcommand, as cases of `<path> <word>`. */
function pathCases(words: Words): string {
  return [...words.keys()]
    .filter((path) => path !== '')
    .map((path) => {
      const [group = '', below] = path.split(' ');
      return below === undefined ? `      ' ${group}') path='${group}' ;;` : `      '${path}') path='${path}' ;;`;
    })
    .join('\n');
}

function zsh(words: Words): string {
  const entry = ({ text, about }: Word) => `'${text.replaceAll(':', '\\:')}:${quoted(about).replaceAll(':', '\\:')}'`;
  const cases = [...words].map(
    ([path, list]) => `    '${path}') entries=(\n      ${list.map(entry).join('\n      ')}\n    ) ;;`,
  );
  return `#compdef commerce
# Completion of commerce for zsh
_commerce() {
  local path_='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path_ $word" in
${pathCases(words).replaceAll("') path=", "') path_=")}
    esac
  done
  case "$path_" in
${cases.join('\n')}
  esac
  case "$path_ \${words[CURRENT-1]}" in
${valueCases(words, (values) => `entries=(${values.join(' ')})`)}
  esac
  _describe 'commerce' entries || _files
}
# Loaded by the first completion of all, this file is that completion; otherwise it was sourced.
if [[ "\${funcstack[1]}" = _commerce ]]; then _commerce "$@"; else compdef _commerce commerce; fi
`;
}

function fish(words: Words): string {
  const lines: string[] = [];
  for (const [path, list] of words) {
    const names = path.split(' ').filter(Boolean);
    const further = list.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
    const condition = [
      ...(names.length === 0 ? ['__fish_use_subcommand'] : names.map((name) => `__fish_seen_subcommand_from ${name}`)),
      ...(names.length > 0 && further.length > 0 ? [`not __fish_seen_subcommand_from ${further.join(' ')}`] : []),
    ].join('; and ');
    for (const { text, about, values } of list) {
      const value = !values ? '' : values.length === 0 ? ' -r' : ` -x -a '${values.join(' ')}'`;
      const word = text.startsWith('--') ? `-l ${text.slice(2)}${value}` : `-f -a ${text}`;
      lines.push(`complete -c commerce -n '${condition}' ${word} -d '${quoted(about)}'`);
    }
  }
  return `# Completion of commerce for fish\n${lines.join('\n')}\n`;
}

/** A text for single quotes of a shell, without the characters that would end them. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replace(/\s+/g, ' ');
}
