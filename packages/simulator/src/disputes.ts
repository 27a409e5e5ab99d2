/** Steps of a dispute, as the bank or the provider takes them. Only Stripe tells of money that it withdraws before the end. */
export const disputeSteps = ['open', 'withdraw', 'win', 'lose'] as const;
export type DisputeStep = (typeof disputeSteps)[number];

/** What a dispute is about. */
export interface Disputed<Amount> {
  /** The provider's id of the payment. */
  payment: string;
  amount: Amount;
  currency: string;
  /** Time of the opening, in milliseconds. */
  openedAt: number;
}

/** Days within which the shop can answer. */
const days = 14;
const due = (openedAt: number) => openedAt + days * 24 * 3_600_000;

/** Stripe's event of a step. The amount is in Stripe's minor units. */
export function stripeDispute(
  step: DisputeStep,
  { payment, amount, currency, openedAt }: Disputed<number>,
): { type: string; object: object } {
  const events = {
    open: ['charge.dispute.created', 'needs_response', []],
    withdraw: ['charge.dispute.funds_withdrawn', 'needs_response', [-amount]],
    win: ['charge.dispute.closed', 'won', [-amount, amount]],
    lose: ['charge.dispute.closed', 'lost', [-amount]],
  } as const satisfies Record<DisputeStep, readonly [string, string, readonly number[]]>;
  const [type, status, moved] = events[step];
  const object = {
    id: `du_simulated_${payment}`,
    object: 'dispute',
    amount,
    balance_transactions: moved.map((minor) => ({ object: 'balance_transaction', amount: minor, currency })),
    charge: null,
    created: Math.floor(openedAt / 1000),
    currency,
    evidence_details: {
      due_by: Math.floor(due(openedAt) / 1000),
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: payment,
    reason: 'product_not_received',
    status,
  };
  return { type, object };
}

/** PayPal's event of a step; null for one of which it does not tell. The amount is a decimal string. */
export function paypalDispute(
  step: DisputeStep,
  { payment, amount, currency, openedAt }: Disputed<string>,
  now: number,
): { type: string; resource: object } | null {
  if (step === 'withdraw') return null;
  const money = { currency_code: currency, value: amount };
  const outcomes = {
    open: { status: 'WAITING_FOR_SELLER_RESPONSE', seller_response_due_date: new Date(due(openedAt)).toISOString() },
    win: { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' } },
    lose: {
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: money },
    },
  };
  const resource = {
    dispute_id: `PP-R-${payment}`,
    create_time: new Date(openedAt).toISOString(),
    update_time: new Date(now).toISOString(),
    disputed_transactions: [{ seller_transaction_id: payment, seller: { merchant_id: 'SIMULATEDSHOP' }, items: [] }],
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    dispute_amount: money,
    dispute_channel: 'INTERNAL',
    dispute_life_cycle_stage: 'CHARGEBACK',
    ...outcomes[step],
  };
  return { type: `CUSTOMER.DISPUTE.${step === 'open' ? 'CREATED' : 'RESOLVED'}`, resource };
}

/** Square's event of a step; null for one of which it does not tell. The amount is in minor units. */
export function squareDispute(
  step: DisputeStep,
  { payment, amount, currency, openedAt }: Disputed<number>,
  now: number,
): { type: string; object: object } | null {
  if (step === 'withdraw') return null;
  const states = { open: 'EVIDENCE_REQUIRED', win: 'WON', lose: 'LOST' };
  const dispute = {
    id: `simulated-${payment}`,
    amount_money: { amount, currency },
    reason: 'NOT_RECEIVED',
    state: states[step],
    due_at: new Date(due(openedAt)).toISOString(),
    disputed_payment: { payment_id: payment },
    card_brand: 'VISA',
    created_at: new Date(openedAt).toISOString(),
    updated_at: new Date(now).toISOString(),
    version: step === 'open' ? 1 : 2,
  };
  return { type: step === 'open' ? 'dispute.created' : 'dispute.state.updated', object: { dispute } };
}
