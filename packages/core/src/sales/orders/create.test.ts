import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, deleteProduct, getOrder, getProduct, type OrderInput, updateProduct } from '../../index.ts';
import { isId, uuidV7Source } from '../../kernel/ids.ts';
import { fakeClock } from '../../testing/index.ts';

const ids = uuidV7Source();

forEachStorage('createOrder', (database) => {
  const clock = fakeClock('2026-03-04T05:06:07.089Z');
  const commerce = useCommerce(database, { clock });

  async function openShop() {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop, {
      title: 'Mug',
      price: '12.50',
      sku: 'MUG',
      attributes: { color: 'blue' },
      trackStock: true,
      stock: 10,
    });
    const tea = await newProduct(shop, { title: 'Tea', price: '4.99', sku: 'TEA' });
    return { shop, mug, tea };
  }

  it('creates a pending order from the catalogue, and emits nothing', async () => {
    const { shop, mug, tea } = await openShop();
    const input: OrderInput = {
      items: [
        { productId: mug.id, quantity: 2, lineDiscount: '1', variantTitle: 'large' },
        { sku: 'TEA', quantity: 3 },
      ],
      taxRate: '0.19',
      shipping: '4.9',
      discount: '0.97',
      discountCode: 'SPRING',
      shippingAddress: { firstName: 'Ada', lastName: 'Lovelace', address1: '12 Square', city: 'London', country: 'GB' },
      customerNote: 'ring twice',
    };
    let made: unknown;
    const types = await emittedBy(shop, async () => {
      const order = await createOrder(shop, input);
      made = order;
      const [first, second] = order.items;
      expect(isId(order.id) && isId(first?.id ?? '') && isId(second?.id ?? '')).toBe(true);
      const at = '2026-03-04T05:06:07.089Z';
      // 2 × 12.50 − 1.00 + 3 × 4.99 = 38.97; − 0.97 = 38.00; 19 % is 7.22; + 4.90 = 50.12.
      expect(order).toEqual({
        id: order.id,
        orderNumber: 'ORD-1001',
        storeId: shop.store.id,
        customerId: null,
        subtotal: '38.97',
        tax: '7.22',
        taxRate: '0.19',
        shipping: '4.90',
        discount: '0.97',
        discountCode: 'SPRING',
        total: '50.12',
        refundedAmount: '0.00',
        currency: 'EUR',
        status: 'pending',
        paymentStatus: 'pending',
        paymentProvider: null,
        paymentId: null,
        paymentMethod: null,
        paymentDetails: null,
        shippingAddress: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          address1: '12 Square',
          address2: null,
          city: 'London',
          region: null,
          postalCode: null,
          country: 'GB',
          company: null,
          phone: null,
        },
        billingAddress: null,
        placedAt: null,
        paidAt: null,
        fulfilledAt: null,
        cancelledAt: null,
        createdAt: at,
        updatedAt: at,
        customerNote: 'ring twice',
        giftNote: null,
        metadata: {},
        tags: [],
        merchantNote: null,
        items: [
          {
            id: first?.id,
            orderId: order.id,
            productId: mug.id,
            titleSnapshot: 'Mug',
            skuSnapshot: 'MUG',
            quantity: 2,
            unitPrice: '12.50',
            variantTitle: 'large',
            attributesSnapshot: { color: 'blue' },
            lineDiscount: '1.00',
            primaryImageId: null,
            withdrawalExempt: null,
            taxRate: '0.19',
            taxClass: 'standard',
            requiresShipping: true,
            options: {},
          },
          {
            id: second?.id,
            orderId: order.id,
            productId: tea.id,
            titleSnapshot: 'Tea',
            skuSnapshot: 'TEA',
            quantity: 3,
            unitPrice: '4.99',
            variantTitle: null,
            attributesSnapshot: {},
            lineDiscount: '0.00',
            primaryImageId: null,
            withdrawalExempt: null,
            taxRate: '0.19',
            taxClass: 'standard',
            requiresShipping: true,
            options: {},
          },
        ],
        cancelReason: null,
        taxIncluded: false,
        shippingMethod: null,
        reservedUntil: null,
        tracking: null,
        paymentOption: null,
        fulfilments: [],
        fulfilmentStatus: 'unfulfilled',
        deliveredAt: null,
        locale: null,
        taxes: [{ country: null, region: null, rate: '0.19', name: null, base: '38.00', amount: '7.22' }],
        taxExempt: null,
        vatId: null,
      });
      expect(Object.keys(order).at(-1)).toBe('giftNote');
      expect(await getOrder(shop, order.id)).toEqual(order);
    });
    expect(types).toEqual([]);
    expect(await getProduct(shop, mug.id)).toEqual(mug);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'order.created',
      actor_type: 'embedder',
      resource_type: 'order',
      resource_id: (made as { id: string }).id,
      changes: '{"orderNumber":"ORD-1001","total":"50.12","currency":"EUR"}',
    });
  });

  it.each([
    ['JPY', '500', '0.1', '2000', '200', '2200'],
    ['KWD', '1.234', '0.05', '4.936', '0.247', '5.183'],
    ['EUR', '0.05', '0.1', '0.20', '0.02', '0.22'],
    ['EUR', '0.25', '0.005', '1.00', '0.01', '1.01'],
  ])('rounds the tax to the decimals of %s', async (currency, price, taxRate, subtotal, tax, total) => {
    const shop = await newShop(commerce(), currency);
    const product = await newProduct(shop, { price });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 4 }], taxRate });
    expect(order).toMatchObject({ subtotal, tax, total, currency });
  });

  it('keeps its snapshot when the product changes or is deleted', async () => {
    const { shop, mug } = await openShop();
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    await updateProduct(shop, mug.id, { title: 'Cup', price: '99', sku: 'CUP', attributes: {} });
    await deleteProduct(shop, mug.id);
    expect(await getOrder(shop, order.id)).toEqual(order);
  });

  it('numbers the orders of each store from 1001', async () => {
    const [one, two] = [await openShop(), await openShop()];
    const numbers = [];
    for (const { shop, mug } of [one, two, one, one, two]) {
      numbers.push((await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] })).orderNumber);
    }
    expect(numbers).toEqual(['ORD-1001', 'ORD-1001', 'ORD-1002', 'ORD-1003', 'ORD-1002']);
  });

  it('finds the customer by e-mail in any case, or creates one, which emits customer.created', async () => {
    const { shop, tea } = await openShop();
    const items = [{ productId: tea.id, quantity: 1 }];
    const types = await emittedBy(shop, async () => {
      const first = await createOrder(shop, {
        items,
        customer: { email: ' Ada@Example.org ', name: 'Ada', phone: '1' },
      });
      const again = await createOrder(shop, { items, customer: { email: 'ada@example.ORG', name: 'Eve' } });
      const known = await createOrder(shop, { items, customerId: first.customerId });
      expect(first.customerId).not.toBeNull();
      expect([again.customerId, known.customerId]).toEqual([first.customerId, first.customerId]);
    });
    expect(types).toEqual(['customer.created']);
    expect((await eventsOf(shop)).at(-1)?.data).toMatchObject({
      email: 'Ada@Example.org',
      name: 'Ada',
      phone: '1',
      marketingOptIn: false,
      addresses: [],
      defaultAddressId: null,
    });
  });

  it('does not find the customer of another store', async () => {
    const [one, two] = [await openShop(), await openShop()];
    const customer = { email: 'ada@example.org' };
    const first = await createOrder(one.shop, { items: [{ sku: 'TEA', quantity: 1 }], customer });
    const second = await createOrder(two.shop, { items: [{ sku: 'TEA', quantity: 1 }], customer });
    expect(second.customerId).not.toBe(first.customerId);
    await expectDenied(
      commerce(),
      () => createOrder(two.shop, { items: [{ sku: 'TEA', quantity: 1 }], customerId: first.customerId }),
      invalid('customerId'),
    );
  });

  it('takes the id that is given, in lower case', async () => {
    const { shop, tea } = await openShop();
    const id = ids.next(clock.now());
    const order = await createOrder(shop, { id: id.toUpperCase(), items: [{ productId: tea.id, quantity: 1 }] });
    expect(order.id).toBe(id);
    expect(order.items[0]?.orderId).toBe(id);
  });

  it('refuses an id that is in use, and then creates no customer', async () => {
    const { shop, tea } = await openShop();
    const { id } = await createOrder(shop, { items: [{ productId: tea.id, quantity: 1 }] });
    const again = () =>
      createOrder(shop, { id, items: [{ productId: tea.id, quantity: 2 }], customer: { email: 'new@example.org' } });
    await expectDenied(commerce(), again, { kind: 'conflict', fields: ['id'], message: /already the id of an order/ });
  });

  it('looks at stock but reserves none', async () => {
    const { shop, mug } = await openShop();
    const items = [{ productId: mug.id, quantity: 10 }];
    await createOrder(shop, { items });
    await createOrder(shop, { items });
    expect((await getProduct(shop, mug.id)).stock).toBe(10);
  });

  it('refuses more than is in stock, naming each product, and writes nothing', async () => {
    const { shop, mug, tea } = await openShop();
    const lamp = await newProduct(shop, { trackStock: true, stock: 0 });
    const line = (productId: string, quantity: number) => ({ productId, quantity });
    const input: OrderInput = {
      items: [line(mug.id, 6), line(lamp.id, 1), line(tea.id, 1000), line(mug.id, 5)],
      customer: { email: 'new@example.org' },
    };
    await expectDenied(commerce(), () => createOrder(shop, input), {
      kind: 'insufficientStock',
      fields: ['items', 'items'],
      message: new RegExp(`product ${mug.id} has 10 in stock, 11 wanted; product ${lamp.id} has 0 in stock, 1 wanted$`),
    });
  });

  it('accepts a product that allows back-orders', async () => {
    const { shop } = await openShop();
    const product = await newProduct(shop, { trackStock: true, stock: 0, allowBackorder: true });
    expect(await createOrder(shop, { items: [{ productId: product.id, quantity: 5 }] })).toMatchObject({
      status: 'pending',
    });
  });

  const tea = (fields: object = {}) => ({ items: [{ sku: 'TEA', quantity: 1, ...fields }] });
  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['items']],
    ['no object', 'order', ['body']],
    ['null', null, ['body']],
    ['no items', { items: [] }, ['items']],
    ['items that are not a list', { items: { sku: 'TEA', quantity: 1 } }, ['items']],
    ['a line without a product', { items: [{ quantity: 1 }] }, ['items.0']],
    ['a line with two names for it', tea({ productId: 'x' }), ['items.0']],
    ['an unknown SKU', { items: [{ sku: 'tea', quantity: 1 }] }, ['items.0.sku']],
    ['an unknown product', { items: [{ productId: ids.next(0), quantity: 1 }] }, ['items.0.productId']],
    ['a malformed product id', { items: [{ productId: 'x', quantity: 1 }] }, ['items.0.productId']],
    ['a quantity of nought', tea({ quantity: 0 }), ['items.0.quantity']],
    ['a negative quantity', tea({ quantity: -1 }), ['items.0.quantity']],
    ['a broken quantity', tea({ quantity: 1.5 }), ['items.0.quantity']],
    ['a quantity that is a text', tea({ quantity: '1' }), ['items.0.quantity']],
    ['a quantity above a million', tea({ quantity: 1_000_001 }), ['items.0.quantity']],
    ['a line discount above the line', tea({ lineDiscount: '5' }), ['items.0.lineDiscount']],
    ['a negative line discount', tea({ lineDiscount: '-1' }), ['items.0.lineDiscount']],
    ['a discount above the subtotal', { ...tea(), discount: '5' }, ['discount']],
    ['a discount that is a number', { ...tea(), discount: 1 }, ['discount']],
    ['shipping with a comma', { ...tea(), shipping: '4,90' }, ['shipping']],
    ['shipping in parts of a cent', { ...tea(), shipping: '4.999' }, ['shipping']],
    ['a tax rate in percent', { ...tea(), taxRate: '19' }, ['taxRate']],
    ['a tax rate that is a number', { ...tea(), taxRate: 0.19 }, ['taxRate']],
    ['an id that is not a UUID', { ...tea(), id: 'ORD-1' }, ['id']],
    ['an unknown customer', { ...tea(), customerId: ids.next(0) }, ['customerId']],
    ['a customer twice', { ...tea(), customerId: ids.next(0), customer: { email: 'a@b.example' } }, ['customer']],
    ['a customer without e-mail', { ...tea(), customer: { name: 'Ada' } }, ['customer.email']],
    ['a malformed e-mail', { ...tea(), customer: { email: 'ada' } }, ['customer.email']],
    [
      'an address with a number in it',
      { ...tea(), billingAddress: { postalCode: 12345 } },
      ['billingAddress.postalCode'],
    ],
    ['a note with NUL in it', { ...tea(), customerNote: 'a\0b' }, ['customerNote']],
    [
      'three mistakes',
      { items: [{ sku: 'TEA', quantity: 0 }], taxRate: 1, shipping: '' },
      ['items.0.quantity', 'taxRate', 'shipping'],
    ],
    ['501 lines', { items: Array.from({ length: 501 }, () => ({ sku: 'TEA', quantity: 1 })) }, ['items']],
  ])('refuses %s', async (_, input, fields) => {
    const { shop } = await openShop();
    await expectDenied(commerce(), () => createOrder(shop, input as OrderInput), invalid(...fields));
  });

  it("refuses another store's product and a deleted one", async () => {
    const [one, two] = [await openShop(), await openShop()];
    const order = (productId: string) => () => createOrder(one.shop, { items: [{ productId, quantity: 1 }] });
    await expectDenied(commerce(), order(two.mug.id), invalid('items.0.productId'));
    await deleteProduct(one.shop, one.mug.id);
    await expectDenied(commerce(), order(one.mug.id), invalid('items.0.productId'));
    await expectDenied(
      commerce(),
      () => createOrder(one.shop, { items: [{ sku: 'MUG', quantity: 1 }] }),
      invalid('items.0.sku'),
    );
  });

  it.each([
    ['JPY', '999999999999', '999999999999'],
    ['EUR', '999999999999.99', '99999999999999'],
    ['KWD', '999999999999.999', '999999999999999'],
    ['CLF', '900719925474.0991', '9007199254740991'],
  ])('refuses a total in %s above %s, which no payment could say', async (currency, price, max) => {
    const shop = await newShop(commerce(), currency);
    const dear = await newProduct(shop, { price });
    const one = await createOrder(shop, { items: [{ productId: dear.id, quantity: 1 }] });
    expect(one.total).toBe(price);
    for (const more of [{ shipping: '1' }, { taxRate: '0.1' }]) {
      const input = { items: [{ productId: dear.id, quantity: 1 }], ...more };
      const denied = { kind: 'validation', fields: ['items'], message: new RegExp(`maximum of ${max}$`) } as const;
      await expectDenied(commerce(), () => createOrder(shop, input), denied);
    }
    // A discount reduces the total, but the subtotal stays too large.
    const reduced = { items: [{ productId: dear.id, quantity: 2 }], discount: price };
    await expectDenied(commerce(), () => createOrder(shop, reduced), invalid('items'));
  });
});
