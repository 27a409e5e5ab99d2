import { sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import type { CommerceError } from '../kernel/errors.ts';
import { isLater, type LaterNotice, orderIdOf, type PaymentNotice, paymentIdOf, refsOf } from '../providers/notice.ts';
import { lockRows } from '../storage/locks.ts';
import { unindexedText } from '../storage/planner.ts';
import { prepared, preparedChange, preparedPerLength } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { PaymentNotificationTable } from '../storage/tables/payments.ts';

/**
 * Outcome of a notification. Settled, so a copy is a no-op: `paid`, `recorded` (a status, refund or payment fields were stored),
 * `unchanged`, `ignored` (not relevant to any order). Unsettled, so a copy is processed again: `order_not_found`, `unreadable_items`,
 * `amount_mismatch`, `wrong_payee`, `order_cancelled`, `second_payment`, `insufficient_stock`.
 */
export const outcomes = [
  'paid',
  'recorded',
  'unchanged',
  'ignored',
  'order_not_found',
  'unreadable_items',
  'amount_mismatch',
  'wrong_payee',
  'order_cancelled',
  'second_payment',
  'insufficient_stock',
] as const;
export type Outcome = (typeof outcomes)[number];

export interface Settlement {
  outcome: Outcome;
  /** Reason why the money was not applied; null when nothing is wrong. */
  warning: string | null;
  /** Set when the provider should send the notification again. */
  error: CommerceError | null;
  /** The order if its customer was anonymised: the notification is stored without its body. */
  anonymousOrder?: string;
}

export const settledOutcomes = ['paid', 'recorded', 'unchanged', 'ignored'] as const satisfies Outcome[];
const settled = new Set<string>(settledOutcomes);

/** True for an outcome after which nothing is left to do. */
export function isSettled(outcome: Outcome): boolean {
  return settled.has(outcome);
}

/** A notification in the inbox. */
export interface InboxEntry {
  id: string;
  outcome: Outcome;
}

const lockedEntry = prepared<{ storeId: string; provider: string; eventId: string }, InboxEntry>((db, p) =>
  lockRows(
    db,
    db
      .selectFrom('payment_notifications')
      .select(['id', 'outcome'])
      .where('store_id', '=', p('storeId'))
      .where('provider', '=', p('provider'))
      .where('event_id', '=', p('eventId'))
      .$narrowType<{ outcome: Outcome }>(),
  ),
);

/** The entry of an event received before, locked until the transaction ends. */
export async function lockEntry(tx: TxContext, provider: string, eventId: string): Promise<InboxEntry | undefined> {
  const [entry] = await lockedEntry(tx.db, { storeId: tx.store.id, provider, eventId });
  return entry;
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

/** Stores a verified notification with its outcome. @returns false when a copy was stored at the same time */
export async function fileNotification(
  tx: TxContext,
  provider: string,
  notice: PaymentNotice,
  payload: string,
  { outcome, warning }: Settlement,
): Promise<boolean> {
  const inserted = await insertNotification(tx.db, {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    provider,
    event_id: notice.eventId,
    event_type: notice.eventType,
    order_id: orderIdOf(notice),
    payment_id: paymentIdOf(notice),
    outcome,
    warning,
    notice: keptOf(outcome, notice),
    payload,
    received_at: tx.now,
    updated_at: tx.now,
  });
  return inserted.length > 0;
}

/** True when an event of the provider is already settled; the provider need not be called. */
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

/** Records the new outcome of an entry that was processed again. */
export async function recordOutcome(
  tx: TxContext,
  { id }: Pick<InboxEntry, 'id'>,
  { outcome, warning }: Settlement,
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

/** The notice to store with an entry, for a refund or a dispute that is not yet stored with its payment. Facts about attempts are stored with the payment. */
function keptOf(outcome: Outcome, notice: PaymentNotice): string | null {
  const recorded = isSettled(outcome) || outcome === 'insufficient_stock';
  return isLater(notice) && !recorded ? JSON.stringify(notice) : null;
}

/** Order of receipt, because ids begin with the time. Without this, SQLite walks the whole inbox instead of using an index. */
const receivedFirst = unindexedText(sql.ref('id'));

interface WaitingRow {
  id: string;
  notice: string | null;
}

const waitingOfPayment = preparedPerLength<{ storeId: string; provider: string }, WaitingRow>((db, p, refs) =>
  db
    .selectFrom('payment_notifications')
    .select(['id', 'notice'])
    .where('store_id', '=', p('storeId'))
    .where('payment_id', 'in', refs)
    .where('provider', '=', p('provider'))
    .where('outcome', '=', sql.lit('order_not_found'))
    .where('notice', 'is not', null)
    .orderBy(receivedFirst),
);

const waitingOfOrder = prepared<{ storeId: string; provider: string; orderId: string }, WaitingRow>((db, p) =>
  db
    .selectFrom('payment_notifications')
    .select(['id', 'notice'])
    .where('store_id', '=', p('storeId'))
    .where('order_id', '=', p('orderId'))
    .where('provider', '=', p('provider'))
    .where('outcome', '=', sql.lit('order_not_found'))
    .where('notice', 'is not', null)
    .orderBy(receivedFirst),
);

/** A notice of a refund or a dispute that waits for its payment. */
export interface WaitingNotice {
  entry: Pick<InboxEntry, 'id'>;
  notice: LaterNotice;
}

/**
 * The refunds and disputes that came before the payment with these ids, oldest first. Follows the ids that they add: one can name intent
 * and charge, another only the charge.
 * @param orderId adds the notices that name this order and no payment
 * @returns also all ids of the payment, including the added ones
 */
export async function waitingNotices(
  tx: TxContext,
  provider: string,
  refs: readonly string[],
  orderId: string | null,
): Promise<{ waiting: WaitingNotice[]; refs: string[] }> {
  const refunds = new Map<string, WaitingNotice>();
  const all = new Set(refs);
  let next = await waitingFor(tx, provider, refs, orderId);
  while (next.length > 0) {
    for (const one of next) refunds.set(one.entry.id, one);
    const more = next.flatMap(({ notice }) => refsOf(notice.ids)).filter((ref) => !all.has(ref));
    for (const ref of more) all.add(ref);
    next = more.length === 0 ? [] : await waitingFor(tx, provider, [...new Set(more)], null);
  }
  return { waiting: [...refunds.values()], refs: [...all] };
}

async function waitingFor(
  tx: TxContext,
  provider: string,
  refs: readonly string[],
  orderId: string | null,
): Promise<WaitingNotice[]> {
  const at = { storeId: tx.store.id, provider };
  const ofPayment = refs.length === 0 ? [] : await waitingOfPayment(tx.db, at, refs);
  const ofOrder = orderId === null ? [] : await waitingOfOrder(tx.db, { ...at, orderId });
  const read = (rows: readonly WaitingRow[]) =>
    rows.flatMap(({ id, notice }): WaitingNotice[] =>
      notice === null ? [] : [{ entry: { id }, notice: JSON.parse(notice) }],
    );
  return [...read(ofPayment), ...read(ofOrder).filter(({ notice }) => paymentIdOf(notice) === null)];
}

/** Most notifications of one payment that are looked at again at once; providers send a handful. */
const maxIgnored = 200;

const ignoredOfPayment = preparedPerLength<{ storeId: string; provider: string }, { id: string; payload: string }>(
  (db, p, refs) =>
    db
      .selectFrom('payment_notifications')
      .select(['id', 'payload'])
      .where('store_id', '=', p('storeId'))
      .where('payment_id', 'in', refs)
      .where('provider', '=', p('provider'))
      .where('outcome', '=', sql.lit('ignored'))
      .where('payload', '<>', sql.lit('{}'))
      .orderBy(receivedFirst)
      .limit(maxIgnored),
);

/** The notifications of the payment with one of these ids that were ignored while it was not known, oldest first. */
export async function ignoredEntries(
  tx: TxContext,
  provider: string,
  refs: readonly string[],
): Promise<{ id: string; payload: string }[]> {
  return refs.length === 0 ? [] : ignoredOfPayment(tx.db, { storeId: tx.store.id, provider }, refs);
}

/** True when the payment with one of these ids was ignored as a sale without an order here. */
export async function wasIgnored(tx: TxContext, provider: string, refs: readonly string[]): Promise<boolean> {
  if (refs.length === 0) return false;
  const row = await tx.db
    .selectFrom('payment_notifications')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('payment_id', 'in', refs)
    .where('provider', '=', provider)
    .where('outcome', '=', 'ignored')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a payment's new outcome on its waiting notifications. Skips waiting refunds and disputes, which have their own outcome. */
export async function renewEntries(
  tx: TxContext,
  provider: string,
  refs: readonly string[],
  { outcome, warning }: Settlement,
): Promise<void> {
  await tx.db
    .updateTable('payment_notifications')
    .set({ outcome, warning, updated_at: tx.now })
    .where('store_id', '=', tx.store.id)
    .where('payment_id', 'in', refs)
    .where('provider', '=', provider)
    .where('outcome', 'not in', settledOutcomes)
    .where('notice', 'is', null)
    .execute();
}

/**
 * Removes the payer from the notifications that name these orders or payments, by emptying their bodies. Both are needed: a notification
 * can name only the payment, such as a charge whose order only the checkout session names.
 */
export async function forgetPayers(
  tx: TxContext,
  { orderIds, refs }: { orderIds: readonly string[]; refs: readonly string[] },
): Promise<void> {
  // One statement each: for both columns at once, SQLite reads the whole inbox.
  for (const [column, values] of [
    ['order_id', orderIds],
    ['payment_id', refs],
  ] as const) {
    for (let from = 0; from < values.length; from += maxValues) {
      await tx.db
        .updateTable('payment_notifications')
        .set({ payload: '{}' })
        .where('store_id', '=', tx.store.id)
        .where(column, 'in', values.slice(from, from + maxValues))
        .execute();
    }
  }
}

/** Values per statement, fewer than either engine's limit. */
const maxValues = 500;
