import type { Context, TxContext } from '../context.ts';
import type { Order } from '../orders/fields.ts';
import { lockOrder } from '../orders/orders.ts';
import { transact } from '../transaction.ts';
import { decide } from './decide.ts';
import { fileNotification, isSettled, lockEntry, recordOutcome, type Settlement } from './inbox.ts';
import type { PaymentNotice } from './notice.ts';
import { done } from './outcome.ts';
import { factsOf, orderFacts, type Performed, perform, renewNotifications } from './perform.ts';
import { type SettleOptions, settle } from './settle.ts';
import type { PaymentTable } from './table.ts';
import { lockNames } from './target.ts';

/**
 * Keeps a verified notification and does what it says, in one transaction. A copy of a settled one changes nothing.
 * Emits the events of what changes.
 */
export async function applyNotification(
  ctx: Context,
  provider: string,
  notice: PaymentNotice,
  payload: string,
  options: SettleOptions,
): Promise<Settlement> {
  const apply = () =>
    transact(ctx, async (tx) => {
      await lockNames(tx, provider, notice);
      const entry = await lockEntry(tx, provider, notice.eventId);
      if (entry && isSettled(entry.outcome)) return done('unchanged');
      const settlement = await settle(tx, provider, notice, options);
      if (entry) await recordOutcome(tx, entry, settlement, notice);
      else if (!(await fileNotification(tx, provider, notice, payload, settlement))) return done('unchanged');
      return settlement;
    });
  try {
    return await apply();
  } catch (error) {
    // Two events of one payment may both set out to make its order; the second one finds it made.
    if (ctx.engine.storage.uniqueViolation(error) !== 'orders.id') throw error;
    return apply();
  }
}

/**
 * Looks at a locked payment again after its order, its stock or its link has changed. Emits the events of what changes.
 * @param order the locked order that it is linked to; null where it does not exist
 */
export async function settleAgain(
  tx: TxContext,
  payment: PaymentTable,
  order: Order | null,
  draft: PaymentTable = payment,
): Promise<Performed> {
  const decision = decide(order && orderFacts(order), factsOf(draft), { kind: 'again' });
  const performed = await perform(tx, payment, draft, order, decision);
  // Of an attempt that brought no money nothing may be new but that its order exists.
  if (order && payment.status !== 'succeeded') await renewNotifications(tx, performed.payment, performed.order);
  return performed;
}

/**
 * Applies the payments that arrived before the order which they name, and returns the order as it is then. Emits the events of
 * a paid order when one of them pays it.
 * @param payments those that are linked to the order, locked before the order was made
 */
export async function applyWaitingPayments(
  tx: TxContext,
  order: Order,
  payments: readonly PaymentTable[],
): Promise<Order> {
  let now: Order | null = order;
  for (const payment of payments) now = (await settleAgain(tx, payment, now)).order;
  return payments.length === 0 ? order : ((await lockOrder(tx, order.id)) ?? order);
}
