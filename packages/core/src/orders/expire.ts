import { sql } from 'kysely';
import type { Actor, Context, Engine } from '../context.ts';
import { lockPaymentsOfOrder } from '../payments/payments.ts';
import type { PaymentTable } from '../payments/table.ts';
import { reading } from '../storage/run.ts';
import { listStores, requireStore } from '../stores/stores.ts';
import { transact } from '../transaction.ts';
import { lockOrder } from './orders.ts';
import { moveOrder } from './update.ts';

const system: Actor = { type: 'system', id: 'expiry' };
const batchSize = 100;

/** How long an order waits for a payment that its provider has not decided, in milliseconds. */
const maxProcessing = 14 * 24 * 3_600_000;

/** Values of `matched` of money that came in for the order and waits for somebody, or for stock. */
const waitingValues = ['insufficientStock', 'mismatch'] as const;

export interface ExpiryOptions {
  /** Called for each order or store that could not be worked on; the others are. */
  onError?: (error: unknown) => void;
}

/**
 * Cancels the orders of all stores that have waited for their payment for longer than that; not those whose provider still
 * decides, at most for 14 days, nor those whose money is in and waits. A payment that comes later reopens its order. Emits
 * `order.updated` and `order.cancelled` for each.
 * @param pendingFor milliseconds
 * @returns how many were cancelled
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
      const ctx: Context = { engine, store: await requireStore(engine, id), actor: system, requestId: null };
      cancelled += await expireInStore(ctx, before, onError);
    } catch (error) {
      onError(error);
    }
  }
  return cancelled;
}

/** As `expirePendingOrders`, for one store and orders older than a time. */
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

/** The next orders that may have to be cancelled, oldest first, from a place on: one that cannot be is not met again. */
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

/** A transaction for each, so that a payment waits for one order at most. */
async function expire(ctx: Context, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const payments = await lockPaymentsOfOrder(tx, id);
    const order = await lockOrder(tx, id);
    if (order?.status !== 'pending' || payments.some((payment) => keepsWaiting(payment, tx.now))) return false;
    await moveOrder(tx, order, { status: 'cancelled', cancelReason: 'expired' });
    return true;
  });
}

/** Whether an order has to wait on because of this payment. */
function keepsWaiting({ status, status_since, matched }: PaymentTable, now: number): boolean {
  if (status === 'processing') return status_since > now - maxProcessing;
  return waitingValues.some((value) => value === matched);
}
