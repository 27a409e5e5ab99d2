import { readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeLeft } from './database-files.ts';

/** File names of backups in a folder. */
const dated = /^commerce-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(?:db|tar)$/;

const unfinished = /^commerce-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(?:db|tar)(?:\.tar)?\.partial-(\d.*)$/;

/** Removes leftovers of killed runs from a folder; each has its own time in its name. */
export function removeUnfinished(folder: string): void {
  removeLeft(folder, (name) => unfinished.exec(name)?.[1]);
}

/** Name for a backup that starts now. */
export function datedName(time: Date, ending: 'db' | 'tar'): string {
  return `commerce-${time.toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.${ending}`;
}

/** The backups in a folder, sorted by the time in their names; ignores other files. */
export function datedFiles(folder: string): (Stats & { name: string })[] {
  return readdirSync(folder)
    .filter((name) => dated.test(name))
    .sort()
    .flatMap((name) => {
      // It was removed while this ran.
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [Object.assign(stats, { name })] : [];
    });
}

/**
 * Removes the oldest backups in a folder, by the time in their names.
 * @param newest is kept whatever its name says: if the clock was set back, earlier backups have later names
 * @returns the names of the removed backups
 */
export function removeOld(folder: string, keep: number, newest: string): string[] {
  const others = datedFiles(folder).map(({ name }) => name);
  const old = others.filter((name) => name !== newest).slice(0, keep === 1 ? undefined : -(keep - 1));
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old;
}
