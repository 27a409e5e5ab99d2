import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';
import { isPayable } from '../orders/unpaid.ts';

type Order = Schemas['Order'];
type Money = Pick<Schemas['Payment'], 'amount' | 'currency'>;

const words = t.payments.apply.checks;

/** A condition for applying a payment to an order. */
export interface Check {
  isMet: boolean;
  text: string;
}

/** Compares a payment with an order, as the service will. Amounts of one currency have one form, so that their texts can be compared. */
export function checksOf(
  { amount, currency }: Money,
  order: Pick<Order, 'status' | 'cancelReason' | 'paidAt' | 'total' | 'currency'>,
): Check[] {
  const isExpired = order.status === 'cancelled' && order.cancelReason === 'expired';
  const isUnpaid = isPayable(order);
  const isOpen = isUnpaid || isExpired;
  const isSame = order.currency === currency && order.total === amount;
  return [
    { isMet: isOpen, text: words[isExpired ? 'expired' : isUnpaid ? 'pending' : order.status] },
    { isMet: isSame, text: amountWords(order, { amount, currency }) },
  ];
}

function amountWords(order: Pick<Order, 'total' | 'currency'>, { amount, currency }: Money): string {
  if (currency === null) return words.noCurrency(order.currency);
  if (order.currency !== currency) return words.otherCurrency(order.currency, currency);
  return order.total === amount ? words.sameAmount : words.otherAmount;
}
