import type { Order } from './fields.ts';
import { requiresShipping } from './fulfilments.ts';

/** Follows the statuses in the name of a count of orders that need no shipping. */
const noShipping = 'noShipping';

/** The name of the count of orders with these statuses. */
export function orderCountName(status: string, paymentStatus: string, isShipped: boolean): string {
  return isShipped ? `${status} ${paymentStatus}` : `${status} ${paymentStatus} ${noShipping}`;
}

/** The name of the count that an order is in. */
export function orderCountValue(order: Order): string {
  return orderCountName(order.status, order.paymentStatus, requiresShipping(order));
}

/** The number of orders with these statuses, from the counts of a store. Without a status, of all. */
export function sumOrders(
  counts: ReadonlyMap<string, number>,
  {
    status,
    paymentStatus,
    toShip,
  }: { status?: string | undefined; paymentStatus?: string | undefined; toShip?: boolean | undefined } = {},
): number {
  let total = 0;
  for (const [name, n] of counts) {
    const [counted, payment, shipping] = name.split(' ');
    const isOne = (!status || status === counted) && (!paymentStatus || paymentStatus === payment);
    if (isOne && !(toShip && shipping === noShipping)) total += n;
  }
  return total;
}
