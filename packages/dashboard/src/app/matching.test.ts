import { describe, expect, it } from 'vitest';
import { matchPath } from './matching.ts';

describe('paths of screens', () => {
  it('have parts that are given, and parts that are named', () => {
    expect(matchPath('orders', 'orders')).toEqual({});
    expect(matchPath('', '')).toEqual({});
    expect(matchPath('orders/:id', 'orders/a%20b')).toEqual({ id: 'a b' });
    expect(matchPath('orders/:id/slip', 'orders/1/slip')).toEqual({ id: '1' });
    for (const other of ['orders', 'orders/', 'orders/1/2', 'products/1', 'orders/%E0%A4%A']) {
      expect(matchPath('orders/:id', other), other).toBe(undefined);
    }
  });
});
