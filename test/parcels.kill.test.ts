import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProduct, examine, getOrder, getProduct, listOrders, openCommerce, updateSettings } from '@commerce/core';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { eventsOf } from '@commerce/test-support/fixtures/shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expect, it } from 'vitest';

const initialStock = 1000;
const origin = 'https://shop.example';
const kills = repeats({ suite: 4, nightly: 40 });
const buyers = kills * 15;

/** What becomes of an order: it stays with its parcel, the parcel comes back, or the courier brings the money. */
const fates = ['shipped', 'back', 'paid'] as const;
const fateOf = (i: number) => fates[i % fates.length] as (typeof fates)[number];

forEachStorage('orders paid on delivery, at a server that is killed', (database) => {
  it(`take their stock once, and hold nothing twice, over ${kills} kills`, {
    timeout: 60_000 + kills * 20_000,
  }, async () => {
    const { storeId, key } = await initShop(database.address);
    const setUp = await openCommerce({ storage: database.open() });
    const ctx = await setUp.store(storeId);
    const paymentMethods = [{ id: 'cod', name: 'Cash on delivery', kind: 'cash_on_delivery' as const }];
    await updateSettings(ctx, { returnUrls: [origin], paymentMethods });
    const mug = await createProduct(ctx, {
      ...{ title: 'Mug', slug: 'mug', price: '10', status: 'published' },
      ...{ trackStock: true, stock: initialStock },
    });
    await setUp.close();

    let server: RunningServer = await startServer(database.address);
    let answers = 0;
    let repeated = 0;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    /** Repeats an unanswered request, as it was, at the server of the day. */
    async function ask(method: string, path: string, body?: object) {
      const sent = {
        method,
        headers: { ...headers, 'idempotency-key': randomUUID() },
        ...(body && { body: JSON.stringify(body) }),
      };
      for (let attempt = 0; attempt < 400; attempt++) {
        try {
          const response = await fetch(`${server.url}/stores/${storeId}${path}`, sent);
          const text = await response.text();
          answers++;
          // biome-ignore lint/suspicious/noExplicitAny: what the service answers is for the test to say
          return { status: response.status, body: (text && JSON.parse(text)) as any, isRepeated: attempt > 0 };
        } catch {
          repeated++;
          await sleep(50);
        }
      }
      throw new Error(`${method} ${path} was never answered`);
    }

    async function buy(_: unknown, i: number): Promise<string> {
      const placed = await ask('POST', '/checkouts', {
        items: [{ productId: mug.id, quantity: 2 }],
        customer: { email: `buyer-${i}@shop.test` },
        ...{ successUrl: `${origin}/thanks`, cancelUrl: `${origin}/cart` },
      });
      expect(placed).toMatchObject({ status: 201, body: { item: { status: 'placed' } } });
      const { orderId } = placed.body.item;
      const shipped = await ask('POST', `/orders/${orderId}/fulfilments`, {});
      expect(shipped.status).toBe(201);
      if (fateOf(i) === 'back') {
        const [parcel] = (await ask('GET', `/orders/${orderId}`)).body.item.fulfilments;
        const { status, isRepeated } = await ask('DELETE', `/orders/${orderId}/fulfilments/${parcel.id}`);
        // The killed server may have done it.
        expect(isRepeated ? [200, 204, 404] : [200, 204]).toContain(status);
      }
      if (fateOf(i) === 'paid') {
        const paid = await ask('POST', `/orders/${orderId}/payments`, { method: 'cash', amount: '20' });
        expect(paid.status).toBe(201);
      }
      return orderId;
    }

    const buying = inParallel(Array.from({ length: buyers }), 6, buy);
    for (let kill = 0; kill < kills; kill++) {
      const from = answers;
      await until('it has answered some', () => answers > from + 15, 30_000);
      await sleep(Math.random() * 30);
      await server.kill();
      server = await startServer(database.address);
    }
    const orderIds = await buying;
    expect(await server.stop()).toBe(0);
    expect(repeated).toBeGreaterThan(0);

    const commerce = await openCommerce({ storage: database.open() });
    const shop = await commerce.store(storeId);
    expect((await listOrders(shop, { limit: 1 })).total).toBe(buyers);
    const events = await eventsOf(shop);
    const ends = {
      shipped: { status: 'fulfilled', paymentStatus: 'pending', fulfilmentStatus: 'fulfilled' },
      back: { status: 'pending', paymentStatus: 'pending', fulfilmentStatus: 'unfulfilled', fulfilments: [] },
      paid: { status: 'fulfilled', paymentStatus: 'succeeded', fulfilmentStatus: 'fulfilled' },
    };
    for (const [i, id] of orderIds.entries()) {
      const fate = fateOf(i);
      expect(await getOrder(shop, id)).toMatchObject(ends[fate]);
      const of = (type: string) => events.filter((one) => one.type === type && one.resourceId === id).length;
      expect([of('order.created'), of('order.shipped'), of('order.paid')]).toEqual([1, 1, fate === 'paid' ? 1 : 0]);
    }
    const gone = orderIds.filter((_, i) => fateOf(i) !== 'back').length;
    expect((await getProduct(shop, mug.id)).stock).toBe(initialStock - 2 * gone);
    const held = await commerce.engine.storage.db
      .selectFrom('reservations')
      .select('order_id')
      .where('store_id', '=', storeId)
      .execute();
    expect(held.map(({ order_id }) => order_id).sort()).toEqual(orderIds.filter((_, i) => fateOf(i) === 'back').sort());
    expect((await examine(commerce.engine)).filter(({ status }) => status === 'problem')).toEqual([]);
    await commerce.close();
  });
});
