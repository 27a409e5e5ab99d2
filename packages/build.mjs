// Builds the packages, where something has changed since they were built: node packages/build.mjs
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = ['core', 'server', 'dashboard', 'cli'].map((name) => join(root, 'packages', name));
/** The others contain its code; it has no build of its own. */
const packages = [join(root, 'packages/simulator'), ...built];
const stamp = join(root, 'node_modules/.cache/build.txt');

/** Every file below a folder whose path is wanted. @param {string} folder @param {(path: string) => boolean} isWanted */
function filesOf(folder, isWanted) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isWanted)
    .sort();
}

/** A sum of everything that a build is made of. */
function sumOfSources() {
  const hash = createHash('sha256').update(process.version);
  const shared = ['package-lock.json', 'tsconfig.json', 'release/licences.ts'].map((name) => join(root, name));
  const own = packages.flatMap((folder) => [
    ...filesOf(join(folder, 'src'), (path) => !path.endsWith('.test.ts')),
    ...readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name)),
  ]);
  for (const path of [...shared, ...own]) hash.update(`${relative(root, path)}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

/** What was built, each file with its size and time, which change when somebody else writes it. */
function builtFiles() {
  return built.flatMap((folder) =>
    filesOf(join(folder, 'dist'), () => true).map((path) => {
      const { size, mtimeMs } = statSync(path);
      return `${relative(root, path)} ${size} ${mtimeMs}`;
    }),
  );
}

function isBuilt(sources) {
  try {
    return readFileSync(stamp, 'utf8') === [sources, ...builtFiles()].join('\n');
  } catch {
    return false;
  }
}

const sources = sumOfSources();
if (isBuilt(sources)) {
  console.log('build: nothing has changed');
} else {
  const { status } = spawnSync('npm', ['run', '--silent', 'build:packages'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
  if (process.exitCode === 0) {
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, [sources, ...builtFiles()].join('\n'));
  }
}
