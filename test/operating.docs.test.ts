import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProgram } from '../packages/cli/src/program.ts';

describe('The options of serve in docs/operating.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8');
  const [, section = ''] = /^## Options of serve\n(.*?)^## /ms.exec(page) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  const flagsIn = (row: string) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/(?<=`)--[a-z0-9-]+/g)].map(([flag]) => flag);
  type Command = Awaited<ReturnType<typeof makeProgram>>;
  let serve: Command;
  beforeAll(async () => {
    const program = await makeProgram('serve');
    serve = program.commands.find((one) => one.name() === 'serve') as Command;
  });

  it('are all there, each once, those without a group first', () => {
    const said: [flag: string, group: string][] = [];
    let group = '';
    for (const row of rows) {
      const [, heading] = /^\| \*\*(.+?)\*\* \|/.exec(row) ?? [];
      if (heading !== undefined) group = heading.replaceAll('`', '');
      said.push(...flagsIn(row).map((flag): [string, string] => [flag, group]));
    }
    const own = serve.options.map(({ long, helpGroupHeading = '' }) => [long, helpGroupHeading.replace(/:$/, '')]);
    expect(said.sort()).toEqual(own.sort());
  });

  it('have the defaults and the variables that the program has', () => {
    const differing = { '--name': 'COMMERCE_STORE_NAME', '--currency': 'COMMERCE_STORE_CURRENCY' };
    for (const { long, envVar, defaultValue, negate } of serve.options) {
      if (negate || long === '--json') continue;
      const usual = `COMMERCE_${long?.slice(2).replaceAll('-', '_').toUpperCase()}`;
      expect(envVar, long ?? '').toBe(differing[long as keyof typeof differing] ?? usual);
      const row = rows.find((one) => flagsIn(one).includes(long ?? '')) ?? '';
      if (typeof defaultValue === 'string' && defaultValue !== '')
        expect(row, long ?? '').toContain(`\`${defaultValue}\``);
      if (typeof defaultValue === 'number' && long !== '--backup-every') expect(row).toContain(`\`${defaultValue}\``);
    }
  });
});
