import { expect, it } from 'vitest';
import { prefersStrict } from './prefer.ts';

it.each<[string | string[]]>([
  ['handling=strict'],
  ['Handling = Strict'],
  ['handling="strict"'],
  ['handling="str\\ict"'],
  ['respond-async, wait=10 , handling=strict'],
  ['handling=strict; explain="a, b"; c'],
  ['return=minimal; foo="handling=lenient, x",handling=strict'],
  ['x="a\\", handling=lenient", handling=strict'],
  ['handling=strict, handling=lenient'],
  [['return=minimal', 'handling=strict']],
  [', ,handling=strict,'],
])('%j prefers strict handling', (header) => {
  expect(prefersStrict(header)).toBe(true);
});

it.each<[string | string[] | undefined]>([
  [undefined],
  [''],
  ['handling'],
  ['handling='],
  ['handling=""'],
  ['handling=lenient'],
  ['handling=lenient, handling=strict'],
  [['handling=lenient', 'handling=strict']],
  ['handling, handling=strict'],
  ['handling=strictly'],
  ['handling="strict'],
  ['strict'],
  ['x-handling=strict'],
  ['foo; handling=strict'],
  ['foo="handling=strict"'],
  ['foo=", handling=strict"'],
])('%j does not', (header) => {
  expect(prefersStrict(header)).toBe(false);
});
