import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Files that need a process of their own, for they change what all of a process share or measure it. */
const own = ['test/**/*.test.ts'];

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    // Workspaces run from their sources; only the tests of the command line and the example need the build.
    ssr: { resolve: { conditions: ['source', 'node'] } },
    test: { name, setupFiles: ['test/support/harness/setup.ts'], testTimeout: 60_000, hookTimeout: 60_000, ...test },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/harness/memory.ts', 'test/support/harness/postgres.ts'],
    reporters: ['default', './test/support/harness/slowest.ts'],
    maxWorkers: Number(process.env.W ?? 2),
    projects: [
      project('own', { include: own }),
      project('shared', {
        include: ['packages/*/src/**/*.test.ts'],
        exclude: own,
        isolate: false,
        execArgv: process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [],
      }),
    ],
  },
});
