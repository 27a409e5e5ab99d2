// npm run packages:check: packs the build, and checks what npm would publish: publint, the types as each kind of program resolves them, and
// the files. Exits with 1 on a fault.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packAll, root } from './packages.mjs';

/** Most bytes of an unpacked package. */
const maxUnpacked = 8_200_000;

/** Files of the packages other than their code. */
const always = ['package.json', 'README.md', 'LICENSE'];

/**
 * Finds the faults of a tarball.
 * @param {import('./packages.mjs').Tarball} tarball
 * @returns {Promise<string[]>}
 */
export async function faultsOf(tarball) {
  const { manifest: about } = tarball;
  return [
    ...fileFaults(tarball, about),
    ...(await publintFaults(tarball)),
    // Without entries there is nothing to import.
    ...(about.exports ? await typeFaults(tarball) : []),
  ];
}

export function fileFaults({ paths, unpacked }, about) {
  const faults = always.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`);
  const places = [...Object.values(about.bin ?? {}), ...Object.values(about.exports ?? {}).flatMap(Object.values)];
  for (const place of places) {
    const path = place.replace(/^\.\//, '');
    if (!paths.includes(path)) faults.push(`${path} is named in package.json and missing`);
  }
  for (const path of paths) {
    const isOfUse = always.includes(path) || /^(bin|dist)\//.test(path);
    if (!isOfUse || /\.map$|\.test\.|\.db$|\.env/.test(path)) faults.push(`${path} does not belong into it`);
  }
  if (unpacked > maxUnpacked) faults.push(`it has ${unpacked} bytes unpacked, more than ${maxUnpacked}`);
  return faults;
}

async function publintFaults({ file }) {
  const bytes = await readFile(file);
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** Only ES modules: CommonJS can require them, and `moduleResolution: node10` does not read `exports`. */
async function typeFaults({ file }) {
  const program = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  try {
    await promisify(execFile)(process.execPath, [program, file, '--profile', 'esm-only', '--no-color', '--no-emoji']);
    return [];
  } catch (error) {
    return [`attw: ${error.stdout || error.message}`];
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-packages-'));
  try {
    for (const tarball of await packAll(folder)) {
      const faults = await faultsOf(tarball);
      const size = `${Math.ceil(tarball.bytes / 1000)} kB packed, ${Math.ceil(tarball.unpacked / 1000)} kB unpacked`;
      console.log(`${tarball.name}@${tarball.version}: ${tarball.paths.length} files, ${size}`);
      for (const fault of faults) console.log(`  ${fault}`);
      if (faults.length > 0) process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
