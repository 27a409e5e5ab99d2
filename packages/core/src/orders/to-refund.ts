import { sql } from 'kysely';
import type { Flag } from '../storage/flag.ts';
import { preparedColumn } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { Order } from './fields.ts';

/**
 * True if an order was cancelled after it was paid, and money is left to give back. Stored in a column, because no index of statuses leads
 * to these few: most cancelled orders were never paid, and most paid ones are not cancelled.
 */
export function isToRefund({ status, paidAt, total, refundedAmount }: Money): Flag {
  // An order that cost nothing has nothing left.
  return status === 'cancelled' && paidAt !== null && refundedAmount !== total ? 1 : 0;
}

type Money = Pick<Order, 'status' | 'paidAt' | 'total' | 'refundedAmount'>;

/** Payments that came for a cancelled order; once all of it is refunded, a payment is no longer one. The index needs both conditions. */
const forCancelled = sql<boolean>`matched = 'cancelledOrder' and matched is not null and matched <> 'paid'`;

/**
 * Ids of the orders to whose buyers the shop owes money: cancelled after they were paid, or paid after they were cancelled, with money left
 * to give back. Partial indexes contain just these.
 */
export function idsToRefund(db: Db, storeId: string) {
  const cancelled = db
    .selectFrom('orders')
    .select('id')
    .where('store_id', '=', storeId)
    // A literal, so that both engines see that the partial index applies.
    .where('to_refund', '=', sql.lit(1));
  const paidLate = db
    .selectFrom('payments')
    .select((eb) => eb.ref('order_id').$castTo<string>().as('id'))
    .where('store_id', '=', storeId)
    .where(forCancelled);
  return cancelled.union(paidLate);
}

/** The number of orders of `idsToRefund`, counted up to `max`. */
export async function countToRefund(db: Db, storeId: string, max: number): Promise<number> {
  const [n = 0] = await counted(db, { storeId, max });
  return n;
}

const counted = preparedColumn<{ storeId: string; max: number }, number>((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom(idsToRefund(db, p('storeId')).as('ids'))
        .select('id')
        .limit(p('max'))
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('n')),
);
