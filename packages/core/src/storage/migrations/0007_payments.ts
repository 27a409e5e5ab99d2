import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../storage.ts';
import { type AttemptKind, factsOf, matchedOf, minorOf, refundNoticeOf } from './0007_payments-facts.ts';
import type { Migration } from './index.ts';

const batchSize = 500;

/** A notification in the inbox, as read by this migration. */
export interface InboxRow {
  store_id: string;
  id: string;
  provider: string;
  event_type: string;
  order_id: string | null;
  payment_id: string | null;
  outcome: string;
  notice: string | null;
  payload: string;
  received_at: number;
}

/** The tables as this migration leaves them; Kysely's types follow the present schema, which changes. */
interface Tables {
  payments: {
    store_id: string;
    id: string;
    provider: string;
    provider_payment_id: string;
    provider_order: string | null;
    order_id: string | null;
    status: AttemptKind;
    version: number | null;
    amount: number | null;
    currency: string | null;
    captured: number;
    refunded: number;
    matched: string | null;
    wrong_payee: number;
    reference: string | null;
    method: string | null;
    details: string | null;
    related_ids: string;
    status_since: number;
    dismissed_at: number | null;
    paid_at: number | null;
    created_at: number;
    updated_at: number;
  };
  payment_refs: { store_id: string; provider: string; ref: string; payment_id: string | null; order_id: string | null };
}

/**
 * Payments as resources, built from paid orders and stored notifications. No order changes its status.
 */
export const payments: Migration = {
  name: '0007_payments',
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db, storage) {
    await createTables(db, storage.inKeyOrder);
    await changeTables(db);
    await copyPaidOrders(db);
    await copyRefunds(db);
    await walkInbox(db);
    await count(db);
  },
};

