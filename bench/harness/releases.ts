import { execFileSync } from 'node:child_process';
import { median } from './statistics.ts';

/** `v1.2.3`, without a suffix such as `-rc.1`. */
const release = /^v(\d+)\.(\d+)\.(\d+)$/;

/** A change of this share is marked: two equal runs differ by less on a quiet machine. */
const noticeable = 0.1;

/**
 * The tag of the newest release that does not contain this checkout: at the commit of a release, the one before. Undefined without such a
 * tag, also in a clone without tags and in a folder without git.
 * @param folder the root of the checkout
 */
export function lastRelease(folder: string): string | undefined {
  let printed: string;
  try {
    const args = ['tag', '--list', 'v*', '--no-contains', 'HEAD'];
    printed = execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
  return printed
    .split('\n')
    .filter((tag) => release.test(tag))
    .sort((a, b) => compare(numbersOf(a), numbersOf(b)))
    .at(-1);
}

const numbersOf = (tag: string) => (release.exec(tag) ?? []).slice(1).map(Number);

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** What each work of a version costs in each round, by its name: processor time of one answer, as a multiple of a bare answer of the same run. */
export type Costs = ReadonlyMap<string, readonly number[]>;

/**
 * Head and rows of the table that compares an earlier version with this one. The change is the median of the rounds' own changes. It is
 * marked if it is noticeable, and if all rounds, of at least two, agree about its direction.
 */
export function comparison(ref: string, before: Costs, now: Costs): { head: string[]; rows: string[][] } {
  const rows = [...now].map(([name, costs]) => {
    const then = before.get(name) ?? [];
    const own = median([...costs]).toFixed(2);
    if (then.length === 0) return [name, '', own, 'new'];
    const changes = costs.slice(0, then.length).map((cost, round) => cost / (then[round] ?? Number.NaN) - 1);
    const change = median(changes);
    const isSure = changes.length > 1 && changes.every((one) => one > 0 === change > 0);
    const mark = !isSure || Math.abs(change) < noticeable ? '' : change > 0 ? ', slower' : ', faster';
    const sign = change > 0 ? '+' : '';
    return [name, median([...then]).toFixed(2), own, `${sign}${(change * 100).toFixed(0)} %${mark}`];
  });
  const gone = [...before].filter(([name]) => !now.has(name));
  return {
    head: ['work', `${ref}, bare answers`, 'now, bare answers', 'change'],
    rows: [...rows, ...gone.map(([name, costs]) => [name, median([...costs]).toFixed(2), '', 'gone'])],
  };
}
