import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRate, currencyDecimals, formatMoney, maxMinor, parseMoney, parseRate, sameAmount } from './money.ts';

const decimals = fc.integer({ min: 0, max: 4 });
const minor = fc.bigInt({ min: 0n, max: maxMinor });
/** A rate as a text, with up to six decimals. */
const rate = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([millionths, digits]) => (millionths / 1_000_000).toFixed(6).slice(0, digits === 0 ? 1 : 2 + digits));

describe('currencyDecimals', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['HUF', 2],
    ['ISK', 0],
    ['UGX', 0],
    ['MGA', 2],
    ['TWD', 2],
    ['CLF', 4],
  ])('gives %s %i decimals, as ISO 4217 does', (code, expected) => {
    expect(currencyDecimals(code)).toBe(expected);
  });

  it.each(['', 'eur', 'EURO', 'XXX', 'XAU', 'XTS', 'DEM', 'constructor'])('does not know %j', (code) => {
    expect(currencyDecimals(code)).toBeUndefined();
  });
});

describe('parseMoney', () => {
  it.each([
    ['0', 2, 0n],
    ['10', 2, 1000n],
    ['10.5', 2, 1050n],
    ['10.50', 2, 1050n],
    ['0.01', 2, 1n],
    ['007', 2, 700n],
    ['999999999999.99', 2, 99_999_999_999_999n],
    ['1234', 0, 1234n],
    ['1.234', 3, 1234n],
    ['1.2', 3, 1200n],
  ])('reads %j with %i decimals as %s', (text, digits, expected) => {
    expect(parseMoney(text, digits)).toBe(expected);
  });

  it.each<[string, number]>([
    ['', 2],
    [' ', 2],
    [' 1', 2],
    ['1 ', 2],
    ['1\n', 2],
    ['.5', 2],
    ['5.', 2],
    ['.', 2],
    ['-1', 2],
    ['+1', 2],
    ['-0', 2],
    ['1e3', 2],
    ['1E3', 2],
    ['0x10', 2],
    ['1,50', 2],
    ['1.000,00', 2],
    ['1_000', 2],
    ["1'000", 2],
    ['1.234', 2],
    ['1.0', 0],
    ['1.2345', 3],
    ['1234567890123', 2],
    ['0123456789012', 2],
    ['10.500', 2],
    ['10 EUR', 2],
    ['1.2.3', 2],
    ['NaN', 2],
    ['Infinity', 2],
    ['€5', 2],
    ['５', 2],
    ['٥', 2],
  ])('refuses %j with %i decimals', (text, digits) => {
    expect(parseMoney(text, digits)).toBeUndefined();
  });
});

