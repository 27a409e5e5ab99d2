import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, commerceJson, run } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-start-'));
const db = ['--db', join(folder, 'shop.db')];
beforeAll(() => commerceJson(['init', ...db, '--name', 'Shop', '--currency', 'USD']));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Modules that a command evaluates, by their sources below `packages` and `node_modules`, and the packages that it loads. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const { code, stderr } = await run(process.execPath, [bin, ...args], '', { NODE_V8_COVERAGE: coverage });
  expect(code, stderr).toBe(0);
  const [file = ''] = readdirSync(coverage);
  const { result }: { result: ScriptCoverage[] } = JSON.parse(readFileSync(join(coverage, file), 'utf8'));
  return result.flatMap(({ url, functions }) => (url.endsWith(program) ? evaluated(functions) : [url]));
}

interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

const program = '/cli/dist/main.cjs';

/** Modules of the program whose functions, which the bundler names by their sources, have run. */
function evaluated(functions: ScriptCoverage['functions']): string[] {
  return functions
    .filter(({ functionName, ranges }) => /\.[jt]s$/.test(functionName) && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName);
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
      const sources = await loadedBy([...words.split(' '), ...db]);
      expect(sources.filter((source) => working.some((pattern) => pattern.test(source)))).toEqual([]);
      expect(sources.filter((source) => source.endsWith(`core/src/${needed}`))).toHaveLength(1);
    },
  );

  it('of the help loads no database', async () => {
    const sources = await loadedBy(['--version']);
    expect(sources.filter((source) => /\/kysely\/|\/better-sqlite3\/|\/zod\//.test(source))).toEqual([]);
    expect(sources.filter((source) => source.endsWith('src/program.ts'))).toHaveLength(1);
  });

  it('of what needs more is told by the same means', async () => {
    const sources = await loadedBy(['openapi']);
    for (const one of ['/core/src/schemas/index.ts', '/openapi/document.ts']) {
      expect(sources.filter((source) => source.endsWith(one))).toHaveLength(1);
    }
    expect(working.filter((pattern) => sources.some((source) => pattern.test(source))).length).toBeGreaterThan(1);
  });
});
