import { sql } from 'kysely';
import type { TxContext } from '../context.ts';
import type { CommerceError } from '../errors.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared, preparedChange } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import { orderIdOf, type PaymentNotice } from './provider.ts';
import type { PaymentNotificationTable } from './table.ts';

/**
 * What became of a notification. Settled, so that a copy of it is a no-op: `paid`, `recorded` (a status or payment fields
 * were noted), `unchanged`, `ignored` (nothing an order has to know). Looked at again when it is sent again: `order_not_found`,
 * `unreadable_items`, `amount_mismatch`, `order_cancelled`, `second_payment`, `insufficient_stock`.
 */
export type Outcome =
  | 'paid'
  | 'recorded'
  | 'unchanged'
  | 'ignored'
  | 'order_not_found'
  | 'unreadable_items'
  | 'amount_mismatch'
  | 'order_cancelled'
  | 'second_payment'
  | 'insufficient_stock';

export interface Applied {
  outcome: Outcome;
  /** Why the money was not applied; null where nothing is wrong. */
  warning: string | null;
  /** Set where the provider is to send the notification again. */
  error: CommerceError | null;
}

export const settledOutcomes = ['paid', 'recorded', 'unchanged', 'ignored'] as const satisfies Outcome[];
const settled = new Set<string>(settledOutcomes);

/** True when nothing is left to do for a notification with that outcome. */
export function isSettled(outcome: Outcome | 'received'): boolean {
  return settled.has(outcome);
}

/** A notification in the inbox; `received` until it is first looked at. */
export interface Filed {
  id: string;
  outcome: Outcome | 'received';
}

const insertNotification = prepared<PaymentNotificationTable, { id: string }>((db, p) =>
  db
    .insertInto('payment_notifications')
    .values({
      store_id: p('store_id'),
      id: p('id'),
      provider: p('provider'),
      event_id: p('event_id'),
      event_type: p('event_type'),
      order_id: p('order_id'),
      payment_id: p('payment_id'),
      outcome: p('outcome'),
      warning: p('warning'),
      notice: p('notice'),
      payload: p('payload'),
      received_at: p('received_at'),
      updated_at: p('updated_at'),
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'provider', 'event_id']).doNothing())
    .returning('id'),
);

/**
 * Keeps a verified notification, once per event of the provider, and locks it: of copies that arrive together the later
 * ones wait here and then see what became of the first.
 */
export async function fileNotification(
  tx: TxContext,
  provider: string,
  notice: PaymentNotice,
  payload: string,
): Promise<Filed> {
  const [inserted] = await insertNotification(tx.db, {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    provider,
    event_id: notice.eventId,
    event_type: notice.eventType,
    order_id: orderIdOf(notice),
    payment_id: notice.paymentId,
    outcome: 'received',
    warning: null,
    notice: null,
    payload,
    received_at: tx.now,
    updated_at: tx.now,
  });
  if (inserted) return { id: inserted.id, outcome: 'received' };
  const row = await lockRows(
    tx.db,
    tx.db
      .selectFrom('payment_notifications')
      .select(['id', 'outcome'])
      .where('store_id', '=', tx.store.id)
      .where('provider', '=', provider)
      .where('event_id', '=', notice.eventId),
  ).executeTakeFirstOrThrow();
  return row as Filed;
}

/** Whether an event of the provider was settled before, so that nothing about it is worth asking. */
export async function wasSettled(db: Db, storeId: string, provider: string, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment_notifications')
    .select('outcome')
    .where('store_id', '=', storeId)
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return row !== undefined && settled.has(row.outcome);
}

