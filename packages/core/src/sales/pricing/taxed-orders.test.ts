import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createCheckout,
  createOrder,
  getCustomer,
  getOrder,
  getSettings,
  type OrderInput,
  quoteCheckout,
  recordPayment,
  refundOrder,
  type SettingsChanges,
  updateSettings,
} from '../../index.ts';

const rate = (country: string, taxClass: string, fraction: string, more: object = {}) => ({
  ...{ country, class: taxClass, rate: fraction },
  ...more,
});

/** A shop in Berlin that sells books and mugs to its neighbours. */
const berlin: SettingsChanges = {
  country: 'DE',
  taxRate: '0.19',
  taxIncluded: true,
  taxes: {
    scope: 'destination',
    rates: [
      rate('DE', 'standard', '0.19', { name: 'MwSt.' }),
      rate('DE', 'reduced', '0.07', { name: 'MwSt.' }),
      rate('AT', 'standard', '0.2', { name: 'USt.' }),
      rate('AT', 'reduced', '0.1', { name: 'USt.' }),
      rate('FR', 'standard', '0.2'),
    ],
  },
};

const ohio: SettingsChanges = {
  country: 'US',
  taxes: {
    scope: 'destination',
    rates: [rate('US', 'standard', '0.0575', { region: 'us-oh' }), rate('US', 'standard', '0.0725', { region: 'CA' })],
  },
};

const mugAndBook = [
  { sku: 'MUG', quantity: 1 },
  { sku: 'BOOK', quantity: 2 },
];

