import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Tells what is wrong with a build of SQLite for a Node.js; undefined where nothing is known. With the headers of Node.js 24.19 and later
 * releases of 24, each statement takes a hook back when it is collected, and Node.js ends the process where that happens outside of JavaScript.
 * The fault follows the headers that the package was built with, not the release that runs it. Source:
 * https://github.com/nodejs/node/issues/65446
 * @param release of Node.js, such as `24.21.0`
 * @param read reads the binary of better-sqlite3; called for releases alone that may have the fault
 */
export function faultOfBuild(release: string, read: () => Buffer | undefined): string | undefined {
  if (!release.startsWith('24.') || !read()?.includes('RemoveEnvironmentCleanupHook')) return undefined;
  return [
    'SQLite was built with headers of Node.js 24.19 or later, and may end this process at any moment ("Assertion failed: (env) != nullptr"):',
    'run Node.js 22, or `npm rebuild better-sqlite3 --build-from-source` with Node.js 24.18; what is committed is safe.',
    'See https://github.com/nodejs/node/issues/65446',
  ].join(' ');
}

let isLookedAt = false;

/** Warns of a build that this Node.js does not bear; once in a process, when SQLite is loaded. */
export function warnOfBuild(): void {
  if (isLookedAt) return;
  isLookedAt = true;
  const fault = faultOfBuild(process.versions.node, loadedBinary);
  if (fault !== undefined) process.emitWarning(fault, { code: 'COMMERCE_SQLITE_BUILD' });
}

/** Reads the binary of better-sqlite3 that this process has loaded; undefined where it cannot be found. */
export function loadedBinary(): Buffer | undefined {
  const { cache } = createRequire(import.meta.url);
  const file = Object.keys(cache).find((path) => path.endsWith('better_sqlite3.node'));
  return file === undefined ? undefined : readFileSync(file);
}
