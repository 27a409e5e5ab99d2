import type { Reporter, TestModule } from 'vitest/node';

/** Minimum of passed tests for a quick run; a few hundred fewer than exist. */
const minPassed = 2500;

/** Reports the tests that a quick run left out, and fails a run of almost none. */
export default class QuickRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const passed = modules.flatMap((module) => [...module.children.allTests('passed')]).length;
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]).length;
    console.log(
      `\n${passed} tests on SQLite; left to \`npm test\`: PostgreSQL (${skipped} tests of these files), test/, slow files.`,
    );
    if (passed >= minPassed) return;
    console.error(`That is too few: at least ${minPassed} have to pass.`);
    process.exitCode = 1;
  }
}
