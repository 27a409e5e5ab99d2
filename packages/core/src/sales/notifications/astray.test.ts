import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  type Context,
  createOrder,
  dismissPayment,
  expirePendingOrders,
  getOrder,
  getProduct,
  listNotifications,
  listPayments,
  listRefunds,
  updateOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const hour = 3_600_000;

forEachStorage('money that cannot confirm its order at once', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  /** A pending order of 10.00 for the last piece of a product. */
  async function pending() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 1 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const stockOf = async () => (await getProduct(shop, product.id)).stock;
    const restock = (adjustment: number) => adjustStock(shop, product.id, { adjustment });
    const paid = payment(order.id, 1000);
    return { shop, order, paid, refunds: refundsOf(paid), stockOf, restock, now: () => getOrder(shop, order.id) };
  }
  const expire = async () => {
    clock.advance(49 * hour);
    await expirePendingOrders(commerce().engine, 48 * hour);
  };
  const onlyPayment = async (shop: Context) => {
    const { items, total } = await listPayments(shop);
    expect(total).toBe(1);
    return items[0] ?? expect.fail('there is no payment');
  };
  const count = async (shop: Context, type: string) => (await eventTypesOf(shop)).filter((one) => one === type).length;
  const short = { kind: 'insufficientStock', code: 'INSUFFICIENT_STOCK' };

  it('keeps its order from expiring while stock is short, and pays it on the retry after restocking', async () => {
    const { shop, paid, stockOf, restock, now } = await pending();
    await restock(-1);
    const event = paid.chargeSucceeded();
    await expect(send(shop, event)).rejects.toMatchObject(short);
    expect(await onlyPayment(shop)).toMatchObject({ status: 'succeeded', matched: 'insufficientStock' });
    await expire();
    expect((await now()).status).toBe('pending');
    await restock(1);
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await now()).toMatchObject({ status: 'paid', paymentDetails: { last4: '4242' } });
    expect(await onlyPayment(shop)).toMatchObject({ matched: 'paid' });
    expect([await stockOf(), await count(shop, 'payment.unmatched'), await count(shop, 'order.paid')]).toEqual([
      0, 1, 1,
    ]);
  });

  it('reopens an order that expired, as pending while stock is short, and pays it after restocking', async () => {
    const { shop, paid, stockOf, restock, now } = await pending();
    await restock(-1);
    await expire();
    expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    const event = paid.chargeSucceeded();
    await expect(send(shop, event)).rejects.toMatchObject(short);
    expect(await now()).toMatchObject({ status: 'pending', cancelReason: null, cancelledAt: null, paidAt: null });
    expect(await onlyPayment(shop)).toMatchObject({ matched: 'insufficientStock' });
    await expire();
    expect((await now()).status).toBe('pending');
    await restock(1);
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect((await now()).status).toBe('paid');
    expect([await stockOf(), await count(shop, 'payment.unmatched')]).toEqual([0, 1]);
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(0);
  });

  it('is dismissed: its order may expire then, and is not reopened by another copy', async () => {
    const { shop, paid, stockOf, restock, now } = await pending();
    await restock(-1);
    const event = paid.chargeSucceeded();
    await expect(send(shop, event)).rejects.toMatchObject(short);
    await dismissPayment(shop, (await onlyPayment(shop)).id, { reason: 'given back in cash' });
    await restock(1);
    await expire();
    expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    expect(await send(shop, event)).not.toHaveProperty('warning');
    expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    expect(await onlyPayment(shop)).toMatchObject({ matched: 'dismissed' });
    expect(await stockOf()).toBe(1);
  });

  it('does not reopen an order that a person cancelled, also not one that had expired', async () => {
    for (const expired of [false, true]) {
      const { shop, order, paid, stockOf, now } = await pending();
      if (expired) await expire();
      await updateOrder(shop, order.id, { status: 'cancelled' });
      expect(await send(shop, paid.intentSucceeded())).toMatchObject({ outcome: 'order_cancelled' });
      expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'requested', paidAt: null });
      expect(await onlyPayment(shop)).toMatchObject({ matched: 'cancelledOrder' });
      expect(await stockOf()).toBe(1);
    }
  });

  it('and waits for stock is shown as cancelledOrder once a person cancels its order', async () => {
    const { shop, order, paid, restock, now } = await pending();
    await restock(-1);
    const event = paid.intentSucceeded();
    await expect(send(shop, event)).rejects.toMatchObject(short);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect(await onlyPayment(shop)).toMatchObject({ matched: 'cancelledOrder' });
    await restock(1);
    expect(await send(shop, event)).toMatchObject({ outcome: 'order_cancelled' });
    expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'requested' });
    expect(await count(shop, 'payment.unmatched')).toBe(1);
  });

  it.each([
    ['before the payment', 'refund first'],
    ['while the payment waits for stock', 'payment first'],
  ])('pays nothing when all of it is given back %s; a refund that fails later lets it pay', async (_, order) => {
    const { shop, paid, refunds, stockOf, restock, now } = await pending();
    const refund = refunds.one(1000);
    const event = paid.chargeSucceeded();
    if (order === 'refund first') {
      expect(await send(shop, refund.created())).toMatchObject({ outcome: 'order_not_found' });
      await send(shop, event);
    } else {
      await restock(-1);
      await expect(send(shop, event)).rejects.toMatchObject(short);
      expect(await send(shop, refund.created())).toEqual({ received: true, outcome: 'recorded' });
      await restock(1);
      expect(await send(shop, event)).not.toHaveProperty('warning');
    }
    expect(await now()).toMatchObject({
      status: 'pending',
      paymentStatus: 'refunded',
      refundedAmount: '10.00',
      paidAt: null,
      paymentId: null,
    });
    expect(await onlyPayment(shop)).toMatchObject({ matched: 'refunded', refundedAmount: '10.00' });
    expect(await listRefunds(shop, (await now()).id)).toMatchObject({ items: [{ amount: '10.00' }], total: 1 });
    expect([await stockOf(), await count(shop, 'order.paid'), await count(shop, 'order.refunded')]).toEqual([1, 0, 0]);
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(0);

    expect(await send(shop, refund.failed())).toEqual({ received: true, outcome: 'paid' });
    expect(await now()).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', refundedAmount: '0.00' });
    expect(await onlyPayment(shop)).toMatchObject({ matched: 'paid', refundedAmount: '0.00' });
    expect([await stockOf(), await count(shop, 'order.paid')]).toEqual([0, 1]);
  });

  it('lets its order expire when all of it was refunded, and reopens it when that refund fails', async () => {
    const { shop, paid, refunds, stockOf, now } = await pending();
    const refund = refunds.one(1000);
    await send(shop, refund.created());
    await send(shop, paid.intentSucceeded());
    await expire();
    expect(await now()).toMatchObject({ status: 'cancelled', cancelReason: 'expired', paymentStatus: 'refunded' });
    expect(await send(shop, refund.failed())).toEqual({ received: true, outcome: 'paid' });
    expect(await now()).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', refundedAmount: '0.00' });
    expect(await stockOf()).toBe(0);
  });

  it('pays although part of it was refunded before, which is applied afterwards', async () => {
    for (const [first, second] of [
      [400, 300],
      [300, 400],
    ] as const) {
      const { shop, order, paid, refunds, stockOf, now } = await pending();
      await send(shop, refunds.one(first).created());
      await send(shop, refunds.one(second).created());
      expect(await send(shop, paid.intentSucceeded())).toEqual({ received: true, outcome: 'paid' });
      expect(await now()).toMatchObject({
        status: 'paid',
        paymentStatus: 'partially_refunded',
        refundedAmount: '7.00',
      });
      expect((await listRefunds(shop, order.id)).total).toBe(2);
      const types = await eventTypesOf(shop);
      expect(types.filter((type) => type === 'order.paid' || type === 'order.refunded')).toEqual([
        'order.paid',
        'order.refunded',
      ]);
      expect(await stockOf()).toBe(0);
    }
  });

  it('and waits for stock takes a partial refund with 200, and applies it once it has paid', async () => {
    const { shop, paid, refunds, stockOf, restock, now } = await pending();
    await restock(-1);
    const event = paid.chargeSucceeded();
    await expect(send(shop, event)).rejects.toMatchObject(short);
    const part = refunds.one(400).created();
    expect(await send(shop, part)).toEqual({ received: true, outcome: 'recorded' });
    await restock(1);
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await now()).toMatchObject({
      status: 'paid',
      paymentStatus: 'partially_refunded',
      refundedAmount: '4.00',
    });
    expect(await stockOf()).toBe(0);
    expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
  });
});
