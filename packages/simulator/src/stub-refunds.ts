import { type RefundPlan, remember } from './stub-part.ts';

/** A refund in the provider's own books. Its amount is in minor units as the provider counts. */
export interface StubRefund<Payment> {
  id: string;
  payment: Payment;
  amount: bigint;
  status: 'pending' | 'succeeded' | 'failed';
  /** The text in which the shop names its own refund. */
  named: string | null;
  created: number;
}

/** The refunds of one provider. */
export function refundBook<Payment extends object>() {
  const refunds = new Map<string, StubRefund<Payment>>();
  const plans: RefundPlan[] = [];
  const of = (payment: Payment) => [...refunds.values()].filter((one) => one.payment === payment);
  const given = (payment: Payment) =>
    of(payment)
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0n);
  return {
    plan: (...next: RefundPlan[]) => void plans.push(...next),
    /** The refunds of a payment, the oldest first. */
    of,
    /** Money of a payment that was given back, or is to be. */
    given,
    make(refund: Omit<StubRefund<Payment>, 'status'>): StubRefund<Payment> {
      const made: StubRefund<Payment> = { ...refund, status: plans.shift() ?? 'succeeded' };
      remember(refunds, made.id, made);
      return made;
    },
    find: (id: string) => refunds.get(id),
    all: () => [...refunds.values()],
  };
}
