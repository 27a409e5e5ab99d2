import * as z from 'zod';
import { auditLogAnswer, toAuditLog } from '../audit/audit.ts';
import { deliveryAnswer, toDelivery } from '../deliveries/deliveries.ts';
import type { Context } from '../engine/context.ts';
import { once, time } from '../fields/answers.ts';
import { invoiceAnswer } from '../invoices/fields.ts';
import { invoicesOfOrder } from '../invoices/invoices.ts';
import { minId, timeOfId } from '../kernel/ids.ts';
import type { List } from '../kernel/json.ts';
import { mailAnswer } from '../mail/fields.ts';
import { mailsOfOrder, toMail } from '../mail/mails.ts';
import { getOrderJson } from '../orders/orders.ts';
import { refundAnswer } from '../orders/refund-fields.ts';
import { paymentAnswer } from '../payments/fields.ts';
import { toPayment } from '../payments/payments.ts';
import { listedOf } from '../payments/refund-ledger.ts';
import { toRefundRecord } from '../payments/refund-record.ts';
import { readRefunds } from '../payments/refunds.ts';
import { snapshot } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { DeliveryTable } from '../storage/tables/deliveries.ts';
import type { PaymentTable } from '../storage/tables/payments.ts';
import { withdrawalEntity } from '../withdrawals/fields.ts';
import { withdrawalsOfOrder } from '../withdrawals/withdrawals.ts';

const at = () => time('Time of it, UTC.');

export const timelineAnswer = once(() =>
  z
    .discriminatedUnion('kind', [
      z.object({ at: at(), kind: z.literal('audit'), audit: auditLogAnswer() }),
      z.object({ at: at(), kind: z.literal('payment'), payment: paymentAnswer() }),
      z.object({ at: at(), kind: z.literal('refund'), refund: refundAnswer() }),
      z.object({ at: at(), kind: z.literal('delivery'), delivery: deliveryAnswer() }),
      z.object({ at: at(), kind: z.literal('withdrawal'), withdrawal: withdrawalEntity.answer() }),
      z.object({ at: at(), kind: z.literal('invoice'), invoice: invoiceAnswer() }),
      z.object({ at: at(), kind: z.literal('mail'), mail: mailAnswer() }),
    ])
    .meta({ description: 'One thing that happened to an order, or because of it.' }),
);

/** One thing that happened to an order, or because of it. */
export type TimelineEntry = z.output<ReturnType<typeof timelineAnswer>>;

/** Newest entries of each kind that a timeline shows. */
const maxOfKind = 100;

/**
 * The events of an order, oldest first: changes from the audit log, payments, refunds, withdrawals, invoices, mails, and deliveries of its webhook
 * events. Without `auditLog.read`, `payment.read`, `withdrawal.read`, `mail.read` or `webhook.read`, the actor does not see that kind. At
 * most the newest 100 of each kind.
 * @throws CommerceError `notFound`
 */
export async function getOrderTimeline(ctx: Context, id: string): Promise<List<TimelineEntry>> {
  await getOrderJson(ctx, id);
  const { scopes } = ctx.actor;
  const sees = (scope: 'auditLog.read' | 'payment.read' | 'webhook.read' | 'mail.read' | 'withdrawal.read') =>
    scopes?.has(scope) !== false;
  const items = await snapshot(ctx.engine.storage, async (db) => {
    const payments = (await newestPayments(db, ctx.store.id, id)).reverse();
    const audits = (await newestAudits(db, ctx.store.id, [id, ...payments.map((payment) => payment.id)])).reverse();
    const paid = payments.find(({ matched }) => matched === 'paid');
    const refunds = paid
      ? listedOf(await readRefunds(db, ctx.store.id, paid.id)).filter(({ status }) => status !== 'failed')
      : [];
    const deliveries = sees('webhook.read') ? (await newestDeliveries(db, ctx.store.id, id, audits)).reverse() : [];
    refunds.sort((a, b) => a.recordedAt - b.recordedAt);
    const entries: TimelineEntry[] = refunds.slice(-maxOfKind).map((one) => {
      const refund = toRefundRecord(one, ctx.store.decimals);
      return { at: refund.recordedAt, kind: 'refund', refund };
    });
    for (const row of sees('auditLog.read') ? audits : []) {
      const audit = toAuditLog(ctx, row);
      entries.push({ at: audit.createdAt, kind: 'audit', audit });
    }
    for (const row of sees('payment.read') ? payments : []) {
      const payment = toPayment(row);
      entries.push({ at: payment.paidAt ?? payment.createdAt, kind: 'payment', payment });
    }
    const withdrawals = sees('withdrawal.read') ? await withdrawalsOfOrder(db, ctx.store.id, id, maxOfKind) : [];
    for (const withdrawal of withdrawals) entries.push({ at: withdrawal.receivedAt, kind: 'withdrawal', withdrawal });
    for (const invoice of (await invoicesOfOrder(db, ctx.store.id, id)).slice(-maxOfKind)) {
      entries.push({ at: invoice.createdAt, kind: 'invoice', invoice });
    }
    for (const row of deliveries) {
      const delivery = toDelivery(row);
      entries.push({ at: delivery.createdAt, kind: 'delivery', delivery });
    }
    const mails = sees('mail.read') ? await mailsOfOrder(db, ctx.store.id, id, maxOfKind) : [];
    for (const row of mails.reverse()) {
      const mail = toMail(row);
      entries.push({ at: mail.sentAt ?? mail.createdAt, kind: 'mail', mail });
    }
    return entries;
  });
  items.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : rankOf(a) - rankOf(b)));
  return { items, total: items.length };
}

/** Order of entries of the same millisecond: the order, its payment, that it was paid, refunds, further changes, invoices, deliveries, then mails. */
function rankOf(entry: TimelineEntry): number {
  if (entry.kind !== 'audit')
    return { payment: 1, refund: 3, withdrawal: 4, invoice: 5, delivery: 6, mail: 7 }[entry.kind];
  return { 'order.created': 0, 'order.paid': 2 }[entry.audit.action] ?? 4;
}

function newestPayments(db: Db, storeId: string, orderId: string): Promise<PaymentTable[]> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(maxOfKind)
    .execute();
}

function newestAudits(db: Db, storeId: string, resourceIds: readonly string[]) {
  return db
    .selectFrom('audit_logs')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('resource_id', 'in', resourceIds)
    .orderBy('id', 'desc')
    .limit(maxOfKind)
    .execute();
}

/**
 * Deliveries of the order's events to webhooks. No index leads from an order to its events. They are found by the times of its audit
 * entries, because each entry is written together with the events of its change.
 */
async function newestDeliveries(
  db: Db,
  storeId: string,
  orderId: string,
  audits: readonly { id: string }[],
): Promise<DeliveryTable[]> {
  const times = [...new Set(audits.map(({ id }) => timeOfId(id)))];
  const eventIds: string[] = [];
  for (const time of times) {
    const events = await db
      .selectFrom('events')
      .select('id')
      .where('store_id', '=', storeId)
      .where('id', '>=', minId(time - 1))
      .where('id', '<', minId(time + 2))
      .where('resource_id', '=', orderId)
      .limit(maxOfKind)
      .execute();
    eventIds.push(...events.map(({ id }) => id));
  }
  const unique = [...new Set(eventIds)].sort().slice(-maxOfKind);
  if (unique.length === 0) return [];
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('event_id', 'in', unique)
    .where('subscriber_id', 'not like', 'app:%')
    .orderBy('id', 'desc')
    .limit(maxOfKind)
    .execute();
}
