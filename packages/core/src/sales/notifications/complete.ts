import type { Context } from '../../engine/context.ts';
import { orderExists } from '../../orders/orders.ts';
import { wasSettled } from '../../payments/inbox.ts';
import type { StoreSettings } from '../../payments/settings.ts';
import { orderIdOf, type PaymentNotice } from '../../providers/notice.ts';
import type { Provider } from '../../providers/provider.ts';
import { reading } from '../../storage/run.ts';

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
