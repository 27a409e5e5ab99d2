import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@commerce/test-support/harness/processes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { comparison, lastRelease } from '../bench/harness/releases.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-releases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });

/** A repository whose benchmark prints what it is told, with its first commit. */
function repository(printed: string): string {
  const folder = emptyFolder();
  git(folder, 'init', '--quiet');
  mkdirSync(join(folder, 'bench'));
  const about = { name: 'measured', version: '0.1.0' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  const lock = { ...about, lockfileVersion: 3, requires: true, packages: { '': about } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  commit(folder, printed);
  return folder;
}

function commit(folder: string, program: string): void {
  writeFileSync(join(folder, 'bench/run.mjs'), program);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Change', '--no-gpg-sign');
}

const tag = (folder: string, ...names: string[]) => {
  for (const name of names) git(folder, 'tag', name);
};

/** A benchmark with these processor times of one answer, in microseconds, where a bare answer takes 10. */
const costing = (costs: Record<string, number>) =>
  `console.log(${JSON.stringify(JSON.stringify(Object.entries(costs).map(([name, cost]) => ({ name, cost, limitCost: 10 }))))});`;

function compare(folder: string): { status: number | null; output: string } {
  const program = join(root, 'bench/regressions.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('The last release', () => {
  it('is the tag with the highest numbers, whatever else is tagged', () => {
    const folder = repository('');
    tag(folder, 'v0.9.0', 'v0.10.0', 'v0.2.0', 'v1.0.0-rc.1', 'vnext', '2.0.0');
    commit(folder, '// later');
    expect(lastRelease(folder)).toBe('v0.10.0');
  });

  it('is at the commit of a release the one before', () => {
    const folder = repository('');
    tag(folder, 'v0.1.0');
    expect(lastRelease(folder)).toBeUndefined();
    commit(folder, '// later');
    tag(folder, 'v0.2.0');
    expect(lastRelease(folder)).toBe('v0.1.0');
  });

  it('is none in a shallow clone without tags, without a commit, and without git', () => {
    const folder = repository('');
    tag(folder, 'v0.1.0');
    commit(folder, '// later');
    const clone = emptyFolder();
    git(clone, 'clone', '--quiet', '--depth', '1', '--no-tags', pathToFileURL(folder).href, '.');
    expect(lastRelease(clone)).toBeUndefined();
    const fresh = emptyFolder();
    git(fresh, 'init', '--quiet');
    expect(lastRelease(fresh)).toBeUndefined();
    expect(lastRelease(join(fresh, 'no-such-folder'))).toBeUndefined();
  });
});

describe('The comparison of two versions', () => {
  const of = (costs: Record<string, number[]>) => new Map(Object.entries(costs));

  it('marks what has changed by a tenth or more, what is new and what is gone', () => {
    const before = { get: [2, 2], list: [4, 4.2], create: [10, 10], paid: [20, 20], gone: [1] };
    const now = { get: [2.19, 2.17], list: [4.5, 4.8], create: [8, 8], paid: [20, 20], new: [3] };
    expect(comparison('v0.1.0', of(before), of(now))).toEqual({
      head: ['work', 'v0.1.0, bare answers', 'now, bare answers', 'change'],
      rows: [
        ['get', '2.00', '2.18', '+9 %'],
        ['list', '4.10', '4.65', '+13 %, slower'],
        ['create', '10.00', '8.00', '-20 %, faster'],
        ['paid', '20.00', '20.00', '0 %'],
        ['new', '', '3.00', 'new'],
        ['gone', '1.00', '', 'gone'],
      ],
    });
  });

  it('marks nothing about which the rounds differ, or after a single one', () => {
    const before = { once: [2], differing: [2, 2, 2] };
    const now = { once: [4], differing: [4, 1.9, 3] };
    expect(comparison('v0.1.0', of(before), of(now)).rows).toEqual([
      ['once', '2.00', '4.00', '+100 %'],
      ['differing', '2.00', '3.00', '+50 %'],
    ]);
  });
});

describe('`npm run bench:regressions`', () => {
  it('says that it has nothing to compare with if no release is tagged', () => {
    expect(compare(repository(costing({ get: 20 })))).toEqual({
      status: 0,
      output: 'no tag of an earlier release (v1.2.3) is in this clone: nothing to compare with\n',
    });
  });

  it('prints what has become slower, and exits with 0', () => {
    const folder = repository(costing({ get: 20, create: 300 }));
    tag(folder, 'v0.1.0');
    commit(folder, costing({ get: 30, create: 300 }));
    const { status, output } = compare(folder);
    expect(status).toBe(0);
    expect(output).toContain('| get | 2.00 | 3.00 | +50 %, slower |\n| create | 30.00 | 30.00 | 0 % |');
    expect(output).toContain('\nslower than v0.1.0: get\n');
  });

  it('compares in a shallow clone that has the tag', () => {
    const folder = repository(costing({ get: 20 }));
    tag(folder, 'v0.1.0');
    commit(folder, costing({ get: 19.5 }));
    const clone = emptyFolder();
    git(clone, 'clone', '--quiet', '--depth', '1', pathToFileURL(folder).href, '.');
    git(clone, 'fetch', '--quiet', '--depth', '1', 'origin', 'tag', 'v0.1.0');
    const { status, output } = compare(clone);
    expect(status).toBe(0);
    expect(output).toContain('\nnothing is slower than v0.1.0\n');
  });

  it('prints why it did not finish, and exits with 0', () => {
    const folder = repository(costing({ get: 20 }));
    tag(folder, 'v0.1.0');
    commit(folder, "throw new Error('a benchmark that fails');");
    const { status, output } = compare(folder);
    expect(status).toBe(0);
    expect(output).toContain('a benchmark that fails');
    expect(output).toContain('the comparison with v0.1.0 did not finish: Error: Command failed:');
  });
});
