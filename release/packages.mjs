// The published packages in dependency order, and their tarballs.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders below packages/; the dashboard is not published, but is in two of them. */
export const published = ['core', 'server', 'cli'];

/** @typedef {{ name: string, version: string, folder: string, file: string, bytes: number, unpacked: number, paths: string[] }} Tarball */

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
  for (const folder of published) {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', target],
      {
        cwd: join(root, 'packages', folder),
        maxBuffer: 16 * 1024 * 1024,
      },
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
    });
  }
  return tarballs;
}
