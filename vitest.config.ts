import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Workspaces run from their sources; only the tests of the command line and the example need the build.
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/harness/postgres.ts'],
    reporters: ['default', './test/support/harness/slowest.ts'],
    setupFiles: ['test/support/harness/setup.ts'],
    // Each file may start processes of its own; the suite is sized for two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
