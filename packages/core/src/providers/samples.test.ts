import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import {
  configureStripe,
  haveSamples,
  sampleBody,
  sampleNames,
  send,
  signed,
} from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import { createOrder, getOrder, getProduct, type Order } from '../index.ts';
import { receiveNotification } from '../sales/notifications/receive.ts';

const missing = haveSamples ? '' : ' (skipped: the collection of sample bodies is not beside the repository)';

/** True when an event reports received money. */
function tellsOfMoney({ type, data }: { type: string; data: { object: Record<string, unknown> } }): boolean {
  const { mode, payment_status: paymentStatus } = data.object;
  if (type === 'checkout.session.completed') return mode === 'payment' && paymentStatus !== 'unpaid';
  return 'payment_intent.succeeded charge.succeeded charge.captured checkout.session.async_payment_succeeded'
    .split(' ')
    .includes(type);
}

describe.skipIf(!haveSamples)(`sample bodies${missing}`, () => {
  forEachStorage('bodies as Stripe sends them', (database) => {
    const commerce = useCommerce(database);
    let replays = 0;

    /** The sample with the order's id instead of its placeholder, and ids unique to this replay. */
    function replay(name: string, order: Pick<Order, 'id'>): object {
      const text = sampleBody(name).replaceAll(/"ORD-1000\d"/g, JSON.stringify(order.id));
      const event = JSON.parse(text) as { id: string };
      return { ...event, id: `${event.id}_${++replays}` };
    }

    async function orderOf(price: string, currency = 'EUR') {
      const shop = await newShop(commerce(), currency);
      await configureStripe(shop);
      const product = await newProduct(shop, { price, trackStock: true, stock: 3 });
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      return { shop, order, product };
    }

    it.each([
      [['payment_intent.succeeded.json', 'charge.succeeded.json', 'checkout.session.completed.json']],
      [['checkout.session.completed.json', 'charge.succeeded.json', 'payment_intent.succeeded.json']],
      [['charge.succeeded.json', 'charge.updated.json', 'payment_intent.succeeded.json']],
      [['checkout.session.completed.json', 'payment_intent.succeeded.json', 'charge.updated.json']],
    ])('pay an order once: %s', async (names) => {
      const { shop, order, product } = await orderOf('49.99');
      for (const name of names) expect(await send(shop, replay(name, order))).not.toHaveProperty('warning');
      expect(await getOrder(shop, order.id)).toMatchObject({
        status: 'paid',
        paymentId: 'pi_3SFixtureORD10001aAbBcC',
        paymentMethod: 'card',
        paymentDetails: { last4: '4242', brand: 'visa', expMonth: expect.any(Number), expYear: expect.any(Number) },
      });
      expect((await getProduct(shop, product.id)).stock).toBe(2);
      expect((await eventTypesOf(shop)).filter((type) => type === 'order.paid')).toHaveLength(1);
    });

    it('pay after a failure, and a repeated failure changes nothing', async () => {
      const { shop, order } = await orderOf('25.99');
      expect(await send(shop, replay('payment_intent.payment_failed.json', order))).toMatchObject({
        outcome: 'recorded',
      });
      expect(await getOrder(shop, order.id)).toMatchObject({ paymentStatus: 'failed', paymentDetails: null });
      expect(await send(shop, replay('payment_intent.succeeded.after-failure.json', order))).toMatchObject({
        outcome: 'paid',
      });
      const paid = await getOrder(shop, order.id);
      expect(await send(shop, replay('payment_intent.payment_failed.json', order))).toMatchObject({
        outcome: 'ignored',
      });
      expect(await getOrder(shop, order.id)).toEqual(paid);
    });

    it('pay days later by a slow method', async () => {
      const { shop, order } = await orderOf('30');
      await send(shop, replay('checkout.session.completed.unpaid.json', order));
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'processing' });
      await send(shop, replay('checkout.session.async_payment_succeeded.json', order));
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentStatus: 'succeeded' });
    });

    it('bring nothing by a slow method', async () => {
      const { shop, order } = await orderOf('30');
      await send(shop, replay('checkout.session.completed.unpaid.json', order));
      await send(shop, replay('checkout.session.async_payment_failed.json', order));
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending', paymentStatus: 'failed' });
    });

    it('pay in a currency without decimals', async () => {
      const { shop, order } = await orderOf('4999', 'JPY');
      expect(await send(shop, replay('payment_intent.succeeded.jpy.json', order))).toMatchObject({ outcome: 'paid' });
    });

    const all = haveSamples ? [...sampleNames(), ...sampleNames('real/')] : [];
    it.each(all)('are all accepted, also by a shop without such an order: %s', async (name) => {
      const shop = await newShop(commerce());
      await configureStripe(shop);
      const body = sampleBody(name);
      const deliver = () =>
        receiveNotification(commerce().engine, 'stripe', signed(body, Date.now()), { storeId: shop.store.id });
      expect(['ignored', 'order_not_found']).toContain((await deliver()).outcome);
      const [kept, ...others] = await shop.engine.storage.db
        .selectFrom('payment_notifications')
        .select(['payload', 'event_id', 'event_type'])
        .where('store_id', '=', shop.store.id)
        .execute();
      const { id, type } = JSON.parse(body) as { id: string; type: string };
      expect(kept).toEqual({ payload: body, event_id: id, event_type: type });
      expect(others).toEqual([]);
      expect(await eventTypesOf(shop)).toEqual(tellsOfMoney(JSON.parse(body)) ? ['payment.unmatched'] : []);
    });
  });
});
