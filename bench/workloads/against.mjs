import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { comparison } from '../harness/releases.ts';

/** Rows of the first table that are compared: processor time of one answer. They take five minutes with three rounds. */
const all = ['get', 'again', 'list', 'gzip', 'fresh', 'notification', 'create'];

/**
 * Measures a checkout and an earlier version in turns, on the same machine in the same run, and returns a table of the processor time of one
 * answer of each. Marks what has become slower or faster.
 * @param {string} ref tag, branch or commit of the earlier version
 * @param {object} options
 * @param {number} options.rounds
 * @param {number} options.seconds of one measurement
 * @param {string} options.here the root of the checkout
 * @param {string[]} [options.works] names of rows of the first table
 * @param {number} [options.until] the time by `performance.now()` at which the run ends; a further round begins only if it fits before
 * @param {boolean} [options.isSmall] with a tenth of the products
 */
export function measureAgainst(ref, { rounds, seconds, here, works = all, until = Infinity, isSmall = false }) {
  const run = (/** @type {string} */ command, /** @type {string[]} */ args, /** @type {string} */ cwd) =>
    execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 100_000_000,
      // The benchmark stops its servers at this signal.
      ...(until === Infinity
        ? {}
        : { timeout: Math.max(1, Math.ceil(until - performance.now())), killSignal: 'SIGINT' }),
    }).trim();
  /** Works of a version with the processor time of one answer, in that of a bare answer to a GET of the same run. */
  const measure = (/** @type {string} */ folder, some = works, time = seconds) => {
    const args = ['--only', some.join(), '--rounds', '1', '--seconds', String(time), '--json'];
    const output = run(process.execPath, ['bench/run.mjs', ...args, ...(isSmall ? ['--small'] : [])], folder);
    /** @type {{ name: string, cost: number, limitCost?: number }[]} */
    const measured = JSON.parse(output.split('\n').at(-1) ?? '[]');
    const bare = measured.find(({ name }) => name === 'get')?.limitCost ?? Number.NaN;
    return measured.map(({ name, cost }) => ({ name, inBare: cost / bare }));
  };

  const sides = [
    { title: ref, folder: checkOut(ref, here, run), costs: /** @type {Map<string, number[]>} */ (new Map()) },
    { title: 'this checkout', folder: here, costs: /** @type {Map<string, number[]>} */ (new Map()) },
  ];
  // Creates the files that the rounds read. That would make the first round longer than the others, and its figures worse.
  for (const { folder } of sides) measure(folder, ['get'], 1);
  let taken = 0;
  for (let round = 1; round <= rounds; round++) {
    const start = performance.now();
    if (round > 1 && start + taken > until) {
      console.log(`round ${round} would take too long and is left out`);
      break;
    }
    for (const { title, folder, costs } of sides) {
      console.log(`${title}, round ${round} of ${rounds}`);
      for (const { name, inBare } of measure(folder)) costs.set(name, [...(costs.get(name) ?? []), inBare]);
    }
    taken = performance.now() - start;
  }
  const [before, now] = sides.map(({ costs }) => costs);
  return comparison(ref, before, now);
}

/**
 * The earlier version, installed and built. It is kept for the next comparison.
 * @param {string} ref
 * @param {string} here
 * @param {(command: string, args: string[], cwd: string) => string} run
 */
function checkOut(ref, here, run) {
  const commit = run('git', ['rev-parse', '--verify', `${ref}^{commit}`], here);
  const parent = join(here, 'bench/.data/against');
  const folder = join(parent, commit);
  const isDone = `${folder}.installed`;
  if (existsSync(isDone)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(parent, { recursive: true });
  run('git', ['clone', '--quiet', '--shared', '--no-checkout', here, folder], here);
  run('git', ['checkout', '--quiet', '--detach', commit], folder);
  run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  mkdirSync(isDone);
  return folder;
}
