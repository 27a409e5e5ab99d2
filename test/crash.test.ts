import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOrder, createProduct, type Order, openCommerce, type Product } from '@commerce/core';
import { stripeSample } from '@commerce/test-support/fixtures/samples';
import { client, initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ordersPerRound = 60;
const initialStock = 100_000;
/** The maximum delay from the last awaited answer to the kill, in milliseconds. */
const longestPause = 50;

forEachStorage('a server that is killed under load', (database, dialect) => {
  const rounds = repeats(dialect === 'sqlite' ? { suite: 8, nightly: 50 } : { suite: 4, nightly: 25 });
  let server: RunningServer | undefined;
  let subscriber: Awaited<ReturnType<typeof startSubscriber>>;
  beforeAll(async () => {
    subscriber = await startSubscriber();
  });
  afterAll(async () => {
    await server?.stop();
    await subscriber.close();
  });

  it(`keeps what it answered and nothing by halves, ${rounds} times over`, {
    timeout: 60_000 + rounds * 20_000,
  }, async () => {
    const shop = await initShop(database.address);
    const setUp = await openCommerce({ storage: database.open() });
    const ctx = await setUp.store(shop.storeId);
    const mug = await createProduct(ctx, {
      title: 'Mug',
      slug: 'mug',
      price: '10',
      trackStock: true,
      stock: initialStock,
    });
    const ids = await inParallel(Array.from({ length: rounds * ordersPerRound }), 50, async () => {
      return (await createOrder(ctx, { items: [{ productId: mug.id, quantity: 1 }] })).id;
    });
    await setUp.close();

    const answeredProducts: Product[] = [];
    const answeredUpdates = new Map<string, string>();
    const answeredPaid = new Set<string>();
    let subscribed = false;
    for (let round = 0; round < rounds; round++) {
      server = await startServer(database.address, ['--allow-insecure-webhooks']);
      const { url } = server;
      const api = client(url, shop);
      if (!subscribed) {
        const events = ['product.*', 'order.*'];
        expect((await api('POST', '/webhooks', { url: subscriber.url, events })).status).toBe(201);
        subscribed = true;
      }
      let killed = false;
      const [paidBefore, madeBefore] = [answeredPaid.size, answeredProducts.length];
      // A request that the kill interrupts has no answer; every other answer is checked.
      const unlessKilled = (work: () => Promise<void>) =>
        work().catch((error) => {
          if (!killed) throw error;
        });
      const writing = inParallel(Array.from({ length: 40 }), 4, (_, i) =>
        unlessKilled(async () => {
          const made = await api('POST', '/products', {
            title: `P ${round} ${i}`,
            slug: `p-${round}-${i}`,
            price: '1',
          });
          if (made.status !== 201) throw new Error(JSON.stringify(made.body));
          answeredProducts.push(made.body.item);
          const changed = await api('PUT', `/products/${made.body.item.id}`, { title: `changed ${round} ${i}` });
          if (changed.status === 200) answeredUpdates.set(made.body.item.id, changed.body.item.title);
        }),
      );
      const paying = inParallel(ids.slice(round * ordersPerRound, (round + 1) * ordersPerRound), 6, (id) =>
        unlessKilled(async () => {
          const answer = await sendStripe(url, stripeSample('payment_intent.succeeded', { id, amount: 1000 }));
          if (answer.status !== 200 || answer.body.outcome !== 'paid') throw new Error(JSON.stringify(answer.body));
          answeredPaid.add(id);
        }),
      );
      // One answer of each kind must arrive, even on a slow machine; how many follow before the kill is random.
      const answered = (n: number) => answeredPaid.size - paidBefore >= n && answeredProducts.length - madeBefore >= n;
      await until('the server has answered one of each', () => answered(1), 50_000);
      const wanted = randomInt(2, ordersPerRound / 2);
      await until('it has answered some more', () => answered(wanted), 2_000).catch(() => {});
      await sleep(randomInt(0, longestPause));
      killed = true;
      await server.kill();
      await Promise.all([writing, paying]);
    }
    expect(answeredPaid.size).toBeGreaterThanOrEqual(rounds);
    expect(answeredProducts.length).toBeGreaterThanOrEqual(rounds);

    if (dialect === 'sqlite') {
      const file = new Database(database.address, { readonly: true });
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(file.pragma('foreign_key_check')).toEqual([]);
      file.close();
    }
    const commerce = await openCommerce({ storage: database.open() });
    const { db } = commerce.engine.storage;
    const products = await db.selectFrom('products').selectAll().where('store_id', '=', shop.storeId).execute();
    const orders = await db.selectFrom('orders').selectAll().where('store_id', '=', shop.storeId).execute();
    const events = await db
      .selectFrom('events')
      .select(['id', 'type', 'resource_id', 'data'])
      .where('store_id', '=', shop.storeId)
      .execute();
    const counts = await db.selectFrom('list_totals').selectAll().where('store_id', '=', shop.storeId).execute();

    // The effect of every answered request exists.
    const titles = new Map(products.map((row) => [row.id, (JSON.parse(row.json) as Product).title]));
    for (const product of answeredProducts) expect(titles.has(product.id)).toBe(true);
    for (const [id, title] of answeredUpdates) expect(titles.get(id)).toBe(title);
    const paid = orders.filter((row) => row.status === 'paid');
    const paidIds = new Set(paid.map((row) => row.id));
    expect([...answeredPaid].filter((id) => !paidIds.has(id))).toEqual([]);

    // No order is incomplete: status, payment, stock, events and inbox agree.
    for (const row of orders) {
      const order = JSON.parse(row.json) as Order;
      expect([order.status, order.paymentStatus, order.paymentId !== null, order.paidAt !== null]).toEqual(
        row.status === 'paid' ? ['paid', 'succeeded', true, true] : ['pending', 'pending', false, false],
      );
    }
    expect(products.find((row) => row.id === mug.id)?.stock).toBe(initialStock - paid.length);
    const settled = await db
      .selectFrom('payment_notifications')
      .select('order_id')
      .where('store_id', '=', shop.storeId)
      .where('outcome', '=', 'paid')
      .execute();
    expect(settled.map((row) => row.order_id).sort()).toEqual([...paidIds].sort());
    const eventsOf = (type: string) => events.filter((event) => event.type === type);
    for (const type of ['order.created', 'order.paid', 'order.updated']) {
      expect(
        eventsOf(type)
          .map((event) => event.resource_id)
          .sort(),
      ).toEqual([...paidIds].sort());
    }
    // Every committed change has its event, and the last event of a product equals the product.
    expect(
      eventsOf('product.created')
        .map((event) => event.resource_id)
        .sort(),
    ).toEqual(products.map((row) => row.id).sort());
    const latest = new Map(
      events.sort((a, b) => (a.id < b.id ? -1 : 1)).map((event) => [event.resource_id, event.data]),
    );
    for (const row of products) expect(latest.get(row.id)).toBe(row.json);
    const counted = new Map(counts.map((row) => [`${row.list} ${row.value}`, row.n]));
    expect(counted.get('products.status draft')).toBe(products.length);
    expect(counted.get('orders.status paid succeeded') ?? 0).toBe(paid.length);
    await commerce.close();

    // Deliveries claimed by a killed process are free again after their lease, so every event arrives at least once.
    server = await startServer(database.address, ['--allow-insecure-webhooks']);
    const wanted = events.filter((event) => event.resource_id !== mug.id || event.type !== 'product.created');
    const arrived = () => new Set(subscriber.received.map(({ headers }) => headers['x-webhook-id']));
    await until('every event has arrived', () => arrived().size >= wanted.length, 60_000);
    expect([...wanted].filter((event) => !arrived().has(event.id))).toEqual([]);
    const watching = await openCommerce({ storage: database.open() });
    await until(
      'no delivery waits',
      async () => {
        const { waiting } = await watching.engine.storage.db
          .selectFrom('deliveries')
          .select((eb) => eb.fn.countAll<number>().as('waiting'))
          .where('store_id', '=', shop.storeId)
          .where('status', '=', sql.lit('pending'))
          .executeTakeFirstOrThrow();
        return waiting === 0;
      },
      60_000,
    );
    await watching.close();
  });
});
