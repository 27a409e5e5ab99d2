import { capture, deliver, paypalEvent, paypalOrderOf } from '@commerce/test-support/fixtures/paypal';
import { newOrderId, unmatched, usePayPalShops } from '@commerce/test-support/fixtures/paypal-shop';
import { auditOf, emittedBy, eventTypesOf } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { getOrder, getProduct, listOrders, updateOrder } from '../../index.ts';

forEachStorage('payments over PayPal', (database) => {
  const { clock, paypal, openShop, pending } = usePayPalShops(database);

  it('pay an order by their capture, with the payer’s e-mail and status from PayPal’s own order', async () => {
    const { shop, product, order, paid } = await pending();
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
    const types = await emittedBy(shop, async () => {
      expect(await deliver(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    });
    expect(types.sort()).toEqual(['order.created', 'order.paid', 'order.updated', 'product.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'paypal',
      paymentId: paid.id,
      paymentMethod: 'paypal',
      paymentDetails: { payerEmail: 'buyer@example.com', payerStatus: 'VERIFIED' },
    });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'order.paid',
      actor_type: 'provider',
      actor_id: 'paypal',
    });
  });

  it.each<[string, Record<string, unknown>, object | null]>([
    [
      'the e-mail of the payer alone',
      { payment_source: {}, payer: { email_address: 'p@example.com' } },
      { payerEmail: 'p@example.com' },
    ],
    [
      'a status alone',
      { payment_source: { paypal: { account_status: 'UNVERIFIED' } }, payer: null },
      { payerStatus: 'UNVERIFIED' },
    ],
    ['nothing of the payer', { payment_source: { card: {} }, payer: undefined }, null],
  ])('are paid whatever PayPal’s order says of the payer: %s', async (_, more, details) => {
    const { shop, order, paid } = await pending();
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, {}, more));
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect((await getOrder(shop, order.id)).paymentDetails).toEqual(details);
  });

  it('find PayPal’s order by the link when the related ids are missing', async () => {
    const { shop, order, paid } = await pending();
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
    await deliver(shop, paid.completed({ supplementary_data: undefined }));
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentDetails: { payerStatus: 'VERIFIED' } });
  });

  it.each<[string, number]>([
    ['is down', 500],
    ['does not show it', 404],
    ['does not let us see it', 403],
  ])('of an order that exists do not wait for PayPal’s own order when PayPal %s', async (_, status) => {
    const { shop, order, paid } = await pending();
    paypal().plan('order', { status }, { status }, { status });
    expect(await deliver(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentDetails: null });
  });

  it.each<[string, (paid: ReturnType<typeof capture>) => object, string, string]>([
    ['it is pending', (p) => p.pending(), 'recorded', 'processing'],
    ['it is denied', (p) => p.denied(), 'recorded', 'failed'],
    ['it is declined', (p) => p.declined(), 'recorded', 'failed'],
    ['it completed only in name', (p) => p.completed({ status: 'PENDING' }), 'recorded', 'processing'],
  ])('leave the order pending while of the capture is said that %s', async (_, event, outcome, paymentStatus) => {
    const { shop, order, product, paid } = await pending();
    const types = await emittedBy(shop, async () => {
      expect(await deliver(shop, event(paid))).toEqual({ received: true, outcome });
    });
    expect(types).toEqual(['order.updated']);
    expect(await getOrder(shop, order.id)).toEqual({
      ...order,
      paymentStatus,
      updatedAt: new Date(clock.now()).toISOString(),
    });
    expect((await getProduct(shop, product.id)).stock).toBe(5);
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it('do not become pending again after a denial, in any order of arrival', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.denied());
    expect(await deliver(shop, paid.pending())).toEqual({ received: true, outcome: 'unchanged' });
    expect((await getOrder(shop, order.id)).paymentStatus).toBe('failed');
    // A second attempt is a separate capture.
    await deliver(shop, capture(order.id, '43.59').pending());
    expect((await getOrder(shop, order.id)).paymentStatus).toBe('processing');
  });

  it('are not failed by a late notification', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    const before = await getOrder(shop, order.id);
    for (const late of [paid.pending(), paid.denied(), paid.declined(), capture(order.id, '43.59').denied()]) {
      expect(await emittedBy(shop, () => deliver(shop, late))).toEqual([]);
    }
    expect(await getOrder(shop, order.id)).toEqual(before);
  });

  it('do not exist when the buyer only approved', async () => {
    const { shop, order } = await pending();
    const approved = paypalEvent('CHECKOUT.ORDER.APPROVED', {
      id: 'PPO',
      status: 'APPROVED',
      purchase_units: [{ custom_id: order.id, amount: { value: '43.59', currency_code: 'EUR' } }],
    });
    expect(await deliver(shop, approved)).toEqual({ received: true, outcome: 'ignored' });
    expect(await getOrder(shop, order.id)).toEqual(order);
  });

  it.each<[string, string, string, string]>([
    ['too little', '43.58', 'EUR', '43.58 EUR was paid'],
    ['too much', '43.60', 'EUR', '43.60 EUR was paid'],
    ['another currency', '43.59', 'USD', '43.59 USD was paid'],
    ['more decimals than there are', '43.591', 'EUR', 'an unknown amount was paid'],
    ['a negative amount', '-43.59', 'EUR', 'an unknown amount was paid'],
    ['an amount with a comma', '43,59', 'EUR', 'an unknown amount was paid'],
    ['an amount as powers of ten', '4359e-2', 'EUR', 'an unknown amount was paid'],
  ])('do not pay an order with %s', async (_, value, currency, warning) => {
    const { shop, order } = await pending();
    const types = await emittedBy(shop, async () => {
      expect(await deliver(shop, capture(order.id, value, currency).completed())).toEqual({
        received: true,
        outcome: 'amount_mismatch',
        warning: `${warning}, the total of order ${order.orderNumber} is 43.59 EUR`,
      });
    });
    expect(types).toEqual(['payment.unmatched']);
    expect(await getOrder(shop, order.id)).toEqual(order);
    expect(await unmatched(shop)).toMatchObject([{ outcome: 'amount_mismatch', orderId: order.id }]);
  });

  it.each([
    ['43.59', 'EUR', '43.59'],
    ['43.590', 'EUR', '43.59'],
    ['1', 'EUR', '1.00'],
    ['1.0', 'EUR', '1'],
    ['.5', 'EUR', '0.50'],
    ['1000', 'JPY', '1000'],
    ['1000.00', 'JPY', '1000'],
    // Without decimals at PayPal, with two here.
    ['1000', 'HUF', '1000.00'],
    ['100', 'TWD', '100.00'],
    ['1.500', 'KWD', '1.5'],
  ])('read the amount %s %s as %s', async (value, currency, price) => {
    const { shop, order } = await pending(currency, price);
    expect(await deliver(shop, capture(order.id, value, currency).completed())).toMatchObject({ outcome: 'paid' });
  });

  it('know the order by the capture when a later event does not name it', async () => {
    const { shop, order, paid } = await pending();
    paypal().plan('order', { status: 404 });
    await deliver(shop, paid.completed());
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
    const again = paid.completed({ custom_id: undefined });
    expect(await deliver(shop, again)).toEqual({ received: true, outcome: 'recorded' });
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentDetails: { payerEmail: 'buyer@example.com' } });
  });

  it('name no order, or one of another system: kept, with a warning', async () => {
    const { shop } = await openShop();
    for (const orderId of [null, 'Order PAYPALV2-JWJGC', 'ORD-1001', newOrderId()]) {
      expect(await deliver(shop, capture(orderId, '43.59').completed())).toMatchObject({
        received: true,
        warning: expect.stringMatching(/no order/),
      });
    }
    expect(await unmatched(shop)).toHaveLength(4);
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
  });
  it('of an order that was cancelled stay in the inbox, and so does a second payment', async () => {
    const { shop, order, paid } = await pending();
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'order_cancelled' });
    const other = await pending();
    await deliver(other.shop, other.paid.completed());
    expect(await deliver(other.shop, capture(other.order.id, '43.59').completed())).toMatchObject({
      outcome: 'second_payment',
    });
    expect((await eventTypesOf(other.shop)).filter((type) => type === 'order.paid')).toHaveLength(1);
    expect((await eventTypesOf(shop)).filter((type) => type === 'order.paid')).toEqual([]);
  });
});
