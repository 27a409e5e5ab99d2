import type { Schemas } from '../../api/types.ts';

type Order = Schemas['Order'];
type Money = Pick<Schemas['Payment'], 'amount' | 'currency'>;

/** A condition for applying a payment to an order. */
export interface Check {
  isMet: boolean;
  text: string;
}

/** Compares a payment with an order, as the service will. Amounts of one currency have one form, so that their texts can be compared. */
export function checksOf(
  { amount, currency }: Money,
  order: Pick<Order, 'status' | 'cancelReason' | 'total' | 'currency'>,
): Check[] {
  const isExpired = order.status === 'cancelled' && order.cancelReason === 'expired';
  const isOpen = order.status === 'pending' || isExpired;
  const state = isExpired
    ? 'has expired, and is reopened'
    : order.status === 'pending'
      ? 'is waiting for payment'
      : `is ${order.status}`;
  return [
    { isMet: isOpen, text: `The order ${state}` },
    order.currency === currency
      ? {
          isMet: order.total === amount,
          text: order.total === amount ? 'The amounts are the same' : 'The amounts differ',
        }
      : { isMet: false, text: `It is in ${order.currency}, the payment in ${currency ?? 'no currency'}` },
  ];
}
