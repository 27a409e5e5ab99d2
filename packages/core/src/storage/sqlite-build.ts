import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const binary = 'better_sqlite3.node';

/**
 * What is wrong with a build of SQLite for a Node.js; undefined where nothing is known. From Node.js 24.19 on, the headers of 24 have each
 * statement take back a hook when it is collected, and Node.js ends itself where that happens outside of JavaScript. It follows the
 * headers that the package was built with, not the release that runs it. Source: https://github.com/nodejs/node/issues/65446
 * @param release of Node.js, such as `24.21.0`
 * @param content the binary of better-sqlite3
 */
export function faultOfBuild(release: string, content: Buffer): string | undefined {
  if (!release.startsWith('24.') || !content.includes('RemoveEnvironmentCleanupHook')) return undefined;
  return [
    `SQLite was built here with headers of Node.js 24.19 or later, and may end this process at any moment ("Assertion failed: (env) != nullptr"):`,
    'run Node.js 22, or `npm rebuild better-sqlite3` with Node.js 24.18; what is committed is safe.',
    'See https://github.com/nodejs/node/issues/65446',
  ].join(' ');
}

let isLookedAt = false;

/** Warns once of a build that this Node.js does not bear, when SQLite is loaded. */
export function warnOfBuild(): void {
  if (isLookedAt) return;
  isLookedAt = true;
  // No other release has the fault, and reading the file would be for nothing.
  if (!process.versions.node.startsWith('24.')) return;
  const file = Object.keys(createRequire(import.meta.url).cache).find((path) => path.endsWith(binary));
  if (file === undefined) return;
  const fault = faultOfBuild(process.versions.node, readFileSync(file));
  if (fault !== undefined) process.emitWarning(fault, { code: 'COMMERCE_SQLITE_BUILD' });
}
