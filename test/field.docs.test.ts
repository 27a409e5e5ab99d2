import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@commerce/test-support/harness/processes';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The change that CONTRIBUTING shows under "To add a field": a file, the line before the new lines, and the new lines. */
function shownChange() {
  const [, chapter = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n## To add a field\n');
  const diff = /```diff\n([\s\S]*?)```/.exec(chapter)?.[1] ?? '';
  const [head = '', ...lines] = diff.trimEnd().split('\n');
  const added = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  const before = lines.filter((line) => line.startsWith(' ')).map((line) => line.slice(1));
  return { file: join(root, head.replace('+++ ', '')), behind: before.join('\n'), added };
}

/** The command line, built from sources with the change. */
const folder = join(root, 'packages/cli/node_modules/.cache/field');
const main = join(folder, 'dist/main.js');

describe('the field that CONTRIBUTING adds', () => {
  const change = shownChange();
  const changed: Plugin = {
    name: 'changed',
    setup({ onLoad, onResolve }) {
      // Packages of others are not copied; ours are built with the change.
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || path.startsWith('@commerce/') ? undefined : { path, external: true },
      );
      onLoad({ filter: /\/fields\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (path !== change.file) return { contents: text, loader: 'ts' };
        return { contents: text.replace(change.behind, [change.behind, ...change.added].join('\n')), loader: 'ts' };
      });
    },
  };

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    cpSync(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
    await build({
      entryPoints: [
        join(root, 'packages/cli/src/main.ts'),
        join(root, 'packages/core/src/storage/sqlite/checkpointer.js'),
        join(root, 'packages/core/src/storage/sqlite/scanner.js'),
      ],
      entryNames: '[name]',
      outdir: dirname(main),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      conditions: ['source'],
      plugins: [changed],
      logLevel: 'error',
    });
  });
  const home = mkdtempSync(join(tmpdir(), 'commerce-field-'));
  afterAll(() => {
    for (const made of [folder, home]) rmSync(made, { recursive: true, force: true });
  });
  const db = join(home, 'shop.db');
  const commerce = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [main, ...args, '--db', db]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };

  it('is one declaration, behind a line that exists once', () => {
    expect(change.added.filter((line) => !/^\s*\/\*\*/.test(line))).toHaveLength(1);
    expect(readFileSync(change.file, 'utf8').split(change.behind)).toHaveLength(2);
  });

  it('is an option of the command line, an answer, a column of files and a property in the document', async () => {
    await commerce('init', '--name', 'Tea', '--currency', 'EUR', '--json');
    const created = JSON.parse(
      await commerce(
        'products',
        'create',
        '--title',
        'Mug',
        '--slug',
        'mug',
        '--price',
        '5',
        '--brand',
        'ACME',
        '--json',
      ),
    );
    expect(created.item).toMatchObject({ title: 'Mug', brand: 'ACME' });
    await commerce('products', 'update', 'mug', '--clear', 'brand', '--json');
    expect(JSON.parse(await commerce('products', 'show', 'mug', '--json')).item).toHaveProperty('brand', null);
    await commerce('products', 'update', 'mug', '--brand', 'Umbrella', '--json');
    const [header = '', row = ''] = (await commerce('products', 'export', '-')).split('\r\n').join('\n').split('\n');
    expect(row.split(',')[header.split(',').indexOf('brand')]).toBe('Umbrella');
    const { code, stdout } = await run(process.execPath, [main, 'openapi']);
    const { schemas } = JSON.parse(stdout).components;
    expect(code).toBe(0);
    expect(schemas.Product.properties.brand).toMatchObject({ type: ['string', 'null'], description: 'The maker.' });
    expect(schemas.Product.required).toContain('brand');
    for (const input of [schemas.ProductInput, schemas.ProductChanges]) {
      expect(input.properties.brand).toMatchObject({ maxLength: 255, description: 'The maker.' });
      expect(input.required ?? []).not.toContain('brand');
    }
  });
});
