import { publicUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { eventTypesOf, useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  cancelCheckout,
  createCheckout,
  createFulfilment,
  getOrder,
  getProduct,
  recordPayment,
  updateOrder,
} from '../../index.ts';

/** Orders that race at once. */
const raced = 10;

forEachStorage('a parcel of an unpaid order, and something else at the same moment', (database) => {
  const { clock, openShop, held } = useSelling(database);
  const twoProcesses = useTwoProcesses(database, { clock, publicUrl });

  /** Orders of two pieces each, to be paid on delivery, and two services that change them. */
  async function placed() {
    const { shop, product, input } = await openShop([], {
      stock: 100,
      settings: { paymentMethods: [{ id: 'cod', name: 'Cash on delivery', kind: 'cash_on_delivery' }] },
    });
    const checkouts = [];
    for (let i = 0; i < raced; i++) checkouts.push(await createCheckout(shop, input()));
    const either = await twoProcesses(shop);
    return {
      ...{ shop, checkouts, either },
      orderOf: ({ orderId }: { orderId: string }) => getOrder(shop, orderId),
      stock: async () => (await getProduct(shop, product.id)).stock,
      events: async (type: string) => (await eventTypesOf(shop)).filter((one) => one === type).length,
    };
  }

  /** Starts both for each order at once, every other time in the other order. */
  const race = <One>(all: readonly One[], works: [(one: One) => Promise<unknown>, (one: One) => Promise<unknown>]) =>
    Promise.all(
      all.map(async (one, i) => {
        const [first, second] = i % 2 === 0 ? works : [...works].reverse();
        const results = await Promise.allSettled([first?.(one), second?.(one)]);
        return i % 2 === 0 ? results : results.reverse();
      }),
    );

  it('is the cancellation of the shop: all stock is back, once', async () => {
    const { shop, checkouts, either, orderOf, stock, events } = await placed();
    const results = await race(checkouts, [
      ({ orderId }) => createFulfilment(either(), orderId),
      ({ orderId }) => updateOrder(either(), orderId, { status: 'cancelled' }),
    ]);
    // A parcel can leave before, and be refused by the buyer.
    for (const [parcel, cancelled] of results) {
      expect(cancelled?.status).toBe('fulfilled');
      if (parcel?.status === 'rejected') expect(parcel.reason).toMatchObject({ kind: 'conflict' });
    }
    const left = results.filter(([parcel]) => parcel?.status === 'fulfilled').length;
    for (const checkout of checkouts) expect((await orderOf(checkout)).status).toBe('cancelled');
    expect([await stock(), await held(shop)]).toEqual([100, 0]);
    expect([await events('order.shipped'), await events('order.cancelled')]).toEqual([left, raced]);
  });

  it('is the cancellation of the buyer: only one of them happens', async () => {
    const { shop, checkouts, either, orderOf, stock, events } = await placed();
    const actor = { type: 'apiKey', id: 'storefront', isPublic: true } as const;
    const results = await race(checkouts, [
      ({ orderId }) => createFulfilment(either(), orderId),
      ({ id, secret }) => cancelCheckout({ ...either(), actor }, id, { secret: secret ?? '' }),
    ]);
    let left = 0;
    for (const [i, both] of results.entries()) {
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const one of both) if (one.status === 'rejected') expect(one.reason).toMatchObject({ kind: 'conflict' });
      const hasLeft = both[0]?.status === 'fulfilled';
      if (hasLeft) left++;
      const { status } = await orderOf(checkouts[i] ?? expect.fail());
      expect(status).toBe(hasLeft ? 'fulfilled' : 'cancelled');
    }
    expect([await stock(), await held(shop)]).toEqual([100 - 2 * left, 0]);
    expect([await events('order.shipped'), await events('order.cancelled')]).toEqual([left, raced - left]);
  });

  it('is the payment: the stock is taken once, and the order is fulfilled and paid', async () => {
    const { shop, checkouts, either, orderOf, stock, events } = await placed();
    const results = await race(checkouts, [
      ({ orderId }) => createFulfilment(either(), orderId),
      ({ orderId }) => recordPayment(either(), orderId, { method: 'cash', amount: '25' }),
    ]);
    expect(results.flat().map(({ status }) => status)).toEqual(results.flat().map(() => 'fulfilled'));
    for (const checkout of checkouts) {
      const paidAt = new Date(clock.now()).toISOString();
      expect(await orderOf(checkout)).toMatchObject({ status: 'fulfilled', paymentStatus: 'succeeded', paidAt });
    }
    expect([await stock(), await held(shop)]).toEqual([100 - 2 * raced, 0]);
    for (const type of ['order.created', 'order.paid', 'order.shipped', 'order.fulfilled']) {
      expect([type, await events(type)]).toEqual([type, raced]);
    }
  });
});
