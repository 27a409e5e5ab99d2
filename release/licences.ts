import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Packages that the dashboard's scripts contain. */
export const inDashboard = [
  '@sindresorhus/transliterate',
  'dompurify',
  'marked',
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'openapi-fetch',
  '@simplewebauthn/browser',
];

/** Packages that exist only inside of others, by the package that has their licence. */
const inside: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/core-internal': '@modelcontextprotocol/server',
};

/**
 * The packages whose code is in a build, by the paths of its sources. A package can itself be a build: then its maps name the packages that it
 * contains.
 */
export function packagesOf(sources: readonly string[]): string[] {
  const found = sources.flatMap((source) => {
    const name = [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1];
    return name === undefined ? [] : (inside[name] ?? name);
  });
  return [...new Set(found)].sort();
}

/** The sources that the maps of a build name. */
export async function sourcesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.map'));
  const maps = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
  return maps.flatMap(
    ({ sources, sections }) =>
      sources ?? sections.flatMap((section: { map: { sources: string[] } }) => section.map.sources),
  );
}

/** The file of a build that holds the licences of the packages whose code is in it. */
export const licencesFile = 'licences.txt';

/** Writes the licences of packages whose code is in a build, as the licences require, each with its name, version and kind. */
export async function writeLicences(folder: string, packages: string[]): Promise<void> {
  const parts = await Promise.all([...new Set(packages)].sort().map(licenceOf));
  await writeFile(join(folder, licencesFile), parts.join(`\n${'-'.repeat(80)}\n\n`));
}

async function licenceOf(name: string): Promise<string> {
  const folder = await folderOf(name);
  const about = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} is in the build, and ${folder} has no file with its licence`);
  const text = await readFile(join(folder, file), 'utf8');
  return `${name} ${about.version} (${about.license})\n\n${text.trim()}\n`;
}

/** The folder of a package, resolved from the package that is built; it need not export its package.json. */
async function folderOf(name: string): Promise<string> {
  // Packages of the dashboard are resolved from its folder: another package can bring another version.
  const from = inDashboard.includes(name) ? '../dashboard' : '.';
  const paths = createRequire(join(process.cwd(), from, 'package.json')).resolve.paths(name) ?? [];
  for (const path of paths) {
    const folder = join(path, name);
    if (await readFile(join(folder, 'package.json')).catch(() => undefined)) return folder;
  }
  throw new Error(`${name} is in the build, and not in ${paths.map(dirname).join(', ')}`);
}
