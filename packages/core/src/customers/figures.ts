import type { EndWriter, TxContext } from '../engine/context.ts';
import { perTransaction } from '../engine/per-transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { formatMoney, type Minor, minorOf } from '../kernel/money.ts';
import { lockForColumns } from '../storage/locks.ts';
import { prepared, preparedColumn } from '../storage/prepared.ts';
import { customers } from './customers.ts';
import { customerEntity } from './fields.ts';

/** The part of an order that its customer's figures are made of. */
export interface CountedOrder {
  customerId: string | null;
  total: string;
  refundedAmount: string;
  placedAt: string | null;
  paidAt: string | null;
}

/** What orders add to the figures of their customer. */
export interface Figures {
  orders: number;
  spent: Minor;
  /** Time of the latest one. */
  lastAt: string | null;
}

export function figuresOf(order: CountedOrder | undefined): Figures {
  if (!order || order.placedAt === null) return { orders: 0, spent: 0n, lastAt: null };
  // An order that was cancelled after its payment keeps the money until it is refunded.
  const spent = order.paidAt === null ? 0n : minorOf(order.total) - minorOf(order.refundedAmount);
  return { orders: 1, spent, lastAt: order.placedAt };
}

interface Change extends Figures {
  /** True if the latest order may be gone, so that the orders have to be asked. */
  isLastUnknown: boolean;
}

/** Changes of the figures of customers, by the customer's id. */
const pendingFigures = perTransaction(
  () => new Map<string, Change>(),
  (all, collected) => {
    for (const [id, change] of collected) add(all, id, change);
  },
);

function add(all: Map<string, Change>, id: string, { orders, spent, lastAt, isLastUnknown }: Change): void {
  const known = all.get(id);
  all.set(id, {
    orders: (known?.orders ?? 0) + orders,
    spent: (known?.spent ?? 0n) + spent,
    lastAt: later(known?.lastAt ?? null, lastAt),
    isLastUnknown: isLastUnknown || (known?.isLastUnknown ?? false),
  });
}

/** The later one of two times. */
export function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** Notes how a change of an order changes the figures of its customer. @param after undefined for an erased order */
export function countOrder(tx: TxContext, before: CountedOrder, after: CountedOrder | undefined): void {
  if (before.customerId === null) return;
  const [was, is] = [figuresOf(before), figuresOf(after)];
  if (was.orders === is.orders && was.spent === is.spent && was.lastAt === is.lastAt) return;
  add(pendingFigures(tx), before.customerId, {
    orders: is.orders - was.orders,
    spent: is.spent - was.spent,
    lastAt: is.lastAt,
    isLastUnknown: was.lastAt !== null && was.lastAt !== is.lastAt,
  });
}

const lockedCustomer = prepared<{ storeId: string; id: string }, { json: string }>((db, p) =>
  lockForColumns(
    db,
    db.selectFrom('customers').select('json').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
  ),
);

const lastPlaced = preparedColumn<{ storeId: string; customerId: string }, number | null>((db, p) =>
  db
    .selectFrom('orders')
    .select((eb) => eb.fn.max('placed_at').as('at'))
    .where('store_id', '=', p('storeId'))
    .where('customer_id', '=', p('customerId')),
);

/**
 * Writes the figures of customers whose orders a transaction has changed, in the order of their ids. This is at the end, so that two sales
 * of one customer wait for each other only briefly. Emits nothing: the events of the orders tell of the change.
 */
export const figureWriter: EndWriter = {
  async write(tx) {
    const all = pendingFigures(tx);
    const changes = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    all.clear();
    const storeId = tx.store.id;
    for (const [id, { orders, spent, lastAt, isLastUnknown }] of changes) {
      const [row] = await lockedCustomer(tx.db, { storeId, id });
      if (!row) continue;
      const item = customerEntity.read(row.json);
      let lastOrderAt = later(item.lastOrderAt, lastAt);
      if (isLastUnknown) {
        const [at] = await lastPlaced(tx.db, { storeId, customerId: id });
        lastOrderAt = typeof at === 'number' ? toTimestamp(at) : null;
      }
      await customers.write(
        tx,
        { item },
        {
          ...item,
          orderCount: item.orderCount + orders,
          totalSpent: formatMoney(minorOf(item.totalSpent) + spent, tx.store.decimals),
          lastOrderAt,
        },
      );
    }
  },
  locksNothing: false,
};