describe('formatMoney', () => {
  it.each([
    [0n, 2, '0.00'],
    [1n, 2, '0.01'],
    [1050n, 2, '10.50'],
    [-1050n, 2, '-10.50'],
    [-1n, 2, '-0.01'],
    [5n, 0, '5'],
    [5n, 3, '0.005'],
    [maxMinor, 2, '90071992547409.91'],
  ])('writes %s with %i decimals as %j', (amount, digits, expected) => {
    expect(formatMoney(amount, digits)).toBe(expected);
  });

  it('is undone by parseMoney, for every amount of up to 12 digits before the point', () => {
    fc.assert(
      fc.property(minor, decimals, (amount, digits) => {
        fc.pre(String(amount).length - digits <= 12);
        expect(parseMoney(formatMoney(amount, digits), digits)).toBe(amount);
      }),
    );
  });

  it('adds the decimals that were left out and changes nothing else', () => {
    const whole = fc.integer({ min: 0, max: 999_999_999 });
    fc.assert(
      fc.property(
        whole,
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
        decimals,
        (units, digits, places) => {
          fc.pre(digits.length <= places);
          const text = digits.length > 0 ? `${units}.${digits.join('')}` : String(units);
          const amount = parseMoney(text, places);
          const [shownUnits, shownDigits = ''] = formatMoney(amount ?? -1n, places).split('.');
          expect(shownUnits).toBe(String(units));
          expect(shownDigits).toBe(digits.join('').padEnd(places, '0'));
        },
      ),
    );
  });

  it('never shows a float: neither exponent nor blank nor comma', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -maxMinor, max: maxMinor }), decimals, (amount, digits) => {
        expect(formatMoney(amount, digits)).toMatch(digits === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${digits}}$`));
      }),
    );
  });
});

describe('parseRate', () => {
  it.each([
    ['0', 0n],
    ['1', 1_000_000n],
    ['1.000', 1_000_000n],
    ['0.08', 80_000n],
    ['0.0825', 82_500n],
    ['0.000001', 1n],
  ])('reads %j as %s millionths', (text, numerator) => {
    expect(parseRate(text)).toEqual({ numerator, denominator: 1_000_000n });
  });

  it.each(['', '8', '19', '1.01', '1.000001', '-0.1', '.5', '0.', '0.0000001', '8%', '0,08', '1e-2', ' 0.1', '00.1'])(
    'refuses %j',
    (text) => {
      expect(parseRate(text)).toBeUndefined();
    },
  );
});

describe('applyRate', () => {
  it.each([
    [1000n, '0.19', 190n],
    [1n, '0.5', 1n],
    [1n, '0.499999', 0n],
    [3n, '0.5', 2n],
    [5n, '0.1', 1n],
    [4n, '0.1', 0n],
    [999n, '0.0825', 82n],
    [0n, '1', 0n],
    [maxMinor, '1', maxMinor],
  ])('%s × %s is %s', (amount, text, expected) => {
    expect(applyRate(amount, rateOf(text))).toBe(expected);
  });

  it('rounds half up, as the digits of the exact product say', () => {
    fc.assert(
      fc.property(minor, rate, (amount, text) => {
        // By hand, on the decimal digits: multiply as integers, place the point, look at the next digit.
        const places = text.split('.')[1]?.length ?? 0;
        const product = String(amount * BigInt(text.replace('.', ''))).padStart(places + 1, '0');
        const units = places === 0 ? product : product.slice(0, -places);
        const nextDigit = places === 0 ? '0' : product.charAt(product.length - places);
        const expected = BigInt(units) + (nextDigit >= '5' ? 1n : 0n);
        expect(applyRate(amount, rateOf(text))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('never takes more than the amount', () => {
    fc.assert(
      fc.property(minor, rate, (amount, text) => {
        const part = applyRate(amount, rateOf(text));
        expect(part >= 0n && part <= amount).toBe(true);
      }),
    );
  });
});

describe('sameAmount', () => {
  it.each([
    ['10', '10.00', true],
    ['10.5', '10.50', true],
    ['010', '10', true],
    ['0', '0.00', true],
    ['10', '10.01', false],
    ['10', '100', false],
    ['1000', '10.00', false],
    ['-10', '10', false],
    ['0.1', '0.01', false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(sameAmount(a, b)).toBe(expected);
    expect(sameAmount(b, a)).toBe(expected);
  });

  it('says yes exactly when the amounts are equal, in whatever decimals they are written', () => {
    const close = fc.bigInt({ min: 0n, max: 10_000n });
    fc.assert(
      fc.property(close, close, decimals, decimals, (a, b, aDecimals, bDecimals) => {
        const equal = a * 10n ** BigInt(bDecimals) === b * 10n ** BigInt(aDecimals);
        expect(sameAmount(formatMoney(a, aDecimals), formatMoney(b, bDecimals))).toBe(equal);
        expect(sameAmount(formatMoney(a, aDecimals), formatMoney(a * 100n, aDecimals + 2))).toBe(true);
      }),
    );
  });
});

function rateOf(text: string) {
  const parsed = parseRate(text);
  if (!parsed) throw new Error(`${text} is no rate`);
  return parsed;
}
