import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy, eventsOf } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Context,
  cancelCheckout,
  closeDuePages,
  createCheckout,
  createOrder,
  endReservations,
  getCheckout,
  getOrder,
  updateOrder,
} from '../../index.ts';

forEachStorage('the event of an expired checkout', (database) => {
  const { clock, commerce, stub, openShop, pageOf } = useSelling(database);
  const expired = async (shop: Context) => (await eventsOf(shop)).filter(({ type }) => type === 'checkout.expired');
  const pass = async (minutes: number) => {
    clock.advance(minutes * minute);
    await closeDuePages(commerce().engine);
    await stub().settled();
    await endReservations(commerce().engine);
  };

  it('has the checkout with its buyer, once', async () => {
    const { shop, input } = await openShop();
    const customer = { email: 'ada@shop.test', name: 'Ada Lovelace', phone: '+44 20 7946 0958' };
    const checkout = await createCheckout(shop, { ...input(), customer });
    await pass(24 * 60);
    await pass(60);
    const [event, ...more] = await expired(shop);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ resourceId: checkout.id });
    // The link to the buyer's page of the order is for the buyer only.
    const { orderUrl: _, ...shown } = await getCheckout(shop, checkout.id);
    expect(event?.data).toEqual({ ...shown, customer });
    expect(event?.data).toMatchObject({ status: 'expired', url: null, orderId: checkout.orderId });
  });

  it('is not sent for a checkout that is paid, cancelled, replaced or never had a page, nor for an order without a checkout', async () => {
    const { shop, product, input } = await openShop();
    const paid = await createCheckout(shop, input());
    await stub().act('stripe', await pageOf(shop, paid.id), 'pay');
    await stub().settled();
    const cancelled = await createCheckout(shop, input());
    await cancelCheckout(shop, cancelled.id);
    const replaced = await createCheckout(shop, input());
    const byShop = await createCheckout(shop, { ...input(), customerNote: 'another', replaces: { id: replaced.id } });
    await updateOrder(shop, byShop.orderId, { status: 'cancelled' });
    stub().fault('stripe.create', { status: 400, body: { error: { message: 'no' } } });
    await expect(createCheckout(shop, { ...input(), customerNote: 'a third' })).rejects.toThrow();
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }], reserveMinutes: 31 });
    await pass(24 * 60);
    expect((await getOrder(shop, order.id)).status).toBe('cancelled');
    expect(await expired(shop)).toEqual([]);
  });

  it('is sent when the provider reports the end of the page', async () => {
    const { shop, input } = await openShop(['stripe'], { settings: { reservationMinutes: 60 } });
    const checkout = await createCheckout(shop, input());
    clock.advance(58 * minute);
    const emitted = await emittedBy(shop, async () => {
      await stub().tick();
      await stub().settled();
    });
    expect(emitted).toEqual(['order.updated', 'order.cancelled', 'checkout.expired']);
    expect(await expired(shop)).toMatchObject([{ resourceId: checkout.id }]);
  });

  it('forgets the buyer with the customer', async () => {
    const { shop, input } = await openShop();
    const checkout = await createCheckout(shop, input());
    await pass(24 * 60);
    const { customerId } = await getOrder(shop, checkout.orderId);
    await anonymiseCustomer(shop, customerId as string);
    const [event] = await expired(shop);
    const { orderUrl: _, ...shown } = await getCheckout(shop, checkout.id);
    expect(event?.data).toEqual({ ...shown, customer: null });
  });
});
