import type { PaymentStatus } from '../orders/fields.ts';
import type { PaymentTable } from './table.ts';

type Attempt = Pick<PaymentTable, 'status' | 'matched' | 'refunded'>;

/**
 * How the payment of a pending order stands, from all payments that are linked to it: given back before it could pay, else what a
 * provider still decides, else that nothing is decided; `failed` or `cancelled` only where no attempt is left.
 * @returns with it what was given back, in minor units, at most the total
 */
export function pendingPaymentStatus(
  attempts: readonly Attempt[],
  total: number,
): { paymentStatus: PaymentStatus; refunded: number } {
  const given = attempts.filter(({ matched }) => matched === 'refunded');
  if (given.length > 0) {
    const refunded = given.reduce((sum, one) => sum + one.refunded, 0);
    return { paymentStatus: 'refunded', refunded: Math.min(refunded, total) };
  }
  const some = (status: Attempt['status']) =>
    attempts.some((one) => one.status === status && one.matched !== 'dismissed');
  const left = some('succeeded') ? 'pending' : some('failed') ? 'failed' : some('cancelled') ? 'cancelled' : 'pending';
  return { paymentStatus: some('processing') ? 'processing' : left, refunded: 0 };
}
