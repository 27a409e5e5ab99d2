import type { Reporter, TestModule } from 'vitest/node';

/** Passed tests without which a quick run would say too little; some hundreds fewer than there are. */
const minPassed = 2500;

/** Says what a quick run has left out, and fails one that ran next to nothing. */
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
