import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TaxedCart, type TaxRule, taxesOf } from './taxes.ts';

const rule = (rate: string, country: string | null = 'DE', name: string | null = null): TaxRule => ({
  ...{ country, region: null, rate, name },
});
const cart = (given: Partial<TaxedCart> & Pick<TaxedCart, 'lines'>): TaxedCart => ({
  ...{ discount: 0n, shipping: 0n, shippingTax: 'proportional', taxIncluded: true },
  ...given,
});
const short = ({ entries, tax, total }: ReturnType<typeof taxesOf>) => ({
  entries: entries.map(({ rate, base, amount }) => [rate, base, amount]),
  tax,
  total,
});

describe('the taxes of an order', () => {
  it.each<[string, TaxedCart, ReturnType<typeof short>]>([
    [
      // Rounded once, of the sum: 100.00 stays 100.00, where each line rounded would give 100.01.
      'one rate, contained (woocommerce/woocommerce#20440)',
      cart({ lines: [4500n, 4900n, 600n].map((amount) => ({ amount, rule: rule('0.21') })) }),
      { entries: [['0.21', 8264n, 1736n]], tax: 1736n, total: 10_000n },
    ],
    [
      'one rate, contained: what buyers see is what they pay (cubecart/v6#4197)',
      cart({ lines: [28_000n, 5000n].map((amount) => ({ amount, rule: rule('0.2') })), shipping: 500n }),
      { entries: [['0.2', 27_917n, 5583n]], tax: 5583n, total: 33_500n },
    ],
    [
      // Each line rounded would give 6.00, and a total that its provider refuses.
      'one rate, added: rounded once (woocommerce/woocommerce#26582)',
      cart({
        lines: [999n, 999n, 999n].map((amount) => ({ amount, rule: rule('0.2') })),
        ...{ shippingTax: 'none', taxIncluded: false },
      }),
      { entries: [['0.2', 2997n, 599n]], tax: 599n, total: 3596n },
    ],
    [
      'two rates, contained, with shipping in proportion',
      cart({
        lines: [
          { amount: 11_900n, rule: rule('0.19') },
          { amount: 10_700n, rule: rule('0.07') },
        ],
        shipping: 500n,
      }),
      {
        entries: [
          ['0.19', 10_221n, 1942n],
          ['0.07', 10_221n, 716n],
        ],
        tax: 2658n,
        total: 23_100n,
      },
    ],
    [
      'two rates, added, shipping without tax',
      cart({
        lines: [
          { amount: 1000n, rule: rule('0.0825', 'US') },
          { amount: 333n, rule: rule('0', 'US') },
        ],
        shipping: 500n,
        shippingTax: 'none',
        taxIncluded: false,
      }),
      {
        entries: [
          ['0.0825', 1000n, 83n],
          ['0', 333n, 0n],
        ],
        tax: 83n,
        total: 1916n,
      },
    ],
    [
      'shipping with a tax of its own',
      cart({ lines: [{ amount: 1070n, rule: rule('0.07') }], shipping: 119n, shippingTax: rule('0.19') }),
      {
        entries: [
          ['0.07', 1000n, 70n],
          ['0.19', 100n, 19n],
        ],
        tax: 89n,
        total: 1189n,
      },
    ],
    [
      'a discount of everything: shipping follows the lines before it',
      cart({
        lines: [
          { amount: 300n, rule: rule('0.19') },
          { amount: 100n, rule: rule('0.07') },
        ],
        discount: 400n,
        shipping: 400n,
      }),
      {
        entries: [
          ['0.19', 252n, 48n],
          ['0.07', 93n, 7n],
        ],
        tax: 55n,
        total: 400n,
      },
    ],
    [
      'goods that cost nothing: shipping has the rate of the first',
      cart({
        lines: [
          { amount: 0n, rule: rule('0.19') },
          { amount: 0n, rule: rule('0.07') },
        ],
        shipping: 119n,
      }),
      { entries: [['0.19', 100n, 19n]], tax: 19n, total: 119n },
    ],
    [
      'one rate in two spellings is one entry; two names are two',
      cart({
        lines: [
          { amount: 120n, rule: rule('0.2') },
          { amount: 120n, rule: rule('0.20') },
          { amount: 120n, rule: rule('0.2', 'DE', 'City tax') },
        ],
      }),
      {
        entries: [
          ['0.2', 200n, 40n],
          ['0.2', 100n, 20n],
        ],
        tax: 60n,
        total: 360n,
      },
    ],
  ])('%s', (_, given, expected) => {
    expect(short(taxesOf(given))).toEqual(expected);
  });

  const rates = ['0', '0.07', '0.19', '0.2', '0.0825', '0.255', '1'];
  const anyRule = fc.record({
    country: fc.constantFrom('DE', 'FR', null),
    region: fc.constantFrom(null, 'CA'),
    rate: fc.constantFrom(...rates),
    name: fc.constantFrom(null, 'VAT'),
  });
  const anyCart = fc
    .record({
      lines: fc.array(fc.record({ amount: fc.bigInt(0n, 1_000_000n), rule: anyRule }), { minLength: 1, maxLength: 12 }),
      part: fc.integer({ min: 0, max: 100 }),
      shipping: fc.bigInt(0n, 5000n),
      shippingTax: fc.oneof(fc.constantFrom('proportional' as const, 'none' as const), anyRule),
      taxIncluded: fc.boolean(),
    })
    .map(({ part, ...rest }): TaxedCart => {
      const subtotal = rest.lines.reduce((sum, { amount }) => sum + amount, 0n);
      return { ...rest, discount: (subtotal * BigInt(part)) / 100n };
    });

  it('add up, whatever the order', () => {
    fc.assert(
      fc.property(anyCart, (given) => {
        const { entries, tax, total } = taxesOf(given);
        const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);
        const subtotal = sum(given.lines.map(({ amount }) => amount));
        const untaxedShipping = given.shippingTax === 'none' ? given.shipping : 0n;
        expect(sum(entries.map(({ base }) => base)) + tax + untaxedShipping).toBe(total);
        expect(sum(entries.map(({ amount }) => amount))).toBe(tax);
        expect(total).toBe(subtotal - given.discount + given.shipping + (given.taxIncluded ? 0n : tax));
        // An oracle in whole numbers of a millionth of a minor unit: each entry is off by at most half a unit.
        for (const { rate, base, amount } of entries) {
          const millionths = BigInt(Math.round(Number(rate) * 1_000_000));
          const [of, per] = given.taxIncluded ? [base + amount, 1_000_000n + millionths] : [base, 1_000_000n];
          const off = 2n * (of * millionths - amount * per);
          expect(off >= -per && off < per).toBe(true);
        }
        const names = entries.map(({ country, region, rate, name }) => JSON.stringify([country, region, rate, name]));
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: 20_000 },
    );
  });
});
