import { type Commerce, createOrder, createProduct, getProduct, listOrders, openCommerce } from '@commerce/core';
import { stripeSample } from '@commerce/test-support/fixtures/samples';
import { initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { inParallel, type RunningServer, run, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';

const stock = 100;
const buyers = 1000;
const connections = 50;

forEachStorage('confirmations that race for the last piece', (database, dialect) => {
  const servers: RunningServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  const inCore = async <T>(work: (commerce: Commerce) => Promise<T>): Promise<T> => {
    const commerce = await openCommerce({ storage: database.open() });
    try {
      return await work(commerce);
    } finally {
      await commerce.close();
    }
  };

  let shop: { storeId: string };
  /** A product with that stock, and pending orders of one piece each. On request, there are more orders than stock. */
  const pendingOrders = async (pieces: number, orders: number, slug: string) => {
    shop ??= await initShop(database.address);
    return inCore(async (commerce) => {
      const ctx = await commerce.store(shop.storeId);
      const product = await createProduct(ctx, { title: slug, slug, price: '10', trackStock: true, stock: pieces });
      const ids = await inParallel(Array.from({ length: orders }), connections, async () => {
        return (await createOrder(ctx, { items: [{ productId: product.id, quantity: 1 }] })).id;
      });
      return { product, ids };
    });
  };

  const raceOf = async (processes: number) => {
    const slug = `last-pieces-${processes}`;
    const { product, ids } = await pendingOrders(stock, buyers, slug);
    for (let i = 0; i < processes; i++) servers.push(await startServer(database.address));
    const answers = await inParallel(ids, connections, async (id, i) => {
      const { url } = servers[i % processes] as RunningServer;
      return sendStripe(url, stripeSample('payment_intent.succeeded', { id, amount: 1000 }));
    });
    const paid = answers.filter(({ status, body }) => status === 200 && body.outcome === 'paid');
    const refused = answers.filter(({ status, body }) => status === 500 && body.error.code === 'INSUFFICIENT_STOCK');
    expect({ paid: paid.length, refused: refused.length }).toEqual({ paid: stock, refused: buyers - stock });

    // 50 copies of one notification at once, across all processes.
    const { product: cup, ids: single } = await pendingOrders(5, 1, `copies-${processes}`);
    const event = stripeSample('payment_intent.succeeded', { id: single[0] ?? '', amount: 1000 });
    const copies = await inParallel(Array.from({ length: 50 }), 50, async (_, i) =>
      sendStripe((servers[i % processes] as RunningServer).url, event),
    );
    expect(copies.map(({ status }) => status)).toEqual(copies.map(() => 200));
    expect(copies.filter(({ body }) => body.outcome === 'paid')).toHaveLength(1);

    for (const server of servers) {
      expect(await server.stop()).toBe(0);
      expect(server.stderr()).toBe('');
    }
    await inCore(async (commerce) => {
      const ctx = await commerce.store(shop.storeId);
      expect(await getProduct(ctx, product.id)).toMatchObject({ stock: 0 });
      expect(await getProduct(ctx, cup.id)).toMatchObject({ stock: 4 });
      const { db } = commerce.engine.storage;
      const statuses = await db
        .selectFrom('orders')
        .select(['status', 'payment_status', (eb) => eb.fn.countAll<number>().as('n')])
        .where('store_id', '=', shop.storeId)
        .where('id', 'in', ids)
        .groupBy(['status', 'payment_status'])
        .orderBy('status')
        .execute();
      expect(statuses).toEqual([
        { status: 'paid', payment_status: 'succeeded', n: stock },
        { status: 'pending', payment_status: 'pending', n: buyers - stock },
      ]);
      const events = await db
        .selectFrom('events')
        .select(['type', (eb) => eb.fn.countAll<number>().as('n')])
        .where('store_id', '=', shop.storeId)
        .where('resource_id', 'in', [...ids, ...single, product.id, cup.id])
        .groupBy('type')
        .orderBy(sql`type collate ${sql.raw(dialect === 'sqlite' ? 'binary' : '"C"')}`)
        .execute();
      expect(Object.fromEntries(events.map(({ type, n }) => [type, n]))).toEqual({
        'order.created': stock + 1,
        'order.paid': stock + 1,
        'order.updated': stock + 1,
        'product.created': 2,
        // The last piece.
        'product.low_stock': 1,
        'product.updated': stock + 1,
      });
      // Totals of lists must equal the number of rows.
      const { total } = await listOrders(ctx, { status: 'pending' });
      const counted = await db
        .selectFrom('orders')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('store_id', '=', shop.storeId)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      expect(total).toBe(counted.n);
    });
  };

  it('sells exactly the stock in one process', () => raceOf(1), 180_000);

  const processes = dialect === 'sqlite' ? 4 : 2;
  it(`sells exactly the stock in ${processes} processes on one database`, () => raceOf(processes), 180_000);

  it('would notice a shop that checks first and acts then', async () => {
    await inCore(async (commerce) => {
      await commerce.engine.storage.db.transaction().execute(async (db) => {
        await sql`create table naive (stock integer not null)`.execute(db);
        await sql`insert into naive values (${stock})`.execute(db);
      });
    });
    const buyer = ['test/support/controls/naive-buyer.mjs', database.address, String(buyers / processes), '12'];
    const results = await Promise.all(Array.from({ length: processes }, async () => run(process.execPath, buyer)));
    expect(results.map(({ stderr }) => stderr)).toEqual(results.map(() => ''));
    const sold = results.reduce((sum, { stdout }) => sum + JSON.parse(stdout).sold, 0);
    expect(sold).toBeGreaterThan(stock);
  });
});
