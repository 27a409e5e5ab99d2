import { capture, configurePayPal, deliver, paypalEvent, paypalOrderOf } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import {
  auditOf,
  emittedBy,
  eventTypesOf,
  newProduct,
  newShop,
  useCommerce,
} from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { uuidV7Source } from '../ids.ts';
import {
  createOrder,
  getCustomer,
  getOrder,
  getProduct,
  listNotifications,
  listOrders,
  listRefunds,
  updateOrder,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());

forEachStorage('payments through PayPal', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  beforeEach(() => paypal.reset());
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => paypal.close());

  async function openShop(currency = 'EUR', price = '43.59') {
    const shop = await newShop(commerce(), currency);
    await configurePayPal(shop, paypal.url);
    const product = await newProduct(shop, { price, sku: 'MUG', trackStock: true, stock: 5 });
    return { shop, product };
  }

  async function pending(currency?: string, price = '43.59') {
    const { shop, product } = await openShop(currency, price);
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order, paid: capture(order.id, price, currency) };
  }

  const unmatched = async (shop: Parameters<typeof listNotifications>[0]) =>
    (await listNotifications(shop, { unmatched: true })).items;

  it('pay an order by their capture, with the payer’s e-mail and status from PayPal’s own order', async () => {
    const { shop, product, order, paid } = await pending();
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
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
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, {}, more));
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect((await getOrder(shop, order.id)).paymentDetails).toEqual(details);
  });

  it('find PayPal’s order by the link when the related ids are missing', async () => {
    const { shop, order, paid } = await pending();
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
    await deliver(shop, paid.completed({ supplementary_data: undefined }));
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentDetails: { payerStatus: 'VERIFIED' } });
  });

  it.each<[string, number]>([
    ['is down', 500],
    ['does not show it', 404],
    ['does not let us see it', 403],
  ])('of an order that exists do not wait for PayPal’s own order when PayPal %s', async (_, status) => {
    const { shop, order, paid } = await pending();
    paypal.plan('order', { status }, { status }, { status });
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
    // A second attempt is a capture of its own.
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
    paypal.plan('order', { status: 404 });
    await deliver(shop, paid.completed());
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder));
    const again = paid.completed({ custom_id: undefined });
    expect(await deliver(shop, again)).toEqual({ received: true, outcome: 'recorded' });
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentDetails: { payerEmail: 'buyer@example.com' } });
  });

  it('name no order, or one of another system: kept, with a warning', async () => {
    const { shop } = await openShop();
    for (const orderId of [null, 'Order PAYPALV2-JWJGC', 'ORD-1001', newId()]) {
      expect(await deliver(shop, capture(orderId, '43.59').completed())).toMatchObject({
        received: true,
        warning: expect.stringMatching(/no order/),
      });
    }
    expect(await unmatched(shop)).toHaveLength(4);
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
  });

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

  it('create an order that does not exist: items by SKU, shipping, buyer and address', async () => {
    const { shop, product } = await openShop();
    const id = newId();
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
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, unit));
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
    const id = newId();
    const paid = capture(id, value);
    const unit = { ...breakdown(parts), items: [{ ...item('MUG'), unit_amount: { value: '0.01' } }] };
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, unit));
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
    ['shipping that is not an amount', { items: [item('MUG')], ...breakdown({ shipping: '4.900' }) }],
    ['shipping below zero', { items: [item('MUG')], ...breakdown({ shipping: '-1.00' }) }],
  ])('create no order from unreadable items: %s', async (_, unit) => {
    const { shop } = await openShop();
    const id = newId();
    const paid = capture(id, '43.59');
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, unit));
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

  it('create no order when PayPal’s has two purchase units or no items', async () => {
    const { shop } = await openShop();
    const two = capture(newId(), '43.59');
    const unit = { items: [item('MUG')] };
    paypal.orders.set(two.paypalOrder, paypalOrderOf(two.paypalOrder, unit, { purchase_units: [unit, unit] }));
    expect(await deliver(shop, two.completed())).toMatchObject({ outcome: 'unreadable_items' });
    const none = capture(newId(), '43.59');
    paypal.orders.set(none.paypalOrder, paypalOrderOf(none.paypalOrder));
    expect(await deliver(shop, none.completed())).toMatchObject({ outcome: 'order_not_found' });
    expect(await listOrders(shop)).toMatchObject({ total: 0 });
  });

  it('create an order without an invalid buyer', async () => {
    const { shop } = await openShop();
    const id = newId();
    const paid = capture(id, '43.59');
    const payer = { email_address: 'not an address', name: { given_name: 'x'.repeat(300) } };
    paypal.orders.set(
      paid.paypalOrder,
      paypalOrderOf(paid.paypalOrder, { items: [item('MUG')] }, { payment_source: {}, payer }),
    );
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'paid', customerId: null });
  });

  it('of an order that does not exist are sent again while PayPal cannot be asked for its items', async () => {
    const { shop } = await openShop();
    const id = newId();
    const paid = capture(id, '43.59');
    const event = paid.completed();
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, { items: [item('MUG')] }));
    await deliver(shop, capture(null, '1.00').denied());
    paypal.plan('order', { status: 500 }, { status: 502 }, { status: 429 });
    await expectDenied(commerce(), () => deliver(shop, event), { kind: 'unavailable' });
    expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'paid' });
  });

  it('are refunded in part, then wholly', async () => {
    const { shop, order, product, paid } = await pending();
    await deliver(shop, paid.completed());
    const part = await emittedBy(shop, () => deliver(shop, paid.refunded('10.00', {}, 'REF1')));
    expect(part).toEqual(['order.refunded', 'order.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'partially_refunded',
      refundedAmount: '10.00',
    });
    await deliver(shop, paid.refunded('33.59', {}, 'REF2'));
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'refunded',
      paymentStatus: 'refunded',
      refundedAmount: '43.59',
    });
    expect(await listRefunds(shop, order.id)).toMatchObject({
      items: [
        { refundId: 'REF1', amount: '10.00' },
        { refundId: 'REF2', amount: '33.59' },
      ],
      total: 2,
    });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it.each<[string, string[], string, string]>([
    ['PENDING alone', ['PENDING'], '0.00', 'succeeded'],
    ['PENDING, then COMPLETED', ['PENDING', 'COMPLETED'], '10.00', 'partially_refunded'],
    ['COMPLETED, then PENDING', ['COMPLETED', 'PENDING'], '10.00', 'partially_refunded'],
    ['COMPLETED twice', ['COMPLETED', 'COMPLETED'], '10.00', 'partially_refunded'],
    ['PENDING, then FAILED', ['PENDING', 'FAILED'], '0.00', 'succeeded'],
    ['PENDING, then CANCELLED', ['PENDING', 'CANCELLED'], '0.00', 'succeeded'],
    ['COMPLETED, then FAILED', ['COMPLETED', 'FAILED'], '0.00', 'succeeded'],
    ['COMPLETED, then CANCELLED', ['COMPLETED', 'CANCELLED'], '0.00', 'succeeded'],
    ['FAILED, then COMPLETED', ['FAILED', 'COMPLETED'], '0.00', 'succeeded'],
    ['a status of the future', ['WAITING'], '0.00', 'succeeded'],
  ])('count one refund by its status: %s', async (_, statuses, refundedAmount, paymentStatus) => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    for (const status of statuses) {
      expect(await deliver(shop, paid.refunded('10.00', { status }, 'REF'))).not.toHaveProperty('warning');
    }
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount, paymentStatus });
  });

  it.each<[string, Record<string, unknown>]>([
    ['with the order’s id of the capture', { custom_id: 'same' }],
    ['with an id of its own', { custom_id: 'REFUND-17' }],
    ['without any', {}],
  ])('find their order by the capture that a refund leads to: %s', async (_, fields) => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    const custom = fields.custom_id === 'same' ? { custom_id: order.id } : fields;
    for (const host of ['api.paypal.com', 'api-m.paypal.com', 'api-m.sandbox.paypal.com']) {
      const links = [
        { rel: 'self', href: `https://${host}/v2/payments/refunds/R-${host}` },
        { rel: 'up', href: `https://${host}/v2/payments/captures/${paid.id}` },
      ];
      const event = paid.refunded('5.00', { ...custom, links }, `R-${host}`);
      expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'recorded' });
    }
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('15.00');
  });

  it('are found for a refund by the capture, not by a named order that another payment paid', async () => {
    const { shop, order, paid, product } = await pending();
    const other = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    await deliver(shop, paid.completed());
    await deliver(shop, capture(other.id, '43.59').completed());
    await deliver(shop, paid.refunded('5.00', { custom_id: other.id }));
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('5.00');
    expect((await getOrder(shop, other.id)).refundedAmount).toBe('0.00');
  });

  it('refunded before they are known: the refund waits for the payment', async () => {
    const { shop, order, paid } = await pending();
    expect(await deliver(shop, paid.refunded('10.00'))).toMatchObject({ outcome: 'order_not_found' });
    expect(await unmatched(shop)).toHaveLength(1);
    const types = await emittedBy(shop, () => deliver(shop, paid.completed()));
    expect(types).toContain('order.paid');
    expect(types).toContain('order.refunded');
    expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '10.00', status: 'paid' });
    expect(await unmatched(shop)).toEqual([]);
  });

  it('reversed by PayPal count as refunded, reported by the capture', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    await deliver(shop, paid.reversed());
    await deliver(shop, paid.reversed());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: '43.59' });
  });

  it('reversed by PayPal count as refunded, reported by the refund that PayPal made for that', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    expect(await deliver(shop, paid.reversedAsRefund('REV1', '40.00'))).toEqual({
      received: true,
      outcome: 'recorded',
    });
    await deliver(shop, paid.reversedAsRefund('REV1', '40.00'));
    await deliver(shop, paid.refunded('40.00', {}, 'REV1'));
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount: '40.00' });
    await deliver(shop, paid.reversedAsRefund('REV2', '3.59'));
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: '43.59' });
  });

  it('refunded in another currency change only the inbox', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    const before = await getOrder(shop, order.id);
    const types = await emittedBy(shop, async () => {
      expect(
        await deliver(shop, paid.refunded('5.00', { amount: { value: '5.00', currency_code: 'USD' } })),
      ).toMatchObject({ outcome: 'amount_mismatch', warning: expect.stringContaining('5.00 USD was refunded') });
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(before);
    expect(await unmatched(shop)).toMatchObject([{ outcome: 'amount_mismatch' }]);
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
