import type { DisputeStatus } from '../../storage/tables/payments.ts';
import { idsOf, type Reading, unrelated } from '../notice.ts';
import { listAt, textAt, timeAt, wordIn } from '../reading.ts';
import { moneyOf } from './money.ts';

/** Readers of the events about disputes (developer.paypal.com/docs/disputes/webhooks). */
export const disputeReaders: Record<string, (dispute: object, createdAt: number | null) => Reading> = {
  'CUSTOMER.DISPUTE.CREATED': readDispute,
  'CUSTOMER.DISPUTE.UPDATED': readDispute,
  'CUSTOMER.DISPUTE.RESOLVED': readDispute,
};

/**
 * Results by PayPal's `outcome_code`. In all other cases PayPal pays the buyer itself or decides nothing. If it takes money from the shop
 * nevertheless, a refund or a reversal of the capture is reported.
 */
const outcomes: Record<string, DisputeStatus> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
};

/** A dispute names its captures. One about several, which is rare, counts for the first. */
function readDispute(dispute: object, createdAt: number | null): Reading {
  const id = textAt(dispute, 'dispute_id');
  if (id === null) return unrelated;
  const [transaction] = listAt(dispute, 'disputed_transactions');
  const isClosed = textAt(dispute, 'status') === 'RESOLVED';
  const status = isClosed ? (wordIn(outcomes, textAt(dispute, 'dispute_outcome', 'outcome_code')) ?? 'won') : 'open';
  const { amount, currency } = moneyOf(dispute, 'dispute_amount');
  const refunded = moneyOf(dispute, 'dispute_outcome', 'amount_refunded');
  const taken = refunded.amount !== null && refunded.currency === currency ? refunded.amount : amount;
  return {
    kind: 'dispute',
    orderId: textAt(transaction, 'custom'),
    ids: idsOf({ capture: textAt(transaction, 'seller_transaction_id') }),
    dispute: {
      id,
      amount,
      reason: textAt(dispute, 'reason')?.toLowerCase() ?? null,
      status,
      dueAt: isClosed ? null : timeAt(dispute, 'seller_response_due_date'),
      taken: status === 'lost' ? taken : null,
      // PayPal can also report the same money as a refund or a reversal of the capture.
      openedAt: timeAt(dispute, 'create_time') ?? createdAt,
    },
    currency,
    toldAt: timeAt(dispute, 'update_time') ?? createdAt,
  };
}
