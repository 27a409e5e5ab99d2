import type { TxContext } from '../engine/context.ts';
import { perTransaction } from '../engine/per-transaction.ts';
import type { Order } from './fields.ts';

/** An order before and after what a transaction did to it. */
export interface OrderChange {
  before: Order;
  after: Order;
}

/** Changes of orders in a transaction by the order's id; undefined for one that was erased. */
const orderChanges = perTransaction(
  () => new Map<string, OrderChange | undefined>(),
  (all, collected) => {
    for (const [id, change] of collected)
      all.set(id, change && { ...change, before: all.get(id)?.before ?? change.before });
  },
);

/** Notes a change of money, parcels or status. Other changes need nobody's attention at the end. */
export function noteChange(tx: TxContext, before: Order, after: Order): void {
  const isOther =
    before.status === after.status &&
    before.paidAt === after.paidAt &&
    before.refundedAmount === after.refundedAmount &&
    before.fulfilledAt === after.fulfilledAt &&
    before.fulfilments.length === after.fulfilments.length;
  if (isOther) return;
  const changes = orderChanges(tx);
  changes.set(after.id, { before: changes.get(after.id)?.before ?? before, after });
}

/** Notes a change beside the order that documents follow from: a dispute of its payment is decided, which can leave its amounts as they are. */
export function noteDispute(tx: TxContext, order: Order): void {
  const changes = orderChanges(tx);
  changes.set(order.id, { before: changes.get(order.id)?.before ?? order, after: order });
}

/** Notes that an order was erased, so that nothing follows from its earlier changes. */
export function noteErased(tx: TxContext, id: string): void {
  orderChanges(tx).set(id, undefined);
}

/** The changes of orders that a transaction has made, in the order of their ids. They are forgotten. */
export function takeOrderChanges(tx: TxContext): OrderChange[] {
  const changes = orderChanges(tx);
  const taken = [...changes].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, change]) => change ?? []);
  changes.clear();
  return taken;
}
