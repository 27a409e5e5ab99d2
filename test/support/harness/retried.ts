import type { Reporter, TestModule } from 'vitest/node';

/** Names the tests that passed only when they were tried again, and why they failed before, so that this is not hidden. */
export default class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests('passed')])) {
      if (!test.diagnostic()?.flaky) continue;
      const [reason = ''] = (test.result().errors?.[0]?.message ?? '').split('\n');
      console.log(`passed at the second try: ${test.module.relativeModuleId} > ${test.fullName} (${reason})`);
    }
  }
}
