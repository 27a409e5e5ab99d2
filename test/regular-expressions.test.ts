import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { pathOf } from '../packages/server/src/edge/request-target.ts';

const root = join(import.meta.dirname, '..');

/** The expressions that cannot be proved safe, and why they are not slower. */
const excepted: Record<string, string> = {
  '/([a-z][a-z_]*?(?:_pkey|__[a-z_]+?))(?:_\\d+)?(?![a-z0-9_])/':
    'sees names of our own indexes, of at most 63 characters',
  '/^0+(?=\\d)/': 'begins at one place, with one repetition',
  '/^(["\'])(.*)\\1$/': 'begins at one place, and gives back each character of one repetition once',
  '/,?\\s+|,(?=https?:)/': 'takes the whole of each run of blanks, and looks ahead at seven characters',
  '/^(?!.*ck_(?:live|pub)_)[\\w.:-]{1,128}$/': 'begins at one place, and looks ahead once',
  '/(ck_(?:live|pub)_\\w{4})\\w{39,}/g': 'takes the whole of a run of letters, or gives up after 39 of them',
  '/^[0-9a-f-]{36}\\/([0-9a-f-]{36})(?:-\\w+)?\\.\\w+$/':
    'begins at one place, and its two repetitions are kept apart by a dot',
  '/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.?$/i':
    'begins at one place; between dots it looks at 63 characters',
};

/** The regular expressions of the production code, each with its files. */
function regularExpressions(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const folder of ['core', 'simulator', 'server', 'cli'].map((name) => join('packages', name, 'src'))) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const file = join(folder, name);
      const walk = (node: ts.Node) => {
        if (ts.isRegularExpressionLiteral(node)) found.set(node.text, [...(found.get(node.text) ?? []), file]);
        ts.forEachChild(node, walk);
      };
      walk(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest));
    }
  }
  return found;
}

/** Proves that an expression is safe. The fuzzing that `recheck` falls back to is not used, because its findings vary on a busy machine. */
const timeOf = async (literal: string): Promise<string> => {
  const end = literal.lastIndexOf('/');
  const options = { timeout: 60_000, checker: 'automaton' } as const;
  const found = await check(literal.slice(1, end), literal.slice(end + 1), options);
  return found.status === 'vulnerable' ? found.complexity.summary : found.status;
};

it('no regular expression takes more than linear time, whatever text it is given', async () => {
  const all = regularExpressions();
  expect(all.size).toBeGreaterThan(200);
  const slow: string[] = [];
  for (const [literal, files] of all) {
    if (literal in excepted) continue;
    const time = await timeOf(literal);
    if (time !== 'safe') slow.push(`${literal} takes ${time} time: ${files.join(', ')}`);
  }
  expect(slow).toEqual([]);
  for (const literal of Object.keys(excepted)) expect([...all.keys()]).toContain(literal);
  // The check finds an unsafe expression.
  expect(await timeOf('/^https?:\\/\\/[^/?#]*([^#]*)$/i')).toBe('2nd degree polynomial');
}, 300_000);

it.each([
  ['/path?x#y', '/path?x#y'],
  ['http://shop.example', '/'],
  ['HTTPS://shop.example/a/b?c=http://d', '/a/b?c=http://d'],
  ['http://shop.example?x=1', '/?x=1'],
  ['http://shop.example/a#b', '/a'],
  ['http://shop.example#b', '/'],
  [`http://${'a'.repeat(100)}/#x`, '/'],
  ['*', '*'],
  ['shop.example:443', 'shop.example:443'],
])('the target %s asks for %s', (target, path) => {
  expect(pathOf(target)).toBe(path);
});
