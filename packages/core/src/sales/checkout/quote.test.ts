import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, eventsOf, newProduct } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type CheckoutInput,
  type CommerceError,
  type Context,
  cancelCheckout,
  createCheckout,
  createDiscount,
  createOrder,
  getDiscount,
  getOrder,
  type ProblemCode,
  type QuoteInput,
  quoteCheckout,
  type SettingsChanges,
  updateProduct,
  updateSettings,
} from '../../index.ts';

/** The same shop with a storefront key, which anyone has. */
const seenBy = (shop: Context, address?: string): Context => ({
  ...shop,
  actor: { type: 'apiKey', id: 'storefront', isPublic: true },
  ...(address !== undefined && { address }),
});

const methods = [
  { id: 'standard', name: 'Standard', price: '4.90', freeFrom: '50.00', countries: ['DE', 'AT'] },
  { id: 'world', name: 'Worldwide', price: '14.90' },
];

const invalid = (field: string) => ({ kind: 'validation', details: [{ field }] });

const refusalOf = (call: Promise<unknown>): Promise<CommerceError> =>
  call.then(
    () => expect.fail('nothing was refused'),
    (error) => error,
  );

forEachStorage('quotes', (database) => {
  const { clock, openShop, held } = useSelling(database);

  it('say what a cart costs, line by line, and change nothing', async () => {
    const { shop, product } = await openShop(['stripe'], {
      settings: { taxRate: '0.19', taxIncluded: true, shippingMethods: methods },
      more: {
        title: 'Blue mug',
        sku: 'MUG',
        compareAtPrice: '15',
        variantGroupId: 'mugs',
        attributes: { color: 'blue' },
      },
    });
    await createDiscount(shop, { code: 'Ten', type: 'percent', value: '10' });
    const body: QuoteInput = {
      items: [{ sku: 'MUG', quantity: 2 }],
      country: 'de',
      shippingMethodId: 'standard',
      discountCode: 'TEN',
    };
    const audited = (await auditOf(shop)).length;
    const emitted = (await eventsOf(shop)).length;
    const quote = await quoteCheckout(shop, body);
    expect(await eventsOf(shop)).toHaveLength(emitted);
    expect(await auditOf(shop)).toHaveLength(audited);
    expect(await held(shop)).toBe(0);
    expect(quote).toEqual({
      currency: 'EUR',
      taxIncluded: true,
      lines: [
        {
          productId: product.id,
          sku: 'MUG',
          title: 'Blue mug',
          slug: product.slug,
          variantGroupId: 'mugs',
          attributes: { color: 'blue' },
          mediaId: null,
          quantity: 2,
          available: 10,
          unitPrice: '12.50',
          compareAtPrice: '15.00',
          priorPrice: null,
          total: '25.00',
          taxRate: '0.19',
          problem: null,
        },
      ],
      subtotal: '25.00',
      discountCode: 'Ten',
      discount: '2.50',
      shippingMethods: [
        { id: 'standard', name: 'Standard', kind: 'ship', price: '4.90', deliveryDays: null },
        { id: 'world', name: 'Worldwide', kind: 'ship', price: '14.90', deliveryDays: null },
      ],
      shippingMethodId: 'standard',
      shipping: '4.90',
      paymentMethods: [{ id: 'stripe', name: 'Stripe', kind: 'provider' }],
      paymentMethodId: 'stripe',
      // 27.40 × 0.19 ÷ 1.19 = 4.3748
      taxes: [{ country: null, region: null, rate: '0.19', name: null, base: '23.03', amount: '4.37' }],
      tax: '4.37',
      total: '27.40',
      problems: [],
    });
  });

  it('put tax on top of what is left after the discount, and have no entry at a rate of 0', async () => {
    const { shop, input } = await openShop(['stripe'], { settings: { taxRate: '0.19' } });
    await createDiscount(shop, { code: 'FIVE', type: 'amount', value: '5' });
    expect(await quoteCheckout(shop, input({ discountCode: 'five' }))).toMatchObject({
      taxes: [{ rate: '0.19', base: '20.00', amount: '3.80' }],
      tax: '3.80',
      total: '23.80',
    });
    await updateSettings(shop, { taxRate: '0' });
    expect(await quoteCheckout(shop, input())).toMatchObject({ taxes: [], tax: '0.00', total: '25.00' });
  });

  it('show each method at its price for the cart, and without a country those that serve everywhere', async () => {
    const { shop, product } = await openShop(['stripe'], { settings: { shippingMethods: methods } });
    const items = [{ productId: product.id, quantity: 4 }];
    expect(await quoteCheckout(shop, { items, country: 'AT' })).toMatchObject({
      shippingMethods: [
        { id: 'standard', price: '0.00' },
        { id: 'world', price: '14.90' },
      ],
      shipping: '0.00',
      shippingMethodId: null,
      problems: [{ code: 'SHIPPING_METHOD_REQUIRED', field: 'shippingMethodId' }],
    });
    const { shippingMethods } = await quoteCheckout(shop, { items });
    expect(shippingMethods).toMatchObject([{ id: 'world' }]);
  });

  it('count what is short in full, and what does not exist for nothing', async () => {
    const { shop, product } = await openShop(['stripe'], { stock: 3 });
    const draft = await newProduct(shop, { status: 'draft', sku: 'DRAFT' });
    const quote = await quoteCheckout(shop, {
      items: [
        { productId: product.id, quantity: 2 },
        { sku: 'DRAFT', quantity: 7 },
        { productId: product.id, quantity: 2 },
      ],
    });
    expect(draft.status).toBe('draft');
    expect(quote).toMatchObject({ subtotal: '50.00', total: '50.00' });
    expect(quote.lines.map(({ problem }) => problem)).toEqual([
      'INSUFFICIENT_STOCK',
      'PRODUCT_NOT_FOUND',
      'INSUFFICIENT_STOCK',
    ]);
    expect(quote.problems.map(({ code, field }) => [code, field])).toEqual([
      ['PRODUCT_NOT_FOUND', 'items.1.sku'],
      ['INSUFFICIENT_STOCK', 'items.0.quantity'],
      ['INSUFFICIENT_STOCK', 'items.2.quantity'],
    ]);
    const { quantity, problem, ...others } = quote.lines[1] ?? {};
    expect([quantity, problem]).toEqual([7, 'PRODUCT_NOT_FOUND']);
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  it('tell a storefront no more of the stock than its lists do', async () => {
    const { shop, product } = await openShop(['stripe'], { stock: 25 });
    const items = [{ productId: product.id, quantity: 30 }];
    const quote = await quoteCheckout(seenBy(shop), { items });
    expect(quote).toMatchObject({ lines: [{ available: 10, problem: 'INSUFFICIENT_STOCK' }] });
    expect(JSON.stringify(quote)).not.toContain('25 in stock');
    expect(await quoteCheckout(shop, { items })).toMatchObject({ lines: [{ available: 25 }] });
    await updateProduct(shop, product.id, { allowBackorder: true });
    expect(await quoteCheckout(seenBy(shop), { items })).toMatchObject({ lines: [{ available: null }], problems: [] });
  });

  it('count what the replaced checkout holds as available, with its secret', async () => {
    const { shop, product, input } = await openShop(['stripe'], { stock: 2 });
    const discount = await createDiscount(shop, { code: 'ONCE', type: 'amount', value: '5', usageLimit: 1 });
    const { id, secret } = await createCheckout(shop, input({ discountCode: 'ONCE' }));
    const page = seenBy(shop);
    const again = { items: [{ productId: product.id, quantity: 2 }], discountCode: 'ONCE' };
    const { problems } = await quoteCheckout(page, again);
    expect(problems.map(({ code }) => code)).toEqual(['DISCOUNT_USED_UP', 'INSUFFICIENT_STOCK']);
    expect(await quoteCheckout(page, { ...again, replaces: { id, secret: secret ?? '' } })).toMatchObject({
      total: '20.00',
      problems: [],
    });
    await expect(quoteCheckout(page, { ...again, replaces: { id, secret: 'wrong' } })).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await cancelCheckout(shop, id);
    expect((await getDiscount(shop, discount.id)).used).toBe(0);
    const ended = { ...again, replaces: { id, secret: secret ?? '' } };
    expect(await quoteCheckout(page, ended)).toMatchObject({ problems: [] });
  });

  const soon = new Date(clock.now() + 60 * minute).toISOString();

  it.each<[ProblemCode, Partial<CheckoutInput>, kind?: string]>([
    ['PRODUCT_NOT_FOUND', { items: [{ sku: 'NONE', quantity: 1 }] }],
    ['COUNTRY_NOT_SERVED', { shippingAddress: { country: 'US' } }],
    ['COUNTRY_REQUIRED', { shippingMethodId: 'standard' }],
    ['SHIPPING_METHOD_REQUIRED', { shippingAddress: { country: 'DE' } }],
    ['SHIPPING_METHOD_NOT_OFFERED', { shippingAddress: { country: 'DE' }, shippingMethodId: 'none' }],
    ['BELOW_MINIMUM', { items: [{ sku: 'MUG', quantity: 1 }] }],
    ['DISCOUNT_UNKNOWN', { discountCode: 'NONE' }],
    ['DISCOUNT_NOT_VALID_NOW', { discountCode: 'SOON' }],
    ['DISCOUNT_MINIMUM', { discountCode: 'LARGE' }],
    ['DISCOUNT_USED_UP', { discountCode: 'GONE' }, 'discountUsedUp'],
    ['PAYMENT_METHOD_REQUIRED', {}],
    ['PAYMENT_METHOD_NOT_OFFERED', { paymentMethodId: 'paypal' }],
    ['INSUFFICIENT_STOCK', { items: [{ sku: 'MUG', quantity: 11 }] }, 'insufficientStock'],
  ])('have the problem %s, with which a checkout is refused', async (code, changes, kind = 'validation') => {
    const providers = code === 'PAYMENT_METHOD_REQUIRED' ? (['stripe', 'square'] as const) : (['stripe'] as const);
    const { shop, input } = await openShop(providers, { more: { sku: 'MUG' } });
    const hasMethods = code.startsWith('COUNTRY') || code.startsWith('SHIPPING');
    if (hasMethods) await updateSettings(shop, { shippingMethods: methods.slice(0, 1) });
    if (code === 'BELOW_MINIMUM') await updateSettings(shop, { minSubtotal: '12.51' });
    await createDiscount(shop, { code: 'SOON', type: 'percent', value: '10', startsAt: soon });
    await createDiscount(shop, { code: 'LARGE', type: 'percent', value: '10', minSubtotal: '25.01' });
    await createDiscount(shop, { code: 'GONE', type: 'percent', value: '10', usageLimit: 1 });
    await createCheckout(shop, input({ ...changes, ...buyable(code), discountCode: 'GONE' }));
    const { problems } = await quoteCheckout(shop, input(changes));
    expect(problems).toHaveLength(1);
    expect(problems).toMatchObject([{ code }]);
    const refused = await refusalOf(createCheckout(shop, input(changes)));
    expect(refused).toMatchObject({ kind, details: [{ code }] });
  });

  /** What lets a checkout of a row be made, to use a discount up. */
  function buyable(code: ProblemCode): Partial<CheckoutInput> {
    return {
      items: [{ sku: 'MUG', quantity: code === 'BELOW_MINIMUM' ? 2 : 1 }],
      shippingAddress: { country: 'DE' },
      ...(code.startsWith('COUNTRY') || code.startsWith('SHIPPING') ? { shippingMethodId: 'standard' } : {}),
      paymentMethodId: 'stripe',
    };
  }

  it('have the problem BELOW_MINIMUM until the subtotal before discounts reaches the minimum of the store', async () => {
    const { shop, input } = await openShop(['stripe'], { settings: { minSubtotal: '25.01' } });
    await createDiscount(shop, { code: 'HALF', type: 'percent', value: '50' });
    const limits = { min: '25.01' };
    for (const by of [shop, seenBy(shop)]) {
      const { problems } = await quoteCheckout(by, input());
      expect(problems).toMatchObject([{ code: 'BELOW_MINIMUM', field: 'items' }]);
      expect(await refusalOf(createCheckout(by, input()))).toMatchObject({
        kind: 'validation',
        details: [{ code: 'BELOW_MINIMUM', field: 'items', limits }],
      });
    }
    await updateSettings(shop, { minSubtotal: '25' });
    const half = input({ discountCode: 'HALF' });
    expect(await quoteCheckout(shop, half)).toMatchObject({ subtotal: '25.00', discount: '12.50', problems: [] });
    expect(await createCheckout(shop, half)).toMatchObject({ total: '12.50' });
  });

  const deliveryDays = { min: 2, max: 4 };
  const rates = [
    { upToWeight: 2000, price: '4.90' },
    { upToWeight: 10_000, price: '8.90' },
  ];
  const postalPrefixes = { include: ['iv', 'KW 1'] };
  const settings: SettingsChanges = {
    shippingMethods: [
      { id: 'post', name: 'Post', rates, deliveryDays },
      { id: 'north', name: 'North', price: '20', postalPrefixes, countries: ['GB'], deliveryDays },
      { id: 'shop', name: 'At the shop', kind: 'pickup', price: '0', deliveryDays },
      { id: 'old', name: 'Old', price: '1', active: false, deliveryDays },
    ],
  };

  it('price shipping by weight and postal code, and their checkout keeps the method', async () => {
    const { shop, product, input } = await openShop(['stripe'], { settings, more: { weight: 1001 } });
    const items = [{ productId: product.id, quantity: 2 }];
    const pickup = { id: 'shop', name: 'At the shop', kind: 'pickup', price: '0.00', deliveryDays };
    const post = { id: 'post', name: 'Post', kind: 'ship', price: '8.90', deliveryDays };
    const north = { id: 'north', name: 'North', kind: 'ship', price: '20.00', deliveryDays };
    const quoted = (more: Partial<QuoteInput>) => quoteCheckout(shop, { items, ...more });
    expect((await quoted({})).shippingMethods).toEqual([post, pickup]);
    expect((await quoted({ country: 'GB' })).shippingMethods).toEqual([post, pickup]);
    expect((await quoted({ country: 'GB', postalCode: 'iv1 1aa' })).shippingMethods).toEqual([post, north, pickup]);
    const address = { country: 'GB', postalCode: 'K W11 2AB' };
    expect((await quoted({ shippingAddress: address })).shippingMethods).toEqual([post, north, pickup]);
    expect((await quoted({ items: [{ productId: product.id, quantity: 10 }] })).shippingMethods).toEqual([pickup]);
    for (const [wish, shipping] of [
      [{ shippingMethodId: 'north', shippingAddress: address }, '20.00'],
      [{ shippingMethodId: 'shop' }, '0.00'],
    ] as const) {
      const { orderId } = await createCheckout(shop, input({ items, ...wish }));
      const { id, name, kind } = wish.shippingMethodId === 'shop' ? pickup : north;
      expect(await getOrder(shop, orderId)).toMatchObject({ shipping, shippingMethod: { id, name, kind } });
    }
    for (const shippingMethodId of ['north', 'old']) {
      const code = 'SHIPPING_METHOD_NOT_OFFERED';
      const wish = { shippingMethodId, shippingAddress: { country: 'GB', postalCode: 'SW1' } };
      expect(await refusalOf(createCheckout(shop, input({ items, ...wish })))).toMatchObject({ details: [{ code }] });
      expect(await refusalOf(createOrder(shop, { items, ...wish }))).toMatchObject({ details: [{ code }] });
    }
  });

  it('of goods that need no shipping have no methods, and ask for none', async () => {
    const { shop, product, input } = await openShop(['stripe'], { settings, more: { requiresShipping: false } });
    for (const wish of [{}, { shippingMethodId: 'post' }]) {
      expect(await quoteCheckout(shop, input(wish))).toMatchObject({
        shippingMethods: [],
        shippingMethodId: null,
        shipping: '0.00',
        problems: [],
      });
      const { orderId } = await createCheckout(shop, input(wish));
      expect(await getOrder(shop, orderId)).toMatchObject({
        shipping: '0.00',
        shippingMethod: null,
        shippingAddress: null,
        items: [{ requiresShipping: false }],
      });
    }
    const mixed = [product.id, (await newProduct(shop)).id].map((productId) => ({ productId, quantity: 1 }));
    const { problems } = await quoteCheckout(shop, input({ items: mixed }));
    expect(problems).toMatchObject([{ code: 'SHIPPING_METHOD_REQUIRED', field: 'shippingMethodId' }]);
  });

  it('say that a provider cannot charge a total of three decimals', async () => {
    const { shop, product, input } = await openShop(['stripe'], { currency: 'KWD', more: { price: '1.234' } });
    const body = input({ items: [{ productId: product.id, quantity: 1 }] });
    const problem = { code: 'AMOUNT_NOT_CHARGEABLE', field: 'items' };
    expect((await quoteCheckout(shop, body)).problems).toMatchObject([problem]);
    expect(await refusalOf(createCheckout(shop, body))).toMatchObject({ kind: 'validation', details: [problem] });
    const five = { ...body, items: [{ productId: product.id, quantity: 5 }] };
    expect(await quoteCheckout(shop, five)).toMatchObject({ total: '6.170', problems: [] });
  });

  it('of a shop that cannot be paid say so', async () => {
    const { shop, input } = await openShop([]);
    expect(await quoteCheckout(shop, input())).toMatchObject({
      paymentMethods: [],
      paymentMethodId: null,
      problems: [{ code: 'PAYMENT_METHOD_NOT_OFFERED' }],
    });
    expect(await refusalOf(createCheckout(shop, input()))).toMatchObject({
      kind: 'conflict',
      reason: 'noPaymentPages',
      details: [{ code: 'PAYMENT_METHOD_NOT_OFFERED' }],
    });
    const free = await newProduct(shop, { price: '0' });
    const items = [{ productId: free.id, quantity: 1 }];
    expect(await quoteCheckout(shop, { items })).toMatchObject({ total: '0.00', problems: [] });
  });

  it.each<[string, object, string]>([
    ['no items', {}, 'items'],
    ['a field that is not one of theirs', { discount: 'TEN', coupon: 'TEN' }, 'coupon'],
    ['a field of an item that is not one', { items: [{ sku: 'A', quantity: 1, price: '1' }] }, 'items.0.price'],
    ['a country that is none', { country: 'Germany' }, 'country'],
    ['two countries', { country: 'DE', shippingAddress: { country: 'AT' } }, 'country'],
    ['two ways to pay', { provider: 'stripe', paymentMethodId: 'paypal' }, 'paymentMethodId'],
    ['a page of another shop', { successUrl: 'https://other.example/' }, 'successUrl'],
  ])('refuse %s', async (name, changes, field) => {
    const { shop, product } = await openShop();
    const items = name === 'no items' ? {} : { items: [{ productId: product.id, quantity: 1 }] };
    await expect(quoteCheckout(shop, { ...items, ...changes } as QuoteInput)).rejects.toMatchObject(invalid(field));
  });

  it('refuse more pieces than a storefront sells, as the checkout does', async () => {
    const { shop, product, input } = await openShop(['stripe'], { settings: { maxQuantity: 3 }, stock: 100 });
    const items = [1, 2, 1].map((quantity) => ({ productId: product.id, quantity }));
    const page = seenBy(shop);
    await expect(quoteCheckout(page, { items })).rejects.toMatchObject(invalid('items.2.quantity'));
    await expect(createCheckout(page, input({ items }))).rejects.toMatchObject(invalid('items.2.quantity'));
    expect((await quoteCheckout(shop, { items })).problems).toEqual([]);
  });

  it('stop answering codes to an address that has guessed ten in a minute, good ones too', async () => {
    const { shop, product, input } = await openShop();
    await createDiscount(shop, { code: 'GOOD', type: 'amount', value: '1' });
    const items = [{ productId: product.id, quantity: 1 }];
    const page = seenBy(shop, '203.0.113.7');
    const ask = (ctx: Context, discountCode: string) => quoteCheckout(ctx, { items, discountCode });
    const answers = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => ask(page, `GUESS${i}`)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const limited = { kind: 'rateLimited', retryAfter: 60 };
    await expect(ask(page, 'GOOD')).rejects.toMatchObject(limited);
    await expect(createCheckout(page, input({ discountCode: 'GOOD' }))).rejects.toMatchObject(limited);
    expect(await quoteCheckout(page, { items })).toMatchObject({ problems: [] });
    for (const other of [seenBy(shop, '203.0.113.8'), seenBy(shop), shop]) {
      expect(await ask(other, 'GOOD')).toMatchObject({ discount: '1.00' });
    }
    clock.advance(minute);
    expect(await ask(page, 'GOOD')).toMatchObject({ discount: '1.00' });
  });

  // Last, because it moves the time on.
  it('name the lowest price before a reduction', async () => {
    const { shop, product, input } = await openShop();
    clock.advance(40 * 86_400_000);
    await updateProduct(shop, product.id, { price: '10', compareAtPrice: '20' });
    const { lines } = await quoteCheckout(shop, { items: input().items });
    expect(lines).toMatchObject([{ unitPrice: '10.00', compareAtPrice: '20.00', priorPrice: '12.50' }]);
  });
});
