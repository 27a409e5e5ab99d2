// npm run release: every step from a commit to the registry. `--dry-run` does everything except publish.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { faultsOf } from './check.mjs';
import { packAll, published, readPackage, root } from './packages.mjs';
import { sbomOf } from './sbom.mjs';
import { budget, managers, smoke, weigh } from './smoke.mjs';

const help = `npm run release -- [options]

Builds, tests, packs, checks and publishes the packages, with provenance. What it makes is left in release/out.

  --dry-run            everything but publishing; says in the end what a release would still need
  --skip-tests         builds only
  --managers <names>   package managers that install the tarballs: ${Object.keys(managers).join(',')} by default
  --tag <name>         tag in the registry, latest by default
  --help`;

const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
    managers: { type: 'string', default: Object.keys(managers).join(',') },
    tag: { type: 'string', default: 'latest' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(help);
  process.exit();
}
const chosen = options.managers.split(',');
const unknown = chosen.find((name) => !(name in managers));
if (unknown !== undefined) {
  console.error(`error: --managers: must be among ${Object.keys(managers).join(', ')}, not "${unknown}"`);
  process.exit(2);
}

const out = join(root, 'release/out');
const { version } = await readPackage('core');

const needs = await whatIsMissing();
if (needs.length > 0 && !options['dry-run']) {
  for (const need of needs) console.error(`error: ${need}`);
  process.exit(1);
}

await step('versions', checkVersions);
await step(options['skip-tests'] ? 'build' : 'build and tests', () =>
  npm(options['skip-tests'] ? ['run', 'build'] : ['test']),
);
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const tarballs = await step('pack', () => packAll(out));
await step('check of the packages', checkPackages);
const boms = await step('bills of materials', writeBoms);
await step('checksums', writeChecksums);
await step('weight of a production install', checkWeight);
for (const name of chosen) await step(`install and use with ${name}`, () => smoke(name, tarballs));

if (options['dry-run']) {
  for (const { file } of tarballs) console.log(`not done: npm ${publishing(file).join(' ')}`);
  for (const need of needs) console.log(`a release still needs: ${need}`);
} else {
  for (const { name, file } of tarballs) await step(`publish ${name}`, () => npm(publishing(file)));
}

/** Settings that only the person who releases can correct. */
async function whatIsMissing() {
  const missing = [];
  const { stdout } = await promisify(execFile)('git', ['status', '--porcelain'], { cwd: root });
  if (stdout !== '') missing.push(`a clean tree; git status says\n${stdout.trimEnd()}`);
  const changes = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  if (!changes.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))) {
    missing.push(`a section "## ${version}" in CHANGELOG.md`);
  }
  for (const folder of published) {
    const { name, repository } = await readPackage(folder);
    // Provenance records the commit of the public repository that a package was built from.
    if (!repository) missing.push(`"repository" in the package.json of ${name}, without which there is no provenance`);
  }
  return missing;
}

async function checkVersions() {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  for (const folder of [...published, 'dashboard', 'simulator']) {
    const { name, version: own, dependencies, devDependencies } = await readPackage(folder);
    if (own !== version) throw new Error(`${name} has the version ${own}, and @commerce/core ${version}`);
    const locked = lock.packages[`packages/${folder}`]?.version;
    if (locked !== version) throw new Error(`package-lock.json has ${name} ${locked}; run npm install`);
    for (const [other, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (other.startsWith('@commerce/') && range !== version)
        throw new Error(`${name} needs ${other} ${range}, not ${version}`);
    }
  }
}

async function checkPackages() {
  const faults = [];
  for (const tarball of tarballs) faults.push(...(await faultsOf(tarball)).map((fault) => `${tarball.name}: ${fault}`));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

async function writeBoms() {
  const files = [];
  for (const tarball of tarballs) {
    const file = tarball.file.replace(/\.tgz$/, '.cdx.json');
    await writeFile(file, `${JSON.stringify(await sbomOf(tarball, tarballs), undefined, 2)}\n`);
    files.push(file);
  }
  return files;
}

async function writeChecksums() {
  const lines = [];
  for (const file of [...tarballs.map((one) => one.file), ...boms]) {
    lines.push(
      `${createHash('sha256')
        .update(await readFile(file))
        .digest('hex')}  ${basename(file)}\n`,
    );
  }
  await writeFile(join(out, 'SHA256SUMS'), lines.join(''));
}

async function checkWeight() {
  const { scripts, packages, bytes, largest } = await weigh(tarballs);
  const mb = (size) => `${(size / 1e6).toFixed(1)} MB`;
  console.log(`  ${packages} packages of at most ${budget.packages}, ${mb(bytes)} of at most ${mb(budget.bytes)}`);
  console.log(`  largest: ${largest.map(([name, size]) => `${name} ${mb(size)}`).join(', ')}`);
  if (scripts.length > 0) throw new Error(`these packages run scripts when they are installed: ${scripts.join(', ')}`);
  if (packages > budget.packages || bytes > budget.bytes) throw new Error('a production install is too large');
}

/** The registry's client creates provenance in a public CI that can prove what it built; elsewhere it refuses. */
function publishing(file) {
  return ['publish', file, '--access', 'public', '--provenance', '--tag', options.tag];
}

async function npm(args) {
  const child = spawn('npm', args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}`);
}

async function step(name, work) {
  const start = performance.now();
  console.log(`${name} …`);
  try {
    const result = await work();
    console.log(`${name}: good after ${((performance.now() - start) / 1000).toFixed(0)} s`);
    return result;
  } catch (error) {
    console.error(`${name}: failed\n${error.message}`);
    process.exit(1);
  }
}
