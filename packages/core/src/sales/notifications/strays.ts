import { audit } from '../../audit/entry.ts';
import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { lockOrder } from '../../orders/orders.ts';
import { type Dispute, withDisputes } from '../../payments/disputes.ts';
import { deletePayment, lockPayment } from '../../payments/payments.ts';
import type { Refund } from '../../payments/refund-ledger.ts';
import { readRefunds } from '../../payments/refunds.ts';
import type { StoreSettings } from '../../payments/settings.ts';
import { isLater, type PaymentNotice, refsOf } from '../../providers/notice.ts';
import type { Provider } from '../../providers/provider.ts';
import { reading } from '../../storage/run.ts';
import type { Db } from '../../storage/storage.ts';
import type { PaymentNotificationTable } from '../../storage/tables/payments.ts';
import { requireStore } from '../../stores/stores.ts';
import { applyNotification } from '../settle/apply.ts';
import { addBooks } from '../settle/settle-refund.ts';
import { lockPaymentNames } from '../settle/target.ts';
import { completeNotice } from './complete.ts';

/** Most notifications of one payment moved in a round; providers send a handful. */
const maxStrays = 200;

/** Rounds in which what arrives while a payment is moved is moved, too. */
const maxRounds = 5;

/** Records of a payment in a store that does not own it. */
interface Strays {
  /** Ids of the payments made from its notifications; one, unless a provider contradicts itself. */
  payments: string[];
  /** All ids by which the payment is known there. */
  refs: string[];
  notifications: PaymentNotificationTable[];
  ledger: Refund[];
  disputes: Dispute[];
}

/**
 * Moves a payment to its store from other stores with the same secret: its notifications, including settled ones, and its refunds. They
 * arrived at the address without a store before the payment's store was known. All are applied here first and deleted there afterwards: a
 * crash in between loses nothing.
 * @param others ids of the other stores
 */
export async function bringStrays(
  ctx: Context,
  provider: Provider<unknown>,
  notice: PaymentNotice,
  settings: StoreSettings,
  others: readonly string[],
): Promise<void> {
  const refs = refsOf(notice.ids);
  if (refs.length === 0 || others.length === 0) return;
  for (const id of await storesThatKnow(ctx, provider.name, refs, others)) {
    const there: Context = { ...ctx, store: await requireStore(ctx.engine, id) };
    let isLeft = true;
    for (let round = 0; isLeft && round < maxRounds; round++) {
      isLeft = await bringFrom(there, ctx, provider, refs, settings);
    }
  }
}

/** The stores among them that have a payment with one of these ids, or notifications of it. */
async function storesThatKnow(
  ctx: Context,
  provider: string,
  refs: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  const rows = await reading(ctx.engine.storage, async (db) => [
    ...(await db
      .selectFrom('payment_notifications')
      .select('store_id')
      .distinct()
      .where('store_id', 'in', others)
      .where('payment_id', 'in', refs)
      .where('provider', '=', provider)
      .execute()),
    ...(await db
      .selectFrom('payment_refs')
      .select('store_id')
      .distinct()
      .where('store_id', 'in', others)
      .where('provider', '=', provider)
      .where('ref', 'in', refs)
      .where('payment_id', 'is not', null)
      .execute()),
  ]);
  return [...new Set(rows.map(({ store_id }) => store_id))];
}

/** Moves a store's records of a payment. @returns true if more arrived there during the move */
async function bringFrom(
  there: Context,
  here: Context,
  provider: Provider<unknown>,
  refs: readonly string[],
  settings: StoreSettings,
): Promise<boolean> {
  const strays = await reading(there.engine.storage, (db) => findStrays(db, there.store.id, provider.name, refs));
  if (!strays) return false;
  const read: { notice: PaymentNotice; payload: string }[] = [];
  for (const { payload, notice } of strays.notifications) {
    if (payload !== '{}') {
      const event: unknown = JSON.parse(payload);
      read.push({ notice: await completeNotice(here, provider, await provider.read(event), event, settings), payload });
    } else if (notice !== null) {
      read.push({ notice: JSON.parse(notice), payload });
    }
  }
  const apply = async (wanted: boolean) => {
    for (const { notice, payload } of read) {
      if (isLater(notice) === wanted) await applyNotification(here, provider.name, notice, payload, settings);
    }
  };
  await apply(false);
  // Before the notifications of refunds and disputes: the ledger has the time each refund was first reported, and refunds with pruned bodies.
  if (!(await bringBooks(here, provider.name, strays))) return false;
  await apply(true);
  return takeAway(there, here, provider.name, strays);
}

