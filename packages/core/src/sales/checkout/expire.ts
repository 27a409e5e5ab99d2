import { lockCheckout, writeCheckout } from '../../checkouts/checkouts.ts';
import { isOfPage } from '../../checkouts/end-page.ts';
import type { Context, Engine } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { writeOrder } from '../../orders/orders.ts';
import { pagesOf, type ReadySettings, readyProviders } from '../../payments/settings.ts';
import { reserveStock } from '../../products/stock.ts';
import { unindexedText } from '../../storage/planner.ts';
import { reading } from '../../storage/run.ts';
import { type CheckoutTable, hasPage } from '../../storage/tables/checkouts.ts';
import { requireStore } from '../../stores/stores.ts';
import { type ExpiryOptions, expiryActor } from '../moves/expire.ts';

/** Stores, and pages of each, that one round closes. */
const batchSize = 100;

/** Concurrent calls to the provider of a store. */
const atOnce = 8;

/** Milliseconds before another attempt to close a page. */
const retryAfter = 60_000;

/** Age in milliseconds after which a page is given up: its order has long expired, and late money is kept in the inbox. */
const giveUpAfter = 3 * 24 * 3_600_000;

/** Milliseconds for which stock stays reserved for a payment that the provider already knows and we do not. */
const lateHold = 10 * 60_000;

/**
 * Closes the pages of all stores that have reached their end, or whose order was cancelled or paid in another way. A page at which its
 * order was paid needs no call. A store whose provider cannot be reached takes no longer than one call, so it does not delay the other
 * stores.
 * @returns the number of closed pages
 */
export async function closeDuePages(engine: Engine, { onError = () => {} }: ExpiryOptions = {}): Promise<number> {
  refuseInUnit(engine, 'closeDuePages asks payment providers');
  const now = engine.clock.now();
  // Cleanup for all stores: the only query here that is not limited to one store.
  const stores = await reading(engine.storage, (db) =>
    db
      .selectFrom('checkouts')
      .select((eb) => unindexedText(eb.ref('store_id')).as('store_id'))
      .distinct()
      .where(hasPage)
      .where('expires_at', '<=', now)
      .limit(batchSize)
      .execute(),
  );
  const closed = await Promise.all(
    stores.map(async ({ store_id: id }) => {
      try {
        const store = await requireStore(engine, id);
        return await closeInStore({ engine, store, actor: expiryActor, requestId: null }, now, onError);
      } catch (error) {
        onError(error);
        return 0;
      }
    }),
  );
  return closed.reduce((sum, n) => sum + n, 0);
}

async function closeInStore(ctx: Context, now: number, onError: (error: unknown) => void): Promise<number> {
  const due = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('checkouts')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .where(hasPage)
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(batchSize)
      .execute(),
  );
  let ready: ReadySettings[];
  try {
    ready = await readyProviders(ctx.engine, ctx.store.id);
  } catch (error) {
    await postpone(ctx, due);
    throw error;
  }
  let closed = 0;
  const left = [...due];
  const worker = async () => {
    for (let row = left.shift(); row; row = left.shift()) {
      try {
        await closePage(ctx, row, ready);
        closed++;
      } catch (error) {
        onError(error);
        // Each further call would wait as long, and delay the next round of all stores.
        const isUnreachable = error instanceof CommerceError && error.kind === 'unavailable';
        await postpone(ctx, [row, ...(isUnreachable ? left.splice(0) : [])]).catch(onError);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return closed;
}

/** Schedules another attempt for pages; pages that could not be closed for too long are given up. */
async function postpone(ctx: Context, rows: readonly CheckoutTable[]): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const row of rows) {
      const changes =
        row.created_at < tx.now - giveUpAfter ? ({ state: 'closed' } as const) : { expires_at: tx.now + retryAfter };
      await writeCheckout(tx, row, changes);
    }
  });
}

/** Closes one page; the order expires with its reservation, a little later. */
async function closePage(ctx: Context, row: CheckoutTable, ready: readonly ReadySettings[]): Promise<void> {
  const result = await closeAtProvider(ctx, row, ready);
  await transact(ctx, async (tx) => {
    const { row: locked, order } = await lockCheckout(tx, row);
    if (locked.state !== 'opening' && locked.state !== 'open') return;
    await writeCheckout(tx, locked, { state: 'closed' });
    if (result !== 'paid' || order.status !== 'pending') return;
    // Its notification is on the way; until it comes, no other buyer must get the goods.
    const until = tx.now + lateHold;
    try {
      await reserveStock(tx, order.id, order.items, until);
    } catch (error) {
      if (error instanceof CommerceError && error.kind === 'insufficientStock') return;
      throw error;
    }
    const held = { ...order, reservedUntil: toTimestamp(until), updatedAt: toTimestamp(tx.now) };
    emit(tx, 'order.updated', order.id, await writeOrder(tx, order, held));
  });
}

async function closeAtProvider(
  ctx: Context,
  row: CheckoutTable,
  ready: readonly ReadySettings[],
): Promise<'closed' | 'paid'> {
  const { page_id, provider_order, order_id } = row;
  const provider = ready.find(({ name }) => name === row.provider);
  if (!provider || page_id === null) return 'closed';
  const page = { id: page_id, providerOrder: provider_order };
  const payment = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('payments')
      .select('related_ids')
      .where('store_id', '=', ctx.store.id)
      .where('order_id', '=', order_id)
      .where('matched', '=', 'paid')
      .where('provider', '=', provider.name)
      .executeTakeFirst(),
  );
  if (payment && isOfPage(JSON.parse(payment.related_ids), row)) return 'closed';
  return pagesOf(provider.name).close(page, provider.settings, ctx.engine.clock.now());
}
