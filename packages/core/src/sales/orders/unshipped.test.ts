import { useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy, newProduct } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  cancelCheckout,
  createCheckout,
  createFulfilment,
  createOrder,
  getDesk,
  getOrder,
  getOrderByToken,
  getProduct,
  listOrders,
  type Order,
  type OrderQueryInput,
  recordPayment,
  refundOrder,
  updateOrder,
} from '../../index.ts';
import { orderToken } from '../../orders/link.ts';
import { withdrawalEnd } from './buyers-order.ts';

const conflict = { kind: 'conflict' } as const;

forEachStorage('orders of goods that need no shipping', (database) => {
  const { clock, commerce, openShop, held } = useSelling(database);

  /** A shop with a product that is shipped, and 10 pieces of one that is not. */
  async function opened() {
    const { shop, product, input } = await openShop([], {
      settings: {
        manualPayments: true,
        timeZone: 'Europe/Berlin',
        orderUrl: 'https://shop.example/order#{token}',
        paymentMethods: [{ id: 'invoice', name: 'Invoice', kind: 'invoice' }],
      },
    });
    const course = await newProduct(shop, { price: '5', trackStock: true, stock: 10, requiresShipping: false });
    /** A paid order of two pieces of each. */
    const paid = async (...products: { id: string }[]): Promise<Order> => {
      const items = products.map(({ id: productId }) => ({ productId, quantity: 2 }));
      const { id, total } = await createOrder(shop, { items });
      await recordPayment(shop, id, { method: 'cash', amount: total });
      return getOrder(shop, id);
    };
    const byInvoice = async (...products: { id: string }[]) => {
      const items = products.map(({ id: productId }) => ({ productId, quantity: 2 }));
      return createCheckout(shop, input({ items, paymentMethodId: 'invoice' }));
    };
    return { shop, mug: product, course, paid, byInvoice };
  }

  const tokenOf = async ({ engine, store }: Context, id: string) =>
    (await orderToken(engine.storage.db, store.id, id, clock.now())) ?? '';

  async function toShip(shop: Context, query: OrderQueryInput = {}): Promise<string[]> {
    const { items, total } = await listOrders(shop, { toShip: true, ...query });
    expect(total).toBe(items.length);
    return items.map(({ id }) => id);
  }

  it('are not to ship, and become fulfilled without a parcel', async () => {
    const { shop, mug, course, paid } = await opened();
    const order = await paid(course);
    const other = await paid(mug);
    const both = await paid(course, mug);
    expect(order).toMatchObject({ status: 'paid', fulfilmentStatus: 'unfulfilled', shippingMethod: null });
    for (const query of [
      {},
      { status: 'paid' },
      { paymentStatus: 'succeeded' },
      { sort: 'total' },
      { search: 'ord-' },
      { from: order.createdAt },
    ] as const) {
      expect((await toShip(shop, query)).toSorted()).toEqual([other.id, both.id].toSorted());
    }
    expect(await toShip(shop, { orderNumber: order.orderNumber })).toEqual([]);
    expect(await listOrders(shop, { status: 'paid' })).toMatchObject({ total: 3 });
    expect(await getDesk(shop)).toMatchObject({ toSend: 2 });

    await expectDenied(commerce(), () => createFulfilment(shop, order.id), conflict);
    const tracking = { carrier: 'DHL' };
    const tracked = () => updateOrder(shop, order.id, { status: 'fulfilled', tracking });
    await expectDenied(commerce(), tracked, invalid('tracking'));
    const types = await emittedBy(shop, () =>
      updateOrder(shop, order.id, { status: 'fulfilled', merchantNote: 'The link is sent.' }),
    );
    expect(types).toEqual(['order.updated', 'order.fulfilled']);
    const fulfilled = await getOrder(shop, order.id);
    expect(fulfilled).toMatchObject({
      status: 'fulfilled',
      fulfilmentStatus: 'fulfilled',
      fulfilments: [],
      merchantNote: 'The link is sent.',
      deliveredAt: null,
    });
    expect(fulfilled.fulfilledAt).toBe(fulfilled.updatedAt);
    await refundOrder(shop, order.id, { amount: '1' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', fulfilmentStatus: 'fulfilled' });
  });

  it('can be withdrawn from within 14 days after they were placed', async () => {
    const { shop, mug, course, paid } = await opened();
    const seen = async (order: Order) => getOrderByToken(shop, await tokenOf(shop, order.id));
    const order = await paid(course);
    const until = withdrawalEnd(order.placedAt, 'Europe/Berlin');
    expect(until).not.toBeNull();
    expect(await seen(order)).toMatchObject({ status: 'preparing', withdrawal: { until } });
    await updateOrder(shop, order.id, { status: 'fulfilled' });
    expect(await seen(order)).toMatchObject({ status: 'delivered', withdrawal: { until } });
    expect(await seen(await paid(course, mug))).toMatchObject({ withdrawal: { until: null } });
  });

  it('with others are shipped without them', async () => {
    const { shop, mug, course, paid } = await opened();
    const order = await paid(course, mug);
    const [unsent, sent] = order.items.map(({ id }) => id) as [string, string];
    const named = () => createFulfilment(shop, order.id, { lines: [{ itemId: unsent, quantity: 1 }] });
    await expectDenied(commerce(), named, invalid('lines.0.itemId'));
    await createFulfilment(shop, order.id, { lines: [{ itemId: sent, quantity: 1 }] });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', fulfilmentStatus: 'partial' });
    const last = await createFulfilment(shop, order.id);
    expect(last.lines).toEqual([{ itemId: sent, quantity: 1 }]);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', fulfilmentStatus: 'fulfilled' });
    expect(await toShip(shop)).toEqual([]);
  });

  it('with others become fulfilled without a parcel once the others are refunded', async () => {
    const { shop, mug, course, paid } = await opened();
    const order = await paid(course, mug);
    const itemId = order.items[1]?.id ?? '';
    await refundOrder(shop, order.id, { lines: [{ itemId, quantity: 2 }] });
    await updateOrder(shop, order.id, { status: 'fulfilled' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', fulfilments: [] });
  });

  it('that are paid later take their stock once, when they are fulfilled', async () => {
    const { shop, course, byInvoice } = await opened();
    const stock = async () => [(await getProduct(shop, course.id)).stock, await held(shop)];
    const { id, orderId, secret, total } = await byInvoice(course);
    expect([await toShip(shop), (await getDesk(shop)).toSend, await stock()]).toEqual([[], 0, [10, 1]]);
    await updateOrder(shop, orderId, { status: 'fulfilled' });
    expect(await stock()).toEqual([8, 0]);
    await expectDenied(commerce(), () => cancelCheckout(shop, id, { secret: secret ?? '' }), conflict);
    await recordPayment(shop, orderId, { method: 'transfer', amount: total });
    expect(await getOrder(shop, orderId)).toMatchObject({ status: 'fulfilled', paymentStatus: 'succeeded' });
    expect(await stock()).toEqual([8, 0]);

    const unpaid = await byInvoice(course);
    await updateOrder(shop, unpaid.orderId, { status: 'fulfilled' });
    expect(await stock()).toEqual([6, 0]);
    await updateOrder(shop, unpaid.orderId, { status: 'cancelled' });
    expect(await stock()).toEqual([8, 0]);
  });
});
