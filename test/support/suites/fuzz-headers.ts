import fc from 'fast-check';
import { hostileText } from '../fixtures/hostile.ts';

export type Header = [name: string, value: string];

const values = fc.oneof(
  hostileText,
  fc.constantFrom('*', '"x"', 'W/"x"', '"', ',', 'gzip', 'gzip;q=0', 'br, *;q=0.1', 'identity;q=0', 'x'.repeat(8000)),
  fc.constantFrom(
    'bytes=0-0',
    'bytes=-1',
    'bytes=9999999-',
    'bytes=5-1',
    'bytes=0-1,3-4',
    'bytes=99999999999999999999-',
    'x'.repeat(255),
    'x'.repeat(256),
  ),
);
const types = fc.constantFrom(
  ...['application/json; charset=utf-16', 'application/json;', 'APPLICATION/JSON', 'application/merge-patch+json'],
  ...['text/json', 'multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=x', ''],
  'application/x-www-form-urlencoded',
);
const header = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(
      fc.constantFrom(
        ...['if-match', 'if-none-match', 'accept-encoding', 'x-request-id', 'range', 'if-range', 'if-modified-since'],
        ...['origin', 'accept', 'x-forwarded-proto', 'x-forwarded-host', 'access-control-request-method'],
      ),
      values,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('idempotency-key'), values) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('content-type'), types) },
  {
    // A few keys that are reused, so that requests are repeated.
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('idempotency-key'),
      fc.nat(30).map((n) => `again-${n}`),
    ),
  },
);

export const wildHeaders = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(header, { minLength: 1, maxLength: 4, size: 'max' }) },
) as fc.Arbitrary<Header[]>;

const always: readonly Header[] = [
  ['accept-encoding', 'gzip'],
  ['accept', 'application/json'],
  ['origin', 'https://shop.example'],
  ['x-request-id', 'request-of-the-fuzz'],
];
const conditions: Record<string, readonly Header[]> = {
  GET: [
    ['if-none-match', '*'],
    ['if-none-match', '"x", W/"y"'],
  ],
  PUT: [['if-match', '*']],
  PATCH: [['if-match', '*']],
  DELETE: [['if-match', '*']],
};

/** Headers that let every valid request succeed; a request with a condition that holds is answered with 304. */
export function harmlessHeaders(method: string): fc.Arbitrary<Header[]> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<Header[]>([]) },
    {
      weight: 1,
      arbitrary: fc.subarray<Header>([...always, ...(conditions[method] ?? [])], { minLength: 1, maxLength: 3 }),
    },
  );
}
