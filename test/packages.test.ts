import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '@commerce/test-support/harness/processes';
import { describe, expect, it } from 'vitest';
import { inDashboard, licencesFile, packagesOf, sourcesOf } from '../release/licences.ts';

const published = ['core', 'server', 'cli'];
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

interface Package {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  exports?: Record<string, Record<string, string>>;
}
const packageOf = (folder: string): Package => JSON.parse(read('packages', folder, 'package.json'));
const packages = [...published, 'dashboard', 'simulator'].map(packageOf);

describe('The packages', () => {
  it('have one version, by which they name each other', () => {
    const versions = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
    expect(new Set(Object.values(versions)).size).toBe(1);
    for (const { dependencies, devDependencies } of packages) {
      const named = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name in versions);
      expect(named).toEqual(named.map(([name]) => [name, versions[name]]));
    }
  });

  it('run no script when they are installed, and neither does a package that they need', () => {
    const { packages: locked } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean; gypfile?: boolean }>;
    };
    const needed = Object.entries(locked).filter(([path, { dev }]) => path.includes('node_modules/') && !dev);
    expect(needed.length).toBeGreaterThan(40);
    expect(needed.flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? path : []))).toEqual([]);
    // Its package.json says so, but `npm ci` reads only the lock file: it would run node-gyp, which needs Python and make.
    const advice = '`npm install` has dropped "gypfile": false from better-sqlite3 in package-lock.json; put it back';
    expect(locked['node_modules/better-sqlite3']?.gypfile, advice).toBe(false);
  });

  it.each(published)('have the licence of the project: %s', (folder) => {
    expect(read('packages', folder, 'LICENSE')).toBe(read('LICENSE'));
  });

  it.each(published)('can be required as well as imported: %s', (folder) => {
    const entries = Object.entries(packageOf(folder).exports ?? {});
    for (const [name, conditions] of entries) {
      expect(name === './api' || 'default' in conditions, `${name} of ${folder}`).toBe(true);
      // A condition that only one of the two kinds of program has would exclude the other.
      expect(Object.keys(conditions)).not.toContain('import');
    }
  });

  it('pass the check that a release makes of their tarballs', async () => {
    const { code, stdout } = await run(process.execPath, [join(root, 'release/check.mjs')]);
    expect(stdout.replace(/: \d+ files.*/g, '')).toBe(
      packages
        .slice(0, 3)
        .map((one) => `${one.name}@${one.version}\n`)
        .join(''),
    );
    expect(code).toBe(0);
  }, 120_000);

  it('name no file that is not in them: neither sources, which only the workspace has, nor maps of sources', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-packed-'));
    try {
      const script = `
        import { packAll } from ${JSON.stringify(join(root, 'release/packages.mjs'))};
        console.log(JSON.stringify((await packAll(${JSON.stringify(folder)})).map(({ file }) => file)));`;
      const packed = await run(process.execPath, ['--input-type=module', '-e', script]);
      for (const file of JSON.parse(packed.stdout) as string[]) {
        const target = mkdtempSync(join(folder, 'unpacked-'));
        await run('tar', ['-xzf', file, '-C', target]);
        const about: Package = JSON.parse(readFileSync(join(target, 'package/package.json'), 'utf8'));
        for (const place of Object.values(about.exports ?? {}).flatMap((entry) => Object.values(entry)))
          expect(existsSync(join(target, 'package', place)), `${place} of ${about.name}`).toBe(true);
        const code = readdirSync(join(target, 'package'), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.js'))
          .map((name) => readFileSync(join(target, 'package', name), 'utf8'));
        expect(code.length).toBeGreaterThan(3);
        expect(code.filter((text) => /^\/\/# sourceMappingURL=/m.test(text))).toEqual([]);
      }
      // The workspace still runs its own sources.
      for (const { source } of Object.values(packageOf('core').exports ?? {})) expect(source).toMatch(/^\.\/src\//);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);

  it('are refused with the reason when something is missing or too much', async () => {
    const script = `
      import { fileFaults } from ${JSON.stringify(join(root, 'release/check.mjs'))};
      const paths = ['package.json', 'dist/index.js', 'dist/index.js.map', 'src/index.ts'];
      const about = { exports: { '.': { source: './src/main.ts', types: './dist/index.d.ts', default: './dist/index.js' } } };
      console.log(JSON.stringify(fileFaults({ paths, unpacked: 9_000_000 }, about)));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual([
      'README.md is missing',
      'LICENSE is missing',
      'src/main.ts is named in package.json and missing',
      'dist/index.d.ts is named in package.json and missing',
      'dist/index.js.map does not belong into it',
      'src/index.ts does not belong into it',
      'it has 9000000 bytes unpacked, more than 8200000',
    ]);
  });

  it('have the licence of every package whose code is in the program', async () => {
    const dist = join(root, 'packages/cli/dist');
    const inProgram = packagesOf(await sourcesOf(dist));
    // Among them those inside of a package that is a build itself.
    expect(inProgram).toEqual(expect.arrayContaining(['kysely', '@modelcontextprotocol/server', 'ajv']));
    const licences = readFileSync(join(dist, licencesFile), 'utf8');
    const named = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)$/gm)].map(([, name]) => name);
    expect(named).toEqual([...new Set([...inProgram, ...inDashboard])].sort());
    expect(existsSync(join(root, 'packages/server/dist', licencesFile))).toBe(true);
  });

  it('have the licences of what the dashboard is made of', () => {
    const { devDependencies } = packageOf('dashboard');
    // esbuild builds the scripts, and the server's types are only types.
    const others = Object.keys(devDependencies ?? {}).filter((name) => !['esbuild', '@commerce/server'].includes(name));
    expect(inDashboard).toEqual(expect.arrayContaining(others));
  });

  it.each([
    ['core', ['smtp-server']],
    ['server', ['openapi-fetch', 'preact', 'redoc']],
    ['cli', ['kysely', 'preact', 'redoc', 'zod']],
  ])('name what their code contains in their bill of materials: %s', async (folder, names) => {
    const script = `
      import { containedIn } from ${JSON.stringify(join(root, 'release/sbom.mjs'))};
      const paths = ${JSON.stringify(readdirSync(join(root, 'packages', folder, 'dist')).map((name) => `dist/${name}`))};
      console.log(JSON.stringify(await containedIn({ folder: '${folder}', paths })));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    const parts = JSON.parse(stdout) as { name: string; purl: string; licenses: object[] }[];
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    for (const { name, purl, licenses } of parts) {
      expect(purl).toMatch(/^pkg:npm\/(%40[a-z-]+\/)?[a-z0-9.-]+@\d+\.\d+\.\d+$/);
      // A choice between licences is an expression.
      const licence =
        name === 'dompurify'
          ? { expression: '(MPL-2.0 OR Apache-2.0)' }
          : { license: { id: expect.stringMatching(/^[A-Za-z0-9.-]+$/) } };
      expect(licenses, name).toEqual([licence]);
    }
  });

  it('are released by a script that refuses what it does not know before it does anything', async () => {
    const wrong = await run(process.execPath, [
      join(root, 'release/release.mjs'),
      '--dry-run',
      '--managers',
      'npm,bower',
    ]);
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --managers: must be among npm, pnpm, yarn, not "bower"\n',
    });
    const { code, stdout } = await run(process.execPath, [join(root, 'release/release.mjs'), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--dry-run ');
  });
});
