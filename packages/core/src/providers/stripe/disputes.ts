import { formatMoney } from '../../kernel/money.ts';
import type { DisputeStatus } from '../../storage/tables/payments.ts';
import { idsOf, type Reading, unrelated } from '../notice.ts';
import { integerAt, listAt, textAt, wordIn } from '../reading.ts';
import { amountOf, stripeDecimals } from './money.ts';

/** Readers of the events about disputes (docs.stripe.com/api/disputes/object). */
export const disputeReaders: Record<string, (dispute: object, created: number | null) => Reading> = {
  'charge.dispute.created': (dispute, created) => readDispute(dispute, created),
  'charge.dispute.updated': (dispute, created) => readDispute(dispute, created),
  'charge.dispute.closed': (dispute, created) => readDispute(dispute, created),
  'charge.dispute.funds_withdrawn': (dispute, created) => readDispute(dispute, created, 'withdrawn'),
  'charge.dispute.funds_reinstated': (dispute, created) => readDispute(dispute, created, 'reinstated'),
};

const statuses: Record<string, DisputeStatus> = {
  // Inquiries of a bank, from which no money is taken.
  warning_needs_response: 'open',
  warning_under_review: 'open',
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
  // Stripe gave the money back to the buyer before the bank opened a chargeback.
  prevented: 'lost',
};

function readDispute(dispute: object, created: number | null, moved?: 'withdrawn' | 'reinstated'): Reading {
  const id = textAt(dispute, 'id');
  if (id === null) return unrelated;
  const word = textAt(dispute, 'status') ?? '';
  const { amount, currency } = amountOf(dispute, 'amount');
  const due = word.endsWith('needs_response') ? integerAt(dispute, 'evidence_details', 'due_by') : null;
  return {
    kind: 'dispute',
    orderId: null,
    ids: idsOf({ intent: textAt(dispute, 'payment_intent'), charge: textAt(dispute, 'charge') }),
    dispute: {
      id,
      amount,
      reason: textAt(dispute, 'reason'),
      status: wordIn(statuses, word) ?? 'open',
      dueAt: due === null || due <= 0 ? null : due * 1000,
      taken: takenOf(dispute, word, amount, moved),
      openedAt: null,
    },
    currency,
    toldAt: created === null ? null : created * 1000,
  };
}

/**
 * The amount that Stripe has taken back. Events about the money say so. The final state says so too, in case the event about the money is
 * lost: `balance_transactions` lists what was withdrawn and reinstated, in the account's currency.
 */
function takenOf(
  dispute: object,
  word: string,
  amount: string | null,
  moved?: 'withdrawn' | 'reinstated',
): string | null {
  if (moved === 'withdrawn') return amount;
  const listed = listAt(dispute, 'balance_transactions');
  const sum = listed.reduce((total, one) => total + (integerAt(one, 'amount') ?? 0), 0);
  if (moved === 'reinstated') return sum < 0 ? partOf(dispute, listed, sum) : '0';
  if (word === 'lost' && !Object.hasOwn(dispute, 'balance_transactions')) return amount;
  return (word === 'lost' || word === 'prevented') && sum < 0 ? amount : null;
}

/** What is left of a withdrawal after a part was reinstated; nothing when the sums are in another currency than the dispute. */
function partOf(dispute: object, listed: readonly object[], sum: number): string {
  const currency = textAt(dispute, 'currency');
  const isSame = currency !== null && listed.every((one) => textAt(one, 'currency') === currency);
  return isSame ? formatMoney(BigInt(-sum), stripeDecimals(currency.toUpperCase())) : '0';
}
