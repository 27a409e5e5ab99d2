import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Minor, maxMinor, parseRate } from '../kernel/money.ts';
import { taxesOf } from '../sales/pricing/taxes.ts';
import { type Line, refuseDiscount, refuseExcess, subtotalOf } from './totals.ts';

const line = (unitPrice: bigint, quantity: number, lineDiscount = 0n): Line => ({ unitPrice, quantity, lineDiscount });

function charges(taxRate = '0', shipping = 0n, discount = 0n, taxIncluded = false) {
  if (!parseRate(taxRate)) throw new Error(`${taxRate} is no rate`);
  return { taxRate, taxIncluded, shipping, discount };
}

/** The amounts of an order with one rate, as prices are made up of them. */
function orderTotals(lines: readonly Line[], { taxRate: rate, ...given }: ReturnType<typeof charges>) {
  const subtotal: Minor = subtotalOf(lines);
  refuseDiscount(given.discount, subtotal);
  const rule = { country: null, region: null, rate, name: null };
  const shippingTax = given.taxIncluded ? ('proportional' as const) : ('none' as const);
  const amounts = lines.map((line) => ({ amount: subtotalOf([line]), rule }));
  const { tax, total } = taxesOf({ ...given, lines: amounts, shippingTax });
  refuseExcess([subtotal, total], maxMinor);
  return { subtotal, tax, total };
}

describe('an order with one rate', () => {
  it.each<[string, Line[], ReturnType<typeof charges>, [bigint, bigint, bigint]]>([
    ['one line', [line(1250n, 2)], charges(), [2500n, 0n, 2500n]],
    ['line discounts once per line, not per piece', [line(1000n, 3, 500n)], charges(), [2500n, 0n, 2500n]],
    ['tax on what is left after the discount', [line(10_000n, 1)], charges('0.1', 0n, 5000n), [10_000n, 500n, 5500n]],
    ['no tax on shipping', [line(10_000n, 1)], charges('0.1', 1000n), [10_000n, 1000n, 12_000n]],
    ['half a cent up', [line(50n, 1)], charges('0.01'), [50n, 1n, 51n]],
    ['less than half a cent down', [line(49n, 1)], charges('0.01'), [49n, 0n, 49n]],
    ['tax once on the sum, not per line', [line(50n, 1), line(50n, 1)], charges('0.01'), [100n, 1n, 101n]],
    ['a discount of the whole price', [line(999n, 1)], charges('0.19', 490n, 999n), [999n, 0n, 490n]],
    ['a line discount of the whole line', [line(999n, 2, 1998n)], charges('0.19'), [0n, 0n, 0n]],
    [
      'tax that prices hold as a part of them',
      [line(11_900n, 1)],
      charges('0.19', 0n, 0n, true),
      [11_900n, 1900n, 11_900n],
    ],
    [
      'tax that prices hold in shipping, too',
      [line(11_900n, 1)],
      charges('0.19', 595n, 0n, true),
      [11_900n, 1995n, 12_495n],
    ],
    ['tax in what is left', [line(11_900n, 1)], charges('0.19', 0n, 1190n, true), [11_900n, 1710n, 10_710n]],
    ['half a contained cent up', [line(101n, 1)], charges('0.005', 0n, 0n, true), [101n, 1n, 101n]],
    ['half of what holds a tax of 100 %', [line(101n, 1)], charges('1', 0n, 0n, true), [101n, 51n, 101n]],
    ['a free product', [line(0n, 1_000_000)], charges('1'), [0n, 0n, 0n]],
  ])('counts %s', (_, lines, given, [subtotal, tax, total]) => {
    expect(orderTotals(lines, given)).toEqual({ subtotal, tax, total });
  });

  it.each<[string, Line[], ReturnType<typeof charges>, string]>([
    ['a line discount above the line', [line(1n, 1), line(100n, 2, 201n)], charges(), 'items.1.lineDiscount'],
    ['a discount above the subtotal', [line(100n, 1, 1n)], charges('0', 1000n, 100n), 'discount'],
    ['a total above the maximum', [line(maxMinor, 1)], charges('0', 1n), 'items'],
  ])('refuses %s', (_, lines, given, field) => {
    expect(() => orderTotals(lines, given)).toThrow(
      expect.objectContaining({ kind: 'validation', details: [expect.objectContaining({ field })] }),
    );
  });

  it('adds up: total = subtotal − discount + tax + shipping, and the order of the lines does not matter', () => {
    const someLine = fc
      .tuple(fc.bigInt(0n, 10n ** 8n), fc.integer({ min: 1, max: 1000 }), fc.bigInt(0n, 100n))
      .map(([price, quantity, percent]) => line(price, quantity, (price * BigInt(quantity) * percent) / 100n));
    fc.assert(
      fc.property(
        fc.array(someLine, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 999_999 }),
        fc.bigInt(0n, 10n ** 6n),
        fc.bigInt(0n, 100n),
        (lines, millionths, shipping, percent) => {
          const gross = lines.reduce((sum, one) => sum + one.unitPrice * BigInt(one.quantity) - one.lineDiscount, 0n);
          const discount = (gross * percent) / 100n;
          const given = charges(`0.${String(millionths).padStart(6, '0')}`, shipping, discount);
          const { subtotal, tax, total } = orderTotals(lines, given);
          expect(subtotal).toBe(gross);
          expect(total).toBe(subtotal - discount + tax + shipping);
          // Off by at most half a cent: |tax × 10^6 − taxed × millionths| ≤ 10^6 / 2.
          const off = tax * 1_000_000n - (subtotal - discount) * BigInt(millionths);
          expect(off > -500_000n && off <= 500_000n).toBe(true);
          expect(orderTotals([...lines].reverse(), given)).toEqual({ subtotal, tax, total });
          const held = orderTotals(lines, { ...given, taxIncluded: true });
          expect(held.total).toBe(subtotal - discount + shipping);
          // tax = total × rate / (1 + rate), off by at most half a cent.
          const heldOff = held.tax * (1_000_000n + BigInt(millionths)) - held.total * BigInt(millionths);
          expect(2n * heldOff <= 1_000_000n + BigInt(millionths)).toBe(true);
          expect(-2n * heldOff < 1_000_000n + BigInt(millionths)).toBe(true);
        },
      ),
    );
  });
});
