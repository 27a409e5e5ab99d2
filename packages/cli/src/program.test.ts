import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { mostShown } from './input/help-groups.ts';
import { examplesOf } from './input/options.ts';
import { isRequired } from './input/required.ts';
import { makeProgram } from './program.ts';

/** Commands with an action, by their path. */
function commandsBelow(command: Command, path: string): [string, Command][] {
  const below: [string, Command][] = [];
  for (const one of command.commands) below.push(...commandsBelow(one, `${path} ${one.name()}`));
  return examplesOf(command) || below.length === 0 ? [[path, command], ...below] : below;
}

/** Words of a call as a shell splits them, up to a redirection of its output. */
function wordsOf(call: string): string[] {
  const words = call.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const end = words.findIndex((word) => /^>+$/.test(word));
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.replace(/^["']|["']$/g, ''));
}

describe('The program', () => {
  let program: Command;
  let commands: Map<string, Command>;
  beforeAll(async () => {
    program = await makeProgram({ all: true });
    const found: [string, Command][] = [];
    for (const one of program.commands) found.push(...commandsBelow(one, one.name()));
    commands = new Map(found);
  });

  it('has every command that a shop is run with', () => {
    for (const group of ['products', 'categories', 'customers', 'pages']) {
      for (const name of ['list', 'show', 'create', 'update', 'delete']) {
        expect([...commands.keys()]).toContain(`${group} ${name}`);
      }
    }
    for (const path of ['media upload', 'media delete', 'webhooks update', 'webhooks delete', 'orders show']) {
      expect([...commands.keys()]).toContain(path);
    }
  });

  it('shows two examples of each command, which name options that it has, and all that it requires', () => {
    const wrong: string[] = [];
    for (const [path, command] of commands) {
      const examples = examplesOf(command) ?? [];
      if (examples.length < 2) wrong.push(`${path} has ${examples.length} examples`);
      for (const example of examples) {
        const words = wordsOf(example);
        if (!`${words.join(' ')} `.startsWith(`${path} `)) wrong.push(`${path}: ${example}`);
        const flags = words.filter((word) => word.startsWith('--'));
        for (const flag of flags) {
          if (!command.options.some(({ long }) => long === flag)) wrong.push(`${path} has no ${flag}`);
        }
        if (flags.includes('--file')) continue;
        for (const { long } of command.options.filter(isRequired)) {
          if (!flags.includes(long ?? '')) wrong.push(`${path} misses ${long} in: ${example}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(commands.size).toBeGreaterThan(50);
  });

  it('marks what is required in its help', () => {
    const help = commands.get('products create')?.helpInformation() ?? '';
    for (const flag of ['title', 'slug', 'price']) expect(help).toMatch(new RegExp(`--${flag} <text> +\\(required\\)`));
    expect(help).toMatch(/--sku <text> +(?!\(required\))/);
    expect(commands.get('init')?.helpInformation()).toMatch(/--currency <code> +\(required\)/);
  });

  it('shows at most 15 options in the help of a command, and the others in groups with --all', () => {
    const flagsIn = (help: string) =>
      new Set([...help.matchAll(/^ {2}(?:-h, )?(--[a-z0-9-]+)/gm)].map(([, flag]) => flag));
    const long: string[] = [];
    for (const [path, command] of commands) {
      const short = flagsIn(command.helpInformation());
      if (short.size > mostShown) long.push(`${path}: ${short.size}`);
      process.argv.push('--all');
      try {
        const whole = flagsIn(command.helpInformation());
        expect([...whole], path).toEqual(expect.arrayContaining(command.options.map(({ long }) => long)));
      } finally {
        process.argv.pop();
      }
    }
    expect(long).toEqual([]);
  });

  it('shows of `serve` what everybody needs: database, address, images, proxy, backups and the currency', () => {
    const help = commands.get('serve')?.helpInformation() ?? '';
    expect([...help.matchAll(/^ {2}(--[a-z0-9-]+)/gm)].map(([, flag]) => flag).sort()).toEqual(
      '--backup --currency --db --host --media-dir --port --public-url --trust-proxy'.split(' '),
    );
  });
});