/** A store's records of a payment that it does not own. Undefined if it has none, or has the order that the payment is for. */
async function findStrays(
  db: Db,
  storeId: string,
  provider: string,
  named: readonly string[],
): Promise<Strays | undefined> {
  const known = await db
    .selectFrom('payment_refs')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.store_id', '=', 'payment_refs.store_id')
        .onRef('payments.id', '=', 'payment_refs.payment_id'),
    )
    .leftJoin('orders', (join) =>
      join.onRef('orders.store_id', '=', 'payments.store_id').onRef('orders.id', '=', 'payments.order_id'),
    )
    .select(['payments.id as id', 'payments.disputes as disputes', 'orders.id as orderId'])
    .distinct()
    .where('payment_refs.store_id', '=', storeId)
    .where('payment_refs.provider', '=', provider)
    .where('payment_refs.ref', 'in', named)
    .orderBy('payments.id')
    .execute();
  if (known.some(({ orderId }) => orderId !== null)) return undefined;
  const payments = known.map(({ id }) => id);
  const refs = new Set(named);
  const ledger: Refund[] = [];
  let disputes: Dispute[] = [];
  for (const { id, disputes: json } of known) {
    disputes = withDisputes(disputes, JSON.parse(json));
    const rows = await db
      .selectFrom('payment_refs')
      .select('ref')
      .where('store_id', '=', storeId)
      .where('provider', '=', provider)
      .where('payment_id', '=', id)
      .execute();
    for (const { ref } of rows) refs.add(ref);
    ledger.push(...(await readRefunds(db, storeId, id)));
  }
  const notifications = await db
    .selectFrom('payment_notifications')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('payment_id', 'in', [...refs])
    .where('provider', '=', provider)
    .orderBy('id')
    .limit(maxStrays)
    .execute();
  if (payments.length === 0 && notifications.length === 0) return undefined;
  return { payments, refs: [...refs].sort(), notifications, ledger, disputes };
}

/** Adds the refunds and disputes of a payment elsewhere to it here. @returns false while the payment is not known here */
async function bringBooks(here: Context, provider: string, { refs, ledger, disputes }: Strays): Promise<boolean> {
  if (ledger.length === 0 && disputes.length === 0) return true;
  return transact(here, async (tx) => {
    await lockPaymentNames(tx, provider, refs);
    const id = await paymentOf(tx, provider, refs);
    const payment = id === undefined ? undefined : await lockPayment(tx, id);
    if (!payment) return false;
    const order = payment.order_id === null ? undefined : await lockOrder(tx, payment.order_id);
    await addBooks(tx, payment, order ?? null, { ledger, disputes });
    return true;
  });
}

async function paymentOf(tx: TxContext, provider: string, refs: readonly string[]): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('payment_refs')
    .select('payment_id')
    .where('store_id', '=', tx.store.id)
    .where('provider', '=', provider)
    .where('ref', 'in', refs)
    .where('payment_id', 'is not', null)
    .executeTakeFirst();
  return row?.payment_id ?? undefined;
}

/** Deletes the moved records from the store that had them. @returns true if more arrived there during the move */
async function takeAway(there: Context, here: Context, provider: string, moved: Strays): Promise<boolean> {
  return transact(there, async (tx) => {
    // A notification that is being applied to the payment has finished by then, or starts afterwards.
    await lockPaymentNames(tx, provider, moved.refs);
    const present = await findStrays(tx.db, tx.store.id, provider, moved.refs);
    // It got an order here in between, or another process has moved it.
    if (!present) return false;
    const ids = new Set(moved.notifications.map(({ id }) => id));
    const isNew = present.notifications.some(({ id }) => !ids.has(id)) || !isSameBooks(present, moved);
    for (const { id, event_id } of present.notifications) {
      if (!ids.has(id)) continue;
      await tx.db
        .deleteFrom('payment_notifications')
        .where('store_id', '=', tx.store.id)
        .where('id', '=', id)
        .execute();
      const changes = { to: here.store.id, eventId: event_id };
      audit(tx, { action: 'payment.moved', resourceType: 'payment', resourceId: present.payments[0] ?? id, changes });
    }
    if (isNew) return true;
    for (const id of present.payments) {
      const payment = await lockPayment(tx, id);
      if (payment) await deletePayment(tx, payment);
    }
    return false;
  });
}

function isSameBooks(one: Strays, other: Strays): boolean {
  const print = ({ ledger, disputes }: Strays) =>
    `${ledger.map((refund) => Object.values(refund).join(' ')).join('\n')} ${JSON.stringify(disputes)}`;
  return print(one) === print(other);
}
