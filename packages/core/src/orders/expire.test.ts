import { expect, it } from 'vitest';
import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '../../../../test/support/shop.ts';
import { forEachStorage } from '../../../../test/support/storages.ts';
import { configureStripe, payment, send } from '../../../../test/support/stripe.ts';
import { until } from '../../../../test/support/until.ts';
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
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const hour = 3_600_000;

forEachStorage('orders that wait for their payment too long', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const expire = (pendingFor = 48 * hour) => expirePendingOrders(commerce().engine, pendingFor);

  async function openShop() {
    // What other tests left is none of this one's business.
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
    expect(await getOrder(shop, old.id)).toEqual({ ...old, status: 'cancelled', cancelledAt: at, updatedAt: at });
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

  it('are left alone where something else became of them', async () => {
    const { shop, product } = await openShop();
    const orders: Record<string, Order> = {};
    for (const name of ['processing', 'failed', 'voided', 'paid', 'fulfilled', 'cancelled', 'wrong amount']) {
      orders[name] = await newOrder(shop, product);
    }
    const order = (name: string) => orders[name] as Order;
    await send(shop, payment(order('processing').id, 1000).intentProcessing());
    await send(shop, payment(order('failed').id, 1000).intentFailed());
    await send(shop, payment(order('voided').id, 1000).intentCanceled());
    await send(shop, payment(order('paid').id, 1000).intentSucceeded());
    await send(shop, payment(order('fulfilled').id, 1000).intentSucceeded());
    await updateOrder(shop, order('fulfilled').id, { status: 'fulfilled' });
    await updateOrder(shop, order('cancelled').id, { status: 'cancelled' });
    await send(shop, payment(order('wrong amount').id, 1).intentSucceeded());
    clock.advance(49 * hour);
    expect(await expire()).toBe(3);
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
      'wrong amount': 'cancelled',
    });
    // The provider decided against it: now it may go.
    await send(shop, payment(order('processing').id, 1000).intentFailed());
    expect(await expire()).toBe(1);
  });

  it('and are paid afterwards stay cancelled; the money stays in the inbox', async () => {
    const { shop, product } = await openShop();
    const order = await newOrder(shop, product);
    clock.advance(49 * hour);
    await expire();
    const before = await getOrder(shop, order.id);
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, payment(order.id, 1000).intentSucceeded())).toMatchObject({ outcome: 'order_cancelled' });
      await confirmFromInbox(shop, order.id);
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(before);
    expect(await listNotifications(shop, { unmatched: true })).toMatchObject({
      total: 1,
      items: [{ outcome: 'order_cancelled', orderId: order.id, warning: expect.stringContaining('is cancelled') }],
    });
    expect((await getProduct(shop, product.id)).stock).toBe(500);
  });

  it('are cancelled in every store, also where there are more of them than are looked at together', async () => {
    const { shop, product } = await openShop();
    const other = await openShop();
    for (let i = 0; i < 205; i++) await newOrder(shop, product);
    await newOrder(other.shop, other.product);
    clock.advance(49 * hour);
    expect(await expire()).toBe(206);
    expect((await listOrders(shop, { status: 'cancelled' })).total).toBe(205);
    expect((await listOrders(other.shop, { status: 'cancelled' })).total).toBe(1);
  });

  it('are cancelled by one of two processes that look at once, or paid, but never both', async () => {
    const { shop, product } = await openShop();
    const orders = [];
    for (let i = 0; i < 10; i++) orders.push(await newOrder(shop, product));
    clock.advance(49 * hour);
    const [one, two, ...paid] = await Promise.all([
      expire(),
      expire(),
      ...orders.map((order) => send(shop, payment(order.id, 1000).intentSucceeded())),
    ]);
    const count = async (status: 'paid' | 'cancelled') => (await listOrders(shop, { status })).total;
    expect(one + two).toBe(await count('cancelled'));
    expect(paid.filter(({ outcome }) => outcome === 'paid')).toHaveLength(await count('paid'));
    expect((await count('paid')) + (await count('cancelled'))).toBe(10);
    expect((await getProduct(shop, product.id)).stock).toBe(500 - (await count('paid')));
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(await count('cancelled'));
  });

  it('are cancelled as soon as the expiry is started, and no more once it was stopped', async () => {
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

  it('are cancelled on when one run of it fails, which is told', async () => {
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
