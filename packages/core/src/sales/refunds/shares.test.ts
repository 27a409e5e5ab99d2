import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import type { Order } from '../../orders/fields.ts';
import { type Refund, withOwn } from '../../payments/refund-ledger.ts';
import { taxesOf } from '../pricing/taxes.ts';
import { type SharedOrder, shareOfPieces, sharesOf } from '../shares/shares.ts';
import { amountOfParts } from './parts.ts';

const line = fc
  .record({
    unitPrice: fc.bigInt({ min: 0n, max: 3000n }),
    quantity: fc.integer({ min: 1, max: 7 }),
    off: fc.integer({ min: 0, max: 100 }),
    rate: fc.constantFrom('0', '0.07', '0.19', '0.19', '0.081', '1'),
  })
  .map(({ unitPrice, quantity, off, rate }) => ({
    ...{ unitPrice, quantity, rate },
    lineDiscount: (unitPrice * BigInt(quantity) * BigInt(off)) / 300n,
  }));

/** An order as the shop computes it. */
const order = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    off: fc.integer({ min: 0, max: 100 }),
    shipping: fc.constantFrom(0n, 1n, 499n, 500n),
    shippingTax: fc.constantFrom('proportional' as const, 'none' as const, '0.19', '0.2'),
    taxIncluded: fc.boolean(),
  })
  .map(({ lines, off, shipping, shippingTax, taxIncluded }) => {
    const ruleOf = (rate: string) => ({ country: 'DE', region: null, rate, name: null });
    const subtotal = lines.reduce((sum, one) => sum + one.unitPrice * BigInt(one.quantity) - one.lineDiscount, 0n);
    const discount = (subtotal * BigInt(off)) / 100n;
    const { entries, total } = taxesOf({
      ...{ discount, shipping, taxIncluded },
      lines: lines.map(({ unitPrice, quantity, lineDiscount, rate }) => ({
        amount: unitPrice * BigInt(quantity) - lineDiscount,
        rule: ruleOf(rate),
      })),
      shippingTax: shippingTax === 'proportional' || shippingTax === 'none' ? shippingTax : ruleOf(shippingTax),
    });
    const amount = (minor: Minor) => formatMoney(minor, 2);
    const items = lines.map(({ unitPrice, quantity, lineDiscount, rate }, i) => ({
      ...{ id: `line-${i}`, quantity, unitPrice: amount(unitPrice), lineDiscount: amount(lineDiscount), taxRate: rate },
    }));
    const taxes = entries.map(({ rate, base, amount: tax }) => ({ rate, base: amount(base), amount: amount(tax) }));
    const made: SharedOrder & { orderNumber: string } = {
      ...{ orderNumber: 'ORD-1', items, discount: amount(discount), shipping: amount(shipping) },
      ...{ taxes, taxIncluded },
    };
    return { order: made as Order, total };
  });

describe('the shares of an order', () => {
  it('add up to its total, and none is negative', () => {
    fc.assert(
      fc.property(order, ({ order, total }) => {
        const { lines, shipping } = sharesOf(order);
        expect(lines.reduce((sum, share) => sum + share, shipping)).toBe(total);
        for (const share of [...lines, shipping]) expect(share).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  it('are refunded whole by all pieces, in whatever portions and order of lines, and the shipping', () => {
    fc.assert(
      fc.property(order, fc.infiniteStream(fc.nat(1000)), ({ order, total }, picks) => {
        const left = new Map(order.items.map(({ id, quantity }) => [id, quantity]));
        let refunds: Refund[] = [];
        let sum = 0n;
        let shipping = true;
        const pick = () => picks.next().value as number;
        while (left.size > 0 || shipping) {
          const withShipping = shipping && (left.size === 0 || pick() % 4 === 0);
          const ids = [...left.keys()];
          const itemId = ids[pick() % Math.max(1, ids.length)];
          const most = itemId === undefined ? 0 : (left.get(itemId) ?? 0);
          const lines = itemId === undefined ? null : [{ itemId, quantity: 1 + (pick() % most) }];
          const parts = { lines, shipping: withShipping };
          const amount = amountOfParts(order, parts, refunds);
          sum += amount;
          refunds = withOwn(refunds, { refundId: `r${refunds.length}`, named: false, amount, now: 0, ...parts });
          if (withShipping) shipping = false;
          for (const one of lines ?? []) {
            const rest = most - one.quantity;
            if (rest === 0) left.delete(one.itemId);
            else left.set(one.itemId, rest);
          }
        }
        expect(sum).toBe(total);
        const itemId = order.items[0]?.id ?? '';
        const again = () => amountOfParts(order, { lines: [{ itemId, quantity: 1 }], shipping: false }, refunds);
        expect(again).toThrow('lines.0.quantity: must be at most 0');
        expect(() => amountOfParts(order, { lines: null, shipping: true }, refunds)).toThrow('was refunded before');
      }),
    );
  });

  it('are rounded cumulatively: 3 pieces of 0.25 cost 0.08, 0.09 and 0.08', () => {
    expect([0, 1, 2].map((done) => shareOfPieces(25n, done, 1, 3))).toEqual([8n, 9n, 8n]);
    expect(shareOfPieces(25n, 1, 2, 3)).toBe(17n);
  });

  it('name what is wrong with a line', () => {
    const one = {
      ...{ orderNumber: 'ORD-7', discount: '0.00', shipping: '0.00', taxIncluded: true },
      taxes: [{ rate: '0', base: '2.00', amount: '0.00' }],
      items: [{ id: 'a', quantity: 2, unitPrice: '1.00', lineDiscount: '0.00', taxRate: '0' }],
    } as unknown as Order;
    const parts = (...lines: { itemId: string; quantity: number }[]) =>
      amountOfParts(one, { lines, shipping: false }, []);
    expect(() => parts({ itemId: 'b', quantity: 1 })).toThrow('lines.0.itemId: must be a line of order ORD-7, not "b"');
    expect(() => parts({ itemId: 'a', quantity: 3 })).toThrow('lines.0.quantity: must be at most 2');
    // A line that is named twice is refunded in both portions.
    expect(parts({ itemId: 'a', quantity: 1 }, { itemId: 'a', quantity: 1 })).toBe(200n);
    expect(() => parts({ itemId: 'a', quantity: 1 }, { itemId: 'a', quantity: 2 })).toThrow('lines.1.quantity');
  });
});
