import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { run } from './processes.ts';

/** Whether this machine can mount a small disk in memory. */
export const canMount = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;

/**
 * Runs work with a small disk in memory.
 * @param folder mount point; created, and removed in the end
 * @param options of a tmpfs, such as `size=200k`
 * @param work receives a function that mounts it again with other options, such as `ro`
 */
export async function withDisk(
  folder: string,
  options: string,
  work: (remount: (options: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const mount = async (wanted: string) => {
    const { code, stderr } = await run('mount', ['-t', 'tmpfs', '-o', wanted, 'none', folder]);
    if (code !== 0) throw new Error(`no disk could be mounted: ${stderr}`);
  };
  mkdirSync(folder);
  await mount(options);
  try {
    await work((wanted) => mount(`remount,${wanted}`));
  } finally {
    await run('umount', [folder]);
    rmSync(folder, { recursive: true });
  }
}