const updateOutcome = preparedChange<{
  storeId: string;
  id: string;
  outcome: string;
  warning: string | null;
  notice: string | null;
  at: number;
}>((db, p) =>
  db
    .updateTable('payment_notifications')
    .set({ outcome: p('outcome'), warning: p('warning'), notice: p('notice'), updated_at: p('at') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/** Notes what became of a notification; one that may still be applied keeps how it was read. */
export async function noteOutcome(
  tx: TxContext,
  { id }: Filed,
  { outcome, warning }: Applied,
  notice: PaymentNotice,
): Promise<void> {
  await updateOutcome(tx.db, {
    storeId: tx.store.id,
    id,
    outcome,
    warning,
    notice: keptOf(outcome, notice),
    at: tx.now,
  });
}

/** The person who paid is kept only while an order may still be made for them; a copy may come after they were forgotten. */
function keptOf(outcome: Outcome, notice: PaymentNotice): string | null {
  if (isSettled(outcome)) return null;
  const mayMakeOrder = outcome === 'order_not_found' || outcome === 'unreadable_items';
  return JSON.stringify(mayMakeOrder ? notice : withoutPayer(notice));
}

/**
 * Ids begin with the time. What is added changes nothing but that no index offers this order: left alone, SQLite walks the whole
 * inbox in its order to find the few that it could look up.
 */
export const receivedFirst = sql<string>`id || ''`;

/** The notifications that named this order before it existed, oldest first. */
export async function waitingNotices(
  tx: TxContext,
  orderId: string,
): Promise<{ filed: Filed; provider: string; notice: PaymentNotice }[]> {
  const rows = await tx.db
    .selectFrom('payment_notifications')
    .select(['id', 'provider', 'outcome', 'notice'])
    .where('store_id', '=', tx.store.id)
    .where('order_id', '=', orderId)
    .where('outcome', 'in', ['order_not_found', 'unreadable_items'] satisfies Outcome[])
    .orderBy(receivedFirst)
    .execute();
  return rows.flatMap(({ id, outcome, provider, notice }) =>
    notice === null ? [] : [{ filed: { id, outcome: outcome as Outcome }, provider, notice: JSON.parse(notice) }],
  );
}

const waitingOfPayment = prepared<
  { storeId: string; provider: string; paymentId: string },
  { id: string; notice: string | null }
>((db, p) =>
  db
    .selectFrom('payment_notifications')
    .select(['id', 'notice'])
    .where('store_id', '=', p('storeId'))
    .where('payment_id', '=', p('paymentId'))
    .where('provider', '=', p('provider'))
    .where('outcome', '=', sql.lit('order_not_found'))
    .orderBy(receivedFirst),
);

/** The refunds of a payment that came before it, oldest first. */
export async function waitingRefunds(
  tx: TxContext,
  provider: string,
  paymentId: string,
): Promise<{ filed: Filed; notice: PaymentNotice }[]> {
  const rows = await waitingOfPayment(tx.db, { storeId: tx.store.id, provider, paymentId });
  return rows.flatMap(({ id, notice }) => {
    const read = notice === null ? null : (JSON.parse(notice) as PaymentNotice);
    return read?.kind === 'refund' ? [{ filed: { id, outcome: 'order_not_found' as const }, notice: read }] : [];
  });
}

/**
 * Takes the person who paid out of the notifications of these orders: of the bodies as received only the fact stays, and what
 * may still be applied keeps payment and amount. A notification may name the payment alone, as a charge does whose order is
 * named in the checkout session.
 */
export async function forgetPayers(
  tx: TxContext,
  orders: readonly { id: string; payment_id: string | null }[],
): Promise<void> {
  const found = new Map<string, string | null>();
  // One after the other: for both at once SQLite reads the whole inbox.
  for (const [column, values] of [
    ['order_id', orders.map((order) => order.id)],
    ['payment_id', orders.flatMap((order) => order.payment_id ?? [])],
  ] as const) {
    if (values.length === 0) continue;
    const rows = await lockRows(
      tx.db,
      tx.db
        .selectFrom('payment_notifications')
        .select(['id', 'notice'])
        .where('store_id', '=', tx.store.id)
        .where(column, 'in', values)
        .orderBy(receivedFirst),
    ).execute();
    for (const { id, notice } of rows) found.set(id, notice);
  }
  for (const [id, notice] of found) {
    await tx.db
      .updateTable('payment_notifications')
      .set({ payload: '{}', notice: notice && JSON.stringify(withoutPayer(JSON.parse(notice))) })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', id)
      .execute();
  }
}

function withoutPayer(notice: PaymentNotice): PaymentNotice {
  const { payerEmail: _, ...details } = notice.details ?? {};
  return { ...notice, details: notice.details && details, draft: null };
}
