import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bin, commerceJson, run } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-start-'));
const db = ['--db', join(folder, 'shop.db')];
beforeAll(() => commerceJson(['init', ...db, '--name', 'Shop', '--currency', 'USD']));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A hook of Node's loader that writes the address of each module to standard error.
const hook = `import { writeSync } from 'node:fs';
export const load = (url, context, next) => (writeSync(2, 'loaded ' + url + '\\n'), next(url, context));`;
const inText = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const tracing = inText(`import { register } from 'node:module'; register(${JSON.stringify(inText(hook))});`);

/** Modules that a command loads: packages by their address, our own by the sources that its files were built from. */
async function loadedBy(args: readonly string[]): Promise<{ sources: string[]; files: number }> {
  const { code, stderr } = await run(process.execPath, ['--import', tracing, bin, ...args]);
  expect(code, stderr).toBe(0);
  const urls = [...stderr.matchAll(/^loaded (file:.*)$/gm)].map(([, url = '']) => url);
  const own = urls.filter((url) => /\/cli\/dist\//.test(url));
  const sources = own.flatMap(
    (url) => JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')).sources as string[],
  );
  return { sources: [...sources, ...urls.filter((url) => !own.includes(url))], files: own.length };
}

const working = [
  /\/server\/src\//,
  /\/core\/src\/payments\//,
  /\/core\/src\/checkouts\//,
  /\/core\/src\/deliveries\/(?:deliverer|attempt)\.ts$/,
  /\/core\/src\/media\/(?:image|bucket|media)\.ts$/,
  /\/core\/src\/transfer\/(?:run|import|export|woocommerce)\.ts$/,
  /\/migrations\/\d{4}_/,
  /\/core\/src\/schemas\//,
  /\/core\/src\/outbound\.ts$/,
  /\/node_modules\/(?:sharp|undici|p-retry|pg|csv-parse|prom-client)\//,
];

describe('the start of a command', () => {
  it.each([
    ['stores list', 'stores/stores.ts'],
    ['keys list', 'api-keys/api-keys.ts'],
    ['products list', 'products/list.ts'],
  ])(
    'of %s loads what it reads with, and nothing that serves, pays, sends, imports or migrates',
    async (words, needed) => {
      const { sources, files } = await loadedBy([...words.split(' '), ...db]);
      expect(sources.filter((source) => working.some((pattern) => pattern.test(source)))).toEqual([]);
      expect(sources.filter((source) => source.endsWith(`core/src/${needed}`))).toHaveLength(1);
      // Each costs about as much as 10 kB.
      expect(files).toBeLessThan(40);
    },
  );

  it('of the help loads no database', async () => {
    const { sources } = await loadedBy(['--version']);
    expect(sources.filter((source) => /\/kysely\/|\/better-sqlite3\/|\/zod\//.test(source))).toEqual([]);
    expect(sources.filter((source) => source.endsWith('src/program.ts'))).toHaveLength(1);
  });

  it('of what needs more is told by the same means', async () => {
    const { sources } = await loadedBy(['openapi']);
    for (const one of ['/core/src/schemas/index.ts', '/openapi/document.ts']) {
      expect(sources.filter((source) => source.endsWith(one))).toHaveLength(1);
    }
    expect(working.filter((pattern) => sources.some((source) => pattern.test(source))).length).toBeGreaterThan(1);
  });
});
