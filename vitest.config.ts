import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import LongestFirst from './test/support/harness/order.ts';

/** Only what is fast, without PostgreSQL: `npm run test:quick`. */
const isQuick = process.env.TEST_QUICK !== undefined;

/** Files with a process of their own: they start others, measure theirs, or change what all of it shares. */
const everyTest = 'test/**/*.test.ts';
const own = [
  everyTest,
  'packages/core/src/media/decoders.test.ts',
  'packages/core/src/payments/paypal-verification.test.ts',
  'packages/core/src/upkeep.test.ts',
  'packages/server/src/edge/hostile.test.ts',
];

/** Files of those that only start other processes and ask them: they need none of their own. */
const asking = [
  'test/{backup,customers,first-run,openapi,orders,payments-calls,payments-checkout,payments,selling}.cli.test.ts',
  'test/{secrets-rotation,serve-options,shop,stores,transfer,webhooks}.cli.test.ts',
  'test/{checkouts,counts,webhooks,workers}.kill.test.ts',
  'test/{cli,crash,denied}.test.ts',
];

/** Files that a quick run leaves out: each waits for something, or needs PostgreSQL. */
const slow = [
  'packages/core/src/copies/**',
  'packages/core/src/deliveries/{deliveries,fairness,hostile}.test.ts',
  'packages/core/src/media/{files,images,serve}.test.ts',
  'packages/core/src/payments/permutations.test.ts',
  'packages/core/src/storage/**',
  'packages/core/src/stores/rate-limits.test.ts',
  'packages/server/src/edge/overload.test.ts',
  'packages/server/src/routes/{imports,multipart}.test.ts',
  'packages/server/src/service/readiness.test.ts',
];

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    // Workspaces run from their sources; only the tests of the command line and the example need the build.
    ssr: { resolve: { conditions: ['source', 'node'] } },
    test: {
      name,
      setupFiles: ['test/support/harness/setup.ts'],
      // What a busy machine does late is no fault: commands that take 20 s on a quiet one have taken a minute.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 15_000 } },
      ...test,
    },
  };
}

const sharing = {
  include: ['packages/*/src/**/*.test.ts'],
  // Modules are loaded once for all files of a process, which would be a third of the time of most of them.
  isolate: false,
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/harness/memory.ts', ...(isQuick ? [] : ['test/support/harness/postgres.ts'])],
    reporters: [
      'default',
      './test/support/harness/slowest.ts',
      ...(isQuick ? ['./test/support/harness/quick.ts'] : []),
    ],
    sequence: { sequencer: LongestFirst },
    // The suite is sized for two cores, and a file that starts processes or asks PostgreSQL leaves its own idle for a while.
    maxWorkers: 3,
    projects: isQuick
      ? [project('shared', { ...sharing, exclude: [...own, ...slow] })]
      : [
          project('own', { include: own, exclude: asking }),
          project('shared', {
            ...sharing,
            include: [...sharing.include, ...asking],
            exclude: own.filter((one) => one !== everyTest),
          }),
        ],
  },
});
