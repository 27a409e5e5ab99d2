import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../api/types.ts';
import { isLate, proposalOf, type Withdrawal } from './proposal.ts';

type Line = Schemas['Order']['items'][number];
const line = (id: string, productId: string, skuSnapshot: string | null, quantity: number) =>
  ({ id, productId, skuSnapshot, quantity }) as Line;
const order = { items: [line('a', 'mug', 'MUG', 2), line('b', 'bowl', null, 1), line('c', 'mug', 'MUG', 1)] };
const goods = (productId: string | null, sku: string | null, quantity: number) => ({ productId, sku, quantity });
const chosen = (items: Withdrawal['items']) => {
  const { pieces, shipping } = proposalOf(order, { items });
  return { ...Object.fromEntries(pieces), shipping };
};

describe('the refund that a withdrawal proposes', () => {
  it('is the whole order with its shipping if no goods are named', () => {
    expect(chosen([])).toEqual({ a: 2, b: 1, c: 1, shipping: true });
  });

  it('is the named goods, over all lines of a product, and never more than was sold', () => {
    expect(chosen([goods('bowl', null, 1)])).toEqual({ b: 1, shipping: false });
    expect(chosen([goods(null, 'MUG', 1)])).toEqual({ a: 1, shipping: false });
    expect(chosen([goods('mug', null, 3)])).toEqual({ a: 2, c: 1, shipping: false });
    expect(chosen([goods('mug', null, 1), goods(null, 'MUG', 1)])).toEqual({ a: 2, shipping: false });
    expect(chosen([goods('bowl', null, 9), goods('other', null, 1), goods(null, 'NONE', 1)])).toEqual({
      b: 1,
      shipping: false,
    });
  });

  it('has the shipping if all goods are named', () => {
    expect(chosen([goods('bowl', null, 1), goods(null, 'MUG', 3)])).toEqual({ a: 2, b: 1, c: 1, shipping: true });
  });
});

it('a withdrawal is late after its time, until it is closed', () => {
  const dueAt = '2026-12-04T12:00:00.000Z';
  const at = (time: string, status: Withdrawal['status'] = 'received') => isLate({ status, dueAt }, Date.parse(time));
  expect([at('2026-12-04T12:00:00.000Z'), at('2026-12-04T12:00:00.001Z')]).toEqual([false, true]);
  expect(at('2026-12-05T12:00:00.000Z', 'closed')).toBe(false);
});
