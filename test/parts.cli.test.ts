import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runInThisContext } from 'node:vm';
import { root } from '@commerce/test-support/harness/processes';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { joinParts } from '../packages/cli/parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'commerce-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function folderWith(files: Record<string, string>): string {
  const own = mkdtempSync(join(folder, 'parts-'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(own, name), text);
    writeFileSync(join(own, `${name}.map`), '{"version":3,"sources":[],"names":[],"mappings":""}');
  }
  return own;
}

/** What a program puts into `told`, a function of its own. */
async function toldBy(code: string): Promise<unknown[]> {
  const told: unknown[] = [];
  const file = join(folder, 'program.cjs');
  const program = runInThisContext(`(function (require, __filename, tell) {${code}\n})`);
  await program(createRequire(file), file, (...what: unknown[]) => told.push(...what));
  await new Promise((done) => setTimeout(done, 50));
  return told;
}

describe('a program joined of parts', () => {
  it('does what its modules do, and evaluates each once, when it is first imported', async () => {
    const sources = folderWith({
      'main.ts': `
        import './first.ts';
        import { count as counted } from './shared.ts';
        import path, { sep } from 'node:path';
        import * as whole from 'node:os';
        tell('main', counted(), sep, typeof path.join, typeof whole.tmpdir);
        // Not one: import('./nothing.ts')
        const text = 'import("./nothing.ts")', pattern = /import\\("x"\\)/.test('import("x")');
        tell(text, pattern);
        void Promise.all([import('./late.ts'), import('./late.ts'), import('node:os')]).then(([one, again, os]) => {
          tell(one.late(), one.default, again.late === one.late, os.default.EOL === os.EOL);
        });
      `,
      'first.ts': `tell('first');`,
      'shared.ts': `tell('shared'); let n = 0; export const count = () => ++n;`,
      'late.ts': `import { count } from './shared.ts'; tell('late'); export const late = () => count(); export default 'default';`,
    });
    const parts = join(folder, 'built');
    await build({
      entryPoints: [join(sources, 'main.ts')],
      bundle: true,
      format: 'esm',
      splitting: true,
      minifyWhitespace: true,
      minifySyntax: true,
      platform: 'node',
      sourcemap: true,
      outdir: parts,
    });
    const { code } = await joinParts(parts, 'main.js');
    expect(await toldBy(code)).toEqual([
      ...['shared', 'first', 'main', 1, '/', 'function', 'function'],
      ...['import("./nothing.ts")', true],
      ...['late', 2, 'default', true, true],
    ]);
  });

  it.each([
    ['exports of a kind that is not known', `export default 1;`],
    ['exports of a kind that is not known', `export const a = 1;`],
    ['an import of a kind', `export*from"./b.js";`],
    ['an import of a kind', `import a from"./b.js";`],
    ['an import of a kind', `import a,{b}from"./b.js";`],
  ])('is refused for %s', async (reason, text) => {
    const parts = folderWith({ 'main.js': text });
    await expect(joinParts(parts, 'main.js')).rejects.toThrow(`main.js: ${reason}`);
  });

  it('has a map that leads from each function to its source', () => {
    const file = join(root, 'packages/cli/dist/main.cjs');
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    const sources = new Map<string, string[]>();
    const wrong: string[] = [];
    let found = 0;
    for (const [line, text] of readFileSync(file, 'utf8').split('\n').entries()) {
      // The bundler adds a number to a name that two modules use.
      for (const { index, 0: declaration, 1: name = '' } of text.matchAll(
        /(?:^|[;}])(?:async )?function (\w+?)\d*\(/g,
      )) {
        const entry = map.findEntry(line, index + declaration.indexOf(name));
        if (!('originalSource' in entry)) throw new Error(`nothing leads from ${name}`);
        const path = resolve(dirname(file), entry.originalSource);
        if (!sources.has(path)) sources.set(path, readFileSync(path, 'utf8').split('\n'));
        const original = sources.get(path)?.[entry.originalLine] ?? '';
        if (!original.includes(name) && !/export default function/.test(original)) wrong.push(`${name}: ${path}`);
        found++;
      }
    }
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(2_000);
  });
});
