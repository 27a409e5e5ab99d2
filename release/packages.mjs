// The published packages in dependency order, and their tarballs.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders below packages/; the dashboard is not published, but is in two of them. */
export const published = ['core', 'server', 'cli'];

/**
 * @typedef {{
 *   name: string, version: string, folder: string, file: string, bytes: number, unpacked: number, paths: string[],
 *   manifest: { bin?: Record<string, string>, exports?: Record<string, Record<string, string>> },
 * }} Tarball
 */

/** @param {string} folder below packages/ */
export async function readPackage(folder) {
  return JSON.parse(await readFile(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

/**
 * Packs the build.
 * @param {string} target an empty folder
 * @returns {Promise<Tarball[]>}
 */
export async function packAll(target) {
  const tarballs = [];
  const stage = await mkdtemp(join(tmpdir(), 'commerce-pack-'));
  try {
    for (const folder of published) {
      const place = join(stage, folder);
      const manifest = await stagePackage(folder, place);
      const { stdout } = await promisify(execFile)(
        'npm',
        ['pack', '--json', '--ignore-scripts', '--pack-destination', target],
        { cwd: place, maxBuffer: 16 * 1024 * 1024 },
      );
      const [one] = JSON.parse(stdout);
      tarballs.push({
        name: one.name,
        version: one.version,
        folder,
        file: join(target, one.filename),
        bytes: one.size,
        unpacked: one.unpackedSize,
        paths: one.files.map(({ path }) => path),
        manifest,
      });
    }
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
  return tarballs;
}

/**
 * Copies what is packed of a package, without what only works in the workspace: the condition `source`, whose files are not packed, and the
 * names of source maps, which are not packed either.
 * @param {string} folder below packages/
 * @param {string} place
 * @returns the manifest as it is packed
 */
async function stagePackage(folder, place) {
  const from = join(root, 'packages', folder);
  const { files, ...about } = await readPackage(folder);
  const parts = [...files.filter((path) => !path.startsWith('!')), 'README.md', 'LICENSE'];
  for (const part of parts) {
    await cp(join(from, part), join(place, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
  }
  const manifest = { ...about, files, ...(about.exports ? { exports: withoutSources(about.exports) } : {}) };
  await writeFile(join(place, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const name of await readdir(place, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const file = join(place, name);
    const code = await readFile(file, 'utf8');
    const bare = code.replace(/\n\/\/# sourceMappingURL=\S+\n?$/, '\n');
    if (bare !== code) await writeFile(file, bare);
  }
  return manifest;
}

/** @param {Record<string, Record<string, string>>} entries */
function withoutSources(entries) {
  return Object.fromEntries(
    Object.entries(entries).map(([entry, { source: _, ...conditions }]) => [entry, conditions]),
  );
}
