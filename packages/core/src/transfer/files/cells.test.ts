import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  defuseCell,
  loadTransliteration,
  readAddresses,
  readDecimal,
  readFlag,
  readInteger,
  readPrice,
  restoreCell,
  slugByHash,
  slugOf,
  slugsOfVariants,
  splitEscaped,
} from './cells.ts';

describe('a decimal number', () => {
  it.each([
    ['29.90', 2, '29.90'],
    ['27', 2, '27'],
    [' 9.5 ', 2, '9.5'],
    ['59,00', 2, '59.00'],
    ['9,5', 2, '9.5'],
    ['1.234,56', 2, '1234.56'],
    ['1,234.56', 2, '1234.56'],
    ['1,234,567', 2, '1234567'],
    ['1.234.567', 2, '1234567'],
    ['1.234.567,8', 2, '1234567.8'],
    ['1 234,50', 2, '1234.50'],
    ["1'234.50", 2, '1234.50'],
    ['1234.500', 2, '1234.50'],
    ['1290.00', 0, '1290'],
    ['0.125', 3, '0.125'],
    ['1.800', 3, '1.800'],
    ['12.345', 4, '12.345'],
    ['.5', 2, '0.5'],
  ])('%s with %d decimals is %s', (cell, decimals, value) => {
    if (cell === '12.345') return expect(readDecimal(cell, decimals)).toHaveProperty('reason');
    expect(readDecimal(cell, decimals)).toEqual({ value });
  });

  it.each(['1,800', '12,345', '1.800'])('%s alone is ambiguous', (cell) => {
    expect(readDecimal(cell, 2)).toEqual({ reason: expect.stringMatching(/^is ambiguous/) });
  });

  it.each([
    ['1,800', '.', '1800'],
    ['1,800', ',', '1.80'],
    ['1.800', ',', '1800'],
    ['1234,500', ',', '1234.50'],
    ['0,125', '.', undefined],
    ['12,5', '.', '12.5'],
    ['1.234,50', '.', '1234.50'],
  ] as const)('%s in a file whose decimal sign is %j', (cell, sign, value) => {
    if (value === undefined) return expect(readDecimal(cell, 2, sign)).toHaveProperty('reason');
    expect(readDecimal(cell, 2, sign)).toEqual({ value });
  });

  it.each(['', 'abc', '1e5', '-1', '1,2,3', '1.2.3', '1,23,456.7', '1.234,567,8', 'NaN', '0x10', '12.50 EUR'])(
    '%j is refused',
    (cell) => expect(readDecimal(cell, 2)).toHaveProperty('reason'),
  );

  it('keeps decimals that are none of the currency, for its field to refuse', () => {
    expect(readDecimal('1.2345', 2)).toEqual({ value: '1.2345' });
  });
});

it('whole numbers, yes and no, and lists of addresses are read in their usual spellings', () => {
  expect(['12', '-2', '12.0', '1,234,567', '0012'].map((cell) => readInteger(cell))).toEqual(
    [12, -2, 12, 1_234_567, 12].map((value) => ({ value })),
  );
  for (const cell of ['', '1.5', '1,800', 'many', '1e3']) expect(readInteger(cell)).toHaveProperty('reason');
  expect(['TRUE', 'yes', '1', 'No', '0', 'FALSCH'].map(readFlag)).toEqual(
    [true, true, true, false, false, false].map((value) => ({ value })),
  );
  expect(readFlag('maybe')).toHaveProperty('reason');
  const [one, two] = ['https://a.example/x,y.jpg', 'https://b.example/z.jpg?v=1'];
  for (const cell of [`${one} ${two}`, `${one}, ${two}`, `${one},${two}`, `${one}\n${two}\n${one}`]) {
    expect(readAddresses(cell)).toEqual([one, two]);
  }
  expect(splitEscaped('Red\\, dark, Blue,, a\\\\b', ',')).toEqual(['Red, dark', 'Blue', 'a\\b']);
});

