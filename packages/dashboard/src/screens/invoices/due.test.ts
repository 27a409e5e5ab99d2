import { expect, it } from 'vitest';
import { isInvoiceable } from './due.ts';

const now = '2026-11-26T12:00:00.000Z';
const paid = {
  status: 'paid',
  paidAt: now,
  placedAt: now,
  total: '32.00',
  refundedAmount: '0.00',
  currency: 'EUR',
} as const;

it('an order gets an invoice once it is paid or placed, while something of it is left', () => {
  expect(isInvoiceable(paid)).toBe(true);
  expect(isInvoiceable({ ...paid, status: 'pending', paidAt: null })).toBe(true);
  expect(isInvoiceable({ ...paid, status: 'pending', paidAt: null, placedAt: null })).toBe(false);
  expect(isInvoiceable({ ...paid, refundedAmount: '31.99' })).toBe(true);
  expect(isInvoiceable({ ...paid, status: 'refunded', refundedAmount: '32.00' })).toBe(false);
  expect(isInvoiceable({ ...paid, status: 'cancelled' })).toBe(false);
  expect(isInvoiceable({ ...paid, total: '0.00' })).toBe(false);
  expect(isInvoiceable({ ...paid, total: '9', currency: 'JPY', refundedAmount: '10' })).toBe(false);
});
