import { audit } from '../audit/entry.ts';
import type { Context } from '../context.ts';
import { reading } from '../storage/run.ts';
import { requireStore } from '../stores/stores.ts';
import { transact } from '../transaction.ts';
import { applyNotification } from './apply.ts';
import { completeNotice } from './complete.ts';
import { settledOutcomes } from './inbox.ts';
import { type PaymentNotice, refsOf } from './notice.ts';
import { deletePayment, lockPayment } from './payments.ts';
import type { Provider } from './provider.ts';
import type { StoreSettings } from './settings.ts';
import type { PaymentNotificationTable } from './table.ts';

/** Most notifications of one payment moved at once; providers send a handful. */
const maxStrays = 200;

/**
 * Moves a payment's notifications to its store from other stores with the same secret. These are refunds and attempts that came
 * on the address without a store before the payment's store was known. Each is applied here first and deleted there afterwards,
 * so that a crash in between loses none.
 * @param others ids of the other stores
 */
export async function bringStrays(
  ctx: Context,
  provider: Provider<unknown>,
  notice: PaymentNotice,
  settings: StoreSettings,
  others: readonly string[],
): Promise<void> {
  const refs = refsOf(notice.ids);
  if (refs.length === 0 || others.length === 0) return;
  const strays = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('payment_notifications')
      .selectAll()
      .where('store_id', 'in', others)
      .where('payment_id', 'in', refs)
      .where('provider', '=', provider.name)
      .where('outcome', 'not in', settledOutcomes)
      .orderBy('id')
      .limit(maxStrays)
      .execute(),
  );
  for (const stray of strays) {
    if (stray.payload === '{}' || (await isAtHome(ctx, stray))) continue;
    const event: unknown = JSON.parse(stray.payload);
    const read = await completeNotice(ctx, provider, await provider.read(event), event, settings);
    await applyNotification(ctx, provider.name, read, stray.payload, settings);
    await takeAway(ctx, stray, refs);
  }
}

/** True when the store of a notification has the order that it is for. */
async function isAtHome(ctx: Context, { store_id, provider, payment_id }: PaymentNotificationTable): Promise<boolean> {
  const row = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('payment_refs')
      .innerJoin('payments', (join) =>
        join
          .onRef('payments.store_id', '=', 'payment_refs.store_id')
          .onRef('payments.id', '=', 'payment_refs.payment_id'),
      )
      .innerJoin('orders', (join) =>
        join.onRef('orders.store_id', '=', 'payments.store_id').onRef('orders.id', '=', 'payments.order_id'),
      )
      .select('orders.id')
      .where('payment_refs.store_id', '=', store_id)
      .where('payment_refs.provider', '=', provider)
      .where('payment_refs.ref', '=', payment_id ?? '')
      .executeTakeFirst(),
  );
  return row !== undefined;
}

/** Deletes a moved notification from its old store, with the payment created from it there. */
async function takeAway(ctx: Context, stray: PaymentNotificationTable, refs: readonly string[]): Promise<void> {
  const there: Context = { ...ctx, store: await requireStore(ctx.engine, stray.store_id) };
  await transact(there, async (tx) => {
    const storeId = tx.store.id;
    const known = await tx.db
      .selectFrom('payment_refs')
      .select('payment_id')
      .where('store_id', '=', storeId)
      .where('provider', '=', stray.provider)
      .where('ref', 'in', refs)
      .where('payment_id', 'is not', null)
      .executeTakeFirst();
    const payment = known?.payment_id ? await lockPayment(tx, known.payment_id) : undefined;
    await tx.db
      .deleteFrom('payment_notifications')
      .where('store_id', '=', storeId)
      .where('id', '=', stray.id)
      .execute();
    const changes = { to: ctx.store.id, eventId: stray.event_id };
    audit(tx, { action: 'payment.moved', resourceType: 'payment', resourceId: payment?.id ?? stray.id, changes });
    if (payment) await deletePayment(tx, payment);
  });
}
