import { describe, expect, it } from 'vitest';
import { checksOf } from './checks.ts';

describe('checks of a payment against an order', () => {
  const payment = { amount: '50.00', currency: 'EUR' };
  const order = { status: 'pending', cancelReason: null, paidAt: null, total: '50.00', currency: 'EUR' } as const;
  const met = (changes: object) => checksOf(payment, { ...order, ...changes }).map(({ isMet }) => isMet);

  it('are met by an order of the same amount that is pending, expired or shipped unpaid', () => {
    expect(met({})).toEqual([true, true]);
    expect(met({ status: 'cancelled', cancelReason: 'expired' })).toEqual([true, true]);
    expect(met({ status: 'cancelled', cancelReason: 'requested' })).toEqual([false, true]);
    expect(met({ status: 'fulfilled' })).toEqual([true, true]);
    expect(met({ status: 'fulfilled', paidAt: '2026-11-20T12:00:00.000Z' })).toEqual([false, true]);
    expect(met({ status: 'paid' })).toEqual([false, true]);
    expect(met({ total: '50.01' })).toEqual([true, false]);
    expect(met({ currency: 'USD' })).toEqual([true, false]);
  });
});