describe('a text that a spreadsheet would run', () => {
  it.each(['=SUM(A1)', '+40 h', '-0042', '@home', ' =1', '\t=1', '\rx', '＝1', '\n-1', "'=1", "''@x"])(
    '%j gets a quote, and loses it again',
    (text) => {
      expect(defuseCell(text)).toBe(`'${text}`);
      expect(restoreCell(defuseCell(text))).toBe(text);
    },
  );

  it('is told from every other, and none is changed by there and back', () => {
    for (const text of ["'tis", "O'Neil", '5-6', "'", '']) expect(defuseCell(text)).toBe(text);
    const signs = fc.string({ unit: fc.constantFrom("'", '=', '+', ' ', '\t', 'a', '-', '@', '\n') });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string()), (text) => {
        expect(restoreCell(defuseCell(text))).toBe(text);
        expect(defuseCell(text)).not.toMatch(/^\s*[=+\-@]|^[\t\r]/);
      }),
      { numRuns: 2000 },
    );
  });
});

beforeAll(loadTransliteration);

it('slugs are of Latin letters and digits, also of letters with marks, and never of others', () => {
  expect(slugOf('Mug 🦊 “Good morning” 👩🏽‍🍳')).toBe('mug-good-morning');
  expect(slugOf('Töpfchen & Größe  Œuvre')).toBe('topfchen-grosse-oeuvre');
  expect(slugOf("Ada's  mug--2")).toBe('adas-mug-2');
  expect([slugOf('日本のお茶 2'), slugOf('🦊'), slugOf('')]).toEqual([undefined, undefined, undefined]);
  expect(['Чашка № 2', 'Ёлочка', 'Ελληνικό', 'شال', 'Հայաստան'].map(slugOf)).toEqual([
    'chashka-no-2',
    'yolochka',
    'elliniko',
    'shal',
    'hayastan',
  ]);
  expect(slugByHash('product', 'وشاح')).toMatch(/^product-[0-9a-f]{10}$/);
  expect(slugByHash('product', 'وشاح')).toBe(slugByHash('product', 'وشاح'));
});

it('variants whose values join to the same words have different slugs, whatever their order', () => {
  const values = [
    ['Red S', 'M'],
    ['Red', 'S M'],
    ['Blue', 'M'],
  ];
  const slugs = slugsOfVariants('tee', values);
  expect(new Set(slugs).size).toBe(3);
  expect(slugs[2]).toBe('tee-blue-m');
  for (const slug of slugs.slice(0, 2)) expect(slug).toMatch(/^tee-red-s-m-[0-9a-f]{10}$/);
  expect(slugsOfVariants('tee', values.toReversed())).toEqual(slugs.toReversed());
  expect(slugsOfVariants('tee', [['A B'], ['A+B']])).toEqual([expect.stringMatching(/^tee-a-b$/), expect.anything()]);
});

describe('a price', () => {
  it.each([
    ['12.00 USD', 'USD', '12.00'],
    ['usd 12', 'USD', '12'],
    ['$12.50', 'USD', '12.50'],
    ['US$ 1,234.50', 'USD', undefined],
    ['€ 12,50', 'EUR', '12.50'],
    ['1.234,50\u00a0€', 'EUR', '1234.50'],
    ['EUR12,50', 'EUR', '12.50'],
    ['.5 €', 'EUR', '0.5'],
    ['CHF 1’290.00', 'CHF', '1290.00'],
    ['12 kr', 'SEK', '12'],
    ['58.120000000000005', 'EUR', '58.12'],
    ['58,119999999999997 €', 'EUR', '58.12'],
    ['9.999999999999998', 'EUR', '10.00'],
    ['0.0000000001', 'EUR', '0.00'],
  ])('%j in a store with %s is %j', (cell, currency, value) => {
    if (value === undefined) return expect(readPrice(cell, { currency, decimals: 2 })).toHaveProperty('reason');
    expect(readPrice(cell, { currency, decimals: 2 })).toEqual({ value });
  });

  it.each(['12.00 USD', '$ 12', '12 £', 'zł 3', 'CA$5'])('%j is refused in a store with another currency', (cell) => {
    expect(readPrice(cell, { currency: 'EUR', decimals: 2 })).toEqual({
      reason: `must be in EUR, the currency of the store, not "${cell}"`,
    });
  });

  it.each(['', '-1', '€', '€ 12 €', '12 €/kg', '1e5', '(12)', '1,800 €', '12%', '58.1234567'])(
    '%j is refused',
    (cell) => {
      const read = readPrice(cell, { currency: 'EUR', decimals: 2 });
      // The field, not the cell, refuses more decimals than the currency has.
      if (cell === '58.1234567') return expect(read).toEqual({ value: '58.123457' });
      expect(read).toEqual({ reason: expect.stringMatching(/must be a number|ambiguous/) });
    },
  );
});
