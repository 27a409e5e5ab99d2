import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import { taxesOf } from '../pricing/taxes.ts';
import { sharesOf } from './shares.ts';
import {
  noParts,
  partsOfFailure,
  partsOfRefund,
  type RefundedParts,
  sumOfParts,
  taxesOfOrder,
  taxPartsOf,
  withoutRefund,
  withRefund,
} from './tax-parts.ts';

const amount = (minor: Minor) => formatMoney(minor, 2);
const ruleOf = (rate: string, name: string | null = null) => ({ country: 'DE', region: null, rate, name });

const line = fc.record({
  unitPrice: fc.bigInt({ min: 0n, max: 3000n }),
  quantity: fc.integer({ min: 1, max: 7 }),
  rate: fc.constantFrom('0', '0.07', '0.19', '0.081', '1'),
  name: fc.constantFrom(null, 'VAT'),
});

/** An order as the shop computes it; two of its taxes can have the same rate. */
const order = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    off: fc.integer({ min: 0, max: 100 }),
    shipping: fc.constantFrom(0n, 1n, 499n, 500n),
    shippingTax: fc.constantFrom('proportional' as const, 'none' as const, '0.19', '0.2'),
    taxIncluded: fc.boolean(),
  })
  .map(({ lines, off, shipping, shippingTax, taxIncluded }) => {
    const subtotal = lines.reduce((sum, one) => sum + one.unitPrice * BigInt(one.quantity), 0n);
    const discount = (subtotal * BigInt(off)) / 100n;
    const { entries, total, tax } = taxesOf({
      ...{ discount, shipping, taxIncluded },
      lines: lines.map(({ unitPrice, quantity, rate, name }) => ({
        amount: unitPrice * BigInt(quantity),
        rule: ruleOf(rate, name),
      })),
      shippingTax: shippingTax === 'proportional' || shippingTax === 'none' ? shippingTax : ruleOf(shippingTax),
    });
    return {
      items: lines.map(({ unitPrice, quantity, rate }, i) => ({
        ...{ id: `line-${i}`, quantity, unitPrice: amount(unitPrice), lineDiscount: '0.00', taxRate: rate },
      })),
      taxes: entries.map((entry) => ({ ...entry, base: amount(entry.base), amount: amount(entry.amount) })),
      ...{ tax: amount(tax), taxRate: '0', discount: amount(discount), shipping: amount(shipping) },
      ...{ total: amount(total), taxIncluded },
    } as unknown as Order;
  });

const without = ({ pieces: _, ...parts }: RefundedParts) => parts;

describe('the parts of refunds', () => {
  it('add up to their amounts and to the order, in whatever portions, also if some fail on the way', () => {
    fc.assert(
      fc.property(order, fc.infiniteStream(fc.nat(1000)), (order, picks) => {
        const pick = () => picks.next().value as number;
        const whole = taxPartsOf(order);
        let done = noParts(order);
        for (let round = 0; round < 60; round++) {
          const left = sumOfParts(whole) - sumOfParts(done);
          if (left === 0n) break;
          const item = order.items[pick() % order.items.length];
          const lines = pick() % 2 === 0 || !item ? null : [{ itemId: item.id, quantity: 1 + (pick() % 3) }];
          const amount = round === 59 ? left : 1n + (BigInt(pick()) * (left - 1n)) / 1000n;
          const refund = { amount, lines, shipping: pick() % 3 === 0 };
          const parts = partsOfRefund(order, refund, done);
          expect(sumOfParts(parts)).toBe(amount);
          for (const { base, tax } of parts.entries) {
            expect(base).toBeGreaterThanOrEqual(0n);
            expect(tax).toBeGreaterThanOrEqual(0n);
          }
          done = withRefund(done, refund, parts);
          if (round < 30 && pick() % 4 === 0) {
            const back = partsOfFailure(order, amount, parts, done);
            expect(sumOfParts(back)).toBe(amount);
            done = withoutRefund(done, refund, back);
          }
          for (const [i, { base, tax }] of done.entries.entries()) {
            expect(base + tax).toBeLessThanOrEqual((whole.entries[i]?.base ?? 0n) + (whole.entries[i]?.tax ?? 0n));
          }
        }
        expect(without(done)).toEqual(whole);
      }),
    );
  });

  it('of all lines and the shipping are the order, and each falls on its own rate', () => {
    fc.assert(
      fc.property(order, (order) => {
        const shares = sharesOf(order);
        let done = noParts(order);
        for (const [i, { id, quantity, taxRate }] of order.items.entries()) {
          const refund = { amount: shares.lines[i] ?? 0n, lines: [{ itemId: id, quantity }], shipping: false };
          const parts = partsOfRefund(order, refund, done);
          for (const [n, { base, tax }] of parts.entries.entries()) {
            if (Number(order.taxes[n]?.rate) !== Number(taxRate)) expect(base + tax).toBe(0n);
          }
          done = withRefund(done, refund, parts);
        }
        const last = { amount: shares.shipping, lines: null, shipping: true };
        done = withRefund(done, last, partsOfRefund(order, last, done));
        expect(without(done)).toEqual(taxPartsOf(order));
      }),
    );
  });

  const entry = (rate: string, base: string, tax: string) => ({ ...ruleOf(rate), base, amount: tax });
  const item = (id: string, unitPrice: string, taxRate: string) => ({
    ...{ id, quantity: 1, unitPrice, lineDiscount: '0.00', taxRate },
  });
  const two = {
    items: [item('a', '119.00', '0.19'), item('b', '107.00', '0.07')],
    taxes: [entry('0.19', '100.00', '19.00'), entry('0.07', '100.00', '7.00')],
    ...{ tax: '26.00', taxRate: '0.13', discount: '0.00', shipping: '5.00', total: '231.00', taxIncluded: true },
  } as unknown as Order;

  it('of an amount alone fall on all rates and on untaxed shipping, in proportion to base + tax', () => {
    const parts = partsOfRefund(two, { amount: 2310n, lines: null, shipping: false }, noParts(two));
    expect(parts).toEqual({
      entries: [
        { base: 1000n, tax: 190n },
        { base: 1000n, tax: 70n },
      ],
      untaxedShipping: 50n,
    });
  });

  it('of a line fall on its rate alone; goodwill beyond it falls on the rest', () => {
    const lines = [{ itemId: 'b', quantity: 1 }];
    const exact = partsOfRefund(two, { amount: 10_700n, lines, shipping: false }, noParts(two));
    expect(exact).toEqual({
      entries: [
        { base: 0n, tax: 0n },
        { base: 10_000n, tax: 700n },
      ],
      untaxedShipping: 0n,
    });
    const more = partsOfRefund(two, { amount: 10_700n + 124n, lines, shipping: false }, noParts(two));
    expect(more.entries[1]).toEqual({ base: 10_000n, tax: 700n });
    expect(more.untaxedShipping).toBe(5n);
  });

  it('of an order of before there were several rates follow from its one rate', () => {
    const old = {
      ...two,
      taxes: [],
      tax: '1.90',
      taxRate: '0.19',
      total: '16.90',
      shipping: '5.00',
      taxIncluded: false,
    };
    expect(taxesOfOrder(old)).toEqual([{ ...entry('0.19', '10.00', '1.90'), country: null }]);
    expect(taxPartsOf(old)).toEqual({ entries: [{ base: 1000n, tax: 190n }], untaxedShipping: 500n });
    expect(taxPartsOf({ ...old, tax: '0.00' })).toEqual({ entries: [], untaxedShipping: 1690n });
  });
});
