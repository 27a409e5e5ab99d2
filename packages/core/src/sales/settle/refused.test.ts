import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send, sendBare } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  getOrder,
  getProduct,
  listOrders,
  updateOrder,
  updateProduct,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const unknown = '0190a5c8-0000-7000-8000-000000000abc';

forEachStorage('payments that cannot be applied', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  /** A pending order of 25.00 with enough stock. */
  async function pending(currency = 'EUR') {
    const shop = await newShop(commerce(), currency);
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '25', trackStock: true, stock: 10 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order };
  }

  async function inbox(shop: Context) {
    return shop.engine.storage.db
      .selectFrom('payment_notifications')
      .select(['event_id', 'order_id', 'payment_id', 'outcome', 'warning'])
      .where('store_id', '=', shop.store.id)
      .orderBy('id')
      .execute();
  }

  /** Expects unchanged order, product and lists, only an event about the payment, and the notification in the inbox. */
  async function expectRefused(
    { shop, order, product }: Awaited<ReturnType<typeof pending>>,
    event: object,
    outcome: string,
    warning: RegExp,
  ) {
    const before = [await getOrder(shop, order.id), await getProduct(shop, product.id), await listOrders(shop)];
    const types = await emittedBy(shop, async () => {
      const answer = await send(shop, event);
      expect(answer).toMatchObject({ received: true, outcome });
      expect(answer.warning).toMatch(warning);
    });
    expect(types).toEqual(['payment.unmatched']);
    expect([await getOrder(shop, order.id), await getProduct(shop, product.id), await listOrders(shop)]).toEqual(
      before,
    );
    // A copy changes nothing.
    expect(await emittedBy(shop, () => send(shop, event))).toEqual([]);
    expect((await inbox(shop)).at(-1)).toMatchObject({ outcome, warning: expect.stringMatching(warning) });
  }

  it.each([
    ['that does not exist', unknown],
    ['by its order number', 'ORD-1001'],
    ['by nonsense', "'; drop table orders; --"],
    ['that is not a UUID because of one character', `${unknown.slice(0, -1)}g`],
    ['not at all', null],
  ])('name an order %s: stored with a warning', async (_, orderId) => {
    const shop = await pending();
    await expectRefused(shop, payment(orderId, 2500).intentSucceeded(), 'order_not_found', /no order/);
  });

  it.each([
    ['a cent too little', 2499, 'eur'],
    ['a cent too much', 2501, 'eur'],
    ['nothing', 0, 'eur'],
    ['less than nothing', -2500, 'eur'],
    ['a hundred times too much', 250_000, 'eur'],
    ['in another currency', 2500, 'usd'],
    ['in a currency without decimals', 2500, 'jpy'],
    ['in a currency with three decimals', 25_000, 'kwd'],
  ])('pay the wrong amount, %s: the order stays pending', async (_, amount, currency) => {
    const shop = await pending();
    const event = payment(shop.order.id, amount, currency).intentSucceeded();
    await expectRefused(shop, event, 'amount_mismatch', /was paid, the total of order ORD-1001 is 25\.00 EUR$/);
    expect((await auditOf(shop.shop)).at(-1)).toMatchObject({
      action: 'payment.refused',
      actor_type: 'provider',
      resource_id: shop.order.id,
      changes: expect.stringContaining('"reason":"mismatch"'),
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['without an amount', { amount_received: undefined, amount: undefined }],
    ['with an amount that is a text', { amount_received: '2500', amount: '2500' }],
    ['with a broken amount', { amount_received: 2500.5, amount: 2500.5 }],
    ['with an amount beyond exact numbers', { amount_received: 2 ** 53, amount: 2 ** 53 }],
    ['without a currency', { currency: undefined }],
    ['with a currency that is not a text', { currency: 978 }],
  ])('come %s: the order stays pending', async (_, fields) => {
    const shop = await pending();
    const event = payment(shop.order.id, 2500).intentSucceeded(fields);
    await expectRefused(shop, event, 'amount_mismatch', /was paid/);
  });

  it('pay by the amount of an intent without amount_received', async () => {
    const { shop, order } = await pending();
    expect(await send(shop, payment(order.id, 2500).intentSucceeded({ amount_received: undefined }))).toEqual({
      received: true,
      outcome: 'paid',
    });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentStatus: 'succeeded' });
  });

  it('without an id pay nothing and are ignored', async () => {
    const { shop, order } = await pending();
    const event = payment(order.id, 2500).intentSucceeded({ id: undefined, latest_charge: undefined });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'ignored' });
    expect(await getOrder(shop, order.id)).toEqual(order);
  });

  it('count the received amount, not the requested one', async () => {
    const shop = await pending();
    const event = payment(shop.order.id, 2500).intentSucceeded({ amount: 2500, amount_received: 1000 });
    await expectRefused(shop, event, 'amount_mismatch', /^10\.00 EUR was paid/);
  });

  it('count the captured amount of a charge, not the authorised one', async () => {
    const shop = await pending();
    const event = payment(shop.order.id, 2500).chargeSucceeded({ amount: 2500, amount_captured: 1000 });
    await expectRefused(shop, event, 'amount_mismatch', /^10\.00 EUR was paid/);
  });

  it('come second, for a paid order: nothing changes, and the audit log records it', async () => {
    const shop = await pending();
    const first = payment(shop.order.id, 2500);
    await send(shop.shop, first.intentSucceeded());
    const event = payment(shop.order.id, 2500).chargeSucceeded();
    await expectRefused(shop, event, 'second_payment', new RegExp(`already paid by ${first.id}$`));
    expect((await auditOf(shop.shop)).at(-1)).toMatchObject({
      action: 'payment.refused',
      changes: expect.stringContaining('"reason":"second"'),
    });
    expect((await getOrder(shop.shop, shop.order.id)).paymentId).toBe(first.id);
  });

  it('come for a cancelled order: it stays cancelled, and its stock unchanged', async () => {
    const shop = await pending();
    await updateOrder(shop.shop, shop.order.id, { status: 'cancelled' });
    const event = payment(shop.order.id, 2500).intentSucceeded();
    await expectRefused(shop, event, 'order_cancelled', /^order ORD-1001 is cancelled$/);
    expect((await auditOf(shop.shop)).at(-1)).toMatchObject({
      changes: expect.stringContaining('"reason":"cancelledOrder"'),
    });
  });

  it('fail after another payment paid the order: ignored', async () => {
    const { shop, order } = await pending();
    await send(shop, payment(order.id, 2500).intentSucceeded());
    const before = await getOrder(shop, order.id);
    expect(await send(shop, payment(order.id, 2500).intentFailed())).toEqual({ received: true, outcome: 'ignored' });
    expect(await getOrder(shop, order.id)).toEqual(before);
  });

  it("name another store's order: not found there, whatever the amount", async () => {
    const [ours, theirs] = [await pending(), await pending()];
    await expectRefused(ours, payment(theirs.order.id, 2500).intentSucceeded(), 'order_not_found', /^no order /);
    expect(await getOrder(theirs.shop, theirs.order.id)).toEqual(theirs.order);
    expect(await inbox(theirs.shop)).toEqual([]);
  });

  it("name another store's order at the bare address: the secret decides which store is asked", async () => {
    const [ours, theirs] = [await pending(), await pending()];
    await configureStripe(ours.shop, 'whsec_bare_ours');
    await configureStripe(theirs.shop, 'whsec_bare_theirs');
    const event = payment(theirs.order.id, 2500).intentSucceeded();
    expect(await sendBare(commerce(), event, 'whsec_bare_ours')).toMatchObject({ outcome: 'order_not_found' });
    expect(await getOrder(theirs.shop, theirs.order.id)).toEqual(theirs.order);
    expect(await sendBare(commerce(), event, 'whsec_bare_theirs')).toMatchObject({ outcome: 'paid' });
    await expect(sendBare(commerce(), event, 'whsec_bare_nobody')).rejects.toMatchObject({ kind: 'validation' });
  });

  it('come to two stores with one secret: the store with the order gets them', async () => {
    const [one, two, three] = [await pending(), await pending(), await pending()];
    for (const { shop } of [one, two, three]) await configureStripe(shop, 'whsec_shared');
    for (const { shop, order } of [three, one, two]) {
      expect(await sendBare(commerce(), payment(order.id, 2500).intentSucceeded(), 'whsec_shared')).toEqual({
        received: true,
        outcome: 'paid',
      });
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid' });
    }
    const nobody = await sendBare(commerce(), payment(unknown, 2500).intentSucceeded(), 'whsec_shared');
    expect(nobody.outcome).toBe('order_not_found');
  });

  it('find too little stock: the provider must send again, and after restocking the same event pays', async () => {
    const { shop, order, product } = await pending();
    await updateProduct(shop, product.id, { stock: 0 });
    const event = payment(order.id, 2500).chargeSucceeded();
    for (let attempt = 0; attempt < 2; attempt++) {
      const types = await emittedBy(shop, () =>
        expect(send(shop, event)).rejects.toMatchObject({ kind: 'insufficientStock', code: 'INSUFFICIENT_STOCK' }),
      );
      expect(types).toEqual(attempt === 0 ? ['payment.unmatched'] : []);
      expect(await getOrder(shop, order.id)).toEqual(order);
      expect((await getProduct(shop, product.id)).stock).toBe(0);
    }
    expect(await inbox(shop)).toMatchObject([{ outcome: 'insufficient_stock', order_id: order.id }]);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'payment.refused',
      changes: expect.stringContaining('"reason":"insufficientStock"'),
    });

    await updateProduct(shop, product.id, { stock: 1 });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentDetails: { last4: '4242' } });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
    expect(await inbox(shop)).toMatchObject([{ outcome: 'paid', warning: null }]);
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'unchanged' });
  });

  it('find too little of one of two products: neither goes down', async () => {
    const { shop, product } = await pending();
    const scarce = await newProduct(shop, { price: '1', trackStock: true, stock: 1 });
    const items = [
      { productId: product.id, quantity: 1 },
      { productId: scarce.id, quantity: 1 },
    ];
    const order = await createOrder(shop, { items });
    await updateProduct(shop, scarce.id, { stock: 0 });
    const error = await send(shop, payment(order.id, 2600).intentSucceeded()).catch((error: unknown) => error);
    expect(error).toMatchObject({
      kind: 'insufficientStock',
      details: [{ field: 'items', reason: `product ${scarce.id} has 0 in stock, 1 wanted` }],
    });
    expect((await getProduct(shop, product.id)).stock).toBe(10);
  });

  it('arrive before their order, in two events, and pay it as soon as it is created under that id', async () => {
    const { shop, product } = await pending();
    const early = payment(unknown, 2500);
    expect(await send(shop, early.chargeFailed())).toMatchObject({ outcome: 'order_not_found' });
    expect(await send(shop, early.intentSucceeded())).toMatchObject({ outcome: 'order_not_found' });
    expect(await send(shop, early.chargeSucceeded())).toMatchObject({ outcome: 'order_not_found' });
    clock.advance(60_000);
    const types = await emittedBy(shop, async () => {
      const order = await createOrder(shop, { id: unknown, items: [{ productId: product.id, quantity: 1 }] });
      expect(order).toMatchObject({
        id: unknown,
        status: 'paid',
        paymentStatus: 'succeeded',
        paymentId: early.id,
        paymentMethod: 'card',
        paymentDetails: { last4: '4242', brand: 'visa', expMonth: 8, expYear: 2030 },
      });
      expect(await getOrder(shop, unknown)).toEqual(order);
    });
    expect(types.sort()).toEqual(['order.created', 'order.paid', 'order.updated', 'product.updated']);
    expect((await getProduct(shop, product.id)).stock).toBe(9);
    expect((await inbox(shop)).map((row) => row.outcome)).toEqual(['recorded', 'recorded', 'recorded']);
    expect(await listOrders(shop, { status: 'paid' })).toMatchObject({ total: 1 });
  });

  it('arrive before their order with the wrong amount: the order is created and stays pending', async () => {
    const { shop, product } = await pending();
    await send(shop, payment(unknown, 2400).intentSucceeded());
    const order = await createOrder(shop, { id: unknown, items: [{ productId: product.id, quantity: 1 }] });
    expect(order).toMatchObject({ status: 'pending', paymentStatus: 'pending', paymentId: null });
    expect(await inbox(shop)).toMatchObject([{ outcome: 'amount_mismatch' }]);
  });

  it('arrive before their order, which another store creates: nothing is applied there', async () => {
    const [ours, theirs] = [await pending(), await pending()];
    await send(ours.shop, payment(unknown, 2500).intentSucceeded());
    const items = [{ productId: theirs.product.id, quantity: 1 }];
    expect(await createOrder(theirs.shop, { id: unknown, items })).toMatchObject({ status: 'pending' });
  });
});
