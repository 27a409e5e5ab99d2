import { sql } from 'kysely';
import type { Actor, Context, Engine, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import type { Order } from '../../orders/fields.ts';
import { holdsWithoutEnd } from '../../orders/fulfilments.ts';
import { lockOrder, readExpiry, writeExpiry } from '../../orders/orders.ts';
import { lockPaymentsOfOrder } from '../../payments/payments.ts';
import { reading } from '../../storage/run.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { listStores, requireStore } from '../../stores/stores.ts';
import { announceExpiredCheckout } from './expired-checkout.ts';
import { moveOrder } from './move.ts';

export const expiryActor: Actor = { type: 'system', id: 'expiry' };
const batchSize = 100;

/** Longest wait for a payment that its provider has not decided, in milliseconds. */
const maxProcessing = 14 * 24 * 3_600_000;

/** Values of `matched` for received money that waits for stock or for a person's decision. */
const waitingValues = ['insufficientStock', 'mismatch'] as const;

export interface ExpiryOptions {
  /** Called for each order or store that failed; the others are still handled. */
  onError?: (error: unknown) => void;
}

/**
 * Cancels orders of all stores that have been pending for longer than `pendingFor`. Not cancelled are orders whose stock is reserved, and
 * orders with received money that waits for stock or a decision. Orders with a payment that its provider has not decided are kept for 14
 * days. A later payment reopens its order. Emits `order.updated` and `order.cancelled` for each.
 * @param pendingFor milliseconds
 * @returns the number of cancelled orders
 */
export async function expirePendingOrders(
  engine: Engine,
  pendingFor: number,
  { onError = () => {} }: ExpiryOptions = {},
): Promise<number> {
  const before = engine.clock.now() - pendingFor;
  let cancelled = 0;
  for (const { id } of (await listStores(engine)).items) {
    try {
      const ctx: Context = { engine, store: await requireStore(engine, id), actor: expiryActor, requestId: null };
      cancelled += await expireInStore(ctx, before, onError);
    } catch (error) {
      onError(error);
    }
  }
  return cancelled;
}

/** Like `expirePendingOrders`, for one store and orders created before a time. */
export async function expireInStore(ctx: Context, before: number, onError: (error: unknown) => void): Promise<number> {
  let cancelled = 0;
  let after: Place = { created_at: Number.MIN_SAFE_INTEGER, id: '' };
  for (;;) {
    const due = await abandoned(ctx, before, after);
    for (const { id } of due) {
      try {
        if (await expire(ctx, id)) cancelled++;
      } catch (error) {
        onError(error);
      }
    }
    const last = due.at(-1);
    if (!last || due.length < batchSize) return cancelled;
    after = last;
  }
}

interface Place {
  created_at: number;
  id: string;
}

/** The next candidates for cancelling, oldest first, after a position, so that a failing order is not read again. */
async function abandoned(ctx: Context, before: number, after: Place): Promise<Place[]> {
  return reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('orders')
      .select(['created_at', 'id'])
      .where('store_id', '=', ctx.store.id)
      .where('status', '=', 'pending')
      .where('created_at', '<', before)
      .where('created_at', '>=', after.created_at)
      .where((eb) => eb.or([eb('created_at', '>', after.created_at), eb('id', '>', after.id)]))
      // Another look at the row: SQLite would otherwise walk the orders of every status for the sake of this column.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('orders as own')
              .select(sql`1`.as('one'))
              .whereRef('own.store_id', '=', 'orders.store_id')
              .whereRef('own.id', '=', 'orders.id')
              .where('own.reserved_until', '>', ctx.engine.clock.now()),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('payments')
              .select(sql`1`.as('one'))
              .whereRef('payments.store_id', '=', 'orders.store_id')
              .whereRef('payments.order_id', '=', 'orders.id')
              .where((eb) =>
                eb.or([
                  eb('payments.matched', 'in', waitingValues),
                  eb.and([
                    eb('payments.status', '=', 'processing'),
                    eb('payments.status_since', '>', ctx.engine.clock.now() - maxProcessing),
                  ]),
                ]),
              ),
          ),
        ),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(batchSize)
      .execute(),
  );
}

/** Expires one order in a separate transaction, so a payment waits for only one order. */
async function expire(ctx: Context, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const payments = await lockPaymentsOfOrder(tx, id);
    const order = await lockOrder(tx, id);
    if (order?.status !== 'pending' || isReserved(order, tx.now)) return false;
    return (await expireUnlessHeld(tx, order, payments)).status === 'cancelled';
  });
}

/** True if stock is currently reserved for an order, which then expires with its reservation and not before. */
export function isReserved({ reservedUntil: until }: Order, now: number): boolean {
  return until !== null && Date.parse(until) > now;
}

/**
 * Expires a locked pending order, unless one of its payments holds it. Emits `order.updated` and `order.cancelled`.
 * @returns the order, the same object if it is held
 */
export async function expireUnlessHeld(tx: TxContext, order: Order, payments: readonly PaymentTable[]): Promise<Order> {
  return heldFor(payments, tx.now) === null ? expireOrder(tx, order) : order;
}

/**
 * Expires a locked pending order that only its money kept from expiring, once no money holds it. Emits `order.updated` and
 * `order.cancelled`.
 * @returns the order, the same object if it stays
 */
export async function expireWithoutMoney(
  tx: TxContext,
  order: Order,
  payments: readonly PaymentTable[],
): Promise<Order> {
  if (order.status !== 'pending' || order.reservedUntil !== null || holdsWithoutEnd(order)) return order;
  const expiry = await readExpiry(tx, order);
  if (expiry === null) return order;
  const heldUntil = heldFor(payments, tx.now);
  if (heldUntil !== null && heldUntil !== expiry) await writeExpiry(tx, order, heldUntil);
  return heldUntil === null ? expireOrder(tx, order) : order;
}

/** Expires a locked pending order. Emits `order.updated`, `order.cancelled`, and `checkout.expired` if the time of its checkout is over. */
export async function expireOrder(tx: TxContext, order: Order): Promise<Order> {
  const expired = await moveOrder(tx, order, { status: 'cancelled', cancelReason: 'expired' });
  await announceExpiredCheckout(tx, expired);
  return expired;
}

/** Time until which these payments hold their order, as far as is known now; null if none holds it. */
export function heldFor(payments: readonly PaymentTable[], now: number): number | null {
  const times = payments
    .filter((payment) => keepsWaiting(payment, now))
    // Received money waits without a limit, and is checked from time to time.
    .map(({ status, status_since }) => (status === 'processing' ? status_since : now) + maxProcessing);
  return times.length === 0 ? null : Math.max(...times);
}

/** True when this payment keeps its order from expiring. */
function keepsWaiting({ status, status_since, matched }: PaymentTable, now: number): boolean {
  if (status === 'processing') return status_since > now - maxProcessing;
  return waitingValues.some((value) => value === matched);
}
