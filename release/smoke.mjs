// Installs tarballs in an empty folder outside the repository, as a user would, and uses them. It runs the readmes' programs, `require`,
// and the command line with a served shop. Nothing there can reach the repository.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Limits of `npm install --omit=dev commerce`. */
export const budget = { packages: 75, bytes: 90_000_000 };

/** Package managers: the command for npx or npm, and its install arguments. */
export const managers = {
  npm: { program: ['npm'], install: ['install', '--omit=dev', '--no-audit', '--no-fund'] },
  pnpm: { program: ['npx', '--yes', 'pnpm@10'], install: ['install', '--prod'] },
  yarn: { program: ['npx', '--yes', 'yarn@1'], install: ['install', '--production', '--non-interactive'] },
};

/** Longest installation, in milliseconds. */
const installTime = 5 * 60_000;

/**
 * Installs all packages with one manager and uses them. Throws on a failure.
 * @param {keyof typeof managers} name
 * @param {import('./packages.mjs').Tarball[]} tarballs
 */
export async function smoke(name, tarballs) {
  await inFolder(async (folder) => {
    await installIn(folder, name, tarballs);
    const readmes = tarballs.filter(({ folder: one }) => one !== 'cli');
    for (const tarball of readmes) await runReadme(folder, tarball);
    await requireAll(folder, readmes);
    await serveShop(
      folder,
      tarballs.find(({ name: one }) => one === 'commerce'),
    );
  });
}

/**
 * Counts what a production install of the command line adds; `scripts` are packages with install scripts.
 * @returns {Promise<{ scripts: string[], packages: number, bytes: number, largest: [string, number][] }>}
 */
export async function weigh(tarballs) {
  return inFolder(async (folder) => {
    await installIn(
      folder,
      'npm',
      tarballs.filter(({ name }) => name === 'commerce'),
    );
    const sizes = [];
    for (const path of await packagesIn(join(folder, 'node_modules')))
      sizes.push([path, await sizeOf(join(folder, 'node_modules', path))]);
    // Nested packages count as packages, but their bytes belong to the outer ones.
    const outer = sizes.filter(([path]) => !path.includes('node_modules/'));
    const bytes = outer.reduce((sum, [, size]) => sum + size, 0);
    const scripts = [];
    for (const [path] of sizes) {
      const about = JSON.parse(await readFile(join(folder, 'node_modules', path, 'package.json'), 'utf8'));
      if (['preinstall', 'install', 'postinstall'].some((name) => about.scripts?.[name])) scripts.push(path);
    }
    return { scripts, packages: sizes.length, bytes, largest: outer.sort(([, a], [, b]) => b - a).slice(0, 5) };
  });
}

async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-smoke-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function installIn(folder, manager, tarballs) {
  const places = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: places,
      // The packages depend on each other by a version that no registry has yet.
      overrides: Object.fromEntries(Object.keys(places).map((name) => [name, `$${name}`])),
      resolutions: places,
      pnpm: { overrides: places },
    }),
  );
  const { program, install } = managers[manager];
  await runIn(folder, [...program, ...install], installTime);
}

/** Runs the first program of a readme. If it does not end by itself, it is ended after its first output. */
async function runReadme(folder, { name, file }) {
  const readme = await readFile(join(folder, 'node_modules', name, 'README.md'), 'utf8');
  const [, program] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  if (program === undefined) throw new Error(`the readme of ${name} has no program`);
  const own = join(folder, createHash('sha256').update(file).digest('hex').slice(0, 8));
  await mkdir(own);
  // On a free port, because 3000 can be taken.
  await writeFile(join(own, 'program.mjs'), program.replace('port: 3000', 'port: 0'));
  const child = spawn(process.execPath, ['program.mjs'], { cwd: own, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await firstLine(child, `the program in the readme of ${name}`);
  if (line.startsWith('http://')) {
    const { status } = await fetch(line);
    child.kill('SIGKILL');
    if (status !== 200) throw new Error(`${line} of the readme of ${name} answered ${status}`);
    return;
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the program in the readme of ${name} ended with ${code}`);
}

/** Requires every entry that has code, from CommonJS. */
async function requireAll(folder, tarballs) {
  for (const { name } of tarballs) {
    const { exports } = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
    for (const [entry, { default: code }] of Object.entries(exports)) {
      if (code === undefined) continue;
      const program = `process.exitCode = Object.keys(require('${join(name, entry)}')).length > 0 ? 0 : 1`;
      await runIn(folder, [process.execPath, '-e', program]);
    }
  }
}

/** Serves a shop with the installed command line, without an order: creates and reads a product and an image. */
async function serveShop(folder, { version }) {
  const bin = join(folder, 'node_modules/.bin/commerce');
  const { stdout } = await runIn(folder, [bin, '--version']);
  if (stdout.trim() !== version) throw new Error(`commerce --version printed ${stdout.trim()}, not ${version}`);
  const child = spawn(bin, ['serve', '--db', 'shop.db', '--port', '0', '--json', '--log', 'off'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const { url, store } = JSON.parse(await firstLine(child, 'commerce serve'));
    const { stdout: made } = await runIn(folder, [
      ...[bin, 'keys', 'create', '--db', 'shop.db'],
      ...['--name', 'smoke', '--preset', 'full', '--json'],
    ]);
    const { key } = JSON.parse(made).item;
    const call = async (path, status, init = {}) => {
      const answer = await fetch(`${url}${path}`, init);
      if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return answer;
    };
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/dashboard']) await call(path, 200);
    const headers = { authorization: `Bearer ${key}` };
    const body = JSON.stringify({ title: 'Mug', slug: 'mug', price: '12.50', status: 'published' });
    const shop = `/stores/${store.id}`;
    await call(`${shop}/products`, 201, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    // The smallest image: a separate program decodes it, with sharp.
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const form = new FormData();
    form.set('files', new Blob([pixel], { type: 'image/png' }), 'pixel.png');
    await call(`${shop}/media`, 201, { method: 'POST', headers, body: form });
    child.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`commerce serve ended with ${code} on SIGTERM`);
  } finally {
    child.kill('SIGKILL');
  }
  await runIn(folder, [bin, 'doctor', '--db', 'shop.db']);
}

async function firstLine(child, what) {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`${what} ended without a line`);
}

async function runIn(cwd, [program, ...args], timeout = 60_000) {
  try {
    return await promisify(execFile)(program, args, { cwd, timeout, maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    throw new Error(`${[program, ...args].join(' ')}: ${error.message}\n${error.stdout}\n${error.stderr}`);
  }
}

/** Packages in a `node_modules`, also nested ones, by their paths below it. */
async function packagesIn(folder, prefix = '') {
  const found = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith('.')) continue;
    if (name.startsWith('@')) {
      found.push(...(await packagesIn(join(folder, name), `${prefix}${name}/`)));
      continue;
    }
    found.push(
      `${prefix}${name}`,
      ...(await packagesIn(join(folder, name, 'node_modules'), `${prefix}${name}/node_modules/`)),
    );
  }
  return found;
}

async function sizeOf(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath ?? entry.path, entry.name))).size;
  }
  return bytes;
}
