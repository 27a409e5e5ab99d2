import type { Context } from '../context.ts';
import { orderExists } from '../orders/orders.ts';
import { reading } from '../storage/run.ts';
import { wasSettled } from './inbox.ts';
import { orderIdOf, type PaymentNotice } from './notice.ts';
import type { Provider } from './provider.ts';
import type { StoreSettings } from './settings.ts';

/** The notice of a success, completed by a call to the provider if its API knows more; unchanged when already settled. */
export async function completeNotice(
  ctx: Context,
  provider: Provider<unknown>,
  notice: PaymentNotice,
  event: unknown,
  { settings, makeOrders }: StoreSettings,
): Promise<PaymentNotice> {
  if (!provider.complete || notice.kind !== 'succeeded') return notice;
  const { storage, clock } = ctx.engine;
  const orderId = orderIdOf(notice);
  const { settled, makeOrder } = await reading(storage, async (db) => ({
    settled: await wasSettled(db, ctx.store.id, provider.name, notice.eventId),
    makeOrder: makeOrders && orderId !== null && !(await orderExists(db, ctx.store.id, orderId)),
  }));
  return settled ? notice : provider.complete(notice, event, settings, { makeOrder, now: clock.now() });
}
