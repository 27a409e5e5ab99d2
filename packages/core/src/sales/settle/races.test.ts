import { eventTypesOf, newProduct, newShop, useCommerce, useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { adjustStock, createOrder, getOrder, getProduct, listOrders, updateProduct } from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';

const ids = uuidV7Source();
const count = (types: string[], type: string) => types.filter((one) => one === type).length;

forEachStorage('payments that arrive together', (database) => {
  const commerce = useCommerce(database);
  const twoProcesses = useTwoProcesses(database);

  async function pending(stock: number, orders: number) {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '5', sku: 'ONE', trackStock: true, stock: orders });
    const created = [];
    for (let i = 0; i < orders; i++) {
      created.push(await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] }));
    }
    await updateProduct(shop, product.id, { stock });
    return { shop, either: await twoProcesses(shop), product, orders: created };
  }

  it('count once when they are fifty copies of one notification', async () => {
    const { shop, either, product, orders } = await pending(10, 1);
    const [order] = orders;
    const event = payment(order?.id ?? '', 500).chargeSucceeded();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(either(), event)));
    expect(answers.filter((answer) => answer.outcome === 'paid')).toHaveLength(1);
    expect(answers.filter((answer) => answer.outcome === 'unchanged')).toHaveLength(49);
    expect((await getProduct(shop, product.id)).stock).toBe(9);
    const types = await eventTypesOf(shop);
    expect([count(types, 'order.paid'), count(types, 'order.created'), count(types, 'order.updated')]).toEqual([
      1, 1, 1,
    ]);
    const kept = await shop.engine.storage.db
      .selectFrom('payment_notifications')
      .select('outcome')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(kept).toEqual([{ outcome: 'paid' }]);
  });

  it('count once when they are fifty different events of one payment', async () => {
    const { shop, either, product, orders } = await pending(10, 1);
    const paid = payment(orders[0]?.id ?? '', 500);
    const events = Array.from(
      { length: 50 },
      (_, i) => [paid.intentSucceeded(), paid.chargeSucceeded(), paid.sessionCompleted(), paid.chargeFailed()][i % 4],
    );
    const answers = await Promise.all(events.map((event) => send(either(), event ?? {})));
    expect(answers.filter((answer) => answer.outcome === 'paid')).toHaveLength(1);
    expect((await getProduct(shop, product.id)).stock).toBe(9);
    expect(count(await eventTypesOf(shop), 'order.paid')).toBe(1);
    expect(await getOrder(shop, orders[0]?.id ?? '')).toMatchObject({ paymentId: paid.id, paymentStatus: 'succeeded' });
  });

  it('let one of twenty payments of one order through', async () => {
    const { shop, either, product, orders } = await pending(10, 1);
    const [order] = orders;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(either(), payment(order?.id ?? '', 500).intentSucceeded())),
    );
    expect(answers.filter((answer) => answer.outcome === 'paid')).toHaveLength(1);
    expect(answers.filter((answer) => answer.outcome === 'second_payment')).toHaveLength(19);
    expect((await getProduct(shop, product.id)).stock).toBe(9);
  });

  it('sell five pieces to five of thirty buyers, and the rest after restocking', async () => {
    const { shop, either, product, orders } = await pending(5, 30);
    const events = orders.map((order) => payment(order.id, 500).intentSucceeded());
    const results = await Promise.allSettled(events.map((event) => send(either(), event)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'insufficientStock' });
    }
    expect((await getProduct(shop, product.id)).stock).toBe(0);
    expect(await listOrders(shop, { status: 'paid' })).toMatchObject({ total: 5 });
    expect(count(await eventTypesOf(shop), 'order.paid')).toBe(5);

    await adjustStock(shop, product.id, { adjustment: 25 });
    await Promise.all(events.map((event) => send(either(), event)));
    expect((await getProduct(shop, product.id)).stock).toBe(0);
    expect(await listOrders(shop, { status: 'paid' })).toMatchObject({ total: 30 });
    expect(await listOrders(shop, { status: 'pending' })).toMatchObject({ total: 0 });
    expect(count(await eventTypesOf(shop), 'order.paid')).toBe(30);
  });

  it('would sell too much if stock were read first and taken afterwards: this suite catches it', async () => {
    const { shop, product } = await pending(5, 0);
    const { db } = shop.engine.storage;
    const row = db.selectFrom('products').where('store_id', '=', shop.store.id).where('id', '=', product.id);
    let sold = 0;
    const look = async () => (await row.select('stock').executeTakeFirstOrThrow()).stock;
    const take = async (stock: number) => {
      if (stock < 1) return;
      await db.transaction().execute((tx) =>
        tx
          .updateTable('products')
          .set({ stock: stock - 1 })
          .where('id', '=', product.id)
          .execute(),
      );
      sold++;
    };
    // All read before one of them takes stock, which sooner or later happens.
    await Promise.all((await Promise.all(Array.from({ length: 30 }, look))).map(take));
    expect(sold).toBeGreaterThan(5);
  });

  it('create one order from events that all bring its items', async () => {
    const { shop, either, product } = await pending(10, 0);
    await updateProduct(shop, product.id, { stock: 10 });
    const id = ids.next(Date.now());
    const paid = payment(id, 500);
    const fields = { metadata: { order_id: id, order_items: '[{"sku":"ONE","quantity":1}]' } };
    const events = Array.from({ length: 30 }, (_, i) =>
      i % 2 ? paid.intentSucceeded(fields) : paid.chargeSucceeded(fields),
    );
    const answers = await Promise.all(events.map((event) => send(either(), event)));
    expect(answers.filter((answer) => answer.outcome === 'paid')).toHaveLength(1);
    expect(await listOrders(shop)).toMatchObject({ total: 1, items: [{ id, status: 'paid' }] });
    expect((await getProduct(shop, product.id)).stock).toBe(9);
    expect(count(await eventTypesOf(shop), 'order.created')).toBe(1);
  });

  it('find an order that is being created, and it finds them', async () => {
    const { shop, either, product } = await pending(10, 0);
    await updateProduct(shop, product.id, { stock: 10 });
    for (let round = 0; round < 10; round++) {
      const id = ids.next(Date.now());
      await Promise.all([
        send(either(), payment(id, 500).intentSucceeded()),
        createOrder(either(), { id, items: [{ productId: product.id, quantity: 1 }] }),
      ]);
      expect(await getOrder(shop, id)).toMatchObject({ status: 'paid' });
    }
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('number fifty orders without a gap', async () => {
    const { shop, either, product } = await pending(1, 0);
    await updateProduct(shop, product.id, { stock: 100 });
    const orders = await Promise.all(
      Array.from({ length: 50 }, () => createOrder(either(), { items: [{ productId: product.id, quantity: 1 }] })),
    );
    const numbers = orders.map((order) => Number(order.orderNumber.slice(4))).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => 1001 + i));
    expect((await listOrders(shop)).total).toBe(50);
  });
});
