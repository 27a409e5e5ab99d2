import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import type { Order } from '../../orders/fields.ts';
import { lockOrder } from '../../orders/orders.ts';
import { fileNotification, isSettled, lockEntry, recordOutcome, type Settlement } from '../../payments/inbox.ts';
import type { PaymentNotice } from '../../providers/notice.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import { forgetPayersOf } from '../moves/anonymise-payments.ts';
import { decide } from './decide.ts';
import type { PaymentResult } from './outcome.ts';
import { done } from './outcome.ts';
import { factsOf, orderFacts, perform, renewNotifications } from './perform.ts';
import { type SettleOptions, settle } from './settle.ts';
import { lockNames } from './target.ts';

/**
 * Stores a verified notification and applies it, in one transaction. A copy of a settled one changes nothing. Emits the
 * events of the changed order, products and payment.
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
      if (settlement.anonymousOrder !== undefined) await forgetPayersOf(tx, settlement.anonymousOrder);
      return settlement;
    });
  try {
    return await apply();
  } catch (error) {
    // Two events of one payment can race to create its order. The second try finds that order.
    if (ctx.engine.storage.uniqueViolation(error) !== 'orders.id') throw error;
    return apply();
  }
}

/**
 * Decides again about a locked payment after its order, its stock or its link has changed. Emits the events of the changed order, products
 * and payment.
 * @param order the locked order that it is linked to; null if that order does not exist
 * @param draft the payment to write, before the decision
 */
export async function settleAgain(
  tx: TxContext,
  payment: PaymentTable,
  order: Order | null,
  draft: PaymentTable = payment,
): Promise<PaymentResult> {
  const decision = decide(order && orderFacts(order), factsOf(draft), { kind: 'again' });
  const performed = await perform(tx, payment, draft, order, decision);
  // An attempt without money changes nothing, but its notifications no longer lack their order.
  if (order && payment.status !== 'succeeded') await renewNotifications(tx, performed.payment, performed.order);
  return performed;
}

/**
 * Applies payments that arrived before their order. Emits the events of a paid order when one of them pays it.
 * @param payments the payments linked to the order, locked before it was created
 * @returns the order afterwards
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
