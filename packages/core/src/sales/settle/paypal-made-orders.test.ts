import { capture, deliver, paypalOrderOf } from '@commerce/test-support/fixtures/paypal';
import { newOrderId, unmatched, usePayPalShops } from '@commerce/test-support/fixtures/paypal-shop';
import { emittedBy } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { getCustomer, getOrder, getProduct, listOrders } from '../../index.ts';

const item = (sku: string | undefined, quantity: unknown = '1') => ({ name: 'A mug', sku, quantity });
const breakdown = (parts: Record<string, string>) => ({
  amount: {
    currency_code: 'EUR',
    value: '0',
    breakdown: Object.fromEntries(
      Object.entries(parts).map(([name, value]) => [name, { currency_code: 'EUR', value }]),
    ),
  },
});

forEachStorage('payments over PayPal for orders that do not exist', (database) => {
  const { commerce, paypal, openShop } = usePayPalShops(database);

  it('bring along an order that does not exist: items by SKU, shipping, buyer and address', async () => {
    const { shop, product } = await openShop();
    const id = newOrderId();
    const paid = capture(id, '92.08');
    const address = {
      address_line_1: 'Main street 1',
      address_line_2: 'Back house',
      admin_area_2: 'Berlin',
      admin_area_1: 'BE',
      postal_code: '10115',
      country_code: 'DE',
    };
    const unit = {
      ...breakdown({ item_total: '87.18', shipping: '4.90' }),
      items: [item('MUG', '2')],
      shipping: { name: { full_name: 'Sam Q Shopper' }, address },
    };
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, unit));
    const types = await emittedBy(shop, async () => {
      expect(await deliver(shop, paid.completed())).toEqual({ received: true, outcome: 'paid' });
    });
    expect(types.sort()).toEqual(
      ['customer.created', 'order.created', 'order.paid', 'order.updated', 'product.updated'].sort(),
    );
    const order = await getOrder(shop, id);
    expect(order).toMatchObject({
      id,
      status: 'paid',
      subtotal: '87.18',
      shipping: '4.90',
      tax: '0.00',
      discount: '0.00',
      total: '92.08',
      paymentId: paid.id,
      paymentDetails: { payerEmail: 'buyer@example.com', payerStatus: 'VERIFIED' },
      items: [{ productId: product.id, quantity: 2, unitPrice: '43.59' }],
      shippingAddress: {
        firstName: 'Sam Q',
        lastName: 'Shopper',
        address1: 'Main street 1',
        address2: 'Back house',
        city: 'Berlin',
        region: 'BE',
        postalCode: '10115',
        country: 'DE',
      },
    });
    expect(await getCustomer(shop, order.customerId ?? '')).toMatchObject({
      email: 'buyer@example.com',
      name: 'Sam Shopper',
    });
    expect((await getProduct(shop, product.id)).stock).toBe(3);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a discount', { item_total: '43.59', discount: '40.00' }, '3.59'],
    ['a shipping discount', { item_total: '43.59', shipping: '4.90', shipping_discount: '4.90' }, '43.59'],
    ['prices of its own', { item_total: '0.01' }, '0.01'],
    ['a tax', { item_total: '43.59', tax_total: '8.28' }, '51.87'],
  ])('do not take over %s that a browser could have written: the amount is wrong', async (_, parts, value) => {
    const { shop, product } = await openShop();
    const id = newOrderId();
    const paid = capture(id, value);
    const unit = { ...breakdown(parts), items: [{ ...item('MUG'), unit_amount: { value: '0.01' } }] };
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, unit));
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'amount_mismatch' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'pending', discount: '0.00', tax: '0.00' });
    expect((await getProduct(shop, product.id)).stock).toBe(5);
    expect(await unmatched(shop)).toMatchObject([{ outcome: 'amount_mismatch', orderId: id, paymentId: paid.id }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an item without SKU', { items: [item(undefined)] }],
    ['a SKU of nothing', { items: [item('NONE')] }],
    ['no quantity', { items: [item('MUG', undefined)].map(({ sku, name }) => ({ sku, name })) }],
    ['a quantity of nothing', { items: [item('MUG', '0')] }],
    ['half a quantity', { items: [item('MUG', '1.5')] }],
    ['a quantity that is a number', { items: [item('MUG', 1)] }],
    ['shipping that is no amount', { items: [item('MUG')], ...breakdown({ shipping: '4.900' }) }],
    ['shipping below zero', { items: [item('MUG')], ...breakdown({ shipping: '-1.00' }) }],
  ])('make no order of items that cannot be read: %s', async (_, unit) => {
    const { shop } = await openShop();
    const id = newOrderId();
    const paid = capture(id, '43.59');
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, unit));
    const types = await emittedBy(shop, async () => {
      expect(await deliver(shop, paid.completed())).toMatchObject({
        outcome: 'unreadable_items',
        warning: expect.stringMatching(/it could not be created: /),
      });
    });
    expect(types).toEqual(['payment.unmatched']);
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
    expect(await unmatched(shop)).toMatchObject([{ outcome: 'unreadable_items' }]);
  });

  it('make no order where PayPal’s has two purchase units, or no items at all', async () => {
    const { shop } = await openShop();
    const two = capture(newOrderId(), '43.59');
    const unit = { items: [item('MUG')] };
    paypal().orders.set(two.paypalOrder, paypalOrderOf(two.paypalOrder, unit, { purchase_units: [unit, unit] }));
    expect(await deliver(shop, two.completed())).toMatchObject({ outcome: 'unreadable_items' });
    const none = capture(newOrderId(), '43.59');
    paypal().orders.set(none.paypalOrder, paypalOrderOf(none.paypalOrder));
    expect(await deliver(shop, none.completed())).toMatchObject({ outcome: 'order_not_found' });
    expect(await listOrders(shop)).toMatchObject({ total: 0 });
  });

  it('bring an order along without the buyer who cannot be kept as they are written', async () => {
    const { shop } = await openShop();
    const id = newOrderId();
    const paid = capture(id, '43.59');
    const payer = { email_address: 'not an address', name: { given_name: 'x'.repeat(300) } };
    paypal().orders.set(
      paid.paypalOrder,
      paypalOrderOf(paid.paypalOrder, { items: [item('MUG')] }, { payment_source: {}, payer }),
    );
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'paid', customerId: null });
  });

  it('of an order that does not exist are sent again while PayPal cannot be asked what was bought', async () => {
    const { shop } = await openShop();
    const id = newOrderId();
    const paid = capture(id, '43.59');
    const event = paid.completed();
    paypal().orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, { items: [item('MUG')] }));
    await deliver(shop, capture(null, '1.00').denied());
    paypal().plan('order', { status: 500 }, { status: 502 }, { status: 429 });
    await expectDenied(commerce(), () => deliver(shop, event), { kind: 'unavailable' });
    expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'paid' });
  });
});
