import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluatedModules } from '@commerce/test-support/harness/evaluated';
import { bin, commerceJson, run, startServer } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-start-'));
const db = ['--db', join(folder, 'shop.db')];
beforeAll(() => commerceJson(['init', ...db, '--name', 'Shop', '--currency', 'USD']));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Modules that a command evaluates, by their sources, and what it loads of packages. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const { code, stderr } = await run(process.execPath, [bin, ...args], '', { NODE_V8_COVERAGE: coverage });
  expect(code, stderr).toBe(0);
  return evaluatedModules(coverage).flat();
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

/** What each process of a service evaluates until it is stopped. */
async function loadedByServe(...flags: string[]): Promise<string[][]> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  vi.stubEnv('NODE_V8_COVERAGE', coverage);
  const server = await startServer(join(folder, 'shop.db'), flags).finally(() => vi.unstubAllEnvs());
  expect(await server.stop()).toBe(0);
  return evaluatedModules(coverage);
}

/** A module of core and one of the server, which whatever serves evaluates. */
const needed = /\/core\/src\/stores\/stores\.ts$|\/server\/src\/app\.ts$/;

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

  it('of what serves loads neither the document of the interface nor its page before they are asked for, and alone nothing that supervises', async () => {
    const [alone = [], ...others] = await loadedByServe();
    expect(others).toEqual([]);
    expect(alone.filter((source) => needed.test(source))).toHaveLength(2);
    expect(
      alone.filter((source) => /\/(?:schemas|openapi)\/|\/serve\/(?:supervisor|worker)\.ts$/.test(source)),
    ).toEqual([]);
  });

  it('of what supervises loads nothing of the store, and of its workers no more than of what serves alone', async () => {
    const processes = await loadedByServe('--workers', '2');
    const [supervisors, workers] = [true, false].map((isOne) =>
      processes.filter((sources) => sources.some((source) => source.endsWith('serve/supervisor.ts')) === isOne),
    );
    expect([supervisors?.length, workers?.length]).toEqual([1, 3]);
    expect(supervisors?.flat().filter((source) => /\/core\/src\/stores\/|\/kysely\/|\/zod\//.test(source))).toEqual([]);
    for (const worker of workers ?? []) {
      expect(worker.filter((source) => needed.test(source))).toHaveLength(2);
      expect(worker.filter((source) => /\/(?:schemas|openapi)\//.test(source))).toEqual([]);
    }
  });

  it('of what needs more is told by the same means', async () => {
    const sources = await loadedBy(['openapi']);
    for (const one of ['/core/src/schemas/index.ts', '/openapi/document.ts']) {
      expect(sources.filter((source) => source.endsWith(one))).toHaveLength(1);
    }
    expect(working.filter((pattern) => sources.some((source) => pattern.test(source))).length).toBeGreaterThan(1);
  });
});
