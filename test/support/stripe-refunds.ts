import { type payment, stripeEvent } from './stripe.ts';

let refunds = 0;

/** The refunds of one Stripe payment as its events tell them. Amounts are in Stripe's minor units. */
export function refundsOf(paid: ReturnType<typeof payment>, currency = 'eur') {
  return {
    /** One refund; its metadata are its own, and empty. */
    one(amount: number, id = `re_test_${process.pid}_${++refunds}`) {
      const told = (type: string, status: string, fields: Record<string, unknown> = {}) =>
        stripeEvent(type, {
          id,
          object: 'refund',
          amount,
          currency,
          charge: `ch_of_${paid.id}`,
          payment_intent: paid.id,
          metadata: {},
          status,
          ...fields,
        });
      return {
        id,
        created: (status = 'succeeded', fields?: Record<string, unknown>) => told('refund.created', status, fields),
        updated: (status = 'succeeded', fields?: Record<string, unknown>) => told('refund.updated', status, fields),
        failed: () => told('refund.failed', 'failed'),
        chargeRefundUpdated: (status = 'succeeded') => told('charge.refund.updated', status),
      };
    },
    /** `charge.refunded`: how much of the charge was given back so far. */
    total(amount: number, fields: Record<string, unknown> = {}) {
      const charge = paid.chargeSucceeded({ amount_refunded: amount, currency, ...fields }) as {
        data: { object: Record<string, unknown> };
      };
      return stripeEvent('charge.refunded', charge.data.object);
    },
  };
}
