import fc from 'fast-check';

/** JSON text that stands in a body as it is, also what no program would print. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Prints JSON, with raw texts in it; objects may have a field called `__proto__`. */
export function printJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}:${printJson(part)}`)
    .join(',')}}`;
}

const prototypeNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'valueOf',
  'then',
  'length',
];

const dangerousTexts = [
  ...prototypeNames,
  ...['', ' ', '\t\n', '\0', 'a\0b', '\ud83d', '\udc00\ud800', 'a\u202eb', '\ufeff', '\ufffe', '\u200b', '\u2028'],
  ...[`a${'\u0301'.repeat(200)}`, '👩‍👩‍👧‍👦', 'ﬀ', 'İ', 'ß', 'ΟΔΟΣ', '١٢', '１２', '10\u00a0'],
  ...[
    "'",
    '"',
    '\\',
    '`',
    ';',
    '--',
    '/*',
    "' or '1'='1",
    "'; drop table products; --",
    '$1',
    '?',
    ':a',
    '@a',
    '%s',
    '%',
    '_',
  ],
  ...['*', 'a*', 'NEAR(a b)', 'a AND', 'OR', 'NOT a', 'col:a', '{a b}:c', '^a', '"a" + b', '(', ')', '""', 'a"b'],
  ...[
    '{"a":1}',
    '[]',
    'null',
    'true',
    '0',
    '-0',
    '1e5',
    '1e309',
    '0x10',
    '1,5',
    '1.',
    '.5',
    '+1',
    '00',
    'NaN',
    'Infinity',
  ],
  ...['9007199254740993', '999999999999.99', '9999999999999', '0.001', '-1', '1.23456789'],
  ...[
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-01-01',
  ],
  ...[
    'https://a:b@example.com/',
    'https://[::1]/',
    'https://0/',
    'https://example.com:99999/',
    'https://%00/',
    'javascript:0',
  ],
  ...['a@b', 'a@example.com', '"a b"@example.com', 'A@EXAMPLE.COM', 'ä@example.com', ' a@example.com '],
  ...[
    '../../etc',
    '..',
    '.',
    '/',
    '%00',
    '%2e%2e',
    '%',
    '%zz',
    '%E0%A4',
    '\r\nX-A: b',
    '$'.concat('{a}'),
    '{{a}}',
    '<script>',
  ],
];

const nested = (depth: number, open: string, close: string) => new RawJson(open.repeat(depth) + close.repeat(depth));

/** What takes more than a moment to send. */
const heavyJson = fc.oneof(
  fc.constantFrom(1000, 3000, 10_000, 100_000, 500_000).map((depth) => nested(depth, '[', ']')),
  fc.constantFrom(1000, 10_000, 100_000).map((depth) => new RawJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  fc.constantFrom(300, 5001, 70_000, 300_000, 1_000_000).map((length) => 'x'.repeat(length)),
  fc.constantFrom(256, 20_001, 100_000).map((length) => '👕'.repeat(length)),
  fc.constantFrom(101, 1000, 100_000).map((length) => new RawJson(`[${Array(length).fill('1').join(',')}]`)),
  fc
    .constantFrom(101, 1000, 50_000)
    .map((length) => new RawJson(`{${Array.from({ length }, (_, i) => `"k${i}":"v"`).join(',')}}`)),
  fc.constantFrom(1000, 20_000).map((length) => new RawJson(`[${Array(length).fill('{"a":{}}').join(',')}]`)),
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...dangerousTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(65, 256, 300, 2049).map((length) => 'y'.repeat(length)) },
);

const hostileNumber = fc.constantFrom(
  ...['1e309', '-1e309', '-0', '0', '-1', '1.5', '0.1', '1e-7', '1E400', '9007199254740992', '9007199254740993'],
  ...['2147483647', '2147483648', '-2147483649', '9223372036854775808', '99999999999999999999', '1.0', '1e2'],
);

const hostileObject = fc.constantFrom(
  ...['{}', '[]', '[[]]', '[{}]', '[null]', '{"":""}', '{"length":5}', '{"toString":1}', '{"then":1}', '{"toJSON":1}'],
  ...[
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"a":1,"a":2}',
    '{"\\ud800":1}',
    '{"\\u0000":1}',
  ],
);

/** Anything in the place of a value. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 40, arbitrary: hostileText },
  { weight: 20, arbitrary: hostileNumber.map((text) => new RawJson(text)) },
  { weight: 12, arbitrary: hostileObject.map((text) => new RawJson(text)) },
  { weight: 12, arbitrary: fc.constantFrom(null, true, false) },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: heavyJson },
);

export const hostileName: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...prototypeNames), hostileText);

/** One thing that is done to a value. */
export interface Mutation {
  kind: 'replace' | 'remove' | 'add' | 'wrap' | 'double' | 'rename';
  /** Which of its places. */
  at: number;
  value: unknown;
  name: string;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'double', 'rename'),
  at: fc.nat(1000),
  value: hostileJson,
  name: hostileName,
});

type Holder = Record<string, unknown> | unknown[];

/** The value after the mutation. */
export function mutated(value: unknown, { kind, at, value: other, name }: Mutation): unknown {
  const copy = structuredCloneWithRaw(value);
  const places = placesOf(copy);
  // Seldom the whole.
  const place = at % 16 === 0 ? undefined : places[at % places.length];
  if (!place) return kind === 'add' && isObject(copy) ? define(copy, name, other) : kind === 'wrap' ? [copy] : other;
  const [holder, key] = place;
  const held = (holder as Record<string, unknown>)[key];
  if (kind === 'remove') Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key];
  else if (kind === 'wrap') define(holder, key, at % 2 === 0 ? [held] : { [name]: held });
  else if (kind === 'double') Array.isArray(holder) ? holder.push(held) : define(holder, name, held);
  else if (kind === 'add')
    isObject(held) ? define(held, name, other) : Array.isArray(held) ? held.push(other) : define(holder, key, other);
  else if (kind === 'rename' && !Array.isArray(holder)) {
    delete holder[key];
    define(holder, name, held);
  } else define(holder, key, other);
  return copy;
}

function define<T extends object>(holder: T, name: string, value: unknown): T {
  return Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof RawJson);
}

function placesOf(value: unknown): [Holder, string][] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => [[value, key] as [Holder, string], ...placesOf(part)]);
}

function structuredCloneWithRaw(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCloneWithRaw);
  if (!isObject(value)) return value;
  const copy = {};
  for (const [name, part] of Object.entries(value)) define(copy, name, structuredCloneWithRaw(part));
  return copy;
}
