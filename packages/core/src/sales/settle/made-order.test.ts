import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { type Context, createOrder, getOrder, getProduct, listOrders, updateProduct } from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';
import { fakeClock } from '../../testing/index.ts';

const ids = uuidV7Source();

forEachStorage('orders created by a payment', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const newId = () => ids.next(clock.now());

  async function openShop() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const mug = await newProduct(shop, { title: 'Mug', price: '12.50', sku: 'MUG', trackStock: true, stock: 10 });
    const tea = await newProduct(shop, { title: 'Tea', price: '4.99', sku: 'TEA' });
    return { shop, mug, tea };
  }

  const metadataOf = (orderId: string, items: unknown, rest: Record<string, string> = {}) => ({
    metadata: { order_id: orderId, order_items: typeof items === 'string' ? items : JSON.stringify(items), ...rest },
  });

  async function customersOf(shop: Context): Promise<unknown[]> {
    const rows = await shop.engine.storage.db
      .selectFrom('customers')
      .select('json')
      .where('store_id', '=', shop.store.id)
      .execute();
    return rows.map((row) => JSON.parse(row.json));
  }

  it('are created under the named id and paid in the same transaction', async () => {
    const { shop, mug, tea } = await openShop();
    const id = newId();
    const charge = payment(id, 3489).chargeSucceeded({
      ...metadataOf(id, [
        { sku: 'MUG', quantity: 2 },
        { productId: tea.id, quantity: 2 },
      ]),
      billing_details: {
        email: ' Ada@Example.org ',
        name: 'Ada King Lovelace',
        phone: '+44 1',
        address: {
          line1: '12 St James Square',
          line2: null,
          city: 'London',
          state: null,
          postal_code: 'SW1Y',
          country: 'GB',
        },
      },
      shipping: { name: 'Byron', address: { line1: 'Newstead', city: 'Nottingham', country: 'GB' } },
      amount_captured: 3498,
    });
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, charge)).toEqual({ received: true, outcome: 'paid' });
    });
    expect(types.sort()).toEqual('customer.created order.created order.paid order.updated product.updated'.split(' '));
    const [customer] = (await customersOf(shop)) as { id: string }[];
    expect(customer).toMatchObject({ email: 'Ada@Example.org', name: 'Ada King Lovelace', phone: '+44 1' });
    expect(await getOrder(shop, id)).toMatchObject({
      id,
      orderNumber: 'ORD-1001',
      customerId: customer?.id,
      subtotal: '34.98',
      tax: '0.00',
      shipping: '0.00',
      total: '34.98',
      status: 'paid',
      paymentDetails: { last4: '4242' },
      billingAddress: {
        firstName: 'Ada King',
        lastName: 'Lovelace',
        address1: '12 St James Square',
        address2: null,
        city: 'London',
        postalCode: 'SW1Y',
        country: 'GB',
      },
      shippingAddress: { firstName: null, lastName: 'Byron', address1: 'Newstead', region: null },
      items: [
        { productId: mug.id, titleSnapshot: 'Mug', skuSnapshot: 'MUG', quantity: 2, unitPrice: '12.50' },
        { productId: tea.id, titleSnapshot: 'Tea', quantity: 2, unitPrice: '4.99' },
      ],
    });
    expect((await getProduct(shop, mug.id)).stock).toBe(8);
    expect((await auditOf(shop)).map((row) => `${row.actor_type} ${row.action}`).slice(-3)).toEqual([
      'provider customer.created',
      'provider order.created',
      'provider order.paid',
    ]);
  });

  it('are created once when other events of the payment bring the items too', async () => {
    const { shop, mug } = await openShop();
    const id = newId();
    const paid = payment(id, 1250);
    const fields = metadataOf(id, [{ sku: 'MUG', quantity: 1 }]);
    expect(await send(shop, paid.intentSucceeded(fields))).toEqual({ received: true, outcome: 'paid' });
    expect(await send(shop, paid.chargeSucceeded(fields))).toEqual({ received: true, outcome: 'recorded' });
    expect(await send(shop, paid.sessionCompleted(fields))).toEqual({ received: true, outcome: 'recorded' });
    expect(await send(shop, paid.sessionCompleted(fields))).toEqual({ received: true, outcome: 'unchanged' });
    expect(await listOrders(shop)).toMatchObject({ total: 1, items: [{ id, paymentDetails: { last4: '4242' } }] });
    expect((await eventsOf(shop)).filter((event) => event.type === 'order.paid')).toHaveLength(1);
    expect((await getProduct(shop, mug.id)).stock).toBe(9);
  });

  it('read their items from order_items_2 and order_items_3 too, because a value holds 500 characters', async () => {
    const { shop } = await openShop();
    const id = newId();
    const text = JSON.stringify([
      { sku: 'MUG', quantity: 1 },
      { sku: 'TEA', quantity: 3 },
    ]);
    const [first, second, third] = [text.slice(0, 11), text.slice(11, 30), text.slice(30)];
    const fields = metadataOf(id, first, { order_items_2: second, order_items_3: third });
    expect(await send(shop, payment(id, 2747).intentSucceeded(fields))).toMatchObject({ outcome: 'paid' });
    expect((await getOrder(shop, id)).items.map((item) => item.quantity)).toEqual([1, 3]);
  });

  it('take charges, note and code from the metadata, and never a price', async () => {
    const { shop } = await openShop();
    const id = newId();
    const fields = metadataOf(id, [{ sku: 'MUG', quantity: 2, unitPrice: '0.01', price: '0.01' }], {
      order_shipping: '4.90',
      order_tax_rate: '0.19',
      order_discount: '5',
      order_discount_code: 'MAY',
      order_note: 'ring twice',
    });
    // 25.00 − 5.00 = 20.00; 19 % of it is 3.80; 4.90 for shipping.
    expect(await send(shop, payment(id, 2870).intentSucceeded(fields))).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({
      subtotal: '25.00',
      discount: '5.00',
      discountCode: 'MAY',
      taxRate: '0.19',
      tax: '3.80',
      shipping: '4.90',
      total: '28.70',
      customerNote: 'ring twice',
      customerId: null,
    });
  });

  it('take person and addresses from a checkout session', async () => {
    const { shop } = await openShop();
    const id = newId();
    const event = payment(id, 1250).sessionCompleted({
      ...metadataOf(id, [{ sku: 'MUG', quantity: 1 }]),
      customer_details: { email: 'kay@example.org', name: 'Kay', phone: null, address: { line1: 'A', country: 'DE' } },
      collected_information: { shipping_details: { name: 'Kay Two', address: { line1: 'B', country: 'AT' } } },
    });
    await send(shop, event);
    expect(await getOrder(shop, id)).toMatchObject({
      billingAddress: { lastName: 'Kay', address1: 'A', country: 'DE' },
      shippingAddress: { firstName: 'Kay', lastName: 'Two', address1: 'B', country: 'AT' },
    });
    expect(await customersOf(shop)).toMatchObject([{ email: 'kay@example.org' }]);
  });

  it('find the existing customer with that e-mail, in any case', async () => {
    const { shop } = await openShop();
    for (const email of ['kim@example.org', 'KIM@example.org']) {
      const id = newId();
      const fields = { ...metadataOf(id, [{ sku: 'TEA', quantity: 1 }]), receipt_email: email };
      await send(shop, payment(id, 499).intentSucceeded(fields));
    }
    expect(await customersOf(shop)).toMatchObject([{ email: 'kim@example.org' }]);
    const orders = await listOrders(shop);
    expect(new Set(orders.items.map((order) => order.customerId)).size).toBe(1);
  });

  it('are created without an invalid e-mail or address: the sale matters more', async () => {
    const { shop } = await openShop();
    const id = newId();
    const event = payment(id, 499).chargeSucceeded({
      ...metadataOf(id, [{ sku: 'TEA', quantity: 1 }]),
      billing_details: { email: 'not an e-mail', name: 'X', address: { line1: 'y'.repeat(300) } },
    });
    expect(await send(shop, event)).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ customerId: null, billingAddress: null, status: 'paid' });
  });

  it('stay pending when the amount differs from theirs', async () => {
    const { shop, mug } = await openShop();
    const id = newId();
    const answer = await send(shop, payment(id, 1).intentSucceeded(metadataOf(id, [{ sku: 'MUG', quantity: 1 }])));
    expect(answer).toEqual({
      received: true,
      outcome: 'amount_mismatch',
      warning: '0.01 EUR was paid, the total of order ORD-1001 is 12.50 EUR',
    });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'pending', paymentId: null });
    expect((await getProduct(shop, mug.id)).stock).toBe(10);
    expect((await eventsOf(shop)).map((event) => event.type)).toEqual([
      'product.created',
      'product.created',
      'payment.unmatched',
    ]);
  });

  it('stay pending when stock is short, and are paid by the same event after restocking', async () => {
    const { shop, mug } = await openShop();
    const id = newId();
    const event = payment(id, 13_750).intentSucceeded(metadataOf(id, [{ sku: 'MUG', quantity: 11 }]));
    await expect(send(shop, event)).rejects.toMatchObject({ kind: 'insufficientStock' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'pending', total: '137.50' });
    await expect(send(shop, event)).rejects.toMatchObject({ kind: 'insufficientStock' });
    await updateProduct(shop, mug.id, { stock: 11 });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect((await getProduct(shop, mug.id)).stock).toBe(0);
    expect(await listOrders(shop)).toMatchObject({ total: 1 });
  });

  it.each<[string, unknown, Record<string, string>?]>([
    ['not JSON', '[{"sku":'],
    ['cut off, because order_items_2 is missing', '[{"sku":"MUG","quantity":1},', { order_items_3: ']' }],
    ['not a list', { sku: 'MUG', quantity: 1 }],
    ['an empty list', []],
    ['null', 'null'],
    ['a product that does not exist', [{ sku: 'NONE', quantity: 1 }]],
    ['a line without a product', [{ quantity: 1 }]],
    ['a line with both ids', [{ sku: 'MUG', productId: 'x', quantity: 1 }]],
    ['no quantity', [{ sku: 'MUG' }]],
    ['a quantity of nought', [{ sku: 'MUG', quantity: 0 }]],
    ['a negative quantity', [{ sku: 'MUG', quantity: -1 }]],
    ['a broken quantity', [{ sku: 'MUG', quantity: 1.5 }]],
    ['a quantity that is a text', [{ sku: 'MUG', quantity: '1' }]],
    ['shipping that is not an amount', [{ sku: 'MUG', quantity: 1 }], { order_shipping: '4,90' }],
    ['a tax rate in percent', [{ sku: 'MUG', quantity: 1 }], { order_tax_rate: '19' }],
    ['a discount beyond the price', [{ sku: 'MUG', quantity: 1 }], { order_discount: '12.51' }],
  ])('are not made when the items cannot be read: %s', async (_, items, rest) => {
    const { shop } = await openShop();
    const id = newId();
    const event = payment(id, 1250).chargeSucceeded({
      ...metadataOf(id, items, rest),
      billing_details: { email: 'nobody@example.org' },
    });
    const types = await emittedBy(shop, async () => {
      const answer = await send(shop, event);
      expect(answer).toMatchObject({ received: true, outcome: 'unreadable_items' });
      expect(answer.warning).toMatch(new RegExp(`^no order ${id} in this store, and it could not be created: `));
    });
    expect(types).toEqual(['payment.unmatched']);
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
    expect(await customersOf(shop)).toEqual([]);
  });

  it('have the replacement character for a NUL of the provider, which PostgreSQL cannot store', async () => {
    const { shop } = await openShop();
    const id = newId();
    const fields = metadataOf(id, [{ sku: 'MUG', quantity: 1 }], { order_note: 'a\0b' });
    expect(await send(shop, payment(id, 1250).chargeSucceeded(fields))).toEqual({ received: true, outcome: 'paid' });
    expect((await getOrder(shop, id)).customerNote).toBe('a\ufffdb');
  });

  it('are not created by a payment that has not succeeded', async () => {
    const { shop } = await openShop();
    const id = newId();
    const fields = metadataOf(id, [{ sku: 'MUG', quantity: 1 }]);
    const pendingSession = payment(id, 1250).sessionCompleted({ ...fields, payment_status: 'unpaid' });
    expect(await send(shop, pendingSession)).toMatchObject({ outcome: 'order_not_found' });
    const uncaptured = payment(id, 1250).chargeSucceeded({ ...fields, captured: false });
    expect(await send(shop, uncaptured)).toMatchObject({ outcome: 'order_not_found' });
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
  });

  it('are not created again by a payment for an existing order of the shop', async () => {
    const { shop, mug } = await openShop();
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    const fields = metadataOf(order.id, [{ sku: 'TEA', quantity: 50 }]);
    expect(await send(shop, payment(order.id, 1250).intentSucceeded(fields))).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ total: '12.50', items: [{ productId: mug.id }] });
  });

  it('can be created by hand when their items could not be read', async () => {
    const { shop, mug } = await openShop();
    const id = newId();
    await send(shop, payment(id, 1250).intentSucceeded(metadataOf(id, [{ sku: 'NONE', quantity: 1 }])));
    const order = await createOrder(shop, { id, items: [{ productId: mug.id, quantity: 1 }] });
    expect(order).toMatchObject({ id, status: 'paid', total: '12.50' });
  });
});
