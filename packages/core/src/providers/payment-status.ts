import type { PaymentStatus } from '../orders/fields.ts';
import type { PaymentTable } from '../storage/tables/payments.ts';

type Attempt = Pick<PaymentTable, 'status' | 'matched' | 'refunded'>;

/**
 * The payment status of a pending order, from all payments linked to it. `refunded` when one was refunded before it could pay, else
 * `processing` when a provider has not decided, else `pending`. `failed` or `cancelled` only when no attempt is left.
 * @returns also the refunded amount, in minor units, at most the total
 */
export function pendingPaymentStatus(
  attempts: readonly Attempt[],
  total: number,
): { paymentStatus: PaymentStatus; refunded: number } {
  const returned = attempts.filter(({ matched }) => matched === 'refunded');
  if (returned.length > 0) {
    const refunded = returned.reduce((sum, one) => sum + one.refunded, 0);
    return { paymentStatus: 'refunded', refunded: Math.min(refunded, total) };
  }
  const some = (status: Attempt['status']) =>
    attempts.some((one) => one.status === status && one.matched !== 'dismissed');
  const left = some('succeeded') ? 'pending' : some('failed') ? 'failed' : some('cancelled') ? 'cancelled' : 'pending';
  return { paymentStatus: some('processing') ? 'processing' : left, refunded: 0 };
}
