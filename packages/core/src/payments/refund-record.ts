import type { Context } from '../engine/context.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { currencyDecimals, formatMoney } from '../kernel/money.ts';
import type { RefundRecord, RefundStatus } from '../orders/refund-fields.ts';
import type { PaymentTable } from '../storage/tables/payments.ts';
import { isTakenBack, type Refund } from './refund-ledger.ts';

const statuses = { pending: 'pending', completed: 'succeeded', failed: 'failed' } as const satisfies Record<
  Refund['status'],
  RefundStatus
>;

/** The refund as interfaces answer it, in a currency with that many decimals. */
export function toRefundRecord(refund: Refund, decimals: number): RefundRecord {
  const { refundId, error, reason, lines, shipping, restocked } = refund;
  return {
    refundId,
    amount: formatMoney(refund.amount, decimals),
    status: statuses[refund.status],
    kind: isTakenBack(refund) ? 'dispute' : 'refund',
    providerRefundId: refund.named && !isTakenBack(refund) ? refundId : refund.providerId,
    error,
    reason,
    lines: lines?.map(({ itemId, quantity }) => ({ itemId, quantity })) ?? null,
    shipping,
    restocked,
    recordedAt: toTimestamp(refund.recordedAt),
  };
}

/** Decimals of a payment's amounts. */
export function decimalsOf({ store }: Pick<Context, 'store'>, { currency }: PaymentTable): number {
  return (currency === null ? undefined : currencyDecimals(currency)) ?? store.decimals;
}
