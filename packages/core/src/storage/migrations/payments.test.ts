import { readFileSync } from 'node:fs';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import {
  type Commerce,
  type Context,
  expirePendingOrders,
  getOrder,
  listNotifications,
  listPayments,
  listRefunds,
  migrations,
  type Order,
  openCommerce,
  refundOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

/** A database of the version before payments, of a shop with every kind of order; see `names`. */
const fixture = JSON.parse(readFileSync(new URL('fixtures/0006-payments.json', import.meta.url), 'utf8')) as {
  names: Record<string, string>;
  tables: Record<string, Record<string, unknown>[]>;
};
const { names, tables } = fixture;
const before = new Map((tables.orders ?? []).map((row) => [row.id as string, JSON.parse(row.json as string) as Order]));

forEachStorage('a database without payments of its own', (database) => {
  const clock = fakeClock('2026-02-01T00:00:00.000Z');
  let commerce: Commerce;
  let shop: Context;

  beforeAll(async () => {
    const storage = database.open();
    await storage.db.transaction().execute(async (db) => {
      await sql`create table schema_migrations (name text primary key, applied_at bigint not null)`.execute(db);
      for (const migration of migrations.filter(({ name }) => name < '0007')) {
        await migration.up(db, storage);
        await db.insertInto('schema_migrations').values({ name: migration.name, applied_at: 0 }).execute();
      }
      for (const [table, rows] of Object.entries(tables)) {
        for (const row of rows) {
          await db
            .insertInto(table as never)
            .values(row as never)
            .execute();
        }
      }
    });
    await storage.close();
    commerce = await openCommerce({ storage: database.open(), clock });
    shop = await commerce.store(tables.stores?.[0]?.id as string);
    return () => commerce.close();
  });

  const idOf = (name: string) => names[name] ?? '';
  const paymentsOf = async (name: string) => (await listPayments(shop, { orderId: idOf(name) })).items;

  // Fields that later migrations add.
  const sellingFields = { taxIncluded: false, shippingMethod: null, reservedUntil: null, tracking: null };

  it('keeps every order as it was, with the reason of its cancellation added', async () => {
    expect(before.size).toBe(20);
    for (const [name, id] of Object.entries(names)) {
      const old = before.get(id);
      if (!old) continue;
      const cancelReason = old.status !== 'cancelled' ? null : name === 'expired' ? 'expired' : 'requested';
      expect(await getOrder(shop, id), name).toEqual({ ...old, cancelReason, ...sellingFields });
    }
  });

  it.each([
    ['paid, charge and intent', { status: 'succeeded', matched: 'paid', amount: '10.00', refundedAmount: '0.00' }],
    ['paid, named by the session alone', { status: 'succeeded', matched: 'paid' }],
    ['refunded by name', { matched: 'paid', refundedAmount: '10.00' }],
    ['refunded in part by a running total', { matched: 'paid', refundedAmount: '3.00' }],
    ['paid at PayPal', { provider: 'paypal', matched: 'paid' }],
    ['fulfilled, paid at Square', { provider: 'square', matched: 'paid', refundedAmount: '2.00' }],
    ['cancelled after it was paid', { matched: 'paid' }],
    ['money for a cancelled order', { status: 'succeeded', matched: 'cancelledOrder' }],
    ['short of stock', { status: 'succeeded', matched: 'insufficientStock', amount: '10.00' }],
    ['wrong amount', { status: 'succeeded', matched: 'mismatch', amount: '9.00', capturedAmount: '9.00' }],
    ['failed', { status: 'failed', matched: null }],
    ['processing at Stripe', { status: 'processing', matched: null }],
    ['approved at Square', { status: 'processing', matched: null }],
    ['pending at PayPal', { status: 'processing', matched: null }],
    ['money without an order', { status: 'succeeded', matched: 'none', amount: '10.00' }],
  ])('has the payment of the order that was: %s', async (name, wanted) => {
    const [payment, ...others] = await paymentsOf(name);
    expect(others).toEqual([]);
    expect(payment).toMatchObject(wanted);
  });

  it('has both payments of an order that was paid twice', async () => {
    expect((await paymentsOf('paid twice')).map(({ matched }) => matched).sort()).toEqual(['paid', 'second']);
  });

  it('has no payment where none was told of', async () => {
    for (const name of ['untouched', 'expired', 'cancelled by a person', 'settled without payment']) {
      expect(await paymentsOf(name), name).toEqual([]);
    }
    expect((await listPayments(shop, { provider: 'square' })).total).toBe(2);
  });

  it('counts them as a scan does', async () => {
    const { items, total } = await listPayments(shop, { limit: 200 });
    expect(items).toHaveLength(total);
    for (const matched of ['paid', 'none', 'mismatch'] as const) {
      const wanted = items.filter((payment) => payment.matched === matched).length;
      expect((await listPayments(shop, { matched })).total).toBe(wanted);
    }
  });

  it('settles what a payment has explained, and keeps waiting what nothing explains', async () => {
    const { items } = await listNotifications(shop, { unmatched: true, limit: 200 });
    const session = await getOrder(shop, idOf('paid, named by the session alone'));
    expect(items.filter(({ paymentId }) => paymentId === session.paymentId)).toEqual([]);
    expect(items.map(({ outcome }) => outcome).sort()).toEqual([
      'amount_mismatch',
      'insufficient_stock',
      'order_cancelled',
      'order_not_found',
      'order_not_found',
      'order_not_found',
      'second_payment',
    ]);
  });

  it('lists the refunds that it had, and goes on from them', async () => {
    const list = async (name: string) => (await listRefunds(shop, idOf(name))).items.map(({ amount }) => amount);
    expect(await list('refunded by name')).toEqual(['10.00']);
    expect(await list('refunded in part by a running total')).toEqual(['3.00']);
    expect(await list('refunded in part by the shop')).toEqual(['4.00']);
    await refundOrder(shop, idOf('refunded in part by the shop'), { amount: '6.00' });
    expect(await getOrder(shop, idOf('refunded in part by the shop'))).toMatchObject({ status: 'refunded' });
  });

  it('lets orders expire that no money waits for', async () => {
    const expired: string[] = [];
    const pending = [...before.values()].filter(({ status }) => status === 'pending').map(({ id }) => id);
    await expirePendingOrders(commerce.engine, 1000);
    for (const id of pending) if ((await getOrder(shop, id)).cancelReason === 'expired') expired.push(id);
    // After a month no provider decides any more; received money waits without limit.
    const waiting = ['short of stock', 'wrong amount'].map(idOf);
    expect(expired.sort()).toEqual(pending.filter((id) => !waiting.includes(id)).sort());
  });
});
