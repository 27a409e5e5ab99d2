import { sql } from 'kysely';
import * as z from 'zod';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { Scope } from '../engine/scopes.ts';
import { once } from '../fields/answers.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { minId } from '../kernel/ids.ts';
import { sendsMail } from '../mail/queue.ts';
import { sumOrders } from '../orders/counted.ts';
import { countToRefund } from '../orders/to-refund.ts';
import { countUnpaidOffline, countUnpaidToShip } from '../orders/waiting.ts';
import { unmatchedValues } from '../payments/fields.ts';
import { listCounts } from '../resources/counts.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { readingOf } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { daysToRefund, withdrawalStatuses } from '../withdrawals/fields.ts';

/** Counts without a kept sum stop here: 1,000 means 1,000 or more. */
const maxCounted = 1000;

const figure = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });

export const deskAnswer = once(() =>
  z
    .object({
      toSend: figure(
        'Orders to ship, paid ones and unpaid ones to pay on delivery, on pick-up or by invoice, as in `GET /orders?toShip=true`; of the unpaid ones, at most 1,000 are counted. Requires `order.read`.',
        3,
      ),
      toRefund: figure(
        'Cancelled orders whose money was not given back, or only in part, as in `GET /orders?toRefund=true`; 1,000 means 1,000 or more. Requires `order.read`.',
        1,
      ),
      unpaidOffline: figure(
        'Unpaid orders to pay without a provider, as in `GET /orders?unpaidOffline=true`; 1,000 means 1,000 or more. Requires `order.read`.',
        2,
      ),
      unmatchedPayments: figure(
        'Payments that need attention, as in `GET /payments?unmatched=true`. Requires `payment.read`.',
        0,
      ),
      openDisputes: figure(
        'Payments with an open dispute, as in `GET /payments?disputed=true`. Requires `payment.read`.',
        1,
      ),
      nextDisputeDueAt: z
        .string()
        .meta({ format: 'date-time' })
        .nullable()
        .meta({
          description:
            'The earliest time until which an open dispute can be answered; null without one. Requires `payment.read`.',
          examples: ['2026-12-04T23:59:59.000Z'],
        }),
      failedPayments: figure(
        'Pending orders whose payment failed, without another attempt in process, as in `GET /orders?status=pending&paymentStatus=failed`. Requires `order.read`.',
        2,
      ),
      failedDeliveries: figure(
        'Deliveries to subscriptions that failed for good, as in `GET /deliveries?status=failed`; 1,000 means 1,000 or more. Requires `webhook.read`.',
        0,
      ),
      lowStock: figure(
        'Products that run low, as in `GET /products?lowStock=true`; 1,000 means 1,000 or more. Requires `product.read`.',
        4,
      ),
      openWithdrawals: figure(
        'Withdrawals that are not closed, as in `GET /withdrawals?status=received` and `status=matched`; 1,000 means 1,000 or more. Requires `withdrawal.read`.',
        1,
      ),
      nextWithdrawalDueAt: z
        .string()
        .meta({ format: 'date-time' })
        .nullable()
        .meta({
          description:
            'The earliest `dueAt` of a withdrawal that is not closed; null without one. Requires `withdrawal.read`.',
          examples: ['2026-12-04T12:00:00.000Z'],
        }),
      failedMails: figure(
        'Mails of the last 7 days that were not sent, and not sent again for the same order, as in `GET /mails?status=failed`; 1,000 means 1,000 or more. Requires `mail.read`.',
        0,
      ),
      mailMissing: z
        .boolean()
        .nullable()
        .meta({
          description:
            'Whether some kind of mail is on, and none is sent because the store has no sender or no mail server. Requires `settings.read`.',
          examples: [false],
        }),
      newestOrderAt: z
        .string()
        .meta({ format: 'date-time' })
        .nullable()
        .meta({
          description: 'The latest `placedAt` of an order; null without one. Requires `order.read`.',
          examples: ['2026-11-20T12:05:00.000Z'],
        }),
    })
    .meta({ description: 'The work that waits in a store. A figure is null without its scope.' }),
);

