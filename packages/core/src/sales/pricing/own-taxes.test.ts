import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCheckout,
  createDiscount,
  createOrder,
  getOrder,
  type OrderInput,
  quoteCheckout,
  recordPayment,
  refundOrder,
  type TaxAnswer,
  type TaxRequest,
  updateProduct,
  updateSettings,
} from '../../index.ts';
import { minorOf } from '../../kernel/money.ts';

/** What was asked for, and the answer to it. */
let asked: TaxRequest[] = [];
let answer: (request: TaxRequest) => TaxAnswer | Promise<TaxAnswer>;

/** 7.25 % of California and 2 % of a city, rounded per line, on goods alone. */
const californian = ({ lines }: TaxRequest): TaxAnswer => ({
  lines: lines.map(({ amount }) => {
    const tax = (minorOf(amount) * 925n + 5000n) / 10_000n;
    return { rate: '0.0925', tax: `${tax / 100n}.${String(tax % 100n).padStart(2, '0')}`, country: 'US', region: 'CA' };
  }),
  shipping: null,
});

forEachStorage('taxes of the application', (database) => {
  const { openShop, commerce } = useSelling(database, {
    taxes: async (request) => {
      asked.push(request);
      return answer(request);
    },
  });
  const address = { country: 'US', region: 'CA', postalCode: '90210', city: 'Beverly Hills' };

  async function open() {
    asked = [];
    answer = californian;
    const { shop, input } = await openShop(['stripe'], { currency: 'USD', more: { sku: 'TEA', price: '3.33' } });
    await newProduct(shop, { sku: 'MUG', price: '9.99', trackStock: true, stock: 5 });
    return { shop, input };
  }
  const items = [
    { sku: 'TEA', quantity: 1 },
    { sku: 'MUG', quantity: 2 },
  ];
  const order = (shop: Context, more: Partial<OrderInput> = {}) =>
    createOrder(shop, { items, shippingAddress: address, shipping: '5', ...more });

  it('are asked for with what the lines cost, and stand in the order', async () => {
    const { shop } = await open();
    const made = await order(shop, { discount: '1' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toEqual({
      ...{
        storeId: shop.store.id,
        currency: 'USD',
        decimals: 2,
        taxIncluded: false,
        isPickup: false,
        shipping: '5.00',
      },
      shippingAddress: { ...address, address1: null, address2: null },
      billingAddress: null,
      lines: [
        expect.objectContaining({ sku: 'TEA', taxClass: 'standard', quantity: 1, amount: '3.19' }),
        expect.objectContaining({ sku: 'MUG', taxClass: 'standard', quantity: 2, amount: '19.12' }),
      ],
    });
    expect(made).toMatchObject({
      // 9.25 % of 3.19 and of 19.12, each rounded.
      taxes: [{ country: 'US', region: 'CA', rate: '0.0925', name: null, base: '22.31', amount: '2.07' }],
      ...{ tax: '2.07', taxRate: '0.0925', total: '29.38' },
      items: [{ taxRate: '0.0925' }, { taxRate: '0.0925' }],
    });
  });

  it('are the same in a quote and the checkout', async () => {
    const { shop, input } = await open();
    await createDiscount(shop, { code: 'TEN', type: 'percent', value: '10' });
    const body = { items, shippingAddress: address, discountCode: 'TEN', provider: 'stripe' as const };
    const quote = await quoteCheckout(shop, body);
    const { orderId, total } = await createCheckout(shop, { ...input(), ...body });
    expect(quote).toMatchObject({ total, problems: [], lines: [{ taxRate: '0.0925' }, { taxRate: '0.0925' }] });
    expect((await getOrder(shop, orderId)).taxes).toEqual(quote.taxes);
    await quoteCheckout(shop, { items, country: 'US', region: 'CA', postalCode: '90210' });
    expect(asked.at(-1)?.shippingAddress).toMatchObject({
      country: 'US',
      region: 'CA',
      postalCode: '90210',
      city: null,
    });
  });

  it('are not asked for where the order says its rate, is exempt, or has no goods that can be bought', async () => {
    const { shop } = await open();
    expect(await order(shop, { taxRate: '0.1' })).toMatchObject({ tax: '2.33' });
    expect(await order(shop, { taxExempt: { reason: 'export' } })).toMatchObject({ tax: '0.00' });
    expect((await quoteCheckout(shop, { items: [{ sku: 'NONE', quantity: 1 }] })).problems[0]?.code).toBe(
      'PRODUCT_NOT_FOUND',
    );
    expect(asked).toEqual([]);
  });

  it('leave the price of an exempt order to the settings, which the function is not asked for', async () => {
    const { shop } = await open();
    const rates = [{ country: 'DE', rate: '0.19' }];
    await updateSettings(shop, { country: 'DE', taxIncluded: true, taxes: { scope: 'destination', rates } });
    const made = await order(shop, { shippingAddress: { country: 'DE' }, taxExempt: { reason: 'reverseCharge' } });
    // 3.33, 9.99 and 5.00 without 19 %.
    expect(made).toMatchObject({ items: [{ unitPrice: '2.80' }, { unitPrice: '8.39' }], shipping: '4.20' });
    expect(asked).toEqual([]);
  });

  it('are asked for again if a price changes meanwhile, and what was reserved is given back', async () => {
    const { shop, input } = await open();
    const mug = (await quoteCheckout(shop, { items })).lines[1]?.productId ?? '';
    let price = 10;
    answer = async (request) => {
      if (price < 12) await updateProduct(shop, mug, { price: String(price++) });
      return californian(request);
    };
    asked = [];
    const { orderId } = await createCheckout(shop, { ...input(), items, shippingAddress: address, provider: 'stripe' });
    expect(asked.map(({ lines }) => lines[1]?.amount)).toEqual(['19.98', '20.00', '22.00']);
    const made = await getOrder(shop, orderId);
    expect(made.items[1]).toMatchObject({ unitPrice: '11.00' });
    answer = async (request) => {
      await updateProduct(shop, mug, { price: String(price++) });
      return californian(request);
    };
    const endless = order(shop);
    await expect(endless).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('changed') });
    // Two pieces of five are held by the checkout.
    expect(
      (await quoteCheckout(shop, { items: [{ sku: 'MUG', quantity: 1 }], taxExempt: { reason: 'export' } })).lines,
    ).toMatchObject([{ available: 3 }]);
  });

  it.each<[string, (request: TaxRequest) => unknown]>([
    ['a line too few', (request) => ({ ...californian(request), lines: [] })],
    [
      'cents in place of dollars',
      ({ lines }) => ({ lines: lines.map(() => ({ rate: '0.0925', tax: '31' })), shipping: null }),
    ],
    [
      'a rate in per cent',
      ({ lines }) => ({ lines: lines.map(() => ({ rate: '9.25', tax: '0.31' })), shipping: null }),
    ],
    [
      'a tax of three decimals',
      ({ lines }) => ({ lines: lines.map(() => ({ rate: '0', tax: '0.001' })), shipping: null }),
    ],
    ['a tax below nothing', ({ lines }) => ({ lines: lines.map(() => ({ rate: '0', tax: '-1' })), shipping: null })],
    ['nothing', () => undefined],
    [
      'an error',
      () => {
        throw new Error('the service is down');
      },
    ],
  ])('refuse the sale for an answer with %s', async (_, wrong) => {
    const { shop } = await open();
    answer = wrong as typeof answer;
    const call = order(shop);
    await expect(call).rejects.toMatchObject({ kind: 'unavailable', cause: expect.any(Error) });
    await expect(quoteCheckout(shop, { items })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('are given back with refunds, to the cent', async () => {
    const { shop } = await open();
    answer = (request) => ({
      ...californian(request),
      shipping: { rate: '0.05', tax: '0.25', country: 'US', region: 'CA', name: 'Shipping tax' },
    });
    await updateSettings(shop, { manualPayments: true });
    const made = await order(shop, { discount: '0.07' });
    expect(made.taxes).toHaveLength(2);
    await recordPayment(shop, made.id, { method: 'cash', amount: made.total });
    for (const { id, quantity } of made.items) {
      for (let i = 0; i < quantity; i++) await refundOrder(shop, made.id, { lines: [{ itemId: id, quantity: 1 }] });
    }
    await refundOrder(shop, made.id, { shipping: true });
    expect(await getOrder(shop, made.id)).toMatchObject({ refundedAmount: made.total, status: 'refunded' });
  });

  it('cannot be waited for in a transaction of the application', async () => {
    const { shop } = await open();
    await expect(commerce().transaction(shop, (unit) => order(unit))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('taxRate'),
    });
  });
});
