import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder, listPayments } from '../../index.ts';

let made = 0;
const event = (type: string, object: object) => ({
  id: `evt_expired_${++made}`,
  object: 'event',
  type,
  created: 1_795_262_400 + made,
  data: { object },
});
const session = (orderId: string | null, more: object = {}) => ({
  id: `cs_test_expired_${++made}`,
  object: 'checkout.session',
  mode: 'payment',
  amount_total: 1250,
  currency: 'eur',
  payment_intent: null,
  payment_status: 'unpaid',
  metadata: orderId === null ? {} : { order_id: orderId },
  ...more,
});

forEachStorage('a session of Stripe that expires', (database) => {
  const commerce = useCommerce(database);
  const pending = async () => {
    const shop = await newShop(commerce(), 'EUR');
    await configureStripe(shop);
    const mug = await newProduct(shop, { price: '12.50' });
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    return { shop, order };
  };

  it('says nothing of money: its order waits for another session, unless it is the page of its checkout', async () => {
    const { shop, order } = await pending();
    expect(await send(shop, event('checkout.session.expired', session(order.id)))).toMatchObject({
      outcome: 'ignored',
    });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'pending' });
    expect(await listPayments(shop)).toMatchObject({ total: 0 });
    const paid = session(order.id, { payment_intent: `pi_${++made}`, payment_status: 'paid' });
    expect(await send(shop, event('checkout.session.completed', paid))).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentStatus: 'succeeded' });
  });

  it('leaves an order alone that another session has paid', async () => {
    const { shop, order } = await pending();
    const paid = session(order.id, { payment_intent: `pi_${++made}`, payment_status: 'paid' });
    await send(shop, event('checkout.session.completed', paid));
    await send(shop, event('checkout.session.expired', session(order.id)));
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentStatus: 'succeeded' });
  });

  it.each<[string, object]>([
    ['names no order', session(null)],
    ['sets up a card', session('0190a5c8-0000-7000-8000-00000000dead', { mode: 'setup' })],
  ])('is ignored when it %s', async (_, object) => {
    const { shop } = await pending();
    expect(await send(shop, event('checkout.session.expired', object))).toMatchObject({ outcome: 'ignored' });
    expect((await listPayments(shop)).total).toBe(0);
  });
});