/** The work that waits in a store. */
export type Desk = z.output<ReturnType<typeof deskAnswer>>;

const newestPlaced = preparedColumn<{ storeId: string }, number | null>((db, p) =>
  db
    .selectFrom('orders')
    .select((eb) => eb.fn.max('placed_at').as('at'))
    .where('store_id', '=', p('storeId'))
    .where('placed_at', 'is not', null),
);

// Literals, so that both engines see that the partial indexes apply.
const lowStock = preparedColumn<{ storeId: string }, number>((db, p) => {
  const low = db
    .selectFrom('products')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('low_stock', '=', sql.lit(1))
    .limit(sql.lit(maxCounted));
  return db.selectFrom(low.as('low')).select((eb) => eb.fn.countAll<number>().as('n'));
});

const failedDeliveries = preparedColumn<{ storeId: string }, number>((db, p) => {
  const failed = db
    .selectFrom('deliveries')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('status', '=', sql.lit('failed'))
    // Those of the embedding application's handlers are in no list.
    .where('subscriber_id', 'not like', sql.lit('app:%'))
    .limit(sql.lit(maxCounted));
  return db.selectFrom(failed.as('failed')).select((eb) => eb.fn.countAll<number>().as('n'));
});

const openWithdrawals = preparedColumn<{ storeId: string }, number>((db, p) => {
  const open = db
    .selectFrom('withdrawals')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('status', 'in', [sql.lit('received'), sql.lit('matched')])
    .limit(sql.lit(maxCounted));
  return db.selectFrom(open.as('open')).select((eb) => eb.fn.countAll<number>().as('n'));
});

/** Milliseconds for which a mail that was not sent is work that waits. */
const mailsFor = 7 * 24 * 3_600_000;

const failedMails = preparedColumn<{ storeId: string; since: string }, number>((db, p) => {
  const failed = db
    .selectFrom('mails')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('status', '=', sql.lit('failed'))
    .where('id', '>=', p('since'))
    // Those of an order are few, and an index leads to them.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mails as again')
            .select('again.id')
            .whereRef('again.store_id', '=', 'mails.store_id')
            .whereRef('again.order_id', '=', 'mails.order_id')
            .whereRef('again.resent_of', '=', 'mails.id'),
        ),
      ),
    )
    .limit(sql.lit(maxCounted));
  return db.selectFrom(failed.as('failed')).select((eb) => eb.fn.countAll<number>().as('n'));
});

/** The time of the oldest withdrawal of a status. */
const oldestWithdrawal = preparedColumn<{ storeId: string; status: string }, number | null>((db, p) =>
  db
    .selectFrom('withdrawals')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .where('store_id', '=', p('storeId'))
    .where('status', '=', p('status')),
);

const disputeDue = preparedColumn<{ storeId: string }, number | null>((db, p) =>
  db
    .selectFrom('payments')
    .select((eb) => eb.fn.min('dispute_due_at').as('at'))
    .where('store_id', '=', p('storeId'))
    .where('dispute_status', '=', sql.lit('open')),
);

/**
 * The work that waits in a store, for a page that asks every few seconds. Every figure is a kept count, or is counted in a partial index of
 * only the rows that wait, up to 1,000; so the cost does not grow with the store. A figure is null if the actor lacks its scope.
 * @throws CommerceError `forbidden` for a storefront key
 */
