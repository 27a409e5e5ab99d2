// An earlier version of the program, built from the history of the repository: what a release before this one left in databases,
// and how the two get along, is tried with it. `node release/previous.mjs [REF]` prints where its command line lies.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from './packages.mjs';

const run = promisify(execFile);
const git = async (...args) => (await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Builds lie below the installed packages, where they find these. */
const cache = join(root, 'node_modules/.cache/previous');

/**
 * The releases that are upgraded from in tests: the newest tag `v*` before the commit in hand, else what package.json names
 * `previousReleases`.
 */
export async function previousReleases() {
  try {
    return [await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^')];
  } catch {
    return JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).previousReleases;
  }
}

/** @param {string} ref @returns {Promise<string | undefined>} its commit; undefined where the history is not there, as in a shallow clone */
export async function commitOf(ref) {
  try {
    return await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  } catch {
    return undefined;
  }
}

/**
 * Builds the command line of a commit, with the packages that are installed for this one; a build is kept for the next time.
 * @param {string} commit @returns {Promise<string>} its program, for `node`
 */
export function buildOf(commit) {
  return keptBuild(commit, async (folder) => {
    await git('archive', '--format=tar', '-o', join(folder, 'tree.tar'), commit);
    await run('tar', ['-xf', 'tree.tar'], { cwd: folder });
    await rm(join(folder, 'tree.tar'));
  });
}

/**
 * Builds the command line of the sources that `lay` puts into a folder.
 * @param {string} name names the build, which is kept for the next time
 * @param {(folder: string) => Promise<void>} lay
 * @returns {Promise<string>} its program, for `node`
 */
export async function keptBuild(name, lay) {
  const folder = join(cache, name);
  if (existsSync(folder)) return programOf(folder);
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    await lay(making);
    await linkPackages(making);
    const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');
    const build = (name, program) => run(process.execPath, [program], { cwd: join(making, 'packages', name) });
    if (existsSync(join(making, 'packages/dashboard'))) await build('dashboard', 'build.mjs');
    // Older ones load the other packages as they are published.
    const isWhole = (await readFile(join(making, 'packages/cli/tsup.config.ts'), 'utf8')).includes('noExternal');
    for (const name of isWhole ? ['cli'] : ['core', 'server', 'cli']) await build(name, tsup);
    await rename(making, folder);
  } catch (error) {
    throw new Error(`${name} cannot be built: ${error.stderr || error.stdout || error.message}`);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return programOf(folder);
}

/** The command line of a build, as its own package.json names it. */
async function programOf(folder) {
  const cli = join(folder, 'packages/cli');
  return join(cli, JSON.parse(await readFile(join(cli, 'package.json'), 'utf8')).bin.commerce);
}

/** Has its packages find each other, and not those of this commit. */
async function linkPackages(folder) {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@commerce'), { recursive: true });
  for (const name of ['core', 'server', 'dashboard']) {
    await symlink(`../../packages/${name}`, join(modules, '@commerce', name));
  }
  const own = join(root, 'packages/cli/node_modules');
  if (existsSync(own)) await symlink(own, join(folder, 'packages/cli/node_modules'));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const ref = process.argv[2] ?? (await previousReleases())[0];
  const commit = ref && (await commitOf(ref));
  if (!commit) throw new Error(`there is no commit ${ref} in this clone; fetch the whole history`);
  console.log(await buildOf(commit));
}
