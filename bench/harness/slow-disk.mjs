import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dataFile } from './seed.mjs';

const source = fileURLToPath(new URL('./slow-sync.c', import.meta.url));

/**
 * Variables that make the syncs of a process slower by this time. The library for it is compiled here, so it needs a C compiler, and Linux,
 * whose loader supports LD_PRELOAD.
 * @param {number} milliseconds
 */
export function slowDisk(milliseconds) {
  const library = dataFile('slow-sync.so');
  const { status, error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source]);
  if (process.platform !== 'linux' || status !== 0) {
    throw new Error(`a slow disk needs Linux and a C compiler named cc: ${error?.message ?? stderr}`);
  }
  const count = dataFile('syncs');
  rmSync(count, { force: true });
  return {
    env: { LD_PRELOAD: library, SYNC_DELAY_US: String(milliseconds * 1000), SYNC_COUNT_FILE: count },
    /** Syncs of the process that ended last. */
    syncs: () => Number(readFileSync(count, 'utf8')),
  };
}
