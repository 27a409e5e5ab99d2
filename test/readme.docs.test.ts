import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@commerce/test-support/harness/processes';
import { describe, expect, it } from 'vitest';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);

/** Variables that a line uses before any line has set them. */
function unsetOf(lines: readonly string[]): string[] {
  const set = new Set<string>();
  const unset: string[] = [];
  for (const line of lines) {
    // The shell does not expand single-quoted texts.
    const used = line.replace(/'[^']*'/g, '').matchAll(/\$\{?([A-Z_]+)/g);
    for (const [, name = ''] of used) if (!set.has(name)) unset.push(name);
    for (const [, name = ''] of line.matchAll(/(?:^|\s)([A-Z_]+)=/g)) set.add(name);
  }
  return unset;
}

describe('What the documentation has one generate', () => {
  it.each(['openapi.json', 'client/index.ts'])(
    '%s is left alone by the checks, which go by what git ignores',
    async (file) => {
      expect(await run('git', ['check-ignore', file])).toMatchObject({ code: 0, stdout: `${file}\n` });
    },
  );
});

describe('The blocks of the README', () => {
  it('use a variable only after it was set: a shell fills in a line before it carries it out', async () => {
    expect(unsetOf(blocks.join('').split('\n'))).toEqual([]);
    expect(unsetOf(['export STORE=1 API=x/$STORE'])).toEqual(['STORE']);
    const exports = blocks
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('export '));
    const { stdout } = await run('sh', ['-c', `${exports.join('\n')}\nprintf '%s' "$API"`]);
    expect(stdout).toBe('http://127.0.0.1:3000/stores/0193…');
  });
});
