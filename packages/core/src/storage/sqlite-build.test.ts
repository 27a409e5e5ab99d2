import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { faultOfBuild, loadedBinary } from './sqlite-build.ts';

const removes = Buffer.from('\0_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0');
const adds = Buffer.from('\0_ZN4node25AddEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0');

it.each([
  ['24.21.0', removes, /headers of Node\.js 24\.19 or later.*npm rebuild better-sqlite3.*issues\/65446/],
  ['24.11.0', removes, /24\.19/],
  ['24.21.0', adds, undefined],
  ['24.21.0', undefined, undefined],
  ['22.23.0', removes, undefined],
  ['20.20.2', removes, undefined],
  ['26.0.0', removes, undefined],
] as const)('a build of SQLite for Node.js %s is warned of where it may abort', (release, content, expected) => {
  const fault = faultOfBuild(release, () => content);
  if (expected === undefined) expect(fault).toBeUndefined();
  else expect(fault).toMatch(expected);
});

it('finds the binary that is loaded, where names of hooks stand as they are', () => {
  new Database(':memory:').close();
  // Otherwise a build could not be told from another.
  expect(loadedBinary()?.includes('AddEnvironmentCleanupHook')).toBe(true);
});
