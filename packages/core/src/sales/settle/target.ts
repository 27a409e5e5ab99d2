import type { TxContext } from '../../engine/context.ts';
import type { Order } from '../../orders/fields.ts';
import { lockOrders } from '../../orders/orders.ts';
import { lockPayment, lockPaymentsOfOrder } from '../../payments/payments.ts';
import { findRefs, type KnownRefs } from '../../payments/refs.ts';
import { isLater, orderIdOf, type PaymentIds, type PaymentNotice, refsOf } from '../../providers/notice.ts';
import { lockRows } from '../../storage/locks.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';

/** Payment and order of a notice, locked. */
export interface Target {
  /** Null when the payment is unknown. */
  payment: PaymentTable | null;
  /** The order to be paid, whether it exists or not. */
  orderId: string | null;
  /** Null when that order does not exist. */
  order: Order | null;
  refs: KnownRefs;
  /** Payments that waited for the link from the provider's own order to ours. */
  waiting: PaymentTable[];
}

/**
 * Locks the names of the payment and the order in a notice, before anything else is locked or written. A transaction that
 * creates that order, or applies another notification of the payment, has then either ended or will see this one's changes.
 *
 * Locks are taken in this order everywhere: names, the inbox entry, payments by id, orders by id, products by id.
 */
export async function lockNames(tx: TxContext, provider: string, notice: PaymentNotice): Promise<void> {
  if (notice.kind === 'unrelated') return;
  const named = orderIdOf(notice);
  await lockPaymentNames(tx, provider, refsOf(notice.ids), named === null ? [] : [named]);
}

/** Like `lockNames`, but takes the ids of a payment. */
export async function lockPaymentNames(
  tx: TxContext,
  provider: string,
  refs: readonly string[],
  orderIds: readonly string[] = [],
): Promise<void> {
  const names = [...refs.map((ref) => `payment ${tx.store.id} ${provider} ${ref}`), ...orderIds];
  for (const name of names.sort()) await tx.engine.storage.lockName(tx.db, name);
}

/** Finds and locks the payment and the order of a notice. The caller has locked their names. */
export async function findTarget(tx: TxContext, provider: string, notice: PaymentNotice): Promise<Target> {
  const refs = await findRefs(tx, provider, notice.ids);
  const named = orderIdOf(notice);
  let payment = await lockPaymentOf(tx, refs.payments, notice.ids);
  if (!payment && isLater(notice)) payment = await paymentOfOrder(tx, provider, notice.ids, named ?? refs.orderId);
  const waiting = payment || notice.kind !== 'link' ? [] : await lockUnlinked(tx, provider, notice.ids.order);
  const linked = payment?.order_id ?? refs.orderId;
  // A payment that has paid an order, or that a refund or a dispute names, never moves to another order.
  const settled = payment?.matched === 'paid' || isLater(notice);
  const candidates = settled ? [linked, named] : [named, linked];
  const orderIds = [...new Set(candidates)].filter((id) => id !== null);
  const wanted = settled ? orderIds.slice(0, 1) : orderIds;
  // A payment that comes to name another order changes both, so both are locked.
  const orders = await lockOrders(tx, wanted);
  for (const orderId of wanted) {
    const order = orders.get(orderId);
    if (order) return { payment, orderId, order, refs, waiting };
  }
  return { payment, orderId: orderIds[0] ?? null, order: null, refs, waiting };
}

/** Most captures of one order of a provider; real ones have a few. */
const maxUnlinked = 100;

async function lockUnlinked(
  tx: TxContext,
  provider: string,
  providerOrder: string | undefined,
): Promise<PaymentTable[]> {
  if (providerOrder === undefined) return [];
  return lockRows(
    tx.db,
    tx.db
      .selectFrom('payments')
      .selectAll()
      .where('store_id', '=', tx.store.id)
      .where('provider', '=', provider)
      .where('provider_order', '=', providerOrder)
      .where('order_id', 'is', null)
      .orderBy('id')
      .limit(maxUnlinked),
  ).execute();
}

/**
 * The payment that a notice names. The intent outranks charge and session: a payment with another intent is left out. If the ids
 * lead to several payments, which only a provider's mistake can cause, the one that paid wins.
 */
async function lockPaymentOf(
  tx: TxContext,
  ids: readonly string[],
  { intent }: PaymentIds,
): Promise<PaymentTable | null> {
  const rows: PaymentTable[] = [];
  for (const id of [...ids].sort()) {
    const row = await lockPayment(tx, id);
    const known = row && (JSON.parse(row.related_ids) as PaymentIds).intent;
    if (row && (intent === undefined || known === undefined || known === intent)) rows.push(row);
  }
  return rows.find(({ matched }) => matched === 'paid') ?? rows.find(({ id }) => id === ids[0]) ?? rows[0] ?? null;
}

/**
 * The payment of a refund or a dispute that names its order, but no payment or one with an unknown id. It is the payment that paid the order, else the
 * only successful one.
 */
async function paymentOfOrder(
  tx: TxContext,
  provider: string,
  ids: PaymentIds,
  orderId: string | null,
): Promise<PaymentTable | null> {
  if (orderId === null || ids.capture !== undefined || ids.payment !== undefined) return null;
  const payments = (await lockPaymentsOfOrder(tx, orderId)).filter(
    (payment) => payment.provider === provider && payment.status === 'succeeded' && !contradicts(payment, ids),
  );
  const paid = payments.find(({ matched }) => matched === 'paid');
  return paid ?? (payments.length === 1 ? (payments[0] ?? null) : null);
}

function contradicts(payment: PaymentTable, ids: PaymentIds): boolean {
  const known = JSON.parse(payment.related_ids) as PaymentIds;
  return (['intent', 'charge'] as const).some((name) => ids[name] !== undefined && known[name] !== undefined);
}
