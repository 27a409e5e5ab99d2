import type { z } from 'zod';
import { toTimestamp } from '../clock.ts';
import type { Context } from '../context.ts';
import { CommerceError, notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import type { List } from '../json.ts';
import type { Order } from '../orders/fields.ts';
import { getOrder, readOrder } from '../orders/orders.ts';
import { paging } from '../paging.ts';
import { fields, flag, parse } from '../parse.ts';
import { lockRows } from '../storage/locks.ts';
import { reading, snapshot, transact } from '../transaction.ts';
import { settle } from './apply.ts';
import { type Applied, isSettled, type Outcome, receivedFirst, settledOutcomes } from './inbox.ts';
import type { PaymentNotice } from './provider.ts';
import { completeNotice } from './receive.ts';
import { findProvider, providerSettings } from './settings.ts';
import type { PaymentNotificationTable } from './table.ts';

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
  outcome: Outcome | 'received';
  /** Why the money was not applied; null where it was. */
  warning: string | null;
  receivedAt: string;
  updatedAt: string;
}

export const NotificationQuery = fields({
  ...paging,
  /** Only those that were not applied. */
  unmatched: flag.optional(),
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
  return snapshot(ctx.engine.storage, async (db) => {
    let matches = db.selectFrom('payment_notifications').where('store_id', '=', ctx.store.id);
    if (unmatched) matches = matches.where('outcome', 'not in', settledOutcomes);
    const { total } = await matches.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await matches
      .selectAll()
      // Ids begin with the time.
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { items: rows.map(toNotification), total };
  });
}

/**
 * One notification, with its body as it was received.
 * @throws CommerceError `notFound`
 */
export async function getNotification(ctx: Context, id: string): Promise<PaymentNotification & { payload: string }> {
  const row = await findNotification(ctx, id);
  return { ...toNotification(row), payload: row.payload };
}

/**
 * Looks at a notification again that was not applied: after the order was made, the stock filled up, or the provider can be
 * asked again. One that is settled stays as it is. Emits the events of what changes.
 * @throws CommerceError `notFound`
 */
export async function replayNotification(ctx: Context, id: string): Promise<PaymentNotification> {
  const row = await findNotification(ctx, id);
  if (!isSettled(row.outcome as Outcome)) await replay(ctx, row);
  return toNotification(await findNotification(ctx, id));
}

/**
 * Applies the payments that wait for an order, as after its stock was filled up. Emits the events of a paid order.
 * @throws CommerceError `notFound`; `insufficientStock`, still; `conflict` when no payment waits that would pay it.
 */
export async function confirmFromInbox(ctx: Context, orderId: string): Promise<Order> {
  await readOrder(ctx, orderId);
  const rows = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('payment_notifications')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .where('order_id', '=', orderId)
      .where('outcome', 'not in', settledOutcomes)
      .orderBy(receivedFirst)
      .execute(),
  );
  let last: Applied | undefined;
  for (const row of rows) last = (await replay(ctx, row)) ?? last;
  const order = await getOrder(ctx, orderId);
  if (order.status !== 'pending') return order;
  if (last?.error) throw last.error;
  const why = last?.warning ?? 'no payment of it was received';
  throw new CommerceError('conflict', `order ${order.orderNumber} cannot be confirmed: ${why}`);
}

async function replay(ctx: Context, row: PaymentNotificationTable): Promise<Applied | undefined> {
  const provider = findProvider(row.provider);
  const notice = await readAgain(ctx, row);
  if (!notice) return undefined;
  return transact(ctx, async (tx) => {
    const locked = await lockRows(
      tx.db,
      tx.db
        .selectFrom('payment_notifications')
        .select(['id', 'outcome'])
        .where('store_id', '=', tx.store.id)
        .where('id', '=', row.id),
    ).executeTakeFirstOrThrow();
    const filed = { id: locked.id, outcome: locked.outcome as Outcome };
    return isSettled(filed.outcome) ? undefined : settle(tx, provider.name, notice, filed);
  });
}

/** From the body, for what it lacks may be had from the provider by now; of one that was anonymised what was kept. */
async function readAgain(ctx: Context, row: PaymentNotificationTable): Promise<PaymentNotice | undefined> {
  const provider = findProvider(row.provider);
  const [configured] = await providerSettings(ctx.engine, provider.name, ctx.store.id);
  if (!configured || row.payload === '{}') return row.notice === null ? undefined : JSON.parse(row.notice);
  const event: unknown = JSON.parse(row.payload);
  return completeNotice(ctx, provider, await provider.read(event), event, configured.settings);
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
    outcome: row.outcome as Outcome | 'received',
    warning: row.warning,
    receivedAt: toTimestamp(row.received_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}
