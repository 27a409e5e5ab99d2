import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dataFile } from '../harness/seed.mjs';
import { median } from '../harness/statistics.mjs';

const here = fileURLToPath(new URL('../../', import.meta.url));

/** Rows of the first table that are compared: processor time of one answer. They take five minutes with three rounds. */
const compared = 'get,again,list,gzip,fresh,notification,create';

/** A change of this share is marked: two equal runs differ by less on a quiet machine. */
const noticeable = 0.1;

/**
 * Measures this checkout and an earlier version in turns, on the same machine in the same run, and prints the processor time of one answer of
 * each. Marks what has become slower or faster; never fails because of a time.
 * @param {string} ref tag, branch or commit of the earlier version
 * @param {{ rounds: number, seconds: number }} length
 */
export function measureAgainst(ref, { rounds, seconds }) {
  const before = checkOut(ref);
  const sides = [
    { title: ref, folder: before, costs: /** @type {Map<string, number[]>} */ (new Map()) },
    { title: 'this checkout', folder: here, costs: /** @type {Map<string, number[]>} */ (new Map()) },
  ];
  for (let round = 1; round <= rounds; round++) {
    for (const { title, folder, costs } of sides) {
      console.log(`${title}, round ${round} of ${rounds}`);
      for (const { name, inBare } of runIn(folder, seconds)) costs.set(name, [...(costs.get(name) ?? []), inBare]);
    }
  }
  const [old, own] = sides.map(({ costs }) => new Map([...costs].map(([name, all]) => [name, median(all)])));
  const head = ['work', `${ref}, bare answers`, 'now, bare answers', 'change'];
  const rows = [...(own ?? [])].map(([name, now]) => {
    const then = old?.get(name);
    if (then === undefined) return [name, '', now.toFixed(2), 'new'];
    const change = now / then - 1;
    const mark = Math.abs(change) < noticeable ? '' : change > 0 ? ', slower' : ', faster';
    return [name, then.toFixed(2), now.toFixed(2), `${change > 0 ? '+' : ''}${(change * 100).toFixed(0)} %${mark}`];
  });
  return { head, rows };
}

/** Works of a version with the processor time of one answer, in that of a bare answer to a GET of the same run. */
function runIn(folder, seconds) {
  const args = ['bench/run.mjs', '--only', compared, '--rounds', '1', '--seconds', String(seconds), '--json'];
  const output = execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {{ name: string, cost: number, limitCost?: number }[]} */
  const works = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '[]');
  const bare = works.find(({ name }) => name === 'get')?.limitCost ?? Number.NaN;
  return works.map(({ name, cost }) => ({ name, inBare: cost / bare }));
}

/** The earlier version, installed and built. It is kept for the next comparison. */
function checkOut(ref) {
  const run = (/** @type {string} */ command, /** @type {string[]} */ args, cwd = here) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const commit = run('git', ['rev-parse', '--verify', `${ref}^{commit}`]);
  const folder = dataFile(`against/${commit}/`);
  const isDone = dataFile(`against/${commit}.installed`);
  if (existsSync(isDone)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dataFile('against'), { recursive: true });
  run('git', ['clone', '--quiet', '--shared', '--no-checkout', here, folder]);
  run('git', ['checkout', '--quiet', '--detach', commit], folder);
  run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  mkdirSync(isDone);
  return folder;
}
