import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const promises = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Promise'));

it('each promise of docs/security.md names a test that exists', () => {
  expect(promises.length).toBeGreaterThan(60);
  const broken = promises.filter((line) => {
    const cell = line.split(' | ').at(-1) ?? '';
    const tests = Array.from(cell.matchAll(/`([^`]+)`/g), ([, path = '']) => path);
    return tests.length === 0 || tests.some((path) => !path.endsWith('.test.ts') || !existsSync(join(root, path)));
  });
  expect(broken).toEqual([]);
});
