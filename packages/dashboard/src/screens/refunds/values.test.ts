import { describe, expect, it } from 'vitest';
import { type Order, type Refund, refundableOf } from './sums.ts';
import { allOf, amountOf, bodyOf, canRestock, checksOf, type Facts, restocks, startValues } from './values.ts';

const item = (id: string, quantity: number, unitPrice: string) =>
  ({ id, quantity, unitPrice, lineDiscount: '0.00', taxRate: '0', titleSnapshot: id }) as Order['items'][number];
// Three cups at 3.33 and a pot at 20.01 less 1.00; shipping of 5.00; prices contain the tax.
const order = {
  items: [item('cup', 3, '3.33'), item('pot', 1, '20.01')],
  ...{ discount: '1.00', shipping: '5.00', tax: '0.00', taxes: [], taxIncluded: true, total: '34.00', currency: 'EUR' },
  status: 'paid',
} as unknown as Order;
const refund = (amount: string, parts: Partial<Refund> = {}) =>
  ({ refundId: amount, amount, status: 'succeeded', lines: null, shipping: false, reason: null, ...parts }) as Refund;
const factsOf = (made: Refund[] = [], changes: Partial<Order> = {}, unsent = [3, 1]): Facts => ({
  order: { ...order, ...changes },
  ...{ made, rest: refundableOf(order, made) },
  toShip: order.items.map((one, i) => ({ item: one, left: unsent[i] ?? 0 })),
});

describe('a refund that is chosen', () => {
  it('comes to the shares of its pieces, which add up to the total in any portions', () => {
    const start = startValues(factsOf(), true);
    expect(amountOf(factsOf(), start)).toBe('0.00');
    const made: Refund[] = [];
    for (const [itemId, quantity] of [
      ['cup', 1],
      ['pot', 1],
      ['cup', 2],
    ] as const) {
      const facts = factsOf(made);
      const values = { ...start, [`pieces.${itemId}`]: String(quantity) };
      expect(checksOf(facts, values)).toEqual({});
      made.push(refund(amountOf(facts, values), { lines: [{ itemId, quantity }] }));
    }
    expect(made.map(({ amount }) => amount)).toEqual(['3.22', '19.34', '6.44']);
    const rest = factsOf(made);
    expect(rest.rest).toMatchObject({ left: 500n, lines: [], shipping: 500n });
    expect(bodyOf(rest, allOf(rest, start))).toEqual({ shipping: true, execute: true });
  });

  it('is all that is left, as an amount if the parts do not come to it', () => {
    const whole = factsOf([], { status: 'cancelled' });
    expect(bodyOf(whole, startValues(whole, false))).toEqual({
      lines: [
        { itemId: 'cup', quantity: 3 },
        { itemId: 'pot', quantity: 1 },
      ],
      shipping: true,
    });
    const some = factsOf([refund('4.00')], { status: 'cancelled' });
    expect(bodyOf(some, startValues(some, false))).toMatchObject({ amount: '30.00' });
  });

  it('is refused beyond what is left, and for nothing', () => {
    const facts = factsOf([refund('30.00')]);
    const start = startValues(facts, true);
    expect(Object.keys(checksOf(facts, start))).toEqual(['parts']);
    expect(Object.keys(checksOf(facts, { ...start, 'pieces.pot': '1' }))).toEqual(['parts']);
    for (const typed of ['2', '-1', 'x', '1.5'])
      expect(Object.keys(checksOf(facts, { ...start, 'pieces.pot': typed }))).toEqual(['pieces.pot']);
    for (const amount of ['4.01', '0', '', ' '])
      expect(Object.keys(checksOf(facts, { ...start, isOther: true, amount }))).toEqual(['amount']);
    expect(checksOf(facts, { ...start, isOther: true, amount: '4' })).toEqual({});
  });

  it('brings items back that were not sent, unless that is decided otherwise', () => {
    const facts = factsOf([], {}, [1, 0]);
    const start = startValues(facts, true);
    expect(canRestock(facts, start)).toBe(false);
    expect(restocks(facts, { ...start, 'pieces.cup': '1' })).toBe(true);
    expect(restocks(facts, { ...start, 'pieces.cup': '2' })).toBe(false);
    expect(restocks(facts, { ...start, 'pieces.cup': '1', 'pieces.pot': '1' })).toBe(false);
    expect(bodyOf(facts, { ...start, 'pieces.pot': '1', restock: 'yes' })).toMatchObject({ restock: true });
    // A piece that was refunded before is the unsent one.
    const later = factsOf([refund('3.22', { lines: [{ itemId: 'cup', quantity: 1 }] })], {}, [1, 0]);
    expect(restocks(later, { ...start, 'pieces.cup': '1' })).toBe(false);
    // Without pieces, only the last of the money brings all of them.
    expect(canRestock(facts, { ...start, isOther: true, amount: '33.99' })).toBe(false);
    expect(canRestock(facts, { ...start, isOther: true, amount: '34' })).toBe(true);
  });

  it('is the failed one again, as far as it is left', () => {
    const facts = factsOf();
    const again = (parts: Partial<Refund>) => startValues(facts, true, refund('3.22', { status: 'failed', ...parts }));
    expect(again({ lines: [{ itemId: 'cup', quantity: 1 }], reason: 'Chipped' })).toMatchObject({
      ...{ 'pieces.cup': '1', isOther: false, reason: 'Chipped', restock: 'no' },
    });
    expect(again({})).toMatchObject({ 'pieces.cup': '0', isOther: true, amount: '3.22' });
  });
});
