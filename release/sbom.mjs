// The dependencies of a package, in the CycloneDX format: its dependencies as npm resolves them today, and the packages whose code it
// contains.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './packages.mjs';

/**
 * @param {import('./packages.mjs').Tarball} tarball
 * @param {import('./packages.mjs').Tarball[]} all the tarballs that it can depend on
 */
export async function sbomOf(tarball, all) {
  const resolved = await resolve(tarball, all);
  const own = resolved.components.find(({ name }) => name === tarball.name);
  if (own === undefined) throw new Error(`npm sbom says nothing of ${tarball.name}`);
  const contained = await containedIn(tarball);
  const components = [...resolved.components.filter((one) => one !== own), ...contained].map(
    ({ externalReferences, ...one }) => ({
      ...one,
      // The registry that this machine used is private.
      externalReferences: (externalReferences ?? []).filter(({ type }) => type !== 'distribution'),
    }),
  );
  const folder = resolved.metadata.component['bom-ref'];
  return {
    ...resolved,
    metadata: { ...resolved.metadata, component: { ...own, externalReferences: [] } },
    components,
    dependencies: resolved.dependencies
      .filter(({ ref }) => ref !== folder)
      .map((one) =>
        one.ref === own['bom-ref']
          ? { ...one, dependsOn: [...new Set([...(one.dependsOn ?? []), ...contained.map((part) => part['bom-ref'])])] }
          : one,
      ),
  };
}

async function resolve(tarball, all) {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-sbom-'));
  const npm = async (...args) => (await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 2 ** 26 })).stdout;
  try {
    const others = all.filter((one) => one !== tarball);
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({
        name: 'install',
        version: '0.0.0',
        private: true,
        dependencies: { [tarball.name]: `file:${tarball.file}` },
        // The packages depend on each other by a version that no registry has yet.
        overrides: Object.fromEntries(others.map(({ name, file }) => [name, `file:${file}`])),
      }),
    );
    await npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
    return JSON.parse(await npm('sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Packages whose code is in the build, by the headings of its licences; Redoc's are a file of their own. */
export async function containedIn({ folder, paths }) {
  const text = await readFile(join(root, 'packages', folder, 'dist/licences.txt'), 'utf8').catch(() => '');
  const parts = [...text.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \((.+)\)$/gm)].map(([, ...part]) => part);
  if (paths.includes('dist/redoc.js')) {
    const { name, version, license } = JSON.parse(
      await readFile(join(root, 'node_modules/redoc/package.json'), 'utf8'),
    );
    parts.push([name, version, license]);
  }
  return parts.map(([name, version, licence]) => ({
    'bom-ref': `contained/${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [licence.includes(' OR ') ? { expression: licence } : { license: { id: licence } }],
  }));
}
