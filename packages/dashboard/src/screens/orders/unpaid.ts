import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';

type Order = Schemas['Order'];
type Kind = NonNullable<Order['paymentOption']>['kind'];
type Offline = Exclude<Kind, 'provider'>;

/** Ways to pay without a provider: the usual method of the payment, and whether the goods leave before it. */
const offline: Record<Offline, { method: 'transfer' | 'cash'; shipsUnpaid: boolean }> = {
  transfer: { method: 'transfer', shipsUnpaid: false },
  cash_on_delivery: { method: 'cash', shipsUnpaid: true },
  on_pickup: { method: 'cash', shipsUnpaid: true },
  invoice: { method: 'transfer', shipsUnpaid: true },
};

type Facts = Pick<Order, 'status' | 'paidAt' | 'paymentOption'>;

/** The kind of the order's way to pay, if it needs no provider. */
export function offlineKind({ paymentOption }: Pick<Facts, 'paymentOption'>): Offline | undefined {
  return paymentOption && paymentOption.kind !== 'provider' ? paymentOption.kind : undefined;
}

/** Whether a payment can still pay the order. */
export const isPayable = ({ status, paidAt }: Pick<Facts, 'status' | 'paidAt'>): boolean =>
  status === 'pending' || (status === 'fulfilled' && paidAt === null);

/** Whether goods of the order can leave now. */
export function isShippable(order: Facts): boolean {
  const kind = offlineKind(order);
  return order.status === 'paid' || (order.status === 'pending' && kind !== undefined && offline[kind].shipsUnpaid);
}

/** Whether an unpaid order holds its stock until it is shipped. */
export const holdsStock = (order: Facts): boolean => order.status === 'pending' && isShippable(order);

/** How an unpaid order is to be paid, in words; undefined for one that is paid, or that a provider's page is for. */
export function dueWords(order: Facts): string | undefined {
  const kind = offlineKind(order);
  return kind && isPayable(order) ? t.orders.due[kind] : undefined;
}

/** The method of a payment that is recorded for the order. */
export function usualMethod(order: Facts): 'transfer' | 'cash' {
  const kind = offlineKind(order);
  return kind ? offline[kind].method : 'transfer';
}
