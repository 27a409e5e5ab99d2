import { minute, shopUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy, eventsOf, newProduct } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  cancelCheckout,
  createCheckout,
  createFulfilment,
  createOrder,
  deleteFulfilment,
  expirePendingOrders,
  getCheckout,
  getOrder,
  getProduct,
  listOrders,
  type Order,
  recordPayment,
  refundOrder,
  updateFulfilment,
  updateOrder,
  updateSettings,
} from '../../index.ts';

const conflict = { kind: 'conflict' } as const;

forEachStorage('parcels of an order', (database) => {
  const { clock, commerce, openShop, held } = useSelling(database);
  const at = (ms = clock.now()) => new Date(ms).toISOString();

  /** A paid order of two products: 3 and 2 pieces. */
  async function paidOrder() {
    const { shop, product } = await openShop([], { settings: { manualPayments: true } });
    const other = await newProduct(shop, { price: '5', trackStock: true, stock: 10 });
    const { id, total } = await createOrder(shop, {
      items: [
        { productId: product.id, quantity: 3 },
        { productId: other.id, quantity: 2 },
      ],
    });
    await recordPayment(shop, id, { method: 'cash', amount: total });
    const order = await getOrder(shop, id);
    const [first, second] = order.items.map((item) => item.id) as [string, string];
    return { shop, order, first, second, product, other };
  }

  it('ship all that is left, or some lines, and the last piece fulfils the order', async () => {
    const { shop, order, first, second } = await paidOrder();
    clock.advance(minute);
    const types = await emittedBy(shop, async () => {
      const parcel = await createFulfilment(shop, order.id, {
        lines: [
          { itemId: first, quantity: 1 },
          { itemId: first, quantity: 1 },
        ],
        tracking: { carrier: 'DHL', number: 'JD01' },
      });
      const tracking = { carrier: 'DHL', number: 'JD01', url: null };
      const lines = [{ itemId: first, quantity: 2 }];
      expect(parcel).toEqual({ id: parcel.id, lines, tracking, shippedAt: at(), deliveredAt: null });
      expect(await getOrder(shop, order.id)).toEqual({
        ...order,
        fulfilments: [parcel],
        fulfilmentStatus: 'partial',
        tracking,
        updatedAt: at(),
      });
    });
    expect(types).toEqual(['order.updated', 'order.shipped']);
    clock.advance(minute);
    const shippedAt = at(clock.now() - 1000);
    const last = await emittedBy(shop, async () => {
      const { lines } = await createFulfilment(shop, order.id, { shippedAt });
      expect(lines).toEqual([
        { itemId: first, quantity: 1 },
        { itemId: second, quantity: 2 },
      ]);
    });
    expect(last).toEqual(['order.updated', 'order.shipped', 'order.fulfilled']);
    const after = await getOrder(shop, order.id);
    // The newest parcel is not tracked.
    expect(after).toMatchObject({
      status: 'fulfilled',
      fulfilmentStatus: 'fulfilled',
      fulfilledAt: shippedAt,
      tracking: null,
    });
    expect((await eventsOf(shop)).at(-1)?.data).toEqual(after);
    expect((await listOrders(shop, { search: 'JD01' })).items.map(({ id }) => id)).toEqual([order.id]);
  });

  it('are delivered, and the last delivery is that of the order', async () => {
    const { shop, order, first } = await paidOrder();
    const one = await createFulfilment(shop, order.id, { lines: [{ itemId: first, quantity: 3 }] });
    const two = await createFulfilment(shop, order.id);
    clock.advance(minute);
    const deliveredAt = at();
    const types = await emittedBy(shop, () => updateFulfilment(shop, order.id, two.id, { deliveredAt }));
    expect([types, (await getOrder(shop, order.id)).deliveredAt]).toEqual([['order.updated'], null]);
    const earlier = at(clock.now() - 1000);
    const all = await emittedBy(shop, () => updateFulfilment(shop, order.id, one.id, { deliveredAt: earlier }));
    expect([all, (await getOrder(shop, order.id)).deliveredAt]).toEqual([
      ['order.updated', 'order.delivered'],
      deliveredAt,
    ]);
    const again = await emittedBy(shop, () => updateFulfilment(shop, order.id, one.id, { deliveredAt: earlier }));
    expect(again).toEqual([]);
    await expectDenied(commerce(), () => deleteFulfilment(shop, order.id, one.id), conflict);
    await updateFulfilment(shop, order.id, one.id, { deliveredAt: null, tracking: { number: 'X9' } });
    expect(await getOrder(shop, order.id)).toMatchObject({ deliveredAt: null, tracking: null });
    expect((await listOrders(shop, { search: 'X9' })).total).toBe(1);
  });

  it('can be removed while they are not delivered, which opens the order again', async () => {
    const { shop, order, first, product } = await paidOrder();
    const one = await createFulfilment(shop, order.id, { lines: [{ itemId: first, quantity: 1 }] });
    const two = await createFulfilment(shop, order.id, { tracking: { number: 'GONE1' } });
    const types = await emittedBy(shop, () => deleteFulfilment(shop, order.id, two.id));
    expect(types).toEqual(['order.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      fulfilmentStatus: 'partial',
      fulfilledAt: null,
      fulfilments: [one],
    });
    expect((await listOrders(shop, { search: 'GONE1' })).total).toBe(0);
    await deleteFulfilment(shop, order.id, one.id);
    expect(await getOrder(shop, order.id)).toEqual({ ...order, updatedAt: at() });
    expect((await getProduct(shop, product.id)).stock).toBe(7);
    await expect(deleteFulfilment(shop, order.id, one.id)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('are refused for more than is left, other lines and times to come', async () => {
    const { shop, order, first, second } = await paidOrder();
    const { id } = await createFulfilment(shop, order.id, { lines: [{ itemId: first, quantity: 2 }] });
    const lines = (...entries: [string, number][]) => ({
      lines: entries.map(([itemId, quantity]) => ({ itemId, quantity })),
    });
    const later = at(clock.now() + 1000);
    for (const [input, field] of [
      [lines([first, 2]), 'lines.0.quantity'],
      [lines([second, 1], [first, 1], [first, 1]), 'lines.2.quantity'],
      [lines([order.id, 1]), 'lines.0.itemId'],
      [lines(), 'lines'],
      [lines([first, 0]), 'lines.0.quantity'],
      [{ shippedAt: later }, 'shippedAt'],
      [{ parcel: 1 } as never, 'parcel'],
    ] as const) {
      await expectDenied(commerce(), () => createFulfilment(shop, order.id, input), invalid(field));
    }
    for (const [input, field] of [
      [{ deliveredAt: later }, 'deliveredAt'],
      [{ deliveredAt: at(clock.now() - 3_600_000) }, 'deliveredAt'],
      [{ tracking: { url: 'javascript:alert(1)' } }, 'tracking.url'],
    ] as const) {
      await expectDenied(commerce(), () => updateFulfilment(shop, order.id, id, input), invalid(field));
    }
    const stranger = await paidOrder();
    for (const wrong of [first, stranger.order.id, 'x']) {
      await expect(updateFulfilment(shop, order.id, wrong, {})).rejects.toMatchObject({ kind: 'notFound' });
    }
    await expect(createFulfilment(stranger.shop, order.id)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('are refused for an order that is pending, shipped, cancelled or refunded, and of hundreds', async () => {
    const { shop, product } = await openShop([], { settings: { manualPayments: true }, stock: 200 });
    const make = async (quantity = 1) => createOrder(shop, { items: [{ productId: product.id, quantity }] });
    const paid = async (quantity = 1) => {
      const { id, total } = await make(quantity);
      await recordPayment(shop, id, { method: 'cash', amount: total });
      return getOrder(shop, id);
    };
    const [pending, shipped, cancelled, refunded] = [await make(), await paid(), await paid(), await paid()];
    await updateOrder(shop, shipped.id, { status: 'fulfilled' });
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    await refundOrder(shop, refunded.id, { amount: refunded.total });
    for (const { id } of [pending, shipped, cancelled, refunded]) {
      await expectDenied(commerce(), () => createFulfilment(shop, id), conflict);
    }
    const many = await paid(101);
    const itemId = many.items[0]?.id ?? '';
    for (let i = 0; i < 100; i++) await createFulfilment(shop, many.id, { lines: [{ itemId, quantity: 1 }] });
    await expectDenied(commerce(), () => createFulfilment(shop, many.id), conflict);
  });

  it('can be shipped after a refund in part', async () => {
    const { shop, order, first, second } = await paidOrder();
    await refundOrder(shop, order.id, { amount: '1' });
    const lines = [{ itemId: first, quantity: 2 }];
    await refundOrder(shop, order.id, { lines });
    await expectDenied(commerce(), () => createFulfilment(shop, order.id, { lines }), invalid('lines.0.quantity'));
    const rest = await createFulfilment(shop, order.id);
    expect(rest.lines).toEqual([
      { itemId: first, quantity: 1 },
      { itemId: second, quantity: 2 },
    ]);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', refundedAmount: '26.00' });
    await deleteFulfilment(shop, order.id, rest.id);
    await createFulfilment(shop, order.id);
    await refundOrder(shop, order.id, { amount: '21.50' });
    const [parcel] = (await getOrder(shop, order.id)).fulfilments;
    await deleteFulfilment(shop, order.id, parcel?.id ?? '');
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', fulfilments: [], fulfilledAt: null });
  });

  const methods = [
    { id: 'cod', name: 'Cash on delivery', kind: 'cash_on_delivery' },
    { id: 'transfer', name: 'Bank transfer', kind: 'transfer', holdDays: 5 },
  ] as const;

  async function unpaid(paymentMethodId: string) {
    const { shop, product, input } = await openShop([], { settings: { paymentMethods: [...methods] } });
    const checkout = await createCheckout(shop, input({ paymentMethodId }));
    const order = await getOrder(shop, checkout.orderId);
    const stock = async () => (await getProduct(shop, product.id)).stock;
    return { shop, product, checkout, order, stock, itemId: order.items[0]?.id ?? '' };
  }

  it('of an unpaid order take the stock of all of it, and give it back into its reservation', async () => {
    const { shop, order, stock, itemId, product } = await unpaid('cod');
    expect([await held(shop), await stock()]).toEqual([1, 10]);
    const parcel = await createFulfilment(shop, order.id, { lines: [{ itemId, quantity: 1 }] });
    expect([await held(shop), await stock()]).toEqual([0, 8]);
    const last = await createFulfilment(shop, order.id);
    expect(await stock()).toBe(8);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'fulfilled',
      paidAt: null,
      paymentStatus: 'pending',
    });
    await deleteFulfilment(shop, order.id, last.id);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', fulfilmentStatus: 'partial' });
    expect(await stock()).toBe(8);
    const types = await emittedBy(shop, () => deleteFulfilment(shop, order.id, parcel.id));
    expect(types).toEqual(['product.updated', 'order.updated']);
    expect([await held(shop), await stock()]).toEqual([1, 10]);
    expect(await getOrder(shop, order.id)).toEqual({ ...order, updatedAt: at() });
    // It is as it was: others cannot have its pieces, and it can be shipped again.
    await expect(createOrder(shop, { items: [{ productId: product.id, quantity: 9 }] })).rejects.toMatchObject({
      kind: 'insufficientStock',
    });
    await updateOrder(shop, order.id, { status: 'fulfilled', tracking: { number: '7' } });
    expect([await held(shop), await stock()]).toEqual([0, 8]);
  });

  it('of an unpaid order stay when it is paid, and its stock is taken once', async () => {
    for (const whole of [true, false]) {
      const { shop, order, stock, itemId, checkout } = await unpaid('cod');
      await createFulfilment(shop, order.id, whole ? {} : { lines: [{ itemId, quantity: 1 }] });
      const types = await emittedBy(shop, async () => {
        expect(await recordPayment(shop, order.id, { method: 'cash', amount: '25' })).toMatchObject({
          matched: 'paid',
        });
      });
      expect(types).toEqual(['order.paid', 'order.updated']);
      expect(await getOrder(shop, order.id)).toMatchObject({
        status: whole ? 'fulfilled' : 'paid',
        paymentStatus: 'succeeded',
        paymentProvider: 'manual',
        paymentMethod: 'cash',
        paidAt: at(),
        placedAt: order.placedAt,
      });
      expect([await stock(), (await getCheckout(shop, checkout.id)).status]).toEqual([8, 'paid']);
      await expectDenied(commerce(), () => recordPayment(shop, order.id, { method: 'cash', amount: '25' }), conflict);
      if (!whole) await createFulfilment(shop, order.id);
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled' });
      expect(await stock()).toBe(8);
    }
  });

  it('of an unpaid order come back when it is cancelled, once', async () => {
    const { shop, order, stock, checkout } = await unpaid('cod');
    const parcel = await createFulfilment(shop, order.id);
    const types = await emittedBy(shop, () => updateOrder(shop, order.id, { status: 'cancelled' }));
    expect(types).toEqual(['product.updated', 'order.updated', 'order.cancelled']);
    expect([await stock(), await held(shop)]).toEqual([10, 0]);
    expect((await getCheckout(shop, checkout.id)).status).toBe('cancelled');
    await expectDenied(commerce(), () => deleteFulfilment(shop, order.id, parcel.id), conflict);
    await expectDenied(commerce(), () => recordPayment(shop, order.id, { method: 'cash', amount: '25' }), conflict);
    await updateOrder(shop, order.id, { merchantNote: 'refused at the door' });
    expect(await stock()).toBe(10);
  });

  it('do not leave before the money of a bank transfer', async () => {
    const { shop, order } = await unpaid('transfer');
    await expectDenied(commerce(), () => createFulfilment(shop, order.id), conflict);
    await expectDenied(commerce(), () => updateOrder(shop, order.id, { status: 'fulfilled' }), {
      ...conflict,
      fields: ['status'],
    });
    await recordPayment(shop, order.id, { method: 'transfer', amount: '25' });
    await createFulfilment(shop, order.id);
  });

  it('of an unpaid order never expire', async () => {
    const { shop, order, itemId } = await unpaid('cod');
    clock.advance(400 * 24 * 3_600_000);
    await expirePendingOrders(commerce().engine, 0);
    expect(await getOrder(shop, order.id)).toEqual(order);
    await createFulfilment(shop, order.id, { lines: [{ itemId, quantity: 1 }] });
    await expirePendingOrders(commerce().engine, 0);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', fulfilmentStatus: 'partial' });
  });

  const keyOf = (shop: Context): Context => ({
    ...shop,
    actor: { type: 'apiKey', id: 'storefront', isPublic: true },
  });

  it('keep the buyer from cancelling once the first one has left', async () => {
    const { shop, order, checkout, itemId } = await unpaid('cod');
    const secret = checkout.secret ?? '';
    const parcel = await createFulfilment(shop, order.id, { lines: [{ itemId, quantity: 1 }] });
    await expectDenied(commerce(), () => cancelCheckout(keyOf(shop), checkout.id, { secret }), conflict);
    await deleteFulfilment(shop, order.id, parcel.id);
    expect(await cancelCheckout(keyOf(shop), checkout.id, { secret })).toMatchObject({ status: 'cancelled' });
    expect(await held(shop)).toBe(0);
  });

  it('need no settings any more', async () => {
    const { shop, order } = await unpaid('cod');
    await updateSettings(shop, { paymentMethods: [], returnUrls: [shopUrl] });
    await createFulfilment(shop, order.id);
    const after: Order = await getOrder(shop, order.id);
    expect(after.paymentOption).toEqual({ id: 'cod', name: 'Cash on delivery', kind: 'cash_on_delivery' });
  });
});
