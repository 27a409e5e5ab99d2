import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  deleteProduct,
  eraseOrder,
  openCommerce,
  type Product,
  recordPayment,
  refundOrder,
  updateOrder,
  updateStore,
} from '../index.ts';
import { bestSellers } from '../products/best-sellers.ts';
import { fakeClock } from '../testing/index.ts';
import { reckonBestSellers } from './reckon.ts';

const hour = 3_600_000;

forEachStorage('the best-selling products', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const at = (time: string) => clock.advance(Date.parse(time) - clock.now());

  async function newSeller(): Promise<{ shop: Context; mug: Product; plate: Product; bowl: Product }> {
    const opened = await newShop(commerce());
    await updateStore(opened, { manualPayments: true });
    const shop = await commerce().store(opened.store.id);
    const mug = await newProduct(shop, { price: '10', title: 'Mug' });
    clock.advance(1000);
    const plate = await newProduct(shop, { price: '10', title: 'Plate' });
    clock.advance(1000);
    return { shop, mug, plate, bowl: await newProduct(shop, { price: '10', title: 'Bowl' }) };
  }

  async function sell(shop: Context, { id }: Product, quantity: number): Promise<string> {
    const order = await createOrder(shop, {
      items: [{ productId: id, quantity }],
      customer: { email: 'ada@example.org' },
    });
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    return order.id;
  }

  const errors: unknown[] = [];
  const reckon = async (engine = commerce().engine) => {
    await reckonBestSellers(engine, { onError: (error) => errors.push(error) });
    expect(errors.splice(0)).toEqual([]);
  };
  /** Reckons as in the next hour. */
  const reckonLater = async () => {
    clock.advance(hour);
    await reckon();
  };
  const best = (shop: Context) => bestSellers(shop.engine.storage.reads, shop.store.id);
  const rowsOf = ({ engine, store }: Context) =>
    engine.storage.reads.selectFrom('best_sellers').selectAll().where('store_id', '=', store.id).execute();

  it('are sorted by pieces, ties by the newest, and deleted products are left out', async () => {
    at('2027-03-01T12:00:00Z');
    const { shop, mug, plate, bowl } = await newSeller();
    const other = await newSeller();
    await sell(other.shop, other.bowl, 9);
    const idle = await newShop(commerce());
    expect(await best(shop)).toEqual([]);
    await sell(shop, mug, 2);
    await sell(shop, plate, 1);
    await sell(shop, plate, 1);
    await sell(shop, bowl, 1);
    await reckonLater();
    expect(await best(shop)).toEqual([plate.id, mug.id, bowl.id]);
    expect(await best(other.shop)).toEqual([other.bowl.id]);
    expect(await rowsOf(idle)).toEqual([]);
    await deleteProduct(shop, mug.id);
    await reckonLater();
    expect(await best(shop)).toEqual([plate.id, bowl.id]);
  });

  it('count what the statistics count: cancelled and refunded orders stay, erased ones go', async () => {
    at('2027-04-01T12:00:00Z');
    const { shop, mug, plate, bowl } = await newSeller();
    const erased = await sell(shop, mug, 5);
    await refundOrder(shop, await sell(shop, plate, 3), { amount: '30' });
    await updateOrder(shop, await sell(shop, bowl, 2), { status: 'cancelled' });
    await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }], customer: { email: 'ada@example.org' } });
    await reckonLater();
    expect(await best(shop)).toEqual([mug.id, plate.id, bowl.id]);
    await eraseOrder(shop, erased);
    await reckonLater();
    expect(await best(shop)).toEqual([plate.id, bowl.id]);
  });

  it('count today and the 89 days of UTC before it', async () => {
    at('2027-05-01T23:59:59Z');
    const { shop, mug, plate } = await newSeller();
    at('2027-05-01T23:59:59.999Z');
    await sell(shop, mug, 3);
    at('2027-05-02T00:00:00Z');
    await sell(shop, plate, 1);
    at('2027-07-29T23:30:00Z');
    await reckon();
    expect(await best(shop)).toEqual([mug.id, plate.id]);
    at('2027-07-30T00:30:00Z');
    await reckon();
    expect(await best(shop)).toEqual([plate.id]);
    at('2027-07-31T00:30:00Z');
    await reckon();
    // Nothing was sold since; the row that remains names nothing, and is not written again.
    expect(await best(shop)).toEqual([]);
    const [row] = await rowsOf(shop);
    await reckonLater();
    expect(await rowsOf(shop)).toEqual([row]);
  });

  it('are reckoned once an hour by all processes together', async () => {
    at('2027-08-01T12:00:00Z');
    const { shop, mug, plate } = await newSeller();
    await sell(shop, mug, 1);
    await reckonLater();
    const reckonedAt = clock.now();
    await sell(shop, plate, 5);
    const another = await openCommerce({ storage: database.open(), clock, upkeep: false });
    try {
      clock.advance(hour - 1);
      await reckon();
      await reckon(another.engine);
      expect(await rowsOf(shop)).toMatchObject([{ reckoned_at: reckonedAt, ids: JSON.stringify([mug.id]) }]);
      const third = await openCommerce({ storage: database.open(), clock, upkeep: false });
      clock.advance(1);
      await Promise.all([reckon(), reckon(third.engine)]);
      await third.close();
      expect(await best(shop)).toEqual([plate.id, mug.id]);
      expect(await rowsOf(shop)).toMatchObject([{ reckoned_at: reckonedAt + hour }]);
    } finally {
      await another.close();
    }
  });

  it('of other stores are reckoned if those of one store fail', async () => {
    at('2027-09-01T12:00:00Z');
    const one = await newSeller();
    const two = await newSeller();
    await sell(one.shop, one.mug, 1);
    await sell(two.shop, two.mug, 1);
    const { engine } = commerce();
    const { storage } = engine;
    const broken = {
      ...engine,
      storage: new Proxy(storage, {
        get(target, name) {
          if (name !== 'scan') return Reflect.get(target, name, target);
          return (storeId: string, work: never) =>
            storeId === one.shop.store.id ? Promise.reject(new Error('broken')) : target.scan(storeId, work);
        },
      }),
    };
    clock.advance(hour);
    const failed: unknown[] = [];
    await reckonBestSellers(broken, { onError: (error) => failed.push(error) });
    expect(failed).toEqual([new Error('broken')]);
    expect(await best(one.shop)).toEqual([]);
    expect(await best(two.shop)).toEqual([two.mug.id]);
    await reckonLater();
    expect(await best(one.shop)).toEqual([one.mug.id]);
  });

  it('are reckoned by a process that delivers', async () => {
    at('2027-10-01T12:00:00Z');
    const { shop, mug } = await newSeller();
    await sell(shop, mug, 1);
    clock.advance(hour);
    const delivering = await openCommerce({ storage: database.open(), clock });
    try {
      delivering.startDelivery();
      await until('they are reckoned', async () => (await best(shop)).length === 1);
    } finally {
      await delivering.close();
    }
  });
});
