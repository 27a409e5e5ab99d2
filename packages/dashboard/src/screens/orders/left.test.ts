import { expect, it } from 'vitest';
import { leftToShip } from './left.ts';
import type { Order } from './states.tsx';
import { dueWords, isPayable, isShippable, usualMethod } from './unpaid.ts';

const item = (id: string, quantity: number, requiresShipping = true) =>
  ({ id, quantity, requiresShipping }) as Order['items'][number];
const parcel = (...lines: [itemId: string, quantity: number][]) =>
  ({ lines: lines.map(([itemId, quantity]) => ({ itemId, quantity })) }) as Order['fulfilments'][number];

it('What is left to ship is what no parcel has and what was not refunded', () => {
  const items = [item('a', 3), item('b', 1), item('c', 2), item('not shipped', 1, false)];
  const refunds = [
    { status: 'succeeded', lines: [{ itemId: 'c', quantity: 1 }] },
    { status: 'pending', lines: [{ itemId: 'c', quantity: 1 }] },
    { status: 'failed', lines: [{ itemId: 'a', quantity: 3 }] },
    { status: 'succeeded', lines: null },
  ] as const;
  const left = (...fulfilments: Order['fulfilments']) => leftOf(fulfilments);
  const leftOf = (fulfilments: Order['fulfilments'], refunded: Parameters<typeof leftToShip>[1] = []) =>
    leftToShip({ items, fulfilments }, refunded).map(({ item: { id }, left: n }) => [id, n]);
  expect(left()).toEqual([
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ]);
  expect(left(parcel(['a', 1], ['b', 1]), parcel(['a', 1]))).toEqual([
    ['a', 1],
    ['c', 2],
  ]);
  expect(left(parcel(['a', 3], ['b', 1], ['c', 2]))).toEqual([]);
  expect(leftOf([parcel(['b', 1])], refunds as never)).toEqual([['a', 3]]);
});

type Kind = NonNullable<Order['paymentOption']>['kind'];
const order = (kind: Kind | null, status: Order['status'], paidAt: string | null = null) => ({
  status,
  paidAt,
  paymentOption: kind && { id: kind, name: kind, kind },
});

it('Unpaid orders ship where their way to pay allows it, and say how they are to be paid', () => {
  const now = '2026-11-20T12:00:00.000Z';
  expect(isShippable(order('transfer', 'pending'))).toBe(false);
  expect(isShippable(order('provider', 'pending'))).toBe(false);
  expect(isShippable(order(null, 'pending'))).toBe(false);
  expect(isShippable(order('on_pickup', 'pending'))).toBe(true);
  expect(isShippable(order('transfer', 'paid', now))).toBe(true);
  expect(isShippable(order('invoice', 'fulfilled'))).toBe(false);
  expect(dueWords(order('invoice', 'fulfilled'))).toBe('To be paid by invoice');
  expect(dueWords(order('invoice', 'fulfilled', now))).toBeUndefined();
  expect(dueWords(order('invoice', 'cancelled'))).toBeUndefined();
  expect(dueWords(order('provider', 'pending'))).toBeUndefined();
  expect(isPayable(order('cash_on_delivery', 'fulfilled'))).toBe(true);
  expect(isPayable(order(null, 'pending'))).toBe(true);
  expect(usualMethod(order('cash_on_delivery', 'pending'))).toBe('cash');
  expect(usualMethod(order(null, 'pending'))).toBe('transfer');
});
