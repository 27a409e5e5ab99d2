import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, expirePendingOrders, getOrder, type Order } from '../../index.ts';
import type { Db } from '../../storage/storage.ts';
import { fakeClock } from '../../testing/index.ts';

const hour = 3_600_000;

forEachStorage('the expiry of orders', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  /** A shop with that many orders, created a second apart. */
  async function shopWith(orders: number) {
    const shop = await newShop(commerce());
    const product = await newProduct(shop);
    const created: Order[] = [];
    for (let i = 0; i < orders; i++) {
      clock.advance(1000);
      created.push(await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] }));
    }
    const statuses = () => Promise.all(created.map(async ({ id }) => (await getOrder(shop, id)).status));
    return { shop, created, statuses };
  }
  const change = (work: (tx: Db) => Promise<unknown>) =>
    commerce()
      .engine.storage.db.transaction()
      .execute(async (tx) => {
        await work(tx);
      });
  async function expire() {
    clock.advance(49 * hour);
    const errors: unknown[] = [];
    const cancelled = await expirePendingOrders(commerce().engine, 48 * hour, {
      onError: (error) => errors.push(error),
    });
    return { cancelled, errors };
  }

  it('goes on after an order that cannot be read, in its store and in others', async () => {
    const one = await shopWith(3);
    const two = await shopWith(2);
    const [bad, ...good] = one.created;
    const setJson = (json: string) =>
      change((tx) =>
        tx
          .updateTable('orders')
          .set({ json })
          .where('id', '=', bad?.id ?? '')
          .execute(),
      );
    const { json } = await commerce()
      .engine.storage.db.selectFrom('orders')
      .select('json')
      .where('id', '=', bad?.id ?? '')
      .executeTakeFirstOrThrow();
    await setJson('{"broken":');
    const { cancelled, errors } = await expire();
    expect(cancelled).toBe(4);
    expect(errors).toHaveLength(1);
    for (const { id } of good) expect((await getOrder(one.shop, id)).status).toBe('cancelled');
    expect(await two.statuses()).toEqual(['cancelled', 'cancelled']);
    await setJson(json);
    expect(await expire()).toEqual({ cancelled: 1, errors: [] });
    expect(await one.statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('goes on after more bad orders than a batch holds', async () => {
    const { shop, created } = await shopWith(103);
    const last = created.at(-1)?.id ?? '';
    const json = new Map(created.map((order) => [order.id, JSON.stringify(order)]));
    await change((tx) =>
      tx
        .updateTable('orders')
        .set({ json: '{' })
        .where('store_id', '=', shop.store.id)
        .where('id', '<>', last)
        .execute(),
    );
    const { cancelled, errors } = await expire();
    expect([cancelled, errors.length]).toEqual([1, 102]);
    expect((await getOrder(shop, last)).status).toBe('cancelled');
    await change(async (tx) => {
      for (const [id, text] of json) {
        if (id !== last) await tx.updateTable('orders').set({ json: text }).where('id', '=', id).execute();
      }
    });
    expect(await expire()).toEqual({ cancelled: 102, errors: [] });
  }, 30_000);

  it('goes on after a store that cannot be opened', async () => {
    const { db } = commerce().engine.storage;
    const before = await shopWith(1);
    const row = await db
      .selectFrom('stores')
      .selectAll()
      .where('id', '=', before.shop.store.id)
      .executeTakeFirstOrThrow();
    const broken = { ...row, id: 'no store has such an id', number: row.number + 1 };
    await change((tx) => tx.insertInto('stores').values(broken).execute());
    await change((tx) =>
      tx
        .updateTable('stores')
        .set({ number: row.number + 2 })
        .where('id', '=', row.id)
        .execute(),
    );
    const { cancelled, errors } = await expire();
    await change((tx) => tx.deleteFrom('stores').where('id', '=', broken.id).execute());
    expect(cancelled).toBe(1);
    expect(errors).toMatchObject([{ kind: 'notFound' }]);
    expect(await before.statuses()).toEqual(['cancelled']);
  });
});
