import type * as z from 'zod';
import type { Context } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { List } from '../../kernel/json.ts';
import { paging } from '../../kernel/paging.ts';
import { fields, parse, queryFlag } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { getOrderJson, lockOrder } from '../../orders/orders.ts';
import { isSettled, lockEntry, type Outcome, recordOutcome, settledOutcomes } from '../../payments/inbox.ts';
import { lockPayment, lockPaymentsOfOrder } from '../../payments/payments.ts';
import { findRefs } from '../../payments/refs.ts';
import { findProvider, providerSettings, type StoreSettings } from '../../payments/settings.ts';
import type { PaymentNotice } from '../../providers/notice.ts';
import type { Provider } from '../../providers/provider.ts';
import { boundedPage } from '../../resources/bounded.ts';
import { reading, snapshotOrScan } from '../../storage/run.ts';
import type { PaymentNotificationTable } from '../../storage/tables/payments.ts';
import { forgetPayersOf } from '../moves/anonymise-payments.ts';
import { settleAgain } from '../settle/apply.ts';
import { formatAmount } from '../settle/outcome.ts';
import { settle } from '../settle/settle.ts';
import { lockNames } from '../settle/target.ts';
import { completeNotice } from './complete.ts';

/** A verified notification in the inbox. */
export interface PaymentNotification {
  id: string;
  storeId: string;
  provider: string;
  /** The provider's id and name of the event. */
  eventId: string;
  eventType: string;
  /** The order that the payment names, whether it exists or not. */
  orderId: string | null;
  paymentId: string | null;
  outcome: Outcome;
  /** Reason why the money was not applied; null when nothing is wrong. */
  warning: string | null;
  receivedAt: string;
  updatedAt: string;
}

export const NotificationQuery = fields({
  ...paging,
  /** Only notifications whose outcome is not settled. */
  unmatched: queryFlag.optional(),
});
export type NotificationQueryInput = z.input<typeof NotificationQuery>;

/**
 * A page of the store's inbox, newest first, with the exact total.
 * @throws CommerceError `validation` for a window out of range.
 */
export async function listNotifications(
  ctx: Context,
  query: NotificationQueryInput = {},
): Promise<List<PaymentNotification>> {
  const { limit, offset, unmatched } = parse(NotificationQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const among = db.selectFrom('payment_notifications').where('store_id', '=', ctx.store.id);
    const matches = unmatched ? among.where('outcome', 'not in', settledOutcomes) : among;
    // Ids begin with the time.
    const page = await boundedPage(db, { among, matches }, { limit, offset }, ['id'], maxRows);
    const rows = await page?.rows.selectAll().execute();
    return page && rows && { items: rows.map(toNotification), total: page.total };
  });
}

/**
 * One notification, with its body as received.
 * @throws CommerceError `notFound`
 */
export async function getNotification(ctx: Context, id: string): Promise<PaymentNotification & { payload: string }> {
  const row = await findNotification(ctx, id);
  return { ...toNotification(row), payload: row.payload };
}

/**
 * Processes an unsettled notification again, for example after its order was created, stock was added or the provider is reachable again. A
 * settled one stays unchanged. Emits the events of the changed order, products and payment.
 * @throws CommerceError `notFound`
 */
export async function replayNotification(ctx: Context, id: string): Promise<PaymentNotification> {
  refuseInUnit(ctx.engine, 'replayNotification asks a payment provider');
  const row = await findNotification(ctx, id);
  if (!isSettled(row.outcome as Outcome)) await replay(ctx, row);
  return toNotification(await findNotification(ctx, id));
}

/**
 * Applies waiting payments to a pending order, for example after stock was added. Emits the events of a paid order.
 * @throws CommerceError `notFound`; `insufficientStock`; `conflict` when the order is not pending, or no waiting payment pays it.
 */
export async function confirmFromInbox(ctx: Context, orderId: string): Promise<Order> {
  await getOrderJson(ctx, orderId);
  return transact(ctx, async (tx) => {
    const payments = await lockPaymentsOfOrder(tx, orderId);
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound('order', orderId);
    if (order.status !== 'pending') {
      throw new CommerceError(
        'conflict',
        `order ${order.orderNumber} cannot be confirmed: it is ${order.status}, not pending`,
        { reason: 'orderStatus' },
      );
    }
    let why = 'no payment for it was received';
    let now: Order = order;
    for (const payment of payments) {
      if (payment.status !== 'succeeded' || payment.matched === 'dismissed') continue;
      const performed = await settleAgain(tx, payment, now);
      if (performed.shortage) throw performed.shortage;
      now = performed.order ?? now;
      why = `its payment ${payment.provider_payment_id} of ${formatAmount(payment)} is ${performed.payment.matched}`;
    }
    if (now.paidAt !== null) return now;
    throw new CommerceError('conflict', `order ${order.orderNumber} cannot be confirmed: ${why}`, {
      reason: 'noPayment',
    });
  });
}

async function replay(ctx: Context, row: PaymentNotificationTable): Promise<void> {
  const provider = findProvider(row.provider);
  const [configured] = await providerSettings(ctx.engine, provider.name, ctx.store.id);
  const notice = await readAgain(ctx, row, provider, configured);
  await transact(ctx, async (tx) => {
    if (notice) await lockNames(tx, provider.name, notice);
    const entry = await lockEntry(tx, provider.name, row.event_id);
    if (!entry || isSettled(entry.outcome)) return;
    if (notice) {
      const settlement = await settle(tx, provider.name, notice, { makeOrders: configured?.makeOrders ?? false });
      await recordOutcome(tx, entry, settlement, notice);
      if (settlement.anonymousOrder !== undefined) await forgetPayersOf(tx, settlement.anonymousOrder);
    } else if (row.payment_id !== null) {
      // The body was erased with the person in it; the stored payment suffices.
      const { payments } = await findRefs(tx, provider.name, { payment: row.payment_id });
      const payment = payments[0] === undefined ? undefined : await lockPayment(tx, payments[0]);
      const order = payment?.order_id ? await lockOrder(tx, payment.order_id) : undefined;
      if (payment) await settleAgain(tx, payment, order ?? null);
    }
  });
}

/** Reads the body again, because the provider's API can know more by now. If the body was erased, uses the stored notice. */
async function readAgain(
  ctx: Context,
  row: PaymentNotificationTable,
  provider: Provider<unknown>,
  configured: StoreSettings | undefined,
): Promise<PaymentNotice | undefined> {
  if (row.payload === '{}') return row.notice === null ? undefined : JSON.parse(row.notice);
  const event: unknown = JSON.parse(row.payload);
  const read = await provider.read(event);
  return configured ? completeNotice(ctx, provider, read, event, configured) : read;
}

async function findNotification(ctx: Context, id: string): Promise<PaymentNotificationTable> {
  if (!isId(id)) throw notFound('payment notification', id);
  const row = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('payment_notifications')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  if (!row) throw notFound('payment notification', id);
  return row;
}

function toNotification(row: PaymentNotificationTable): PaymentNotification {
  return {
    id: row.id,
    storeId: row.store_id,
    provider: row.provider,
    eventId: row.event_id,
    eventType: row.event_type,
    orderId: row.order_id,
    paymentId: row.payment_id,
    outcome: row.outcome as Outcome,
    warning: row.warning,
    receivedAt: toTimestamp(row.received_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}
