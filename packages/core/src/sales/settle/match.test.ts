import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  applyPayment,
  type Context,
  createCheckout,
  createFulfilment,
  createOrder,
  dismissPayment,
  expirePendingOrders,
  getOrder,
  getPayment,
  getProduct,
  listPayments,
  updateOrder,
  updateSettings,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const hour = 3_600_000;
const nowhere = '0190a5c8-0000-7000-8000-00000000dead';

forEachStorage('payments handled by people', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function pending() {
    const shop = await newShop(commerce(), 'EUR', { type: 'apiKey', id: 'key-1' });
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 5 });
    const newOrder = () => createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const stockOf = async () => (await getProduct(shop, product.id)).stock;
    return { shop, product, order: await newOrder(), newOrder, stockOf };
  }
  /** The newest payment. */
  const newest = async (shop: Context) => (await listPayments(shop)).items[0] ?? expect.fail('there is no payment');
  /** A payment of 10.00 that names no order. */
  async function stray(shop: Context, amount = 1000, currency = 'eur') {
    await send(shop, payment(null, amount, currency).chargeSucceeded());
    return newest(shop);
  }
  const expire = async () => {
    clock.advance(49 * hour);
    await expirePendingOrders(commerce().engine, 48 * hour);
  };
  const dataOf = async (shop: Context, type: string) =>
    (await eventsOf(shop)).filter((event) => event.type === type).map(({ data }) => data);

  it('emit one event when they pay nothing, with the payment as answered', async () => {
    const { shop } = await pending();
    const paid = payment(null, 1000);
    await send(shop, paid.intentSucceeded());
    const latest = await newest(shop);
    for (const event of [paid.chargeSucceeded(), paid.sessionCompleted({ metadata: {} })]) await send(shop, event);
    expect(await dataOf(shop, 'payment.unmatched')).toEqual([latest]);
    expect(latest).toMatchObject({
      status: 'succeeded',
      matched: 'none',
      orderId: null,
      amount: '10.00',
      paidAt: latest.createdAt,
    });
  });

  it.each(['pending', 'expired'] as const)('pay an order that is %s when they are applied to it', async (status) => {
    const { shop, order, stockOf } = await pending();
    const before = await stray(shop);
    if (status === 'expired') await expire();
    const types = await emittedBy(shop, async () => {
      const applied = await applyPayment(shop, before.id, { orderId: order.id });
      expect(applied).toMatchObject({ id: before.id, matched: 'paid', orderId: order.id });
      expect(applied).toEqual(await getPayment(shop, before.id));
    });
    expect(types.sort()).toEqual(['order.created', 'order.paid', 'order.updated', 'product.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentId: before.providerPaymentId,
      paymentDetails: { last4: '4242' },
      cancelReason: null,
    });
    expect(await stockOf()).toBe(4);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'payment.applied',
      actor_id: 'key-1',
      resource_id: before.id,
    });
    // A repetition changes nothing.
    expect(await emittedBy(shop, () => applyPayment(shop, before.id, { orderId: order.id }))).toEqual([]);
  });

  it('pay an order that was shipped unpaid when they are applied to it: it stays fulfilled, and its stock is taken once', async () => {
    const { shop, product, stockOf } = await pending();
    await updateSettings(shop, {
      paymentMethods: [{ id: 'cod', name: 'On delivery', kind: 'cash_on_delivery' }],
      returnUrls: ['https://shop.example'],
    });
    const { orderId } = await createCheckout(shop, {
      items: [{ productId: product.id, quantity: 1 }],
      customer: { email: 'ada@shop.test' },
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    });
    await createFulfilment(shop, orderId);
    const before = await stray(shop);
    const dearer = await stray(shop, 1001);
    await expectDenied(commerce(), () => applyPayment(shop, dearer.id, { orderId }), { kind: 'conflict' });
    const types = await emittedBy(shop, async () => {
      expect(await applyPayment(shop, before.id, { orderId })).toMatchObject({ matched: 'paid', orderId });
    });
    expect(types).toEqual(['order.paid', 'order.updated']);
    expect(await getOrder(shop, orderId)).toMatchObject({
      status: 'fulfilled',
      paymentStatus: 'succeeded',
      paymentId: before.providerPaymentId,
      paidAt: new Date(clock.now()).toISOString(),
    });
    expect(await stockOf()).toBe(4);
    const second = await stray(shop);
    await expectDenied(commerce(), () => applyPayment(shop, second.id, { orderId }), { kind: 'conflict' });
  });

  it('pay a later order although they were second for another one', async () => {
    const { shop, order, newOrder } = await pending();
    const other = await newOrder();
    await send(shop, payment(order.id, 1000).intentSucceeded());
    await send(shop, payment(order.id, 1000).intentSucceeded());
    const second = await newest(shop);
    expect(second).toMatchObject({ matched: 'second', orderId: order.id });
    await applyPayment(shop, second.id, { orderId: other.id });
    expect(await getOrder(shop, other.id)).toMatchObject({ status: 'paid', paymentId: second.providerPaymentId });
    expect((await listPayments(shop, { unmatched: true })).total).toBe(0);
  });

  it('leave nothing of themselves on the order that they named before', async () => {
    const { shop, order, newOrder } = await pending();
    await send(shop, payment(order.id, 1000).intentFailed());
    await send(shop, payment(order.id, 999).intentSucceeded());
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentStatus: 'pending' });
    const cheaper = await newProduct(shop, { price: '9.99' });
    const other = await createOrder(shop, { items: [{ productId: cheaper.id, quantity: 1 }] });
    await applyPayment(shop, (await newest(shop)).id, { orderId: other.id });
    expect(await getOrder(shop, other.id)).toMatchObject({ status: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'failed' });

    // A notification that only adds details about a payment also moves it.
    const [from, to] = [await newOrder(), await newOrder()];
    const moved = payment(from.id, 1000);
    await send(shop, moved.intentProcessing());
    await send(shop, moved.chargeUpdated({ metadata: { order_id: to.id } }));
    expect(await getOrder(shop, to.id)).toMatchObject({ paymentStatus: 'processing' });
    expect(await getOrder(shop, from.id)).toMatchObject({ paymentStatus: 'pending' });
  });

  it('applied across each other at once move both orders, without waiting for each other', async () => {
    const { shop, newOrder } = await pending();
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await newOrder(), await newOrder()];
      const sent = [payment(one.id, 1000), payment(two.id, 1000)] as const;
      for (const each of sent) await send(shop, each.intentProcessing());
      await Promise.all([
        send(shop, sent[0].chargeUpdated({ metadata: { order_id: two.id } })),
        send(shop, sent[1].chargeUpdated({ metadata: { order_id: one.id } })),
      ]);
      for (const { id } of [one, two]) expect(await getOrder(shop, id)).toMatchObject({ paymentStatus: 'processing' });
    }
  });

  it('are not applied to an order that they do not match', async () => {
    const { shop, product, order, newOrder, stockOf } = await pending();
    const denied = (
      id: string,
      orderId: string,
      message: RegExp,
      kind: 'conflict' | 'insufficientStock' = 'conflict',
    ) =>
      expectDenied(commerce(), () => applyPayment(shop, id, { orderId }), {
        kind,
        message,
        ...(kind === 'insufficientStock' ? { fields: ['items'] } : {}),
      });
    await denied((await stray(shop, 999)).id, order.id, /9\.99 EUR, the total of order ORD-1001 is 10\.00 EUR/);
    await denied((await stray(shop, 1000, 'usd')).id, order.id, /10\.00 USD/);

    const undecided = payment(null, 1000);
    await send(shop, undecided.intentProcessing());
    await denied((await newest(shop)).id, order.id, /processing/);

    const back = payment(null, 1000);
    await send(shop, back.intentSucceeded());
    await send(shop, refundsOf(back).one(1000).created());
    await denied((await newest(shop)).id, order.id, /refunded/);

    const cancelled = await newOrder();
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    const good = await stray(shop);
    await denied(good.id, cancelled.id, /ORD-1002 is cancelled/);

    const paid = await newOrder();
    await send(shop, payment(paid.id, 1000).intentSucceeded());
    await denied((await newest(shop)).id, order.id, /has paid another order/);
    await denied(good.id, paid.id, /is paid/);

    await adjustStock(shop, product.id, { adjustment: -(await stockOf()) });
    await denied(good.id, order.id, /not enough in stock/, 'insufficientStock');
  });

  it("are neither applied nor dismissed nor answered by a wrong id or another store's, nor applied to another store's order", async () => {
    const [ours, theirs] = [await pending(), await pending()];
    const theirPayment = await stray(theirs.shop);
    const ourPayment = await stray(ours.shop);
    for (const id of [theirPayment.id, nowhere, 'x', '']) {
      const notFound = { kind: 'notFound' } as const;
      await expect(getPayment(ours.shop, id)).rejects.toMatchObject(notFound);
      await expectDenied(commerce(), () => applyPayment(ours.shop, id, { orderId: ours.order.id }), notFound);
      await expectDenied(commerce(), () => dismissPayment(ours.shop, id), notFound);
    }
    for (const orderId of [theirs.order.id, nowhere, 'x', '']) {
      await expectDenied(commerce(), () => applyPayment(ours.shop, ourPayment.id, { orderId }), invalid('orderId'));
    }
    expect((await listPayments(ours.shop)).items).toEqual([ourPayment]);
  });

  it('no longer need attention when they are dismissed, once, and let their order expire', async () => {
    const { shop, order } = await pending();
    await send(shop, payment(order.id, 999).intentSucceeded());
    const before = await newest(shop);
    await expire();
    expect((await getOrder(shop, order.id)).status).toBe('pending');
    const types = await emittedBy(shop, async () => {
      const dismissed = await dismissPayment(shop, before.id, { reason: 'a test' });
      expect(dismissed).toMatchObject({ matched: 'dismissed', dismissedAt: new Date(clock.now()).toISOString() });
      expect(await dismissPayment(shop, before.id)).toEqual(dismissed);
      expect(await dataOf(shop, 'payment.dismissed')).toEqual([dismissed]);
    });
    expect(types).toEqual(['payment.dismissed']);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'payment.dismissed',
      resource_id: before.id,
      changes: expect.stringContaining('a test'),
    });
    expect((await listPayments(shop, { unmatched: true })).total).toBe(0);
    expect((await listPayments(shop, { matched: 'mismatch' })).total).toBe(0);
    expect((await listPayments(shop, { matched: 'dismissed' })).items).toMatchObject([{ id: before.id }]);
    await expire();
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
  });

  it('may be applied after they were dismissed', async () => {
    const { shop, order } = await pending();
    const before = await stray(shop);
    await dismissPayment(shop, before.id);
    expect(await applyPayment(shop, before.id, { orderId: order.id })).toMatchObject({
      matched: 'paid',
      dismissedAt: null,
    });
    expect((await getOrder(shop, order.id)).status).toBe('paid');
  });

  it('cannot be dismissed when they paid an order or did not succeed', async () => {
    const { shop, order } = await pending();
    await send(shop, payment(order.id, 1000).intentSucceeded());
    const paid = await newest(shop);
    await expectDenied(commerce(), () => dismissPayment(shop, paid.id), {
      kind: 'conflict',
      message: /has paid an order/,
    });
    for (const kind of ['intentProcessing', 'intentFailed', 'intentCanceled'] as const) {
      await send(shop, payment(null, 1000)[kind]());
      const { id } = await newest(shop);
      await expectDenied(commerce(), () => dismissPayment(shop, id), {
        kind: 'conflict',
        message: /not succeeded/,
      });
    }
  });

  it('pay one of two orders that they are applied to at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { shop, order, newOrder, stockOf } = await pending();
      const other = await newOrder();
      const { id } = await stray(shop);
      const orders = round % 2 === 0 ? [order, other] : [other, order];
      const results = await Promise.allSettled(orders.map((one) => applyPayment(shop, id, { orderId: one.id })));
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const statuses = await Promise.all(orders.map(async (one) => (await getOrder(shop, one.id)).status));
      expect(statuses.sort()).toEqual(['paid', 'pending']);
      expect(await stockOf()).toBe(4);
    }
  });
});
