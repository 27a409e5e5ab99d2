import { expect, it } from 'vitest';
import { isDeeper } from './json.ts';

it.each([
  ['{}', 1],
  ['[[[]]]', 3],
  ['{"a":[{"b":[]}]}', 4],
  ['[[],[],[]]', 2],
  ['"[[[["', 0],
  ['["\\"[[[", "\\\\", "é[["]', 1],
  ['1', 0],
])('%s is %i deep', (json, depth) => {
  expect(isDeeper(Buffer.from(json), depth)).toBe(false);
  if (depth > 0) expect(isDeeper(Buffer.from(json), depth - 1)).toBe(true);
});
