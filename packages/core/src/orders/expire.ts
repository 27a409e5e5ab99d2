import type { Actor, Context, Engine } from '../context.ts';
import { listStores, requireStore } from '../stores/stores.ts';
import { reading, transact } from '../transaction.ts';
import { lockOrder } from './orders.ts';
import { moveOrder } from './update.ts';

const system: Actor = { type: 'system', id: 'expiry' };
const batchSize = 100;

/**
 * Cancels the orders of all stores that have waited for their payment for longer than that; not those whose provider still
 * decides. A payment that comes later is kept in the inbox. Emits `order.updated` and `order.cancelled` for each.
 * @param pendingFor milliseconds
 * @returns how many were cancelled
 */
export async function expirePendingOrders(engine: Engine, pendingFor: number): Promise<number> {
  const before = engine.clock.now() - pendingFor;
  let cancelled = 0;
  for (const { id } of (await listStores(engine)).items) {
    const ctx: Context = { engine, store: await requireStore(engine, id), actor: system, requestId: null };
    for (;;) {
      const due = await abandoned(ctx, before);
      for (const orderId of due) if (await expire(ctx, orderId)) cancelled++;
      if (due.length < batchSize) break;
    }
  }
  return cancelled;
}

async function abandoned(ctx: Context, before: number): Promise<string[]> {
  const rows = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('orders')
      .select('id')
      .where('store_id', '=', ctx.store.id)
      .where('status', '=', 'pending')
      .where('payment_status', '<>', 'processing')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(batchSize)
      .execute(),
  );
  return rows.map((row) => row.id);
}

/** A transaction for each, so that a payment waits for one order at most. */
async function expire(ctx: Context, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const order = await lockOrder(tx, id);
    if (order?.status !== 'pending' || order.paymentStatus === 'processing') return false;
    await moveOrder(tx, order, { status: 'cancelled' });
    return true;
  });
}
