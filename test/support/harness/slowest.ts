import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Prints the slowest test files, so that a slower one is noticed. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const times = modules
      .map((module) => {
        const { duration, collectDuration, setupDuration } = module.diagnostic();
        return { file: module.relativeModuleId, seconds: (duration + collectDuration + setupDuration) / 1000 };
      })
      .sort((a, b) => b.seconds - a.seconds);
    const all = times.reduce((sum, { seconds }) => sum + seconds, 0);
    console.log(`\nThe slowest of ${times.length} files, of ${all.toFixed(0)} s of work:`);
    for (const { file, seconds } of times.slice(0, shown)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
}
