import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage, withDatabase } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { examine } from '../../doctor/doctor.ts';
import {
  anonymiseCustomer,
  createOrder,
  getBestSellers,
  getSales,
  listOrders,
  listProducts,
  migrations,
  openCommerce,
  refundOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { runTransaction, writing } from '../run.ts';

const copied = ['stores', 'products', 'customers', 'orders', 'payments', 'payment_refunds'] as const;

forEachStorage('a database from before the statistics', (database, dialect) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  it('has them of what was sold until then, finds its orders, and knows what runs low', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const mug = await newProduct(shop, {
      price: '10',
      title: 'Mug',
      trackStock: true,
      stock: 20,
      lowStockThreshold: 11,
    });
    await newProduct(shop, { price: '0', title: 'Gift', sku: 'GIFT' });
    const sell = async (quantity: number, email: string) => {
      const order = await createOrder(shop, {
        items: [{ productId: mug.id, quantity }],
        customer: { email, name: 'Ada King' },
      });
      const told = payment(order.id, quantity * 1000);
      await send(shop, told.intentSucceeded());
      clock.advance(7 * 60 * 60_000);
      return { order, told };
    };
    const first = await sell(5, 'ada@example.org');
    const second = await sell(4, 'grace@example.org');
    await createOrder(shop, { items: [{ sku: 'GIFT', quantity: 2 }] });
    await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }], shippingAddress: { lastName: 'Ørsted' } });
    // Told by both, failed, and beyond the total.
    await refundOrder(shop, first.order.id, { amount: '7.50' });
    clock.advance(20 * 60_000);
    await send(shop, refundsOf(first.told).one(750).created());
    const failing = refundsOf(first.told).one(1000);
    await send(shop, failing.created());
    clock.advance(60 * 60_000);
    await send(shop, failing.failed());
    await send(shop, refundsOf(second.told).total(3000));
    await send(shop, refundsOf(second.told).one(9000).created());
    await anonymiseCustomer(shop, second.order.customerId ?? '');
    const sales = await getSales(shop);
    const best = await getBestSellers(shop);
    expect(sales.sum).toMatchObject({ orders: 3, gross: '90.00', refunded: '47.50' });

    await withDatabase(dialect, async (old) => {
      const storage = old.open();
      const before = migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === '0016_statistics'),
      );
      await runTransaction(storage, async (db) => {
        await sql`create table schema_migrations (name text primary key, applied_at bigint not null)`.execute(db);
        for (const migration of before) {
          await migration.up(db, storage);
          await db.insertInto('schema_migrations').values({ name: migration.name, applied_at: 1 }).execute();
        }
      });
      for (const table of copied) {
        const rows = await commerce().engine.storage.db.selectFrom(table).selectAll().execute();
        const olds = rows.map((row) => {
          const {
            search: _,
            low_stock: __,
            time_zone: ___,
            max_quantity: ____,
            ...kept
          } = row as Record<string, unknown>;
          return kept;
        });
        await writing(storage, (db) =>
          db
            .insertInto(table)
            .values(olds as never)
            .execute(),
        );
      }
      const upgraded = await openCommerce({ storage, clock });
      try {
        const same = await upgraded.store(shop.store.id);
        expect(await getSales(same)).toEqual(sales);
        expect(await getBestSellers(same)).toEqual(best);
        for (const search of ['ada@', 'king', 'ørs', '1003', 'grace', 'ad']) {
          expect([search, await listOrders(same, { search })]).toEqual([search, await listOrders(shop, { search })]);
        }
        const { db } = upgraded.engine.storage;
        const texts = (from: typeof db) =>
          from.selectFrom('orders').select(['number', 'search']).orderBy('number').execute();
        expect(await texts(db)).toEqual(await texts(commerce().engine.storage.db));
        expect((await listProducts(same, { lowStock: true })).items.map(({ title }) => title)).toEqual(['Mug']);
        const { rows } = await sql<{
          n: number;
        }>`select n from list_totals where list like 'sales.%' and n <> 0`.execute(db);
        expect(rows.length).toBeGreaterThan(5);
        const wrong = (await examine(upgraded.engine)).find(({ check }) => check === 'counts');
        expect(wrong?.message).not.toContain('sales.');
      } finally {
        await upgraded.close();
      }
    });
  });
});