forEachStorage('taxes by place and class', (database) => {
  const { openShop } = useSelling(database);

  async function open(settings: SettingsChanges, currency = 'EUR') {
    const { shop, input } = await openShop(['stripe'], { currency, more: { sku: 'TEA', price: '1' } });
    await newProduct(shop, { sku: 'MUG', price: '11.90' });
    await newProduct(shop, { sku: 'BOOK', price: '10.70', taxClass: 'reduced' });
    // Once there are taxes, a new class needs a rate.
    await updateSettings(shop, settings);
    return { shop, input };
  }
  const orderOf = (shop: Context, more: Partial<OrderInput>) => createOrder(shop, { items: mugAndBook, ...more });
  const entries = ({ taxes }: Awaited<ReturnType<typeof getOrder>>) =>
    taxes.map(({ country, region, rate, name, base, amount }) => [country, region, rate, name, base, amount].join(' '));

  it.each<[string, Partial<OrderInput>, string[], object]>([
    [
      'the country of the goods',
      { shippingAddress: { country: 'at' }, billingAddress: { country: 'FR' }, shipping: '5' },
      // 33.30 of goods; 5.00 falls on them as 1.79 and 3.21.
      ['AT  0.2 USt. 11.41 2.28', 'AT  0.1 USt. 22.37 2.24'],
      { tax: '4.52', taxRate: '0.1338', total: '38.30' },
    ],
    [
      'the country of the invoice, if there is no other',
      { billingAddress: { country: 'FR' } },
      ['FR  0.2  27.75 5.55'],
      { tax: '5.55', taxRate: '0.2', total: '33.30' },
    ],
    [
      'the country of the shop, if there is none',
      {},
      ['DE  0.19 MwSt. 10.00 1.90', 'DE  0.07 MwSt. 20.00 1.40'],
      { tax: '3.30', taxRate: '0.11', total: '33.30' },
    ],
    [
      'the shop in a member state without rates',
      { shippingAddress: { country: 'IT' } },
      ['DE  0.19 MwSt. 10.00 1.90', 'DE  0.07 MwSt. 20.00 1.40'],
      { tax: '3.30' },
    ],
    [
      'nothing in a country that is far',
      { shippingAddress: { country: 'JP' } },
      ['JP  0  33.30 0.00'],
      { tax: '0.00', taxRate: '0', total: '33.30' },
    ],
    [
      'the caller, who knows better',
      { shippingAddress: { country: 'AT' }, taxRate: '0.05' },
      ['  0.05  31.71 1.59'],
      { tax: '1.59', taxRate: '0.05', total: '33.30' },
    ],
  ])('are those of %s', async (_, more, expected, amounts) => {
    const { shop } = await open(berlin);
    const order = await orderOf(shop, more);
    expect(entries(order).map((entry) => entry.replaceAll('null', ''))).toEqual(expected);
    expect(order).toMatchObject(amounts);
    expect(order.items.map(({ taxClass }) => taxClass)).toEqual(['standard', 'reduced']);
  });

  it('are the own ones in the whole Union with the scope origin, and those of the destination elsewhere', async () => {
    const { taxes } = berlin;
    const rates = [...(taxes?.rates ?? []), rate('CH', 'standard', '0.081')];
    const { shop } = await open({ ...berlin, taxes: { scope: 'origin', rates } });
    const rateFor = async (country: string) =>
      (await orderOf(shop, { shippingAddress: { country } })).taxes.map((tax) => [tax.country, tax.rate]);
    const own = [
      ['DE', '0.19'],
      ['DE', '0.07'],
    ];
    expect(await rateFor('AT')).toEqual(own);
    expect(await rateFor('DE')).toEqual(own);
    expect(await rateFor('CH')).toEqual([['CH', '0.081']]);
    expect(await rateFor('NO')).toEqual([['NO', '0']]);
  });

  it('have a quote and a checkout with the numbers of the order', async () => {
    const { shop, input } = await open(berlin);
    const body = { items: mugAndBook, shippingAddress: { country: 'AT' } };
    const quote = await quoteCheckout(shop, { ...body, provider: 'stripe' });
    expect(quote).toMatchObject({
      taxIncluded: true,
      lines: [{ taxRate: '0.2' }, { taxRate: '0.1' }],
      taxes: [
        { country: 'AT', region: null, rate: '0.2', name: 'USt.', base: '9.92', amount: '1.98' },
        { country: 'AT', region: null, rate: '0.1', name: 'USt.', base: '19.45', amount: '1.95' },
      ],
      tax: '3.93',
      total: '33.30',
      problems: [],
    });
    const { orderId } = await createCheckout(shop, { ...input(), ...body, provider: 'stripe' });
    const order = await getOrder(shop, orderId);
    expect(order.taxes).toEqual(quote.taxes);
    expect(order).toMatchObject({ tax: quote.tax, total: quote.total });
    // A country alone is enough to know the tax.
    const { taxes } = await quoteCheckout(shop, { items: mugAndBook, country: 'AT' });
    expect(taxes).toEqual(quote.taxes);
  });

  it.each<[string, SettingsChanges, Partial<OrderInput>, string[], object]>([
    [
      'the class of shipping, with prices that include it',
      { taxes: { ...berlin.taxes, shipping: 'reduced' } as never },
      { shipping: '10.70' },
      ['0.19 10.00 1.90', '0.07 30.00 2.10'],
      { total: '44.00' },
    ],
    [
      'nothing for shipping',
      { taxes: { ...berlin.taxes, shipping: 'none' } as never },
      { shipping: '5' },
      ['0.19 10.00 1.90', '0.07 20.00 1.40'],
      { total: '38.30' },
    ],
    [
      'nothing for shipping, with prices that exclude it',
      { taxIncluded: false },
      { shipping: '5' },
      ['0.19 11.90 2.26', '0.07 21.40 1.50'],
      { tax: '3.76', total: '42.06' },
    ],
    [
      'the class of shipping, with prices that exclude it',
      { taxIncluded: false, taxes: { ...berlin.taxes, shipping: 'standard' } as never },
      { shipping: '5' },
      ['0.19 16.90 3.21', '0.07 21.40 1.50'],
      { tax: '4.71', total: '43.01' },
    ],
  ])('ask %s', async (_, settings, more, expected, amounts) => {
    const { shop } = await open({ ...berlin, ...settings });
    const order = await orderOf(shop, more);
    expect(order.taxes.map(({ rate, base, amount }) => `${rate} ${base} ${amount}`)).toEqual(expected);
    expect(order).toMatchObject(amounts);
  });

  it('of a part of a country need that part', async () => {
    const { shop, input } = await open(ohio, 'USD');
    expect((await getSettings(shop)).taxes?.rates.map(({ region }) => region)).toEqual(['OH', 'CA']);
    const address = (region: string | null) => ({ shippingAddress: { country: 'US', region } });
    expect((await orderOf(shop, address('US-CA'))).taxes).toMatchObject([
      { country: 'US', region: 'CA', rate: '0.0725' },
    ]);
    expect((await orderOf(shop, address('oh'))).taxes).toMatchObject([{ region: 'OH', rate: '0.0575' }]);
    // Without a row, the one rate of the shop.
    expect((await orderOf(shop, address('TX'))).taxes).toMatchObject([{ country: 'US', region: null, rate: '0' }]);
    await expect(orderOf(shop, address('Ohio'))).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: 'shippingAddress.region', code: 'NOT_OFFERED' }],
      message: expect.stringContaining('"Ohio"'),
    });
    const missing = { code: 'REGION_REQUIRED', field: 'shippingAddress.region' };
    const quote = { items: mugAndBook, provider: 'stripe' as const };
    expect((await quoteCheckout(shop, { ...quote, ...address(null) })).problems).toMatchObject([missing]);
    expect((await quoteCheckout(shop, { ...quote, country: 'US' })).problems).toMatchObject([
      { ...missing, field: 'region' },
    ]);
    expect((await quoteCheckout(shop, { ...quote, country: 'US', region: 'OH' })).problems).toEqual([]);
    await expect(quoteCheckout(shop, { ...quote, country: 'US', region: 'XX' })).rejects.toMatchObject({
      details: [{ field: 'region' }],
    });
    const checkout = { ...input(), items: mugAndBook, ...address(null), provider: 'stripe' as const };
    await expect(createCheckout(shop, checkout)).rejects.toMatchObject({ details: [missing] });
    // A rate of the caller asks for no region, and neither does a shop that nothing leaves.
    expect((await orderOf(shop, { ...address(null), taxRate: '0.05' })).tax).toBe('1.67');
    expect((await orderOf(shop, {})).tax).toBe('0.00');
  });

  it('and ways to ship by country need its code', async () => {
    const ways = { shippingMethods: [{ id: 'post', name: 'Post', price: '4', countries: ['DE', 'GB', 'XK'] }] };
    for (const settings of [berlin, ways]) {
      const { shop } = await open(settings);
      for (const [country, message] of [
        ['Germany', /shippingAddress.country: must be a country code of two letters.*"Germany"/],
        ['UK', /must be "GB", not "UK"/],
        ['el', /must be "GR"/],
        ['ZZ', /must be the code of a country/],
      ] as const) {
        await expect(orderOf(shop, { shippingAddress: { country } })).rejects.toThrow(message);
        await expect(quoteCheckout(shop, { items: mugAndBook, shippingAddress: { country } })).rejects.toThrow(message);
      }
      await orderOf(shop, { shippingAddress: { country: ' gb ' } });
      await orderOf(shop, { shippingAddress: { country: 'XK' } });
    }
    const { shop } = await open({});
    await orderOf(shop, { shippingAddress: { country: 'Germany' } });
  });

  it('of goods that are fetched are those of the shop', async () => {
    const { shop } = await open({
      ...berlin,
      shippingMethods: [{ id: 'fetch', name: 'Fetch', price: '0', kind: 'pickup' }],
    });
    const order = await orderOf(shop, { shippingAddress: { country: 'AT' }, shippingMethodId: 'fetch' });
    expect(order.taxes.map(({ country }) => country)).toEqual(['DE', 'DE']);
    expect(order.shippingMethod).toEqual({ id: 'fetch', name: 'Fetch', kind: 'pickup' });
  });

  it.each<[string, SettingsChanges, object]>([
    [
      'prices that include it cost less',
      berlin,
      // 11.90 without 19 %, 10.70 without 7 %; 5.00 falls on 10.00 and 20.00 as 1.67 and 3.33, without tax 1.40 and 3.11.
      { subtotal: '30.00', shipping: '4.51', total: '34.51', taxes: [{ country: 'AT', rate: '0', base: '34.51' }] },
    ],
    [
      'prices without it stay',
      { ...berlin, taxIncluded: false },
      { subtotal: '33.30', shipping: '5.00', total: '38.30', taxes: [{ country: 'AT', rate: '0', base: '33.30' }] },
    ],
    ['with one rate', { taxRate: '0.19', taxIncluded: true }, { subtotal: '27.98', shipping: '4.20', total: '32.18' }],
  ])('are none for an exempt order: %s', async (_, settings, expected) => {
    const { shop } = await open({ ...settings, country: 'DE' });
    // Rates of the country of the goods would be 20 % and 10 %.
    if (settings.taxes) {
      const rates = settings.taxes.rates?.filter(({ country }) => country === 'DE') ?? [];
      await updateSettings(shop, { taxes: { ...settings.taxes, rates } });
    }
    const taxExempt = { reason: 'intraCommunity' as const };
    const order = await orderOf(shop, { taxExempt, shippingAddress: { country: 'AT' }, shipping: '5' });
    expect(order).toMatchObject({ ...expected, tax: '0.00', taxRate: '0', taxExempt: { ...taxExempt, note: null } });
  });

  it('are left out of an exempt order by trusted code alone, which says why', async () => {
    const { shop, input } = await open(berlin);
    const seen: Context = { ...shop, actor: { type: 'apiKey', id: 'storefront', isPublic: true } };
    const body = { items: mugAndBook, shippingAddress: { country: 'AT' }, provider: 'stripe' as const };
    const exempt = { ...body, taxExempt: { reason: 'export' as const } };
    for (const call of [() => quoteCheckout(seen, exempt), () => createCheckout(seen, { ...input(), ...exempt })]) {
      await expect(call()).rejects.toMatchObject({ kind: 'forbidden', message: expect.stringContaining('taxExempt') });
    }
    const { total } = await quoteCheckout(shop, exempt);
    const { orderId } = await createCheckout(shop, { ...input(), ...exempt });
    expect(await getOrder(shop, orderId)).toMatchObject({ total, tax: '0.00', taxExempt: { reason: 'export' } });
    const other = { items: mugAndBook, taxExempt: { reason: 'other' as const } };
    await expect(createOrder(shop, other)).rejects.toMatchObject({ details: [{ field: 'taxExempt.note' }] });
  });

  it('do not change with the VAT number of the buyer, which the order keeps', async () => {
    const { shop, input } = await open(berlin);
    const customer = { email: 'b2b@shop.test', vatId: ' atu-12 345 675' };
    const { orderId } = await createCheckout(shop, {
      ...{ ...input(), items: mugAndBook, customer, shippingAddress: { country: 'AT' } },
      provider: 'stripe',
    });
    const order = await getOrder(shop, orderId);
    expect(order).toMatchObject({ vatId: 'ATU12345675', tax: '3.93' });
    expect(await getCustomer(shop, order.customerId ?? '')).toMatchObject({ vatId: 'ATU12345675' });
    for (const vatId of ['ATU12345676', 'DE12', '12345675', 'ZZ123456789', '']) {
      const call = createOrder(shop, { items: mugAndBook, customer: { ...customer, vatId } });
      await expect(call).rejects.toMatchObject({ details: [{ field: 'customer.vatId' }] });
    }
  });

  it('of a refund by lines are those of their rates, and everything adds up', async () => {
    const { shop } = await open({ ...berlin, taxIncluded: false, manualPayments: true });
    await updateSettings(shop, { taxes: { ...berlin.taxes, shipping: 'proportional' } as never });
    const order = await orderOf(shop, { shippingAddress: { country: 'AT' }, shipping: '5', discount: '3.33' });
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    const [mug, book] = order.items;
    await refundOrder(shop, order.id, { lines: [{ itemId: mug?.id ?? '', quantity: 1 }] });
    // 11.90 less 1.19, and its part of 20 % on it and on 1.79 of the shipping.
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('12.85');
    await refundOrder(shop, order.id, { lines: [{ itemId: book?.id ?? '', quantity: 1 }] });
    await refundOrder(shop, order.id, { lines: [{ itemId: book?.id ?? '', quantity: 1 }], shipping: true });
    const { refundedAmount, total, status } = await getOrder(shop, order.id);
    expect(refundedAmount).toBe(total);
    expect(status).toBe('refunded');
  });

  it.each<[string, SettingsChanges, string]>([
    ['without the country of the shop', { taxes: { scope: 'origin' } }, 'taxes'],
    ['of no scope', { country: 'DE', taxes: {} as never }, 'taxes.scope'],
    ['of an unknown country', { country: 'DE', taxes: withRate('UK') }, 'taxes.rates.0.country'],
    ['of an unknown region', { country: 'US', taxes: withRate('US', { region: 'Ohio' }) }, 'taxes.rates.0.region'],
    ['of another country’s region', { country: 'US', taxes: withRate('US', { region: 'ON' }) }, 'taxes.rates.0.region'],
    ['of a class in words', { country: 'DE', taxes: withRate('DE', { class: 'Books!' }) }, 'taxes.rates.0.class'],
    ['of a class named none', { country: 'DE', taxes: withRate('DE', { class: 'none' }) }, 'taxes.rates.0.class'],
    ['in per cent', { country: 'DE', taxes: withRate('DE', { rate: '19' }) }, 'taxes.rates.0.rate'],
    ['with a mistyped field', { country: 'DE', taxes: { scope: 'origin', rate: [] } as never }, 'taxes.rate'],
    [
      'said twice',
      {
        country: 'US',
        taxes: {
          scope: 'origin',
          rates: [rate('US', 'standard', '0.1', { region: 'CA' }), rate('us', 'standard', '0.2', { region: 'us-ca' })],
        },
      },
      'taxes.rates',
    ],
  ])('are refused %s', async (_, changes, field) => {
    const { shop } = await open({});
    const before = await getSettings(shop);
    await expect(updateSettings(shop, changes)).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
    expect(await getSettings(shop)).toEqual(before);
  });

  it('keep the country of the shop', async () => {
    const { shop } = await open(berlin);
    await expect(updateSettings(shop, { country: null })).rejects.toMatchObject({ details: [{ field: 'country' }] });
    expect(await updateSettings(shop, { country: null, taxes: null })).toMatchObject({ country: null, taxes: null });
  });
});

function withRate(country: string, more: object = {}): SettingsChanges['taxes'] {
  return { scope: 'destination', rates: [rate(country, 'standard', '0.1', more)] as never };
}