export async function getDesk(ctx: Context): Promise<Desk> {
  refusePublic(ctx);
  const { scopes } = ctx.actor;
  const storeId = ctx.store.id;
  const { mail } = ctx.store.settings;
  const since = minId(ctx.engine.clock.now() - mailsFor);
  return readingOf(ctx, async (db) => {
    const ifSeen = <T>(scope: Scope, read: () => Promise<T>): Promise<T | null> =>
      scopes?.has(scope) === false ? Promise.resolve(null) : read();
    const [orders, payments, failed, low, withdrawals, mails, mailMissing] = await Promise.all([
      ifSeen('order.read', () => readOrders(db, storeId)),
      ifSeen('payment.read', () => readPayments(db, storeId)),
      ifSeen('webhook.read', async () => (await failedDeliveries(db, { storeId }))[0] ?? 0),
      ifSeen('product.read', async () => (await lowStock(db, { storeId }))[0] ?? 0),
      ifSeen('withdrawal.read', () => readWithdrawals(db, storeId)),
      ifSeen('mail.read', async () => (await failedMails(db, { storeId, since }))[0] ?? 0),
      ifSeen('settings.read', async () => !sendsMail(mail) && Object.values(mail.kinds).some((isOn) => isOn)),
    ]);
    return {
      toSend: orders?.toSend ?? null,
      toRefund: orders?.toRefund ?? null,
      unpaidOffline: orders?.unpaidOffline ?? null,
      unmatchedPayments: payments?.unmatchedPayments ?? null,
      openDisputes: payments?.openDisputes ?? null,
      nextDisputeDueAt: payments?.nextDisputeDueAt ?? null,
      failedPayments: orders?.failedPayments ?? null,
      failedDeliveries: failed,
      lowStock: low,
      openWithdrawals: withdrawals?.openWithdrawals ?? null,
      nextWithdrawalDueAt: withdrawals?.nextWithdrawalDueAt ?? null,
      failedMails: mails,
      mailMissing,
      newestOrderAt: orders?.newestOrderAt ?? null,
    };
  });
}

async function readOrders(
  db: Db,
  storeId: string,
): Promise<Pick<Desk, 'toSend' | 'toRefund' | 'unpaidOffline' | 'failedPayments' | 'newestOrderAt'>> {
  const [counts, unpaidToShip, unpaidOffline, toRefund, [placedAt]] = await Promise.all([
    listCounts(db, storeId, 'orders.status'),
    countUnpaidToShip(db, storeId, maxCounted),
    countUnpaidOffline(db, storeId, maxCounted),
    countToRefund(db, storeId, maxCounted),
    newestPlaced(db, { storeId }),
  ]);
  return {
    toSend: unpaidToShip + sumOrders(counts, { status: 'paid', toShip: true }),
    toRefund,
    unpaidOffline,
    failedPayments: sumOrders(counts, { status: 'pending', paymentStatus: 'failed' }),
    newestOrderAt: placedAt === null || placedAt === undefined ? null : toTimestamp(placedAt),
  };
}

async function readWithdrawals(
  db: Db,
  storeId: string,
): Promise<Pick<Desk, 'openWithdrawals' | 'nextWithdrawalDueAt'>> {
  const [count = 0] = await openWithdrawals(db, { storeId });
  if (count === 0) return { openWithdrawals: 0, nextWithdrawalDueAt: null };
  const times = await Promise.all(
    withdrawalStatuses
      .filter((status) => status !== 'closed')
      .map(async (status) => (await oldestWithdrawal(db, { storeId, status }))[0] ?? Number.POSITIVE_INFINITY),
  );
  const oldest = Math.min(...times);
  const dueAt = Number.isFinite(oldest) ? toTimestamp(oldest + daysToRefund * 24 * 3_600_000) : null;
  return { openWithdrawals: count, nextWithdrawalDueAt: dueAt };
}

async function readPayments(
  db: Db,
  storeId: string,
): Promise<Pick<Desk, 'unmatchedPayments' | 'openDisputes' | 'nextDisputeDueAt'>> {
  let unmatchedPayments = 0;
  let openDisputes = 0;
  for (const [value, n] of await listCounts(db, storeId, 'payments')) {
    const [, , matched, dispute] = value.split(' ');
    if (unmatchedValues.some((one) => one === matched)) unmatchedPayments += n;
    if (dispute === 'open') openDisputes += n;
  }
  const [dueAt] = openDisputes === 0 ? [] : await disputeDue(db, { storeId });
  const isKnown = dueAt !== null && dueAt !== undefined;
  return { unmatchedPayments, openDisputes, nextDisputeDueAt: isKnown ? toTimestamp(dueAt) : null };
}
