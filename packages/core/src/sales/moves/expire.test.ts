import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expect, it } from 'vitest';
import {
  type Context,
  confirmFromInbox,
  createOrder,
  expirePendingOrders,
  getOrder,
  getProduct,
  listNotifications,
  listOrders,
  type Order,
  type Product,
  updateOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const hour = 3_600_000;

forEachStorage('orders that wait for their payment too long', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const expire = (pendingFor = 48 * hour) => expirePendingOrders(commerce().engine, pendingFor);

  async function openShop() {
    // Orders left by other tests do not count here.
    clock.advance(1000 * hour);
    await expire(0);
    clock.advance(1);
    const shop = await newShop(commerce());
    await configureStripe(shop);
    return { shop, product: await newProduct(shop, { price: '10', trackStock: true, stock: 500 }) };
  }
  const newOrder = (shop: Context, product: Product) =>
    createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
  const statusOf = async (shop: Context, order: Order) => (await getOrder(shop, order.id)).status;

  it('are cancelled once they are older than that, to the millisecond, and the younger ones are not', async () => {
    const { shop, product } = await openShop();
    const old = await newOrder(shop, product);
    clock.advance(1);
    const young = await newOrder(shop, product);
    clock.advance(48 * hour - 1);
    expect(await emittedBy(shop, async () => expect(await expire()).toBe(0))).toEqual([]);
    clock.advance(1);
    const at = new Date(clock.now()).toISOString();
    const types = await emittedBy(shop, async () => expect(await expire()).toBe(1));
    expect(types).toEqual(['order.updated', 'order.cancelled']);
    expect(await getOrder(shop, old.id)).toEqual({
      ...old,
      status: 'cancelled',
      cancelledAt: at,
      cancelReason: 'expired',
      updatedAt: at,
    });
    expect(await getOrder(shop, young.id)).toEqual(young);
    expect((await getProduct(shop, product.id)).stock).toBe(500);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'order.cancelled',
      actor_type: 'system',
      actor_id: 'expiry',
      resource_id: old.id,
    });
    clock.advance(1);
    expect(await expire()).toBe(1);
    expect(await statusOf(shop, young)).toBe('cancelled');
    expect(await expire()).toBe(0);
  });

  it('are left alone when they are no longer pending or their money is in', async () => {
    const { shop, product } = await openShop();
    const orders: Record<string, Order> = {};
    for (const name of ['processing', 'failed', 'voided', 'paid', 'fulfilled', 'cancelled', 'wrong amount']) {
      orders[name] = await newOrder(shop, product);
    }
    const order = (name: string) => orders[name] as Order;
    const deciding = payment(order('processing').id, 1000);
    await send(shop, deciding.intentProcessing());
    await send(shop, payment(order('failed').id, 1000).intentFailed());
    await send(shop, payment(order('voided').id, 1000).intentCanceled());
    await send(shop, payment(order('paid').id, 1000).intentSucceeded());
    await send(shop, payment(order('fulfilled').id, 1000).intentSucceeded());
    await updateOrder(shop, order('fulfilled').id, { status: 'fulfilled' });
    await updateOrder(shop, order('cancelled').id, { status: 'cancelled' });
    await send(shop, payment(order('wrong amount').id, 1).intentSucceeded());
    clock.advance(49 * hour);
    expect(await expire()).toBe(2);
    const after = await Promise.all(
      Object.entries(orders).map(async ([name, one]) => [name, await statusOf(shop, one)]),
    );
    expect(Object.fromEntries(after)).toEqual({
      processing: 'pending',
      failed: 'cancelled',
      voided: 'cancelled',
      paid: 'paid',
      fulfilled: 'fulfilled',
      cancelled: 'cancelled',
      'wrong amount': 'pending',
    });
    // The provider declined the payment, so the order can expire now.
    await send(shop, deciding.intentFailed());
    expect(await expire()).toBe(1);
    expect(await statusOf(shop, order('processing'))).toBe('cancelled');
  });

  it('are left alone while their stock is reserved for them, however old they are', async () => {
    const { shop, product } = await openShop();
    const items = [{ productId: product.id, quantity: 1 }];
    const held = await createOrder(shop, { items, reserveMinutes: 120 });
    clock.advance(119 * 60_000);
    expect(await emittedBy(shop, async () => expect(await expire(hour)).toBe(0))).toEqual([]);
    expect(await getOrder(shop, held.id)).toEqual(held);
    clock.advance(60_000);
    expect(await expire(hour)).toBe(1);
    expect(await getOrder(shop, held.id)).toMatchObject({ cancelReason: 'expired', reservedUntil: null });
  });

  it('and are paid afterwards are reopened', async () => {
    const { shop, product } = await openShop();
    const order = await newOrder(shop, product);
    clock.advance(49 * hour);
    await expire();
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, payment(order.id, 1000).intentSucceeded())).toEqual({ received: true, outcome: 'paid' });
    });
    expect(types.sort()).toEqual(['order.created', 'order.paid', 'order.updated', 'product.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', cancelledAt: null, cancelReason: null });
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(0);
    expect((await getProduct(shop, product.id)).stock).toBe(499);
  });

  it('and are cancelled by a person afterwards stay so; the money stays in the inbox', async () => {
    const { shop, product } = await openShop();
    const order = await newOrder(shop, product);
    clock.advance(49 * hour);
    await expire();
    await updateOrder(shop, order.id, { status: 'cancelled' });
    const before = await getOrder(shop, order.id);
    expect(before.cancelReason).toBe('requested');
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, payment(order.id, 1000).intentSucceeded())).toMatchObject({ outcome: 'order_cancelled' });
      await expect(confirmFromInbox(shop, order.id)).rejects.toMatchObject({ kind: 'conflict' });
    });
    expect(types).toEqual(['payment.unmatched']);
    expect(await getOrder(shop, order.id)).toEqual(before);
    expect(await listNotifications(shop, { unmatched: true })).toMatchObject({
      total: 1,
      items: [{ outcome: 'order_cancelled', orderId: order.id, warning: expect.stringContaining('is cancelled') }],
    });
    expect((await getProduct(shop, product.id)).stock).toBe(500);
  });

  it('are cancelled in every store, also when they exceed a batch', async () => {
    const { shop, product } = await openShop();
    const other = await openShop();
    for (let i = 0; i < 205; i++) await newOrder(shop, product);
    await newOrder(other.shop, other.product);
    clock.advance(49 * hour);
    expect(await expire()).toBe(206);
    expect((await listOrders(shop, { status: 'cancelled' })).total).toBe(205);
    expect((await listOrders(other.shop, { status: 'cancelled' })).total).toBe(1);
  });

  it('are paid by money that comes while two processes expire them at once, in any order', async () => {
    const { shop, product } = await openShop();
    const orders = [];
    for (let i = 0; i < 10; i++) orders.push(await newOrder(shop, product));
    clock.advance(49 * hour);
    const [, , ...paid] = await Promise.all([
      expire(),
      expire(),
      ...orders.map((order) => send(shop, payment(order.id, 1000).intentSucceeded())),
    ]);
    const count = async (status: 'paid' | 'cancelled') => (await listOrders(shop, { status })).total;
    expect(paid.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 10 }, () => 'paid'));
    expect([await count('paid'), await count('cancelled')]).toEqual([10, 0]);
    expect((await getProduct(shop, product.id)).stock).toBe(490);
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(0);
  });

  it('are cancelled as soon as the expiry is started, and no longer after it is stopped', async () => {
    const { shop, product } = await openShop();
    const order = await newOrder(shop, product);
    clock.advance(49 * hour);
    const stop = commerce().startExpiry({ pendingFor: 48 * hour });
    await until('the order is cancelled', async () => (await statusOf(shop, order)) === 'cancelled');
    await stop();
    await stop();
    const later = await newOrder(shop, product);
    clock.advance(49 * hour);
    expect(await statusOf(shop, later)).toBe('pending');
  });

  it('are still cancelled after a run that failed, which is reported', async () => {
    const { shop, product } = await openShop();
    const order = await newOrder(shop, product);
    clock.advance(49 * hour);
    const { engine } = commerce();
    const now = engine.clock.now;
    const errors: unknown[] = [];
    engine.clock.now = () => {
      throw new Error('the clock is broken');
    };
    const stop = commerce().startExpiry({ pendingFor: hour, onError: (error) => errors.push(error) });
    await stop();
    engine.clock.now = now;
    expect(errors).toMatchObject([{ message: 'the clock is broken' }]);
    expect(await statusOf(shop, order)).toBe('pending');
    expect(await expire()).toBe(1);
  });
});