async function createTables(db: Db, inKeyOrder: RawBuilder<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('payments')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('provider_payment_id', 'text', (c) => c.notNull())
    .addColumn('provider_order', 'text')
    .addColumn('order_id', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('version', 'bigint')
    .addColumn('amount', 'bigint')
    .addColumn('currency', 'text')
    .addColumn('captured', 'bigint', (c) => c.notNull())
    .addColumn('refunded', 'bigint', (c) => c.notNull())
    .addColumn('matched', 'text')
    .addColumn('wrong_payee', 'integer', (c) => c.notNull())
    .addColumn('reference', 'text')
    .addColumn('method', 'text')
    .addColumn('details', 'text')
    .addColumn('related_ids', 'text', (c) => c.notNull())
    .addColumn('status_since', 'bigint', (c) => c.notNull())
    .addColumn('dismissed_at', 'bigint')
    .addColumn('paid_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('payments_pkey', ['store_id', 'id'])
    .execute();
  await schema
    .createIndex('payments_order')
    .on('payments')
    .columns(['store_id', 'order_id'])
    .where(sql<boolean>`order_id is not null`)
    .execute();
  // Payments that wait for a link from the provider's own order to ours.
  await schema
    .createIndex('payments_provider_order')
    .on('payments')
    .columns(['store_id', 'provider', 'provider_order'])
    .where(sql<boolean>`provider_order is not null and order_id is null`)
    .execute();
  await schema
    .createIndex('payments_matched')
    .on('payments')
    .columns(['store_id', 'matched', 'id'])
    .where(sql<boolean>`matched is not null and matched <> 'paid'`)
    .execute();
  await schema
    .createIndex('payments_status')
    .on('payments')
    .columns(['store_id', 'status', 'id'])
    .where(sql<boolean>`status <> 'succeeded'`)
    .execute();
  await schema.createIndex('payments_provider').on('payments').columns(['store_id', 'provider', 'id']).execute();

  await schema
    .createTable('payment_refs')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('payment_id', 'text')
    .addColumn('order_id', 'text')
    .addPrimaryKeyConstraint('payment_refs_pkey', ['store_id', 'provider', 'ref'])
    .modifyEnd(inKeyOrder)
    .execute();

  await schema
    .createTable('payment_refunds')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('payment_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('refund_id', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('named', 'integer', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('told_at', 'bigint')
    .addColumn('recorded_at', 'bigint', (c) => c.notNull())
    .addColumn('status_since', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('payment_refunds_pkey', ['store_id', 'payment_id', 'position'])
    .modifyEnd(inKeyOrder)
    .execute();
}

async function changeTables(db: Db): Promise<void> {
  const { schema } = db;
  await schema.dropIndex('orders_payment').execute();
  await schema.alterTable('orders').dropColumn('attempts').execute();
  await schema.alterTable('orders').addColumn('stock_returned', 'text').execute();
  await sql`
    update orders set json = substr(json, 1, length(json) - 1) || ',"cancelReason":' || case
      when status <> 'cancelled' then 'null'
      when exists (
        select 1 from audit_logs a
        where a.store_id = orders.store_id and a.resource_type = 'order' and a.resource_id = orders.id
          and a.action = 'order.cancelled' and a.actor_type = 'system' and a.actor_id = 'expiry'
      ) then '"expired"'
      else '"requested"' end || '}'`.execute(db);
  const flag = (table: string, column: string, value: 0 | 1) =>
    schema
      .alterTable(table)
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(value))
      .execute();
  await flag('products', 'stock_moved', 0);
  await flag('stores', 'manual_payments', 0);
  await flag('payment_providers', 'make_orders', 0);
  // Stays on where the shop's own server describes the items in the payment; off for the wallet, whose order the buyer's
  // browser writes.
  await sql`update payment_providers set make_orders = 1 where provider <> 'paypal'`.execute(db);
}

function tablesOf(db: Db): Kysely<Tables> {
  return db as unknown as Kysely<Tables>;
}

async function copyPaidOrders(db: Db): Promise<void> {
  let after = { store: '', id: '' };
  for (;;) {
    const { rows } = await sql<{
      store_id: string;
      id: string;
      payment_provider: string;
      payment_id: string;
      json: string;
    }>`
      select store_id, id, payment_provider, payment_id, json from orders
      where (store_id, id) > (${after.store}, ${after.id}) and payment_id is not null
      order by store_id, id limit ${batchSize}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    after = { store: last.store_id, id: last.id };
    for (const row of rows) {
      const order = JSON.parse(row.json) as {
        total: string;
        currency: string;
        refundedAmount: string;
        paidAt: string | null;
        createdAt: string;
        paymentMethod: string | null;
        paymentDetails: unknown;
      };
      const at = Date.parse(order.paidAt ?? order.createdAt);
      const total = minorOf(order.total, order.total) ?? 0;
      await tablesOf(db)
        .insertInto('payments')
        .values({
          store_id: row.store_id,
          // An id that sorts by the time of the payment, as new ones do, and is unique because the order's is.
          id: idAt(at, row.id),
          provider: row.payment_provider,
          provider_payment_id: row.payment_id,
          provider_order: null,
          order_id: row.id,
          status: 'succeeded',
          version: null,
          amount: total,
          currency: order.currency,
          captured: total,
          refunded: minorOf(order.refundedAmount, order.total) ?? 0,
          matched: 'paid',
          wrong_payee: 0,
          reference: null,
          method: order.paymentMethod,
          details: order.paymentDetails === null ? null : JSON.stringify(order.paymentDetails),
          related_ids: JSON.stringify(relatedOf(row.payment_provider, row.payment_id)),
          status_since: at,
          dismissed_at: null,
          paid_at: at,
          created_at: at,
          updated_at: at,
        })
        .execute();
      await putRefs(db, row.store_id, row.payment_provider, idAt(at, row.id), [row.payment_id]);
    }
  }
}

async function copyRefunds(db: Db): Promise<void> {
  await sql`
    insert into payment_refunds
      (store_id, payment_id, position, refund_id, origin, named, amount, status, told_at, recorded_at, status_since)
    select r.store_id, p.id, r.position, r.refund_id, r.origin, r.named, r.amount, r.status, null, r.recorded_at, r.recorded_at
    from order_refunds r join payments p on p.store_id = r.store_id and p.order_id = r.order_id`.execute(db);
  await db.schema.dropTable('order_refunds').execute();
}

/** Adds attempts, money without an order and further ids of payments from the notifications. */
async function walkInbox(db: Db): Promise<void> {
  let after = { store: '', id: '' };
  for (;;) {
    const { rows } = await sql<InboxRow>`
      select store_id, id, provider, event_type, order_id, payment_id, outcome, notice, payload, received_at
      from payment_notifications where (store_id, id) > (${after.store}, ${after.id})
      order by store_id, id limit ${batchSize}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    after = { store: last.store_id, id: last.id };
    for (const row of rows) {
      if (row.payment_id !== null) await takeIn(db, row, row.payment_id);
      if (row.notice !== null) await renewNotice(db, row);
    }
  }
}

async function takeIn(db: Db, row: InboxRow, paymentId: string): Promise<void> {
  const facts = factsOf(row, paymentId);
  const known = await tablesOf(db)
    .selectFrom('payment_refs')
    .select('payment_id')
    .where('store_id', '=', row.store_id)
    .where('provider', '=', row.provider)
    .where('ref', 'in', facts.refs)
    .where('payment_id', 'is not', null)
    .executeTakeFirst();
  if (known?.payment_id) {
    await putRefs(db, row.store_id, row.provider, known.payment_id, facts.refs);
    await follow(db, row, known.payment_id, facts.kind);
    return;
  }
  if (facts.kind === null) return;
  if (row.provider === 'square' && row.order_id === null) {
    // A till's sale that names no order is not a payment here.
    await settle(db, row, 'ignored');
    return;
  }
  const matched = facts.kind === 'succeeded' ? matchedOf(row.outcome) : null;
  const succeeded = facts.kind === 'succeeded';
  await tablesOf(db)
    .insertInto('payments')
    .values({
      store_id: row.store_id,
      id: row.id,
      provider: row.provider,
      provider_payment_id: paymentId,
      provider_order: facts.providerOrder,
      order_id: row.order_id,
      status: facts.kind,
      version: facts.version,
      amount: facts.amount,
      currency: facts.currency,
      captured: succeeded ? (facts.amount ?? 0) : 0,
      refunded: 0,
      matched,
      wrong_payee: 0,
      reference: null,
      method: null,
      details: null,
      related_ids: JSON.stringify(facts.related),
      status_since: row.received_at,
      dismissed_at: null,
      paid_at: succeeded ? row.received_at : null,
      created_at: row.received_at,
      updated_at: row.received_at,
    })
    .execute();
  await putRefs(db, row.store_id, row.provider, row.id, facts.refs);
}

/** Merges a notification into the attempt known so far, and settles it when a payment with an order explains it. */
async function follow(db: Db, row: InboxRow, id: string, kind: AttemptKind | null): Promise<void> {
  const tables = tablesOf(db);
  const payment = await tables
    .selectFrom('payments')
    .select(['status', 'matched', 'order_id', 'version'])
    .where('store_id', '=', row.store_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const change = tables.updateTable('payments').where('store_id', '=', row.store_id).where('id', '=', id);
  if (payment.order_id === null && row.order_id !== null) await change.set({ order_id: row.order_id }).execute();
  if (payment.status === 'succeeded') {
    if (payment.matched === 'paid' && row.outcome === 'order_not_found' && kind !== null)
      await settle(db, row, 'recorded');
    return;
  }
  if (kind === null) return;
  const { version, amount, currency } = factsOf(row, '');
  if (kind !== 'succeeded' && version !== null && payment.version !== null && version < payment.version) return;
  const succeeded = kind === 'succeeded';
  await change
    .set({
      status: kind,
      version,
      status_since: row.received_at,
      ...(succeeded
        ? { matched: matchedOf(row.outcome), amount, currency, captured: amount ?? 0, paid_at: row.received_at }
        : {}),
    })
    .execute();
}

/** Converts the notice of a waiting refund to its new form; facts of attempts are now stored in their payment. */
async function renewNotice(db: Db, row: InboxRow): Promise<void> {
  const notice = refundNoticeOf(row);
  await sql`update payment_notifications set notice = ${notice === null ? null : JSON.stringify(notice)}
    where store_id = ${row.store_id} and id = ${row.id} and notice is not null`.execute(db);
}

async function settle(db: Db, row: InboxRow, outcome: 'ignored' | 'recorded'): Promise<void> {
  await sql`update payment_notifications set outcome = ${outcome}, warning = null, notice = null
    where store_id = ${row.store_id} and id = ${row.id} and outcome = 'order_not_found'`.execute(db);
}

async function putRefs(db: Db, storeId: string, provider: string, id: string, refs: readonly string[]): Promise<void> {
  await tablesOf(db)
    .insertInto('payment_refs')
    .values(refs.map((ref) => ({ store_id: storeId, provider, ref, payment_id: id, order_id: null })))
    .onConflict((conflict) => conflict.columns(['store_id', 'provider', 'ref']).doNothing())
    .execute();
}

function relatedOf(provider: string, id: string): Record<string, string> {
  if (provider === 'paypal') return { capture: id };
  if (provider !== 'stripe') return {};
  return id.startsWith('pi_') ? { intent: id } : id.startsWith('cs_') ? { session: id } : { charge: id };
}

/** An id for a payment of that time; the rest of the order's id makes it unique within a millisecond. */
function idAt(ms: number, orderId: string): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${orderId.slice(13)}`;
}

async function count(db: Db): Promise<void> {
  await sql`
    insert into list_counts (store_id, list, value, n)
    select store_id, 'payments', provider || ' ' || status || ' ' || coalesce(matched, '-'), count(*)
    from payments group by 1, 3`.execute(db);
}
