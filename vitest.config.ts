import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Only what is fast, without PostgreSQL: `npm run test:quick`. */
const isQuick = process.env.TEST_QUICK !== undefined;

/** Files that a quick run leaves out: each starts processes, waits for something, or needs PostgreSQL. */
const slow = [
  'test/**',
  'packages/core/src/copies/**',
  'packages/core/src/deliveries/{deliveries,fairness,hostile}.test.ts',
  'packages/core/src/media/{decoders,files,images,serve}.test.ts',
  'packages/core/src/sales/{notifications/paypal-verification,settle/permutations}.test.ts',
  'packages/core/src/storage/**',
  'packages/core/src/stores/rate-limits.test.ts',
  'packages/core/src/upkeep.test.ts',
  'packages/server/src/edge/{hostile,overload}.test.ts',
  'packages/server/src/routes/{imports,multipart}.test.ts',
  'packages/server/src/service/readiness.test.ts',
];

/** Replaces a module, which all files of its process would have. */
const own = ['test/checkouts.faults.test.ts', 'test/refunds.faults.test.ts'];

/** Look for faults that show only sometimes, so a second try would hide them. */
const chance = [
  'test/**/*.{kill,races,model}.test.ts',
  'test/{crash,races}.test.ts',
  'packages/core/src/**/races.test.ts',
];

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    // Workspaces run from their sources; only the tests of the command line and the example need the build.
    ssr: { resolve: { conditions: ['source', 'node'] } },
    test: {
      name,
      setupFiles: ['test/support/harness/setup.ts'],
      // Its package has a condition `source` of its own, which is TypeScript.
      server: { deps: { inline: [/node_modules\/eventsource\//, /node_modules\/@modelcontextprotocol\/client\//] } },
      // Allows for busy machines: a command that takes 20 s on a quiet one has taken a minute.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 15_000 } },
      // On a busy machine, proxies, processes and browsers can be too slow. The run names each test that needed a second try. Properties get
      // none, because it would have other inputs.
      retry: isQuick ? 0 : { count: 1, condition: /^(?!Property failed)/ },
      ...test,
    },
  };
}

const shared = project('shared', {
  include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
  exclude: isQuick ? slow : [...own, ...chance],
  // Modules are loaded once for all files of a process, which would be a third of the time of most of them.
  isolate: false,
});

export default defineConfig({
  test: {
    globalSetup: ['test/support/harness/memory.ts', ...(isQuick ? [] : ['test/support/harness/postgres.ts'])],
    reporters: ['default', `./test/support/harness/${isQuick ? 'quick' : 'retried'}.ts`],
    // The slower ones are printed with their times.
    slowTestThreshold: 10_000,
    // The suite is sized for two cores, and a file that starts processes or asks PostgreSQL leaves its own idle for a while.
    maxWorkers: 4,
    projects: isQuick
      ? [shared]
      : [project('own', { include: own }), shared, project('chance', { include: chance, isolate: false, retry: 0 })],
  },
});
