import type { Context, Engine, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Order } from '../../orders/fields.ts';
import { lockOrder, writeExpiry, writeOrder } from '../../orders/orders.ts';
import { lockPaymentsOfOrder } from '../../payments/payments.ts';
import { releaseStock } from '../../products/stock.ts';
import { unindexedText } from '../../storage/planner.ts';
import { reading } from '../../storage/run.ts';
import { requireStore } from '../../stores/stores.ts';
import { type ExpiryOptions, expireOrder, expiryActor, heldFor, isReserved } from './expire.ts';

/** Stores, and orders of one store, that are handled before others get their turn. */
const batchSize = 100;

/**
 * Ends the expired reservations of all stores, and expires their unpaid orders, which frees their stock and uses of discounts. An order
 * with pending or waiting money stays pending without its reservation, until no money holds it. Emits `order.updated`, and for an expired
 * order `order.cancelled`.
 * @returns the number of ended reservations
 */
export async function endReservations(engine: Engine, { onError = () => {} }: ExpiryOptions = {}): Promise<number> {
  const now = engine.clock.now();
  let ended = 0;
  let after = '';
  for (;;) {
    const stores = await storesWithDue(engine, now, after);
    for (const { store_id: id } of stores) {
      try {
        const store = await requireStore(engine, id);
        ended += await endInStore({ engine, store, actor: expiryActor, requestId: null }, now, onError);
      } catch (error) {
        onError(error);
      }
    }
    if (stores.length < batchSize) return ended;
    after = stores.at(-1)?.store_id ?? '';
  }
}

/**
 * The next stores with expired reservations, by id. For all stores: the only query here that is not limited to one. It begins with the few
 * orders that have expired, where an index of orders by store would lead through all orders.
 */
async function storesWithDue({ storage }: Engine, now: number, after: string): Promise<{ store_id: string }[]> {
  return reading(storage, (db) =>
    db
      .selectFrom('orders')
      .select((eb) => unindexedText(eb.ref('store_id')).as('store_id'))
      .distinct()
      .where('reserved_until', '<=', now)
      .where((eb) => eb(unindexedText(eb.ref('store_id')), '>', after))
      .orderBy('store_id')
      .limit(batchSize)
      .execute(),
  );
}

async function endInStore(ctx: Context, now: number, onError: (error: unknown) => void): Promise<number> {
  let ended = 0;
  let after = { reserved_until: Number.MIN_SAFE_INTEGER as number | null, id: '' };
  for (;;) {
    const due = await dueOrders(ctx, now, after);
    for (const { id } of due) {
      try {
        if (await endReservation(ctx, id)) ended++;
      } catch (error) {
        onError(error);
      }
    }
    const last = due.at(-1);
    if (!last || due.length < batchSize) return ended;
    after = last;
  }
}

/** The next orders whose reservation has expired, after a position, so that a failing order is not read again. */
async function dueOrders(ctx: Context, now: number, after: { reserved_until: number | null; id: string }) {
  return reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('orders')
      .select(['reserved_until', 'id'])
      .where('store_id', '=', ctx.store.id)
      .where('reserved_until', '<=', now)
      .where('reserved_until', '>=', after.reserved_until)
      .where((eb) => eb.or([eb('reserved_until', '>', after.reserved_until), eb('id', '>', after.id)]))
      .orderBy('reserved_until')
      .orderBy('id')
      .limit(batchSize)
      .execute(),
  );
}

/** Ends one reservation in a separate transaction, so a payment waits for only one order. */
async function endReservation(ctx: Context, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const payments = await lockPaymentsOfOrder(tx, id);
    const order = await lockOrder(tx, id);
    // Paid, cancelled or reserved again since it was found.
    if (order?.status !== 'pending' || isReserved(order, tx.now)) return false;
    const heldUntil = heldFor(payments, tx.now);
    const hasReservation = order.reservedUntil !== null;
    if (heldUntil === null) await expireOrder(tx, order);
    else if (hasReservation) await giveUpReservation(tx, order, heldUntil);
    else await writeExpiry(tx, order, heldUntil);
    return heldUntil === null || hasReservation;
  });
}

/** Frees the stock of a locked order that stays pending while money holds it. Emits `order.updated`. */
async function giveUpReservation(tx: TxContext, before: Order, heldUntil: number): Promise<void> {
  await releaseStock(tx, before.id);
  const order: Order = { ...before, reservedUntil: null, updatedAt: toTimestamp(tx.now) };
  emit(tx, 'order.updated', order.id, await writeOrder(tx, before, order));
  await writeExpiry(tx, order, heldUntil);
}
